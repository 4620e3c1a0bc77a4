import type { CatalogItem } from "../contract/catalog.ts";
import type { Notice, RowProblem } from "./problems.ts";

/** A row as far as duplicates matter. */
interface CodedRow {
  line: number;
  item: CatalogItem;
  cells: readonly string[];
}

/** A row whose code stands elsewhere with other data. */
interface Clash {
  line: number;
  codigo: string;
  problem: RowProblem;
  cells: readonly string[];
}

/** What is left when every code stands at most once. */
export interface Settled<R> {
  rows: R[];
  rejected: Clash[];
  collapsed: number;
  notices: Notice[];
}

function same(a: CatalogItem, b: CatalogItem): boolean {
  return (
    a.nombre === b.nombre &&
    a.categoria === b.categoria &&
    a.precio === b.precio &&
    a.deshabilitado === b.deshabilitado
  );
}

/** The rows of every code that stands more than once. */
function repeated<R extends CodedRow>(rows: readonly R[]): R[][] {
  const first = new Map<string, R>();
  const groups = new Map<string, R[]>();
  for (const row of rows) {
    const { codigo } = row.item;
    const earlier = first.get(codigo);
    if (earlier === undefined) first.set(codigo, row);
    else if (groups.get(codigo)?.push(row) === undefined) groups.set(codigo, [earlier, row]);
  }
  return [...groups.values()];
}

/**
 * Collapses identical rows of one code; different ones are all rejected, since only a person knows which is right,
 * unless `keep` says it.
 */
export function settleDuplicates<R extends CodedRow>(rows: R[], keep?: "first" | "last"): Settled<R> {
  const left = new Set<R>();
  const rejected: Clash[] = [];
  let collapsed = 0;
  let dropped = 0;
  for (const group of repeated(rows)) {
    const [head] = group;
    const identical = group.every((row) => head !== undefined && same(row.item, head.item));
    if (!identical && keep === undefined) {
      const lines = group.map(({ line }) => line);
      for (const row of group) {
        const { codigo } = row.item;
        left.add(row);
        rejected.push({
          line: row.line,
          codigo,
          problem: { kind: "duplicate_code", codigo, lines },
          cells: row.cells,
        });
      }
      continue;
    }
    const kept = keep === "last" ? group.at(-1) : head;
    for (const row of group) if (row !== kept) left.add(row);
    collapsed += group.length - 1;
    if (!identical) dropped += group.length - 1;
  }
  return {
    rows: left.size === 0 ? rows : rows.filter((row) => !left.has(row)),
    rejected,
    collapsed,
    notices:
      keep === undefined || dropped === 0 ? [] : [{ kind: "duplicates_resolved", kept: keep, dropped }],
  };
}
