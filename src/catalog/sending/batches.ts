import { createHash } from "node:crypto";
import { isoWithOffset } from "../../contract/limits.ts";
import type { PlannedEvent, PushEvent } from "../../journal/records/pushes.ts";
import type { PushRequest } from "./request.ts";

type Range = Pick<PlannedEvent, "first_row" | "row_count">;

const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");

const itemsHash = ({ items }: PushRequest, { first_row, row_count }: Range): string =>
  sha256(items.json(first_row, row_count));

/** Returns the batches with the hashes of their products, and `contentHash`, by which the same push continues where it stopped. Hashing takes time. */
export function planBatches(request: PushRequest) {
  const { action, storeId, batchSize, inFlight, items } = request;
  const hashed = Array.from({ length: Math.ceil(items.length / batchSize) }, (_, n) => {
    const first = n * batchSize;
    const range = { first_row: first, row_count: Math.min(batchSize, items.length - first) };
    return { ...range, hash: itemsHash(request, range) };
  });
  const undone = request.undo === undefined ? [] : [request.undo.of];
  const form = JSON.stringify([action, storeId ?? null, batchSize, inFlight > 1, ...undone]);
  const content = [form, ...hashed.map(({ hash }) => hash)].join("\n");
  return { contentHash: sha256(content), hashed };
}

/** Returns an event whose id follows from branch, action, instant and items: sending it again is safe, and A, B, A is three events. */
function plannedEvent(
  { branch, action }: PushRequest,
  { stamp, occurred_at }: Pick<PlannedEvent, "stamp" | "occurred_at">,
  { hash, first_row, row_count }: Range & { hash: string },
): PlannedEvent {
  const event_id = sha256(`${branch}\n${action}\n${occurred_at}\n${hash}`);
  return { first_row, row_count, event_id, occurred_at, stamp };
}

export function planEvents(
  request: PushRequest,
  hashed: ReturnType<typeof planBatches>["hashed"],
  firstStamp: number,
): PlannedEvent[] {
  return hashed.map((batch, n) => {
    const stamp = request.inFlight > 1 ? firstStamp : firstStamp + n;
    return plannedEvent(request, { stamp, occurred_at: isoWithOffset(stamp) }, batch);
  });
}

export function halve(request: PushRequest, event: PushEvent): PlannedEvent[] {
  const { first_row, row_count } = event;
  const half = Math.ceil(row_count / 2);
  const halves = [
    { first_row, row_count: half },
    { first_row: first_row + half, row_count: row_count - half },
  ];
  return halves.map((range) => plannedEvent(request, event, { ...range, hash: itemsHash(request, range) }));
}
