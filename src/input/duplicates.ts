import type { RowProblem } from "../errors/row-problem.ts";
import type { Notice } from "./problems.ts";
import type { KeptOfRow } from "./rejected-rows.ts";

/** What is known of a row whose code stands more than once. */
export interface CodedRows {
  line(row: number): number;
  codigo(row: number): string;
  /** The item as JSON text: equal for equal items. */
  json(row: number): Buffer;
}

/** What is decided about the rows of codes that stand more than once. */
export interface Settled {
  collapsed: number;
  notices: Notice[];
}

/** Of a code on many lines so many are named. */
const shownLines = 5;

/** Rows of one code that share what is said of them. */
const sharedRows = 50;

/** Hears of a row that is not sent, and of what is kept of it where it is rejected; null where it is not. */
type Drop = (row: number, clash: KeptOfRow | undefined | null) => void;

/** What is wrong with rows that have one code and different data. */
export function clashOf(group: readonly number[], rows: CodedRows): RowProblem {
  const [head = 0] = group;
  const lines = group.slice(0, shownLines).map((row) => rows.line(row));
  return { kind: "duplicate_code", codigo: rows.codigo(head), lines, count: group.length };
}

/**
 * Collapses identical rows of one code; different ones are all rejected, since only a person knows which is right,
 * unless `keep` says it.
 */
export function settleDuplicates(
  groups: Iterable<number[]>,
  rows: CodedRows,
  { keep, drop }: { keep: "first" | "last" | undefined; drop: Drop },
): Settled {
  let collapsed = 0;
  let replaced = 0;
  for (const group of groups) {
    const [head = 0] = group;
    const first = rows.json(head);
    const identical = group.every((row) => rows.json(row).equals(first));
    if (!identical && keep === undefined) {
      // Told again of each of many rows, such a list would have to be gathered each time.
      const clash = group.length > sharedRows ? { faults: { problem: clashOf(group, rows) } } : undefined;
      for (const row of group) drop(row, clash);
      continue;
    }
    const kept = keep === "last" ? group.at(-1) : head;
    for (const row of group) if (row !== kept) drop(row, null);
    collapsed += group.length - 1;
    if (!identical) replaced += group.length - 1;
  }
  const notices: Notice[] =
    keep === undefined || replaced === 0
      ? []
      : [{ kind: "duplicates_resolved", kept: keep, dropped: replaced }];
  return { collapsed, notices };
}
