import type { CatalogAction, CatalogItem } from "../contract/catalog.ts";
import type { CatalogReading } from "../input/catalog.ts";
import { type CatalogItems, type LazyList, lazyList } from "../input/items/catalog-items.ts";
import {
  type Catalog,
  type ConfirmedItem,
  changedFields,
  type ProductChange,
} from "../journal/records/catalog.ts";
import type { ChangeCounts } from "./changes-schema.ts";
import { type ItemList, pickItems, sliceItems } from "./item-list.ts";

const lookUp = 1_000;
/** The mark of a product that differs, until all are compared. */
const isCompared = 2;
/** Above this number of products, all confirmed products are read from the journal in one go. */
const few = 2_000;

/** A change with the product's name and category. */
export type NamedChange = ProductChange & { nombre: string | null; categoria: string | null };

/** The changes that a push would make to what the journal knows of the service. */
export interface Comparison {
  counts: ChangeCounts;
  /** Changes of products that the journal knows, in the order of the products; missing ones last. */
  changes: NamedChange[];
  /** Products that the journal does not know, built on demand: a first push may have a million of them. */
  strangers: LazyList<NamedChange>;
  /** Number of products with a price that have no earlier price in the journal. */
  unpriced: number;
  /** 1 for each product that the service already has exactly as it would be sent, else 0. */
  unchanged: Uint8Array;
  /** Codes of active products that are not in the file, and the number of all active ones; only where that was asked. */
  missing: string[];
  active: number;
}

/** Products of a file can be found by their code, others cannot. */
type ComparedItems = ItemList & Partial<Pick<CatalogItems, "markSame" | "find">>;
type Beside = { item: CatalogItem; known: ConfirmedItem | undefined; position: number };

/** Yields products in groups, each beside what the journal knows of it. */
export async function* besideKnown(
  catalog: Catalog,
  branch: string,
  items: Pick<ItemList, "length" | "item">,
): AsyncGenerator<Beside[]> {
  for (let from = 0; from < items.length; from += lookUp) {
    const batch = sliceItems(items, from, lookUp);
    const known = await catalog.get(
      branch,
      batch.map(({ codigo }) => codigo),
    );
    yield batch.map((item, n) => ({ item, known: known.get(item.codigo), position: from + n }));
  }
}

/** Returns what sending a product changes; undefined where the service has it exactly so. */
export function compareProduct(
  item: CatalogItem,
  known: ConfirmedItem | undefined,
  action: CatalogAction,
): ProductChange | undefined {
  const { codigo } = item;
  const isCertain = known?.pending === false;
  const wasActive = isCertain ? known.active : null;
  const fields: ProductChange["fields"] = {};
  if (action === "delete") {
    if (wasActive === false) return undefined;
    fields.activo = { from: wasActive, to: false };
    return { codigo, kind: isCertain ? "deactivated" : "unknown", fields };
  }
  for (const field of changedFields) {
    const to = item[field];
    const from = known?.item[field] ?? null;
    if (to !== undefined && to !== from) fields[field] = { from, to };
  }
  if (!isCertain) return { codigo, kind: "unknown", fields };
  if (wasActive === false) {
    fields.activo = { from: false, to: true };
    return { codigo, kind: "new", fields };
  }
  if (Object.keys(fields).length === 0) return undefined;
  return { codigo, kind: fields.deshabilitado?.to === true ? "deactivated" : "changed", fields };
}

function nameChange(
  { codigo, kind, fields }: ProductChange,
  item: CatalogItem,
  known?: ConfirmedItem,
): NamedChange {
  const { nombre = known?.item.nombre ?? null, categoria = known?.item.categoria ?? null } = item;
  return { codigo, kind, fields, nombre, categoria };
}

function toStranger(item: CatalogItem, action: CatalogAction): NamedChange {
  const nothing = { codigo: item.codigo, kind: "unknown", fields: {} } as const;
  return nameChange(compareProduct(item, undefined, action) ?? nothing, item);
}

interface ComparedWith {
  catalog: Catalog;
  branch: string;
  action?: CatalogAction;
  /** How to report active products that are not in the file. Rejected rows may be some of them. */
  missing?: { kind: "missing" | "deactivated"; rejected: CatalogReading["rejected"] } | undefined;
}

