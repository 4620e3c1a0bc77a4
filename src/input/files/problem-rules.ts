import type { RowProblem } from "../../errors/problems.ts";

/** The consequences of a row's problem; its sentence is in `errors/words/rows.ts`. */
export interface ProblemRule {
  /**
   * The code of such a row. `certain`: the wrong cell cannot be the code, and the cells stand where they belong. `if_other_cell`: certain unless
   * the wrong cell is the code's. `no_product`: the row is none. `torn`: no cell is where it belongs, so no code is reported. All that is
   * `uncertain` or torn stops `--deactivate-missing`, since the row may be one of the missing products; in doubt a problem is uncertain.
   */
  code: "certain" | "if_other_cell" | "no_product" | "uncertain" | "torn";
  /** Its row is rejected as it was read: its price is no number or may be two, or nobody knows which of its cells is the price. */
  keptAsRead?: true;
  /**
   * A CSV of rejected rows would take such a row for a good one (it makes quotes right, each of its cells is a text, and a person's other row is
   * absent), so that it is written with a mark that holds it; `if_unspoiled`: where the code looks like one.
   */
  hiddenByCsv?: true | "if_unspoiled";
  /** The mark in a workbook where a problem names no column: `key` the cell of the code or the phone, otherwise the row. */
  marks?: "key";
}

/** A new kind of problem does not compile until its row is here. */
export const problemRules: Readonly<Record<RowProblem["kind"], ProblemRule>> = {
  code_missing: { code: "uncertain", marks: "key" },
  code_line_break: { code: "uncertain" },
  code_not_text: { code: "uncertain", hiddenByCsv: true },
  digits_lost: { code: "uncertain", hiddenByCsv: "if_unspoiled" },
  code_spoiled: { code: "uncertain", hiddenByCsv: "if_unspoiled" },
  duplicate_code: { code: "certain", marks: "key" },

  price_unusable: { code: "certain", keptAsRead: true },
  price_ambiguous: { code: "certain", keptAsRead: true },
  boolean_unknown: { code: "certain" },
  value_not_text: { code: "if_other_cell", hiddenByCsv: true },
  cell_error: { code: "if_other_cell", hiddenByCsv: true },
  formula_unstored: { code: "if_other_cell", hiddenByCsv: true },
  formula_zero: { code: "if_other_cell", hiddenByCsv: true },

  total_row: { code: "no_product" },
  text_alone: { code: "no_product" },
  cell_count: { code: "uncertain", keptAsRead: true },
  row_held: { code: "uncertain", keptAsRead: true },
  row_too_long: { code: "uncertain", keptAsRead: true },
  quote_open: { code: "torn", keptAsRead: true, hiddenByCsv: true },
  quote_late: { code: "torn", keptAsRead: true, hiddenByCsv: true },
  not_an_object: { code: "uncertain", keptAsRead: true },
  key_differs: { code: "uncertain", hiddenByCsv: true },
  json_broken: { code: "torn", keptAsRead: true },

  // Recipients have no code.
  phone_missing: { code: "uncertain" },
  phone_invalid: { code: "uncertain", marks: "key" },
  phone_area_missing: { code: "uncertain", marks: "key" },
  phone_country_missing: { code: "uncertain", marks: "key" },
  phones_several: { code: "uncertain", marks: "key" },
  person_repeated: { code: "uncertain", hiddenByCsv: true, marks: "key" },
  person_excluded: { code: "uncertain", marks: "key" },
  excluded_before: { code: "uncertain" },
  variable_empty: { code: "uncertain" },
  variable_line_break: { code: "uncertain" },
  variable_spaces: { code: "uncertain" },
  variable_too_long: { code: "uncertain" },
  variable_count: { code: "uncertain" },
  message_too_long: { code: "uncertain" },
};
