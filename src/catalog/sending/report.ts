import { isLosslessNumber } from "lossless-json";
import { parseJson, toNumber, toText } from "../../api/json.ts";
import type { RejectedProduct } from "../../cli/files/rejected-rows.ts";
import type { CatalogAction, CatalogItem } from "../../contract/catalog.ts";
import type { BposError, ErrorReason } from "../../errors.ts";
import type { LazyList } from "../../input/items/catalog-items.ts";
import type { PushEvent } from "../../journal/records/pushes.ts";
import type { Comparison } from "../compare.ts";
import { codesOf } from "../item-list.ts";
import type { PriceFacts, PushRequest, Undo } from "./request.ts";

type PushOutcome = "complete" | "partial" | "refused" | "stale" | "unknown" | "nothing";

export interface PushReport {
  push_id: string;
  action: CatalogAction;
  occurred_at: string;
  read: number;
  /** Items that were sent, those of a batch without a clear answer included. */
  sent: number;
  batches: number;
  accepted: number;
  skipped_stale: number;
  duplicate_batches: number;
  unchanged: number;
  rejected: LazyList<RejectedProduct>;
  rejected_file: string | null;
  outcome: PushOutcome;
  dry_run: boolean;
  /** What a delete was to deactivate. */
  codes?: LazyList<string>;
  /** Absent where no prices are sent. */
  prices?: PriceFacts;
  undo?: Undo;
  /** How many items it was to send, for the screen only, as is all that follows. */
  listed: number;
  /** Of the rejected, those that the service did not take. */
  refused: number;
  /** Sent items of which nobody said what became of them. */
  unsaid: Unsaid;
  /** Of one that has nothing to send, when the last push was that the service answered. */
  lastPushAt?: number | undefined;
  failure?: BposError;
  /** Of a dry run, what sending it would change. */
  compared?: Comparison;
  planned?: { wouldSend: number; calls: number; first: readonly CatalogItem[] };
  /** Batches that the service calls duplicates although no earlier attempt is known. */
  unknownDuplicates?: number;
  /** Batches whose accepted, rejected and stale do not add up to what was sent. */
  sumsDiffer?: number;
  mismatches?: readonly string[];
}

/** Items that an earlier attempt had brought, that no answer is known of, and that an answer does not count; below 0 where it counts more. */
type Unsaid = { before: number; unanswered: number; uncounted: number };
const noneUnsaid: Unsaid = { before: 0, unanswered: 0, uncounted: 0 };

/** What became of every row that was read, or of every item where no rows were: the counts add up to `total`. */
export function sumUp(report: PushReport) {
  const { read, rejected, refused, unchanged, listed, sent, accepted, skipped_stale: stale, unsaid } = report;
  const rejectedHere = rejected.length - refused;
  const total = Math.max(read, rejectedHere + unchanged + listed);
  const repeated = total - rejectedHere - unchanged - listed;
  return {
    total,
    accepted,
    ...unsaid,
    stale,
    unchanged,
    repeated,
    notSent: listed - sent,
    rejectedHere,
    refused,
  };
}

const noCounts = { sent: 0, batches: 0, accepted: 0, skipped_stale: 0, duplicate_batches: 0 };

export function newReport(
  { action, items, read, unchanged, rejected, dryRun, prices, undo }: Omit<PushRequest, "branch">,
  pushId: string,
  occurredAt: string,
): PushReport {
  return {
    push_id: pushId,
    action,
    occurred_at: occurredAt,
    read,
    ...noCounts,
    unchanged,
    rejected,
    rejected_file: null,
    outcome: "nothing",
    dry_run: dryRun,
    listed: items.length,
    refused: 0,
    unsaid: noneUnsaid,
    ...(prices && { prices }),
    ...(undo && { undo }),
    ...(action === "delete" && { codes: codesOf(items) }),
  };
}

