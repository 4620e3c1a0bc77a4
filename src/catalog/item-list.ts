import type { CatalogItem } from "../contract/catalog.ts";
import type { CatalogItems, LazyList } from "../input/items/catalog-items.ts";

/** The products of a request, read on demand: there may be a million of them. */
export type ItemList = Pick<CatalogItems, "length" | "json" | "item" | "cells"> & {
  line(position: number): number | null;
};

const comma = Buffer.from(",");

export function toItemList(items: readonly CatalogItem[]): ItemList {
  const item = (position: number): CatalogItem => items[position] ?? { codigo: "" };
  return {
    length: items.length,
    json: (first, count) => Buffer.from(JSON.stringify(items.slice(first, first + count)).slice(1, -1)),
    item,
    line: () => null,
    cells: (position) => [item(position).codigo],
  };
}

/** Returns products that have only a code, for a delete. */
export const toCodeItems = (codes: readonly string[]): ItemList =>
  toItemList(codes.map((codigo) => ({ codigo })));

/** Returns the products at some positions, in ascending order, without copying them. */
export function pickItems(items: ItemList, positions: Uint32Array): ItemList {
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

/** Returns up to `most` items from `first` on. Parsing one text of many items is several times as fast as one text each. */
export function sliceItems(
  items: Pick<ItemList, "length" | "item"> & Partial<Pick<ItemList, "json">>,
  first: number,
  most: number,
): CatalogItem[] {
  const length = Math.min(most, items.length - first);
  if (items.json !== undefined && length > 0)
    return JSON.parse(`[${items.json(first, length).toString()}]`) as CatalogItem[];
  return Array.from({ length }, (_, n) => items.item(first + n));
}

export const codesOf = (items: Pick<ItemList, "length" | "item">): LazyList<string> => ({
  length: items.length,
  slice: (first, end) => sliceItems(items, first, end - first).map(({ codigo }) => codigo),
  *[Symbol.iterator]() {
    for (let position = 0; position < items.length; position++) yield items.item(position).codigo;
  },
});

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
