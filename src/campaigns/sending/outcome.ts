import { BposError, type ErrorReason, isReason } from "../../errors.ts";
import type { JournalCall } from "../../journal/records/sends.ts";
import { findDoubts, type SendReport, type SentCampaign } from "../send-report.ts";
import type { Tally } from "./round.ts";
import type { CallOutcome } from "./send-call.ts";

export const isRefusal = (failure: BposError | undefined): boolean =>
  isReason(failure, "input_refused") || isReason(failure, "access_denied");

/** Failures that are reported only if there is no other: `resume` settles every other. */
const reportedLast: readonly ErrorReason[] = ["opted_out_unknown", "too_late", "usage_flag"];

/** Failures that are reported whatever the outcome of other calls in flight. */
const reportedFirst = ["outcome_unknown", "journal_write_failed", "interrupted"] as const;

const isReportedFirst = (reason: ErrorReason | undefined): boolean =>
  reportedFirst.some((each) => each === reason);

/** Failures that every other send would meet too. */
const metByAll: readonly (ErrorReason | undefined)[] = [
  "access_denied",
  "unavailable",
  "memory_short",
  "interrupted",
  "journal_unreadable",
  "journal_write_failed",
  "journal_older",
  "lock_lost",
];

/** Adds what stopped a send, where nothing did before. */
export function addFailure(tally: Tally, failure: BposError): void {
  tally.failure ??= failure;
  tally.isMetByAll ||= metByAll.includes(failure.reason);
}

/** Calls without an answer, one after the other, after which no other would have one. */
const maxUnknownInARow = 3;

/** Adds the outcome of a call whose state in the journal is `state`. Returns whether the next call may begin. */
export function addOutcome(
  tally: Tally,
  { state }: JournalCall,
  outcome: Exclude<CallOutcome, { kind: "postponed" }>,
): "goes_on" | "slows_down" | "stops" {
  const failure = "failure" in outcome ? outcome.failure : undefined;
  const isKept = outcome.kind !== "answered" || failure === undefined;
  const wentOutNow = outcome.kind === "settled" || (outcome.kind === "answered" && outcome.wentOutNow);

  const said = tally.failure?.reason;
  const isFirst = said === undefined || reportedLast.includes(said);
  // A refusal while another call was in flight, whose outcome is unknown.
  const isGraver = state === "attempted" && isReportedFirst(failure?.reason) && !isReportedFirst(said);
  tally.isMetByAll ||= metByAll.includes(failure?.reason);
  if (!isKept || isFirst || isGraver) tally.failure = failure ?? tally.failure;
  tally.isAllKept &&= isKept;
  tally.wentOut += Number(wentOutNow);

  const isStuck = isReason(failure, "opted_out_unknown");
  tally.unknownInARow = failure !== undefined && !isStuck ? tally.unknownInARow + 1 : 0;
  if (failure === undefined || isStuck) return "goes_on";
  // One call without an answer must not hold up the others.
  const mayGoOn = isReason(failure, "outcome_unknown") && tally.unknownInARow < maxUnknownInARow;
  return mayGoOn ? "slows_down" : "stops";
}

/** Returns the outcome of a send from the answers to its calls, what stopped it, and how many calls went out now. */
export function decideOutcome(
  campaigns: readonly SentCampaign[],
  { failure, wentOut, isAllKept }: Tally,
): SendReport["outcome"] {
  if (!isAllKept || campaigns.some((call) => call.campaign_id === null)) return "unknown";
  if (failure) {
    if (campaigns.length > 0) return "partial";
    return isRefusal(failure) ? "refused" : "nothing";
  }
  if (campaigns.length === 0) return "nothing";
  if (findDoubts(campaigns)) return "partial";
  return wentOut === 0 ? "replayed" : "sent";
}

/** Returns what stopped a send, with its reference. An unknown outcome takes precedence over calls that were too late or held. */
export function decideFailure(failure: BposError | undefined, { outcome, external_ref: ref }: SendReport) {
  if (outcome === "unknown" && isReason(failure, "too_late"))
    return new BposError("too_late_unknown", failure.facts);
  if (outcome === "unknown" && isReason(failure, "repeat_held"))
    return new BposError("repeat_held_unknown", failure.facts);
  for (const reason of reportedFirst)
    if (isReason(failure, reason))
      return new BposError(reason, { ...failure.facts, ref }, { cause: failure });
  return failure;
}
