import type { RowProblem } from "../errors/problems.ts";
import { type CatalogItems, CodeIndex, GrowingNumbers, type KeptOfRow } from "./catalog-items.ts";
import { fold } from "./columns.ts";
import type { LookAlikes, Notice } from "./table.ts";

const maxLinesShown = 5;
/** From so many rows of one code on, they share what is said of them. */
const sharedRows = 50;

/** What is wrong with rows that have one code and different data. */
export function clashOf(group: readonly number[], items: CatalogItems): RowProblem {
  const lines = group.slice(0, maxLinesShown).map((row) => items.placeOf(row).line);
  return {
    kind: "duplicate_code",
    codigo: items.itemAt(group[0] ?? 0).codigo,
    lines,
    count: group.length,
  };
}

/**
 * Collapses identical rows of one code; different ones are all rejected, since only a person knows which is right,
 * unless `keep` says it. Counts the rows for which another one stands.
 */
export function settleDuplicates(
  groups: Iterable<number[]>,
  items: CatalogItems,
  keep: "first" | "last" | undefined,
): { collapsed: number; notices: Notice[] } {
  let collapsed = 0;
  let replaced = 0;
  for (const group of groups) {
    const [head = 0] = group;
    const first = items.jsonAt(head);
    const identical = group.every((row) => items.jsonAt(row).equals(first));
    if (!identical && keep === undefined) {
      // Told again of each of many rows, such a list would have to be gathered each time.
      const clash: KeptOfRow | undefined =
        group.length > sharedRows ? { faults: { problem: clashOf(group, items) } } : undefined;
      for (const row of group) items.reject(row, clash);
      continue;
    }
    const kept = keep === "last" ? group.at(-1) : head;
    for (const row of group) if (row !== kept) items.drop(row);
    collapsed += group.length - 1;
    if (!identical) replaced += group.length - 1;
  }
  if (keep === undefined || replaced === 0) return { collapsed, notices: [] };
  return { collapsed, notices: [{ kind: "duplicates_resolved", kept: keep, dropped: replaced }] };
}

const maxPairsShown = 3;
const ascii = /^[\x20-\x7e]*$/;
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** A code as it looks: composed, and without what has no width. */
const looksOf = (code: string): string => code.normalize("NFC").replace(unseen, "");

/** Finds codes that differ only in their Unicode form or in characters that nobody sees. */
export class CodeVariants {
  readonly #items: CatalogItems;
  /** Rows whose code is not as it looks: in most files none. */
  readonly #rows = new GrowingNumbers();

  constructor(items: CatalogItems) {
    this.#items = items;
  }

  see(code: string, row: number): void {
    if (!ascii.test(code) && looksOf(code) !== code) this.#rows.push(row);
  }

  notices(): Notice[] {
    const items = this.#items;
    const codeOf = (row: number): string => items.itemAt(row).codigo;
    const seen = new CodeIndex((row) => looksOf(codeOf(row)));
    const pairs: LookAlikes[] = [];
    let count = 0;
    for (let n = 0; n < this.#rows.length; n++) {
      const row = this.#rows.at(n);
      const looks = looksOf(codeOf(row));
      const twin = seen.claim(looks, row);
      const other = items.codes.find(looks) ?? twin;
      if (other === undefined) continue;
      count += 1;
      if (pairs.length === maxPairsShown) continue;
      const lineOf = (each: number): number => items.placeOf(each).line;
      const [first = row, second = row] = [row, other].sort((a, b) => lineOf(a) - lineOf(b));
      pairs.push({
        ...{ line: lineOf(first), code: codeOf(first) },
        ...{ otherLine: lineOf(second), otherCode: codeOf(second) },
      });
    }
    return count === 0 ? [] : [{ kind: "codes_alike", pairs, count }];
  }
}

const total = /^(?:grand? )?(?:sub ?)?tota(?:l|ls|les|is)(?: genera(?:l|les)| geral)?$/;

/** The word that makes a row the sum of those above it: "TOTAL", "Subtotal:"; null for any other cells. */
export function totalWord(cells: readonly string[]): string | null {
  return cells.find((cell) => total.test(fold(cell)))?.trim() ?? null;
}