/** Compares the products that the service has for certain by their texts, faster than product by product, and finds missing ones. */
async function compareTexts(
  items: ComparedItems,
  { catalog, branch, missing }: ComparedWith,
  compared: Comparison,
  compare: (beside: Beside) => void,
): Promise<void> {
  if (items.markSame === undefined || (missing === undefined && items.length <= few)) return;
  const { kind, rejected } = missing ?? { kind: "missing", rejected: [] };
  const unsent = new Set(Array.from(rejected, ({ codigo }) => codigo));
  const fields = kind === "missing" ? {} : { activo: { from: true, to: false } };
  const miss = (codigo: string, item?: CatalogItem): void => {
    if (missing === undefined || unsent.has(codigo)) return;
    compared.counts[kind] += 1;
    compared.missing.push(codigo);
    compared.changes.push(nameChange({ codigo, kind, fields }, item ?? { codigo }));
  };

  const uncertain: string[] = [];
  for await (const page of catalog.activePages(branch)) {
    compared.active += page.active;
    for (const codigo of page.uncertain) if (items.find?.(codigo) === undefined) uncertain.push(codigo);
    const found = items.markSame(page.list, compared.unchanged);
    const pairs = JSON.parse(found.pairs) as CatalogItem[];
    for (const [n, position] of found.differing.entries()) {
      const [item, known] = [pairs[2 * n], pairs[2 * n + 1]];
      if (item === undefined || known === undefined) continue;
      compare({ item, known: { item: known, active: true, pending: false }, position });
    }
    if (missing !== undefined)
      for (const item of JSON.parse(found.missing) as CatalogItem[]) miss(item.codigo, item);
  }
  for (const codigo of uncertain) miss(codigo);
}

/** Returns the positions of the products that the service has not confirmed exactly so. */
export function changedPositions({ unchanged }: Pick<Comparison, "unchanged">): Uint32Array {
  const positions = new Uint32Array(unchanged.length);
  let count = 0;
  for (let at = unchanged.indexOf(0); at >= 0; at = unchanged.indexOf(0, at + 1)) positions[count++] = at;
  return positions.slice(0, count);
}

export async function compareItems(items: ComparedItems, known: ComparedWith): Promise<Comparison> {
  const { catalog, branch, action = "upsert" } = known;
  const unchanged = new Uint8Array(items.length);
  const strangers: number[] = [];
  const compared: Comparison = {
    counts: { new: 0, changed: 0, deactivated: 0, missing: 0, unchanged: 0, unknown: 0 },
    changes: [],
    strangers: lazyList(new Uint32Array(), (at) => toStranger(items.item(at), action)),
    unpriced: 0,
    unchanged,
    missing: [],
    active: 0,
  };
  const { counts } = compared;
  const differing: { change: NamedChange; position: number }[] = [];
  const compare = ({ item, known: before, position }: Beside): void => {
    const change = compareProduct(item, before, action);
    unchanged[position] = change === undefined ? 1 : isCompared;
    if (change === undefined) return;
    counts[change.kind] += 1;
    if (before === undefined) strangers.push(position);
    else differing.push({ change: nameChange(change, item, before), position });
    if (change.fields.precio?.from === null) compared.unpriced += 1;
  };
  await compareTexts(items, known, compared, compare);

  const rest = changedPositions(compared);
  for await (const batch of besideKnown(catalog, branch, pickItems(items, rest)))
    for (const each of batch) compare({ ...each, position: rest[each.position] ?? 0 });
  counts.unchanged = items.length - strangers.length - differing.length;
  for (let at = unchanged.indexOf(isCompared); at >= 0; at = unchanged.indexOf(isCompared, at + 1))
    unchanged[at] = 0;
  differing.sort((a, b) => a.position - b.position);
  compared.changes = [...differing.map(({ change }) => change), ...compared.changes];
  compared.strangers = lazyList(Uint32Array.from(strangers), (at) => toStranger(items.item(at), action));
  return compared;
}

export const isSame = ({ counts: { unchanged: _, ...counts } }: Pick<Comparison, "counts">): boolean =>
  Object.values(counts).every((count) => count === 0);
