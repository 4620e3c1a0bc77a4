import type { Output } from "../../delivery/deliver.ts";
import type { ExecFailure } from "../../delivery/outputs.ts";
import type { Detail } from "../../errors/detail.ts";
import type { ReplyRefusal } from "../../errors/reply-refusal.ts";
import type { RepliedSend } from "../../journal/replies.ts";
import type { ReplyFields } from "./reply-fields.ts";

/** A reply as it is handed on; `event` is one line of `campaign listen -o ndjson`. */
export interface ReplyEvent {
  event: {
    event: "reply";
    /** When it came in, ISO 8601 with offset. */
    at: string;
    campaign_id: string | null;
    external_ref: string | null;
    /** The send of this machine that it belongs to; null when there is none. */
    send_id: string | null;
    /** True when the same bytes came before, or a crash makes it possible that this was handed on already. */
    repeated: boolean;
    /** As it came. */
    body: unknown;
  };
  /** The text that came. */
  body: string;
  fields: ReplyFields;
  send: RepliedSend | undefined;
}

/** Why an output did not take a reply. */
export type ReplyFailure =
  | ({ kind: "exec" } & ExecFailure)
  /** `status` is null when no answer came. */
  | { kind: "forward"; url: string; status: number | null; detail: Detail }
  /** Standard output could not be written. */
  | { kind: "stdout"; detail: string };

/** Where replies go. */
export interface ReplyOutput extends Output<ReplyEvent, ReplyFailure> {
  name: "exec" | "forward" | "stdout";
}

/** How the listening fares; for people, never on standard output. */
export type ListenNotice =
  /** It listens; `waiting` are replies that outputs of an earlier run have not got, and none of this one gets. */
  | { event: "listening"; port: number; waiting: { output: string; replies: number }[] }
  /** A POST was not taken; told once for each status. */
  | { event: "refused"; status: number; reason: ReplyRefusal }
  /** A reply could not be written down: the sender was asked to try again, with 503. */
  | { event: "not_kept"; detail: string }
  /** The journal could not be written; handing on goes on in `againMs`. */
  | { event: "journal_failed"; detail: string; againMs: number }
  /** An output did not take a reply; it gets it again in `againMs`. `first` since it last had everything; `waiting` are all it has not got. */
  | {
      event: "output_failed";
      reply: ReplyEvent;
      failure: ReplyFailure;
      againMs: number;
      output: ReplyOutput["name"];
      first: boolean;
      waiting: number;
    }
  /** An output has taken everything that it had not. */
  | { event: "output_works"; output: ReplyOutput["name"] }
  /** The wish to stop came while an output was getting this reply: it may have it, and gets it again, repeated. */
  | { event: "unfinished"; reply: ReplyEvent; output: ReplyOutput["name"] };
