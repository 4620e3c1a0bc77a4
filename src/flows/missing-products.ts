import { BposError } from "../errors.ts";
import type { CatalogReading, RejectedRow } from "../input/catalog-items.ts";
import type { RowProblem } from "../input/problems.ts";
import type { CatalogState } from "../journal/catalog-state.ts";

/** How many products may be deactivated: a share of those that are known, or a number. */
export type DeactivateLimit = { share: number } | { count: number };

const usualLimit: DeactivateLimit = { share: 0.2 };

/** Rows of which nobody can tell what their code was, though there may be a text in its place. */
const losesCode: ReadonlySet<RowProblem["kind"]> = new Set([
  "code_is_number",
  "digits_lost",
  "cell_count",
  "quote_open",
  "quote_late",
  "not_an_object",
  "json_broken",
]);

function holdsItsCode({ codigo, problem }: RejectedRow): boolean {
  if (codigo === null || losesCode.has(problem.kind)) return false;
  return problem.kind !== "value_not_text" || problem.text !== codigo;
}

/**
 * The codes that the service is known to have and that are no longer in the file. A row that is left out for another
 * reason still holds its code. Throws `rows_unreadable` when there is a row whose code cannot be told, and
 * `too_many_missing` beyond the limit: a file that was cut off must not empty a shop.
 */
export function missingCodes(
  state: CatalogState,
  { items, rejected }: Pick<CatalogReading, "items" | "rejected">,
  limit: DeactivateLimit = usualLimit,
): string[] {
  const unreadable = rejected.filter((row) => !holdsItsCode(row)).length;
  if (unreadable > 0) throw new BposError("rows_unreadable", { rows: unreadable });
  const known = state.activeCodes();
  const there = new Set<string | null>(rejected.map(({ codigo }) => codigo));
  for (let position = 0; position < items.length; position++) there.add(items.item(position).codigo);
  const missing = known.filter((codigo) => !there.has(codigo));
  const most = "count" in limit ? limit.count : known.length * limit.share;
  if (missing.length > most)
    throw new BposError("too_many_missing", {
      missing: missing.length,
      known: known.length,
      limit: "count" in limit ? String(limit.count) : `${limit.share * 100} %`,
    });
  return missing;
}
