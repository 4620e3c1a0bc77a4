/** Why one row of a file is left out. `text` is the value as read. Words are made in `text/`. */
export type RowProblem =
  | { kind: "code_missing" }
  | { kind: "code_line_break"; column: string }
  | { kind: "code_is_number"; column: string; text: string }
  | { kind: "code_is_boolean"; column: string; text: string }
  | { kind: "digits_lost"; column: string; text: string }
  | { kind: "value_not_text"; column: string; text: string }
  | { kind: "price_not_number"; column: string; text: string }
  /** Three digits stand behind its only sign, which is `decimal` for the others of the column. */
  | {
      kind: "price_ambiguous";
      column: string;
      text: string;
      decimal: string;
      asDecimals: string;
      asThousands: string;
    }
  | { kind: "price_negative"; column: string; text: string }
  | { kind: "price_too_long"; column: string; text: string }
  | { kind: "boolean_unknown"; column: string; text: string }
  /** `lines` are the first of `count`. */
  | { kind: "duplicate_code"; codigo: string; lines: readonly number[]; count: number }
  /** The sum below a list of products. */
  | { kind: "total_row"; text: string }
  /** `left` is the cell of a rejected file of ours that was to be deleted. */
  | { kind: "cell_count"; expected: number; found: number; left?: string }
  | { kind: "row_too_long"; limit: number }
  | { kind: "quote_open" }
  | { kind: "quote_late"; lastLine: number }
  | { kind: "not_an_object"; text: string }
  | { kind: "json_broken"; detail: string }
  | { kind: "phone_missing"; column: string }
  | { kind: "phones_several"; text: string }
  | { kind: "phone_extension"; text: string }
  | { kind: "phone_country_missing"; text: string }
  | { kind: "phone_area_missing"; text: string }
  | { kind: "phone_invalid"; text: string; country: string | null }
  | { kind: "variable_empty"; name: string }
  | { kind: "variable_line_break"; name: string }
  | { kind: "variable_too_long"; name: string; length: number; limit: number }
  | { kind: "variable_count"; expected: number; found: number }
  /** `same` when the earlier row has the same variables. */
  | { kind: "person_repeated"; firstLine: number; same: boolean }
  /** Where the person stands in the file of those who must not be messaged. */
  | { kind: "person_excluded"; file: string; line: number }
  /** A row of an `--errors` file of ours, which stands there because the person is excluded; `said` is its `error`. */
  | { kind: "excluded_before"; said: string };

/** All that is wrong with a row. */
export interface RowFaults {
  /** The first. */
  problem: RowProblem;
  also?: readonly RowProblem[];
}

/** Those problems as a list, the first one first. */
export function problemsOf({ problem, also = [] }: RowFaults): readonly RowProblem[] {
  return [problem, ...also];
}

/** What such a list says of its row; undefined for an empty one. */
export function rowFaults([problem, ...also]: readonly RowProblem[]): RowFaults | undefined {
  return problem === undefined ? undefined : { problem, also };
}
