import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { maskedBody } from "../../api/answer.ts";
import { deepParts, maxJsonDepth } from "../../api/json.ts";
import type { Output } from "../../cli/display/output.ts";
import type { JournalOutage } from "../../delivery/outage.ts";
import { detailWords } from "../../errors/words/details.ts";
import { JournalError, LockLost } from "../../journal/engine/engine.ts";
import type { Journal } from "../../journal/journal.ts";
import type { T } from "../../texts/texts.ts";
import { parseBody } from "../replies.ts";
import { forwardedBy } from "./outputs.ts";
import type { Refusal as OptingOut, refusalReader } from "./refusals.ts";
import { type ReceiverOptions, Refusal } from "./server.ts";

/** Maximum number of pending replies: a sender must not fill the disk that a watch needs. */
const maxReplies = 100_000;
const maxBytes = 100 * 1024 * 1024;
const fullMs = 5_000;

interface Keeping {
  output: Output;
  /** This process, in what it forwards. */
  id: string;
  outputs: readonly string[];
  now: () => number;
  mask: (text: string) => string;
  readRefusals: ReturnType<typeof refusalReader>;
  /** A phone as it may be shown. */
  describe: (phone: string) => string;
  outage: JournalOutage;
  fail: (error: unknown) => void;
}

function readReplyText(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (deepParts(text).length > 0) throw new Refusal(400, `the body is nested more than ${maxJsonDepth} deep`);
  try {
    if (!isUtf8(bytes)) throw new SyntaxError("not UTF-8");
    parseBody(text);
  } catch {
    throw new Refusal(400, "the body is not JSON in UTF-8");
  }
  return text;
}

const fullText = (t: T): string =>
  t(
    "100,000 replies or 100 MiB are pending. bpos answers new replies with 503, so the service retries them, until the outputs catch up.",
  );

const acceptedText = (t: T): string => t("The outputs have caught up: bpos accepts replies again.");

/** Refuses replies while too much is pending. Queries the journal only when the replies since the last query could exceed the limit. */
function openBound({ replies }: Journal, { output, outputs, now }: Keeping) {
  const { t } = output.texts;
  let pending = { replies: Number.POSITIVE_INFINITY, bytes: 0 };
  let fullUntil = Number.NEGATIVE_INFINITY;
  let isFull = false;
  const exceeds = (): boolean => pending.replies >= maxReplies || pending.bytes >= maxBytes;
  return async (bytes: number): Promise<void> => {
    if (exceeds() && now() >= fullUntil) {
      pending = await replies.pending(outputs);
      if (exceeds()) fullUntil = now() + fullMs;
    }
    const wasFull = isFull;
    isFull = exceeds();
    const facts = { event: isFull ? "replies.full" : "replies.accepted" };
    if (isFull !== wasFull) void output.warning(isFull ? fullText(t) : acceptedText(t), facts);
    const cause = new Error("too much is pending");
    if (isFull) throw new Refusal(503, "too many replies wait for delivery: try again", { cause });
    pending = { replies: pending.replies + 1, bytes: pending.bytes + bytes };
  };
}

const nobodyText = (t: T): string =>
  t(
    "An opt-out reply has no readable phone, so nobody was added to the opt-out list. Find out who sent it, then run: bpos campaign optout add PHONE",
  );

/** Says who opted out, or could have, once that is recorded. */
function tellRefusals(refusals: readonly OptingOut[], { output, describe }: Keeping): void {
  const { t } = output.texts;
  for (const { kind, person } of refusals)
    if (person === undefined) void output.warning(nobodyText(t), { event: "opt_out.no_phone" });
    else {
      const facts = { phone: describe(person) };
      if (kind === "refused")
        void output.notice(
          t("{phone} opted out. Sends from this journal no longer message this person.", facts),
          { event: "opt_out.added" },
        );
      else
        void output.notice(
          t("The reply from {phone} could be an opt-out. To decide, run: bpos campaign optout review", facts),
          { event: "opt_out.doubtful" },
        );
    }
}

/** Records opt-outs immediately, before the reply itself, which is refused while too many are pending. */
async function keepRefusals(journal: Journal, refusals: readonly OptingOut[], at: number): Promise<void> {
  const known = refusals.flatMap(({ kind, person, text }) =>
    person === undefined ? [] : [{ kind, phone: person, at, source: "reply" as const, text }],
  );
  const refused = known.filter(({ kind }) => kind === "refused");
  if (refused.length > 0) await journal.optOuts.add(refused);
  for (const each of known.filter(({ kind }) => kind === "doubtful")) await journal.optOuts.doubt(each);
  // It is in the journal: only a restore needs the copy on this machine.
  if (refused.length > 0) await journal.keepOptOuts().catch(() => undefined);
}

/** Records a reply before answering it; if that fails, the sender must retry. */
export function keepReplies(journal: Journal, keeping: Keeping): ReceiverOptions["take"] {
  const { output, id, outputs, mask, outage, fail, now, readRefusals } = keeping;
  const makeRoom = openBound(journal, keeping);
  const later = (cause: JournalError) =>
    new Refusal(503, "it could not be written down: try again", { cause });
  return async (bytes, headers) => {
    if (headers[forwardedBy] === id)
      throw new Refusal(400, "this process forwarded it: --forward-to leads back here");
    const body = maskedBody(readReplyText(bytes), mask);
    const hash = createHash("sha256").update(bytes).digest("hex");
    if (outage.error !== undefined) throw later(outage.error);
    try {
      const refusals = readRefusals(body);
      await keepRefusals(journal, refusals, now());
      tellRefusals(refusals, keeping);
      await makeRoom(bytes.length);
      await journal.replies.receive({ hash, body, at: now(), outputs });
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      if (error instanceof LockLost) fail(error);
      else if (error.trouble === "down") void outage.wait(error, () => journal.check(), outage.signal);
      else {
        const { t } = output.texts;
        const notKept = t(
          "Cannot write a reply to the journal ({detail}). bpos answered 503, so the service retries it.",
          { detail: detailWords(error.detail, t) },
        );
        void output.warning(notKept, { event: "reply.not_kept" });
      }
      throw later(error);
    }
  };
}
