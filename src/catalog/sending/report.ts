import type { RejectedProduct } from "../../cli/files/rejected-rows.ts";
import type { CatalogItem } from "../../contract/catalog.ts";
import type { BposError } from "../../errors.ts";
import type { LazyList } from "../../input/items/catalog-items.ts";
import type { PushEvent } from "../../journal/records/pushes.ts";
import type { Comparison } from "../compare.ts";
import { codesOf, concatenate } from "../item-list.ts";
import {
  countAnswers,
  decideOutcome,
  noCounts,
  noneUnsaid,
  type PushCounts,
  type Unsaid,
} from "./answers.ts";
import type { PriceFacts, PushRequest, Undo } from "./request.ts";
import type { PushDocument } from "./schema.ts";

type Copied =
  | "push_id"
  | "action"
  | "sent"
  | "batches"
  | "accepted"
  | "skipped_stale"
  | "duplicate_batches"
  | "rejected_file"
  | "outcome"
  | "dry_run";

/** A push while its command runs: what `--json` prints of it, its lists unread, and more for the screen. `sent` counts batches without a clear answer, too. */
export interface PushReport extends Pick<PushDocument, Copied> {
  occurred_at: string;
  read: number;
  unchanged: number;
  rejected: LazyList<RejectedProduct>;
  /** The codes that a delete was to deactivate. */
  codes?: LazyList<string>;
  /** Absent where no prices are sent. */
  prices?: PriceFacts;
  undo?: Undo;
  /** Number of items to send. This and all that follows is for the screen only. */
  listed: number;
  /** Number of rejected products that the service refused. */
  refused: number;
  /** Sent items whose outcome nobody reported. */
  unsaid: Unsaid;
  /** Time of the last push that the service answered; only where there is nothing to send. */
  lastPushAt?: number | undefined;
  failure?: BposError;
  /** The changes that sending it would make; only of a dry run. */
  compared?: Comparison;
  planned?: { wouldSend: number; calls: number; first: readonly CatalogItem[] };
  /** Batches that the service calls duplicates although no earlier attempt is known. */
  unknownDuplicates?: number;
  /** Batches whose accepted, rejected and stale do not add up to what was sent. */
  sumsDiffer?: number;
  mismatches?: readonly string[];
}

/** Returns the outcomes of all rows, or of all items where no rows were read: the counts add up to `total`. */
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
    // The cells are read again when they are written: there may be many refused products.
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

/** Returns true if `--strict` asked for a price of every product and one has none. */
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
