import { BposError, type ErrorReason, isReason } from "../../errors.ts";
import { findDoubts, type SendReport, type SentCampaign } from "../send-report.ts";

export const isRefusal = (failure: BposError | undefined): boolean =>
  isReason(failure, "input_refused") || isReason(failure, "access_denied");

export function decideOutcome(
  campaigns: readonly SentCampaign[],
  failure: BposError | undefined,
  wentOut: number,
): SendReport["outcome"] {
  if (campaigns.some((call) => call.campaign_id === null)) return "unknown";
  if (failure) {
    if (campaigns.length > 0) return "partial";
    return isRefusal(failure) ? "refused" : "nothing";
  }
  if (campaigns.length === 0) return "nothing";
  if (findDoubts(campaigns)) return "partial";
  return wentOut === 0 ? "replayed" : "sent";
}

/** Said where there is no other failure: `resume` settles every other. */
export const lastSaid: readonly ErrorReason[] = ["opted_out_unknown", "too_late", "usage_flag"];

/** Said whatever else a call under way beside it comes to. */
const firstSaid = ["outcome_unknown", "journal_write_failed", "interrupted"] as const;

export const isFirstSaid = (reason: ErrorReason | undefined): boolean =>
  firstSaid.some((each) => each === reason);

/** What every other send would meet too. */
export const metByAll: readonly (ErrorReason | undefined)[] = [
  "access_denied",
  "unavailable",
  "memory_short",
  "interrupted",
  "journal_unreadable",
  "journal_write_failed",
  "journal_older",
  "lock_lost",
];

/** What stopped a send, with its reference. An unknown outcome takes precedence over calls that were too late or held. */
export function decideFailure(failure: BposError | undefined, { outcome, external_ref: ref }: SendReport) {
  if (outcome === "unknown" && isReason(failure, "too_late"))
    return new BposError("too_late_unknown", failure.facts);
  if (outcome === "unknown" && isReason(failure, "repeat_held"))
    return new BposError("repeat_held_unknown", failure.facts);
  for (const reason of firstSaid)
    if (isReason(failure, reason))
      return new BposError(reason, { ...failure.facts, ref }, { cause: failure });
  return failure;
}