function readRejected(entry: unknown) {
  // A value that is not an object names no product, but may contain the reason.
  if (typeof entry !== "object" || entry === null || isLosslessNumber(entry))
    return { codigo: null, error: toText(entry) };
  const { codigo, error } = entry as { codigo?: unknown; error?: unknown };
  return { codigo: toText(codigo), error: toText(error) };
}

/** Reads an answer as the journal keeps it, however odd: nothing in it can stop a report. */
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

type PushCounts = ReturnType<typeof countAnswers>;

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
    // What a repeated answer counts is not shown in the specification.
    const uncounted = event.row_count - accepted - products.length - stale;
    if (duplicate) counts.duplicate_batches += 1;
    else if (uncounted !== 0) sumsDiffer += 1;
    unsaid[duplicate && uncounted > 0 ? "before" : "uncounted"] += uncounted;
  }
  return { counts, rejected, sumsDiffer, isPending, unsaid };
}

/** How a push ended, the first that fits; `stoppedBy` is `unanswered` where it is not known what ended it early. */
export function decideOutcome(
  { counts: { sent, accepted, skipped_stale: stale }, sumsDiffer, isPending }: Omit<PushCounts, "unsaid">,
  rejected: number,
  stoppedBy: ErrorReason | "unanswered" | undefined,
): PushOutcome {
  // To the next run, an answer that the journal could not keep is unknown.
  if (isPending || stoppedBy === "journal_write_failed") return "unknown";
  const isRefused = stoppedBy === "input_refused" || stoppedBy === "access_denied";
  if (isRefused && accepted === 0) return "refused";
  const isFlawed = rejected > 0 || sumsDiffer > 0;
  if (sent === 0 || (accepted === 0 && isFlawed)) return "nothing";
  if (stale === sent) return "stale";
  return isFlawed || stale > 0 || stoppedBy !== undefined ? "partial" : "complete";
}

export function concatenate<T>(first: LazyList<T>, second: LazyList<T>): LazyList<T> {
  if (second.length === 0) return first;
  return {
    length: first.length + second.length,
    slice: (from, to) => [
      ...first.slice(from, to),
      ...second.slice(Math.max(0, from - first.length), Math.max(0, to - first.length)),
    ],
    *[Symbol.iterator]() {
      yield* first;
      yield* second;
    },
  };
}

function listRefused(
  { items }: PushRequest,
  { event: { first_row: first, row_count: count }, products }: PushCounts["rejected"][number],
): RejectedProduct[] {
  const positions = new Map<string, number>();
  if (products.length > 0)
    for (let at = first; at < first + count; at++) positions.set(items.item(at).codigo, at);
  return products.map(({ codigo, error }) => {
    const position = positions.get(codigo ?? "");
    const line = position === undefined ? null : items.line(position);
    // Of many refused products, the cells are read again when they are written.
    return {
      source: "service",
      codigo,
      line,
      error,
      get cells() {
        return position === undefined ? [] : items.cells(position);
      },
    };
  });
}

/** True where `--strict` asked for a price of every product. */
export const lacksPrices = ({ prices }: Pick<PushReport, "prices"> | Pick<PushRequest, "prices">): boolean =>
  prices?.isRequired === true && prices.without > 0;

export function toReport(
  request: PushRequest,
  pushId: string,
  events: readonly PushEvent[],
  failure: BposError | undefined,
): PushReport {
  const counted = countAnswers(events);
  const { counts, sumsDiffer, unsaid } = counted;
  const refused = counted.rejected.flatMap((each) => listRefused(request, each));
  const rejected = concatenate<RejectedProduct>(request.rejected, refused);
  const outcome = decideOutcome(counted, rejected.length, failure?.reason);
  return {
    ...newReport(request, pushId, events[0]?.occurred_at ?? ""),
    ...counts,
    sumsDiffer,
    rejected,
    refused: refused.length,
    unsaid,
    ...(failure && { failure }),
    outcome: lacksPrices(request) && outcome === "complete" ? "partial" : outcome,
  };
}
