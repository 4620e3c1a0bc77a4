import { createHash } from "node:crypto";
import type { CatalogAction, CatalogItem } from "../../contract/catalog.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { PricesToZero } from "../../errors/problems.ts";
import type { RejectedRow } from "../../input/files/table.ts";
import type { CatalogItems, LazyList } from "../../input/items/catalog-items.ts";
import type { PlannedEvent, PushEvent } from "../../journal/records/pushes.ts";

export type PushItems = Pick<CatalogItems, "length" | "json" | "item" | "cells"> & {
  line(position: number): number | null;
};

const comma = Buffer.from(",");

export function itemList(items: readonly CatalogItem[]): PushItems {
  const item = (position: number): CatalogItem => items[position] ?? { codigo: "" };
  return {
    length: items.length,
    json: (first, count) => Buffer.from(JSON.stringify(items.slice(first, first + count)).slice(1, -1)),
    item,
    line: () => null,
    cells: (position) => [item(position).codigo],
  };
}

/** Some of the products, by their positions in ascending order: what was read stays as it is. */
export function someItems(items: PushItems, positions: Uint32Array): PushItems {
  const at = (position: number): number => positions[position] ?? 0;
  return {
    length: positions.length,
    item: (position) => items.item(at(position)),
    line: (position) => items.line(at(position)),
    cells: (position) => items.cells(at(position)),
    json(first, count) {
      const runs: Buffer[] = [];
      const end = Math.min(first + count, positions.length);
      for (let from = first, to = first; from < end; from = to) {
        for (to = from + 1; to < end && at(to) === at(to - 1) + 1; ) to += 1;
        runs.push(...(from > first ? [comma] : []), items.json(at(from), to - from));
      }
      return Buffer.concat(runs);
    },
  };
}

/** No more than there are. Of many, one text is read several times as fast as one of each. */
export function itemsFrom(
  items: Pick<PushItems, "length" | "item"> & Partial<Pick<PushItems, "json">>,
  first: number,
  most: number,
): CatalogItem[] {
  const length = Math.min(most, items.length - first);
  if (items.json !== undefined && length > 0)
    return JSON.parse(`[${items.json(first, length).toString()}]`) as CatalogItem[];
  return Array.from({ length }, (_, n) => items.item(first + n));
}

export const codesIn = (items: Pick<PushItems, "length" | "item">): LazyList<string> => ({
  length: items.length,
  slice: (first, end) => itemsFrom(items, first, end - first).map(({ codigo }) => codigo),
  *[Symbol.iterator]() {
    for (let position = 0; position < items.length; position++) yield items.item(position).codigo;
  },
});

/** What is remarkable about the prices of a file. */
export interface PriceFacts {
  /** How many products have none, and whether any has one. */
  without: number;
  hasAny: boolean;
  /** With `--strict` a product without one is a fault. */
  isRequired: boolean;
  free: Pick<PushItems, "length" | "item">;
  toZero?: PricesToZero;
}

export interface PushRequest {
  items: PushItems;
  file: string | null;
  rejected: LazyList<RejectedRow>;
  read: number;
  unchanged: number;
  /** Absent where no prices are sent. */
  prices?: PriceFacts | undefined;
  action: CatalogAction;
  branch: string;
  batchSize: number;
  /** Batches that are out at once; with more than one they all carry one stamp. */
  inFlight: number;
  storeId: string | number | undefined;
  dryRun: boolean;
  undo?: Undo;
  partOf?: string | undefined;
  parts?: number;
}

/** A product that an undo leaves as it is, and why. */
export interface LeftAlone {
  codigo: string;
  reason: "changed_since" | "former_unknown" | "state_unknown";
}

/** Of a push that undoes another. */
export interface Undo {
  of: string;
  leftAlone: readonly LeftAlone[];
}

type Range = Pick<PlannedEvent, "first_row" | "row_count">;

const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");

const itemsHash = ({ items }: PushRequest, { first_row, row_count }: Range): string =>
  sha256(items.json(first_row, row_count));

/** Batches with the hash of their products, which is what takes time; by `contentHash` the same pushed again takes up where it stopped. */
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

/** Same branch, action, instant and items: same id, so that sending again is safe and A, B, A is three events. */
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
