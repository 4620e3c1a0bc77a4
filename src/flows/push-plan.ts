import { createHash } from "node:crypto";
import type { CatalogAction, CatalogItem } from "../contract/catalog.ts";
import type { RejectedRow } from "../input/catalog-items.ts";
import type { PlannedEvent, PushEvent } from "../journal/pushes.ts";
import { isoWithOffset } from "./instants.ts";

/** The products of a push, in their order, as JSON text; each position is one product. */
export interface PushItems {
  readonly length: number;
  /** Some of them as the inside of a JSON array. */
  json(first: number, count: number): Buffer;
  item(position: number): CatalogItem;
  /** Where it stands in the file. */
  line(position: number): number | null;
  /** Its row in the file as read. */
  cells(position: number): readonly string[];
}

/** A few products that come from no file. */
export function itemList(items: readonly CatalogItem[]): PushItems {
  const at = (position: number): CatalogItem => {
    const item = items[position];
    if (item === undefined) throw new RangeError(`there is no product ${position}`);
    return item;
  };
  return {
    length: items.length,
    json: (first, count) => Buffer.from(JSON.stringify(items.slice(first, first + count)).slice(1, -1)),
    item: at,
    line: () => null,
    cells: (position) => [at(position).codigo],
  };
}

/** What to push, and how. */
export interface PushRequest {
  items: PushItems;
  /** Rows of the file that are left out. */
  rejected: readonly RejectedRow[];
  /** Rows of the file. */
  read: number;
  unchanged: number;
  action: CatalogAction;
  /** Address and fingerprint of the key, see `branchId`. */
  branch: string;
  batchSize: number;
  /** Batches that are out at once; with more than one they all carry one stamp. */
  inFlight: number;
  storeId: string | number | undefined;
  dryRun: boolean;
}

type Range = Pick<PlannedEvent, "first_row" | "row_count">;

/** What tells this push from one of other content: the same pushed again takes up where it stopped. */
export function contentHash(request: PushRequest): string {
  const { action, storeId, batchSize, inFlight, items } = request;
  const form = [action, storeId ?? null, batchSize, inFlight > 1];
  const hash = createHash("sha256").update(`${JSON.stringify(form)}\n`);
  for (let first = 0; first < items.length; first += batchSize)
    hash.update(items.json(first, Math.min(batchSize, items.length - first))).update("\n");
  return hash.digest("hex");
}

/** Same branch, action, instant and items: same id, so that sending again is safe and A, B, A is three events. */
function eventId(request: PushRequest, occurredAt: string, range: Range): string {
  return createHash("sha256")
    .update(`${request.branch}\n${request.action}\n${occurredAt}\n`)
    .update(request.items.json(range.first_row, range.row_count))
    .digest("hex");
}

function planEvent(
  request: PushRequest,
  at: Pick<PlannedEvent, "stamp" | "occurred_at">,
  range: Range,
): PlannedEvent {
  const { stamp, occurred_at } = at;
  return { ...range, event_id: eventId(request, occurred_at, range), occurred_at, stamp };
}

/** All batches of a push, each a millisecond later than the one before; with several in flight all at one instant. */
export function planEvents(request: PushRequest, firstStamp: number): PlannedEvent[] {
  const { items, batchSize, inFlight } = request;
  return Array.from({ length: Math.ceil(items.length / batchSize) }, (_, n) => {
    const first = n * batchSize;
    const count = Math.min(batchSize, items.length - first);
    const stamp = inFlight > 1 ? firstStamp : firstStamp + n;
    const at = { stamp, occurred_at: isoWithOffset(stamp) };
    return planEvent(request, at, { first_row: first, row_count: count });
  });
}

/** An event in two, at the same instant. */
export function halvesOf(request: PushRequest, event: PushEvent): PlannedEvent[] {
  const { first_row: first, row_count: count } = event;
  const half = Math.ceil(count / 2);
  return [
    planEvent(request, event, { first_row: first, row_count: half }),
    planEvent(request, event, { first_row: first + half, row_count: count - half }),
  ];
}
