import { isLosslessNumber } from "lossless-json";
import { parseJson, toNumber, toText } from "../../api/json.ts";
import type { ErrorReason } from "../../errors.ts";
import type { PushEvent } from "../../journal/records/pushes.ts";

/** Items that an earlier attempt had applied, items without an answer, and items that an answer does not count; below 0 where it counts more. */
export type Unsaid = { before: number; unanswered: number; uncounted: number };
export const noneUnsaid: Unsaid = { before: 0, unanswered: 0, uncounted: 0 };

export const noCounts = { sent: 0, batches: 0, accepted: 0, skipped_stale: 0, duplicate_batches: 0 };

function readRejected(entry: unknown) {
  // A value that is not an object names no product, but may contain the reason.
  if (typeof entry !== "object" || entry === null || isLosslessNumber(entry))
    return { codigo: null, error: toText(entry) };
  const { codigo, error } = entry as { codigo?: unknown; error?: unknown };
  return { codigo: toText(codigo), error: toText(error) };
}

/** Reads an answer as the journal keeps it. An unexpected answer does not throw, so it cannot stop a report. */
export function readBatchAnswer(text: string) {
  const answer = parseJson(text) as Record<string, unknown>;
  const rejected: unknown = answer["rejected"];
  return {
    duplicate: answer["duplicate"] === true,
    accepted: toNumber(answer["accepted"]) ?? 0,
    stale: toNumber(answer["skipped_stale"]) ?? 0,
    rejected: Array.isArray(rejected) ? rejected.map(readRejected) : [],
  };
}

export type PushCounts = ReturnType<typeof countAnswers>;

export function countAnswers(events: readonly PushEvent[]) {
  const rejected: { event: PushEvent; products: ReturnType<typeof readRejected>[] }[] = [];
  const counts = { ...noCounts };
  const unsaid = { ...noneUnsaid };
  let sumsDiffer = 0;
  let isPending = false;
  for (const event of events) {
    if (event.state === "planned") continue;
    // A batch without an answer may have arrived: it counts as sent, with an unknown outcome.
    counts.batches += 1;
    counts.sent += event.row_count;
    isPending ||= event.answer === null;
    if (event.answer === null) {
      unsaid.unanswered += event.row_count;
      continue;
    }
    const { accepted, stale, duplicate, rejected: products } = readBatchAnswer(event.answer);
    counts.accepted += accepted;
    counts.skipped_stale += stale;
    rejected.push({ event, products });
    // The specification does not show what a repeated answer counts.
    const uncounted = event.row_count - accepted - products.length - stale;
    if (duplicate) counts.duplicate_batches += 1;
    else if (uncounted !== 0) sumsDiffer += 1;
    unsaid[duplicate && uncounted > 0 ? "before" : "uncounted"] += uncounted;
  }
  return { counts, rejected, sumsDiffer, isPending, unsaid };
}

/** Returns how a push ended: the first outcome that fits. `stoppedBy` is `unanswered` where the cause of an early end is unknown. */
export function decideOutcome(
  { counts: { sent, accepted, skipped_stale: stale }, sumsDiffer, isPending }: Omit<PushCounts, "unsaid">,
  rejected: number,
  stoppedBy: ErrorReason | "unanswered" | undefined,
) {
  // The next run will not know an answer that the journal could not keep.
  if (isPending || stoppedBy === "journal_write_failed") return "unknown";
  const isRefused = stoppedBy === "input_refused" || stoppedBy === "access_denied";
  if (isRefused && accepted === 0) return "refused";
  const isFlawed = rejected > 0 || sumsDiffer > 0;
  if (sent === 0 || (accepted === 0 && isFlawed)) return "nothing";
  if (stale === sent) return "stale";
  return isFlawed || stale > 0 || stoppedBy !== undefined ? "partial" : "complete";
}
