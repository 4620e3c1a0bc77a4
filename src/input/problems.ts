import type { LookAlikes } from "./code-variants.ts";

/** A phone that looks like a landline, and how the same line would be written as a mobile. */
export interface LandlineShape {
  line: number;
  phone: string;
  proposal: string;
}

/** What a person should know about a file although it can be used. Words are made in `text/`. */
export type Notice =
  | { kind: "read_as_windows_1252" }
  | { kind: "double_encoded"; line: number; text: string; proposal: string }
  | { kind: "columns_ignored"; columns: readonly string[] }
  /** The first of the cells that hold a text as a formula, and the text that it is read as. */
  | { kind: "formula_texts"; cells: number; line: number; text: string; meant: string }
  | { kind: "duplicates_resolved"; kept: "first" | "last"; dropped: number }
  /** Codes that look like another; `pairs` are the first of `count`. */
  | { kind: "codes_alike"; pairs: readonly LookAlikes[]; count: number }
  | { kind: "landline_shapes"; phones: readonly LandlineShape[]; fixed: boolean };
