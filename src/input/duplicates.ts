import type { RowProblem } from "../errors/row-problem.ts";
import type { Notice } from "./problems.ts";

/** What is known of a row whose code stands more than once. */
export interface CodedRows {
  line(row: number): number;
  codigo(row: number): string;
  /** The item as JSON text: equal for equal items. */
  json(row: number): Buffer;
}

/** What is decided about the rows of codes that stand more than once. */
export interface Settled {
  /** Rows that are not sent. */
  dropped: Set<number>;
  /** Those of them that a person must look at. */
  clashes: { row: number; problem: RowProblem }[];
  collapsed: number;
  notices: Notice[];
}

/** Of a code on many lines so many are named. */
const shownLines = 5;

/**
 * Collapses identical rows of one code; different ones are all rejected, since only a person knows which is right,
 * unless `keep` says it.
 *
 * @param groups the rows of each code that stands more than once, in their order.
 */
export function settleDuplicates(
  groups: Iterable<readonly number[]>,
  rows: CodedRows,
  keep?: "first" | "last",
): Settled {
  const dropped = new Set<number>();
  const clashes: Settled["clashes"] = [];
  let collapsed = 0;
  let replaced = 0;
  for (const group of groups) {
    const [head = 0] = group;
    const first = rows.json(head);
    const identical = group.every((row) => rows.json(row).equals(first));
    if (!identical && keep === undefined) {
      const lines = group.slice(0, shownLines).map((row) => rows.line(row));
      const codigo = rows.codigo(head);
      const problem: RowProblem = { kind: "duplicate_code", codigo, lines, count: group.length };
      for (const row of group) {
        dropped.add(row);
        clashes.push({ row, problem });
      }
      continue;
    }
    const kept = keep === "last" ? group.at(-1) : head;
    for (const row of group) if (row !== kept) dropped.add(row);
    collapsed += group.length - 1;
    if (!identical) replaced += group.length - 1;
  }
  const notices: Notice[] =
    keep === undefined || replaced === 0
      ? []
      : [{ kind: "duplicates_resolved", kept: keep, dropped: replaced }];
  return { dropped, clashes, collapsed, notices };
}
