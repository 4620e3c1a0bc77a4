import type { CatalogAction } from "../contract/catalog.ts";
import type { RowFaults } from "../errors/row-problem.ts";
import type { BposError, ErrorReason } from "../errors.ts";
import type { PushEvent } from "../journal/pushes.ts";
import { type BatchAnswer, readBatchAnswer } from "./batch-answer.ts";
import type { PushItems, PushRequest } from "./push-plan.ts";

/** One product that was left out: by us (`file`) or by the service. */
export type RejectedProduct =
  | (RowFaults & {
      source: "file";
      codigo: string | null;
      line: number | null;
      cells: readonly string[];
    })
  | {
      source: "service";
      codigo: string | null;
      line: number | null;
      /** In the service's words; null when it gave none. */
      error: string | null;
      cells: readonly string[];
    };

/** How a push ended; see "JSON shapes" in the contract of the command line. */
type PushOutcome = "complete" | "partial" | "refused" | "stale" | "unknown" | "nothing";

/** What came of a push, in the words of the command line's JSON. */
export interface PushReport {
  push_id: string;
  action: CatalogAction;
  occurred_at: string;
  /** Rows read from the file. */
  read: number;
  /** Items that were sent, those of a batch without a clear answer included. */
  sent: number;
  batches: number;
  accepted: number;
  skipped_stale: number;
  duplicate_batches: number;
  /** Rows left out because the service has them already, with `--changed-only`. */
  unchanged: number;
  rejected: RejectedProduct[];
  rejected_file: string | null;
  outcome: PushOutcome;
  dry_run: boolean;
  /** What ended it early; for the screen only. */
  stoppedBy?: ErrorReason;
}

/** A report of nothing yet: what the file alone says. */
export function newReport(request: PushRequest, pushId: string, occurredAt: string): PushReport {
  return {
    push_id: pushId,
    action: request.action,
    occurred_at: occurredAt,
    read: request.read,
    sent: 0,
    batches: 0,
    accepted: 0,
    skipped_stale: 0,
    duplicate_batches: 0,
    unchanged: request.unchanged,
    rejected: request.rejected.map((row) => ({ source: "file", ...row })),
    rejected_file: null,
    outcome: "nothing",
    dry_run: request.dryRun,
  };
}

/** Where each code of a batch stands among the items. */
function positionsByCode(
  items: PushItems,
  { first_row: first, row_count: count }: Pick<PushEvent, "first_row" | "row_count">,
): Map<string, number> {
  return new Map(Array.from({ length: count }, (_, n) => [items.item(first + n).codigo, first + n]));
}

/** Adds one answer to the report; true when its sums are those of the batch. */
function tally(report: PushReport, items: PushItems, event: PushEvent, answer: BatchAnswer): boolean {
  const { accepted, stale, duplicate, rejected } = answer;
  report.accepted += accepted;
  report.skipped_stale += stale;
  if (duplicate) report.duplicate_batches += 1;
  const byCode = rejected.length === 0 ? undefined : positionsByCode(items, event);
  for (const { codigo, error } of rejected) {
    const position = codigo === null ? undefined : byCode?.get(codigo);
    report.rejected.push({
      source: "service",
      codigo,
      line: position === undefined ? null : items.line(position),
      error,
      cells: position === undefined ? [] : items.cells(position),
    });
  }
  return accepted + rejected.length + stale === event.row_count;
}

function outcomeOf(
  report: PushReport,
  failure: BposError | undefined,
  events: readonly PushEvent[],
): PushOutcome {
  // What the journal does not hold is open to the next run, whatever this one was answered.
  const isOpen = failure?.reason === "journal_write_failed";
  if (isOpen || events.some(({ state }) => state === "attempted")) return "unknown";
  if (report.batches === 0) return failure?.reason === "input_refused" ? "refused" : "nothing";
  if (failure) return "partial";
  return report.skipped_stale > 0 ? "stale" : "complete";
}

/** What the journal holds of a push, as a report, and how many batches have sums that do not add up. */
export function reportOf(
  request: PushRequest,
  pushId: string,
  events: readonly PushEvent[],
  failure: BposError | undefined,
): { report: PushReport; sumsDiffer: number } {
  const report = newReport(request, pushId, events[0]?.occurred_at ?? "");
  let sumsDiffer = 0;
  for (const event of events) {
    if (event.state === "planned") continue;
    // One without an answer may have landed: it counts as sent, and nobody knows as what.
    report.batches += 1;
    report.sent += event.row_count;
    if (event.answer === null) continue;
    const answer = readBatchAnswer(event.answer);
    // What a repeated answer counts is not shown in the specification.
    if (!tally(report, request.items, event, answer) && !answer.duplicate) sumsDiffer += 1;
  }
  report.outcome = outcomeOf(report, failure, events);
  if (failure) report.stoppedBy = failure.reason;
  return { report, sumsDiffer };
}
