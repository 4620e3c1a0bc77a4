import type { RowProblem } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import type { RejectedRow } from "../../input/table.ts";

/** How many products may be deactivated: a share of those that are known, or a number. */
export type DeactivateLimit = { share: number } | { count: number };

const usualLimit: DeactivateLimit = { share: 0.2 };

/** Whether the row of each problem still tells its code: whoever takes a wrong one for it deactivates a product that is sold. */
const tellsCode: Readonly<Record<RowProblem["kind"], boolean>> = {
  code_missing: false,
  // Two codes may have become one: neither is there as such.
  code_line_break: false,
  code_is_number: false,
  code_is_boolean: false,
  digits_lost: false,
  // Where a row begins and ends, or which of its cells is the code, is not certain.
  cell_count: false,
  row_too_long: false,
  quote_open: false,
  quote_late: false,
  not_an_object: false,
  json_broken: false,
  // Unless the value is the code itself.
  value_not_text: true,
  price_not_number: true,
  price_ambiguous: true,
  price_negative: true,
  price_too_long: true,
  boolean_unknown: true,
  duplicate_code: true,
  // It stands for no product.
  total_row: true,
  // No problems of a catalog.
  phone_missing: false,
  phones_several: false,
  phone_extension: false,
  phone_country_missing: false,
  phone_area_missing: false,
  phone_invalid: false,
  variable_empty: false,
  variable_line_break: false,
  variable_too_long: false,
  variable_count: false,
  person_repeated: false,
  person_excluded: false,
  excluded_before: false,
};

function holdsItsCode({ codigo, problem }: RejectedRow): boolean {
  if (problem.kind === "total_row") return true;
  if (codigo === null || !tellsCode[problem.kind]) return false;
  return problem.kind !== "value_not_text" || problem.text !== codigo;
}

/**
 * The codes that the service is `known` to have and that are no longer in the file. A row that is left out for another
 * reason still holds its code. Throws `rows_unreadable` when there is a row whose code cannot be told, and
 * `too_many_missing` beyond the limit: a file that was cut off must not empty a shop.
 */
export function missingCodes(
  known: readonly string[],
  { items, rejected }: Pick<CatalogReading, "items" | "rejected">,
  limit: DeactivateLimit = usualLimit,
): string[] {
  let unreadable = 0;
  const there = new Set<string | null>();
  for (const row of rejected) {
    if (!holdsItsCode(row)) unreadable += 1;
    there.add(row.codigo);
  }
  if (unreadable > 0) throw new BposError("rows_unreadable", { rows: unreadable });
  for (let position = 0; position < items.length; position++) there.add(items.item(position).codigo);
  const missing = known.filter((codigo) => !there.has(codigo));
  const most = "count" in limit ? limit.count : known.length * limit.share;
  if (missing.length > most)
    throw new BposError("too_many_missing", {
      missing: missing.length,
      known: known.length,
      limit: "count" in limit ? String(limit.count) : `${Math.round(limit.share * 100)}%`,
    });
  return missing;
}
