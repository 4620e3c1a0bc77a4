import { access, constants, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { guardCell } from "../contract/rejected-file.ts";
import { type Detail, problemsOf, type RowFaults } from "../errors/problems.ts";
import { BposError } from "../errors.ts";
import type { Texts } from "../i18n/texts.ts";
import type { InputFile } from "../input/file.ts";
import type { RejectedSheet } from "../input/rejected-sheet.ts";
import type { Journal } from "../journal/open.ts";
import type { System } from "../system.ts";
import { csvChunks } from "./csv.ts";
import type { Output, Ui } from "./output.ts";
import type { Runtime } from "./runtime.ts";

/** Throws `usage_flag` when standard input would have to hold both the file and the key. */
export function checkStandardInput({ flags }: Pick<Runtime, "flags">, path: string): void {
  if (path === "-" && flags.apiKeyFile === "-") {
    throw new BposError("usage_flag", { problem: { kind: "stdin_twice", of: "file_and_key" } });
  }
}

/** Opens the file that a command was given; says so when it waits for a person to type it. Throws `input_unreadable` and `input_unusable`. */
export async function openGiven(
  system: System,
  path: string,
  output: Output,
  { encoding }: { encoding?: string | undefined } = {},
): Promise<InputFile> {
  const { openInput } = await import("../input/file.ts");
  if (path === "-" && system.stdin.isTerminal) await output.notice(output.texts.notices.readingStdin);
  return openInput(path, system.stdin, system.cwd, { encoding });
}

/** A file that a command will write. */
interface WantedFile {
  flag: string;
  file: string;
  /** The file that is read, or `-`. */
  input: string | undefined;
  /** It gets the rows that are left out, as CSV whatever its name says. */
  isRejected?: true;
  /** A file that is there already is not replaced. */
  isNew?: boolean;
}

/** What stands for an open stream of this process, whatever that is. */
const ownStream = /^\/(?:dev\/(?:std(?:in|out|err)|fd\/)|proc\/)/;

/** Throws `usage_flag` before anything is done when that file could not be written, or is the one that is read. */
export async function checkOutputFile(
  { cwd }: System,
  { flag, file, input, isRejected, isNew = false }: WantedFile,
): Promise<void> {
  if (isRejected && /\.(?:json|ndjson|jsonl|xlsx?)$/i.test(file)) {
    throw new BposError("usage_flag", { problem: { kind: "file_not_csv", flag } });
  }
  const unwritable = (detail: Detail): BposError =>
    new BposError("usage_flag", { problem: { kind: "file_unwritable", flag, file, detail } });
  const target = resolve(cwd, file);
  const real = (path: string): Promise<string> => realpath(path).catch(() => path);
  if (input !== undefined && input !== "-" && (await real(target)) === (await real(resolve(cwd, input)))) {
    throw new BposError("usage_flag", { problem: { kind: "file_is_input", flag } });
  }
  try {
    await access(dirname(target), constants.W_OK);
    const there = await stat(target).catch(() => undefined);
    if (there?.isDirectory()) throw unwritable({ kind: "is_folder" });
    if ((there && !there.isFile()) || ownStream.test(target)) throw unwritable({ kind: "not_regular" });
    if (there && isNew) throw new BposError("usage_flag", { problem: { kind: "file_exists", flag, file } });
    if (there && !isRejected) await access(target, constants.W_OK);
  } catch (error) {
    if (error instanceof BposError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw unwritable(
      code === "ENOENT" ? { kind: "folder_missing" } : code === "EACCES" ? { kind: "not_allowed" } : message,
    );
  }
}

/** Where such a file is written from, and who hears of it. */
interface Desk {
  journal: Journal;
  output: Output;
}

/**
 * Writes the rows that were left out; the name of the file, which is another one where that was not ours to replace. Throws
 * `output_unwritable`.
 */
export async function writeRejectedFile(
  { system: { cwd, pid }, texts }: Pick<Runtime, "system" | "texts">,
  { journal, output }: Desk,
  file: string,
  { csv, marked }: Pick<RejectedSheet, "marked"> & { csv: Iterable<string> },
): Promise<string> {
  const { writeReport } = await import("../journal/report-files.ts");
  function* chunks(): Generator<string> {
    // The program that the file came from takes UTF-8 without the mark for something else, unless the file had none either.
    if (marked) yield "\ufeff";
    yield* csv;
  }
  const written = writeReport(journal, { file, cwd, pid, chunks: chunks() });
  if (written !== file) await output.warning(texts.notices.reportElsewhere(file, written));
  return written;
}

/** Takes away what earlier commands left out, as far as nobody changed it. Throws `output_unwritable`. */
export async function removeRejectedFile(
  { cwd }: Pick<System, "cwd">,
  journal: Journal,
  file: string,
): Promise<void> {
  const { removeReports } = await import("../journal/report-files.ts");
  removeReports(journal, { file, cwd });
}

/** One product that was left out: by us (`file`) or by the service. */
export type RejectedProduct =
  | (RowFaults & {
      source: "file";
      codigo: string | null;
      line: number | null;
      cells: readonly string[];
    })
  | {
      source: "service";
      codigo: string | null;
      line: number | null;
      /** In the service's words; null when it gave none. */
      error: string | null;
      cells: readonly string[];
    };

/** Why a product was rejected: the service's words as they came, or ours; null when it gave none. */
export function rejection(rejected: RejectedProduct, texts: Texts): string | null {
  return rejected.source === "file" ? texts.rows.problems(problemsOf(rejected)) : rejected.error;
}

/** The name of the column that a rejected file adds. */
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

/**
 * The rejected rows as a CSV that can be corrected and pushed as it is: the original columns and cells, and `error`. A cell
 * that a spreadsheet would run has an apostrophe before it, which is taken off when the file is read.
 */
export function rejectedCsv(
  report: { readonly rejected: Iterable<RejectedProduct> },
  { columns, delimiter, cells: written }: RejectedSheet,
  { texts }: Pick<Ui, "texts">,
): Iterable<string> {
  return csvChunks(rejectedRecords(report, { columns, cells: written }, texts), { delimiter });
}

function* rejectedRecords(
  report: { readonly rejected: Iterable<RejectedProduct> },
  { columns, cells: written }: Pick<RejectedSheet, "columns" | "cells">,
  texts: Texts,
): Generator<readonly string[]> {
  // A rejected file that is pushed and rejected again keeps one error column.
  const old = columns.indexOf(ERROR);
  const without = <T>(cells: readonly T[]): T[] => cells.filter((_, index) => index !== old || old < 0);
  const names = without(columns);
  yield [...names, ERROR].map(guardCell);
  for (const each of report.rejected) {
    const cells = without(written(each));
    const filled = names.map((_, index) => cells[index] ?? "");
    const surplus = surplusOf(each, names.length, cells, texts.push);
    yield [...filled, rejection(each, texts) ?? "", ...surplus].map(guardCell);
  }
}
