import { isoWithOffset } from "../../contract/instants.ts";
import type { Journal } from "../../journal/open.ts";
import { type KeptCall, type KeptSend, keptCalls, keptSends } from "../../journal/send-history.ts";
import { templateLabel } from "../send/plan.ts";
import {
  isDoubtful,
  readCampaignAnswer,
  type SendReport,
  type SentCampaign,
  unknownCampaign,
} from "../send/report.ts";

/** Counts that only the run of a send knew. */
type CountOfRun = "read" | "duplicates" | "invalid" | "excluded" | "already_sent";

/** Lists of rows of the file, likewise. */
type RowsOfRun = "invalid" | "duplicates" | "excluded";

/** What `campaign send --json` printed of what its run alone knew; null when the run was killed. */
type OfRun = Record<RowsOfRun, readonly unknown[] | null> &
  Pick<SendReport, "errors_file"> & { recipients: Record<CountOfRun, number | null> };

/** A send of the past as `campaign send --json` printed it, its calls as they are now, and when it was planned. */
type PastSend = Omit<SendReport, "recipients" | RowsOfRun> &
  OfRun & {
    at: string;
    recipients: Omit<SendReport["recipients"], CountOfRun>;
    /** There when the send was made with --test-to. */
    test?: true;
  };

const killed: OfRun = {
  recipients: { read: null, duplicates: null, invalid: null, excluded: null, already_sent: null },
  ...{ invalid: null, duplicates: null, excluded: null },
};

/** A send with what a table says of it beside its JSON. */
export interface KnownSend {
  report: PastSend;
  /** How many of its calls stand how; `doubtful` are answered, and the answer leaves open what became of them. */
  calls: Record<KeptCall["state"] | "all" | "doubtful", number>;
}

function campaignOf(call: KeptCall): SentCampaign {
  if (call.answer === null) return unknownCampaign(call);
  const { campaign_id, ...rest } = readCampaignAnswer(call.answer);
  return { campaign_id, idempotency_key: call.idempotency_key, ...rest };
}

function outcomeOf({ all, attempted, sent, doubtful }: KnownSend["calls"]): SendReport["outcome"] {
  if (attempted > 0) return "unknown";
  if (sent === 0) return "nothing";
  return sent < all || doubtful > 0 ? "partial" : "sent";
}

function knownSend(send: KeptSend, kept: readonly KeptCall[]): KnownSend {
  const inState = (state: KeptCall["state"]): number => kept.filter((call) => call.state === state).length;
  const doubtful = kept.filter(
    (call) => call.state === "sent" && isDoubtful(call.people, campaignOf(call)),
  ).length;
  const calls = {
    ...{ all: kept.length, planned: inState("planned"), doubtful },
    ...{ attempted: inState("attempted"), sent: inState("sent") },
  };
  const campaigns = kept.filter(({ state }) => state !== "planned").map(campaignOf);
  const ofRun = send.report === null ? killed : (JSON.parse(send.report) as OfRun);
  const { invalid, duplicates, excluded, errors_file } = ofRun;
  const report: PastSend = {
    send_id: send.send_id,
    at: isoWithOffset(send.at),
    template: templateLabel({ name: send.template_name, id: send.template_id }),
    external_ref: send.ref,
    recipients: {
      ...ofRun.recipients,
      planned: kept.reduce((sum, { people }) => sum + people, 0),
      added: campaigns.reduce((sum, { recipients }) => sum + recipients.added, 0),
      errors: campaigns.flatMap(({ recipients }) => recipients.errors),
    },
    campaigns,
    ...{ invalid, duplicates, excluded },
    outcome: outcomeOf(calls),
    dry_run: false,
    ...(send.is_test === 1 && { test: true }),
    ...(errors_file !== undefined && { errors_file }),
  };
  return { report, calls };
}

/** The sends that this machine made for a branch, newest first. */
export function sendHistory(journal: Journal, branch: string, limit: number): KnownSend[] {
  return keptSends(journal, branch, limit).map((send) => knownSend(send, keptCalls(journal, send.send_id)));
}
