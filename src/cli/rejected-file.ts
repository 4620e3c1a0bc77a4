import { problemsOf, type RowProblem } from "../errors/problems.ts";
import type { Texts } from "../i18n/en.ts";
import type { CatalogReading } from "../input/catalog.ts";
import { candidates } from "../input/csv.ts";
import { textOf } from "../input/item-reader.ts";
import { jsonNumberCell, plainAmount } from "../input/numbers.ts";
import { type FileForm, guardCell } from "../input/rows.ts";
import type { RejectedRow } from "../input/table.ts";
import type { Journal } from "../journal/journal.ts";
import type { System } from "../system.ts";
import { csvChunks } from "./csv.ts";
import type { Output } from "./output.ts";
import type { Runtime } from "./runtime.ts";

export type RejectedProduct =
  | RejectedRow
  | {
      source: "service";
      codigo: string | null;
      line: number | null;
      /** In the service's words; null when it gave none. */
      error: string | null;
      cells: readonly string[];
    };

export function rejection(rejected: RejectedProduct, texts: Texts): string | null {
  return rejected.source === "file" ? texts.rows.problems(problemsOf(rejected)) : rejected.error;
}

export interface RejectedSheet {
  columns: readonly string[];
  delimiter: string;
  /** Whether it begins with a byte order mark. */
  marked: boolean;
  cells: (row: {
    cells: readonly string[];
    problem?: RowProblem;
    also?: readonly RowProblem[];
  }) => readonly string[];
}

export function sheetOf(columns: readonly string[]): RejectedSheet {
  return { columns, delimiter: ",", marked: false, cells: ({ cells }) => cells };
}

/** With the delimiter of the file, and marked unless it was plain UTF-8: for the program that the file came from. */
export function copyForm({
  delimiter,
  encoding,
  marked,
}: FileForm): Pick<RejectedSheet, "delimiter" | "marked"> {
  return {
    delimiter: delimiter !== null && candidates.includes(delimiter) ? delimiter : ",",
    marked: delimiter !== null && (marked || encoding !== "utf-8"),
  };
}

/** Rows that are written as they were read: their price is no number or may be two, or nobody knows which of their cells it is. */
const keptAsRead: ReadonlySet<RowProblem["kind"]> = new Set([
  "price_not_number",
  "price_ambiguous",
  "cell_count",
  "row_too_long",
  "quote_open",
  "quote_late",
  "not_an_object",
  "json_broken",
]);

/** The rows left need not show the decimal sign of the whole column, so an amount that could be read in two ways is written out. */
export function rejectedSheet({ columns, form, mapping }: CatalogReading): RejectedSheet {
  const { decimal } = form;
  const price = columns.indexOf(mapping.fields.precio ?? "");
  const written = (cell: string): string => {
    if (decimal === null) return cell;
    const amount = textOf(cell);
    return plainAmount(form.delimiter === null ? jsonNumberCell(amount, decimal) : amount, decimal);
  };
  return {
    columns,
    ...copyForm(form),
    cells: ({ cells, problem, also = [] }) => {
      const isKept = problem !== undefined && [problem, ...also].some(({ kind }) => keptAsRead.has(kind));
      return isKept ? cells : cells.map((cell, index) => (index === price ? written(cell) : cell));
    },
  };
}

const ERROR = "error";

/** Rows that would be taken for good ones in a CSV, where quotes are made right and every cell is a text. */
const hiddenByCsv: ReadonlySet<string> = new Set([
  "code_is_number",
  "code_is_boolean",
  "value_not_text",
  "quote_open",
  "quote_late",
  // Nothing in the row itself is wrong.
  "person_repeated",
]);

/** What stays behind the error of a row until a person takes it away: with it the row is rejected again. */
function surplusOf(
  each: RejectedProduct,
  width: number,
  cells: readonly string[],
  words: Texts["push"],
): string[] {
  if (cells.length < width) return [words.incompleteRow];
  if (cells.length > width) return cells.slice(width);
  if (each.source === "service") return [];
  if (each.problem.kind === "person_excluded") return [words.excludedRow];
  return problemsOf(each).some(({ kind }) => hiddenByCsv.has(kind)) ? [words.uncheckedRow] : [];
}

/** The rejected rows as a CSV that can be corrected and pushed as it is. */
export function rejectedCsv(
  rejected: Iterable<RejectedProduct>,
  { columns, delimiter, cells: written }: Omit<RejectedSheet, "marked">,
  texts: Texts,
): Iterable<string> {
  // A rejected file that is pushed and rejected again keeps one error column.
  const old = columns.indexOf(ERROR);
  const without = <T>(cells: readonly T[]): T[] => cells.filter((_, index) => index !== old || old < 0);
  const names = without(columns);
  function* records(): Generator<readonly string[]> {
    yield [...names, ERROR].map(guardCell);
    for (const each of rejected) {
      const cells = without(written(each));
      const filled = names.map((_, index) => cells[index] ?? "");
      const surplus = surplusOf(each, names.length, cells, texts.push);
      yield [...filled, rejection(each, texts) ?? "", ...surplus].map(guardCell);
    }
  }
  return csvChunks(records(), { delimiter });
}

/** Returns the name of the file, which is another one where that was not ours to replace. */
export async function writeRejectedFile(
  { system: { cwd, pid }, texts }: Pick<Runtime, "system" | "texts">,
  { journal, output }: { journal: Journal; output: Output },
  file: string,
  { rejected, sheet }: { rejected: Iterable<RejectedProduct>; sheet: RejectedSheet },
): Promise<string> {
  const { writeReport } = await import("./report-files.ts");
  function* chunks(): Generator<string> {
    // The program that the file came from takes UTF-8 without the mark for something else, unless the file had none either.
    if (sheet.marked) yield "\ufeff";
    yield* rejectedCsv(rejected, sheet, texts);
  }
  const written = await writeReport(journal.reports, { file, cwd, pid, chunks: chunks() });
  if (written !== file) await output.warning(texts.notices.reportElsewhere(file, written));
  return written;
}

/** Takes away what earlier commands left out, as far as nobody changed it. Throws `output_unwritable`. */
export async function removeRejectedFile(
  { cwd }: Pick<System, "cwd">,
  journal: Journal,
  file: string,
): Promise<void> {
  const { removeReports } = await import("./report-files.ts");
  await removeReports(journal.reports, { file, cwd });
}
