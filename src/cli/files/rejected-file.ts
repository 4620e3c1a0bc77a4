import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { basename, dirname, join, parse, resolve } from "node:path";
import { listProblems, type RowFaults, type RowProblem } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import type { Texts } from "../../i18n/en.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import { hasLostDigits } from "../../input/columns.ts";
import { candidates } from "../../input/csv.ts";
import { toText } from "../../input/item-reader.ts";
import { jsonNumberCell, plainAmount } from "../../input/numbers.ts";
import { guardCell, unguardCell } from "../../input/own-rows.ts";
import type { FileForm } from "../../input/rows.ts";
import type { RejectedRow } from "../../input/table.ts";
import type { Journal, Reports } from "../../journal/journal.ts";
import type { System } from "../../system.ts";
import { csvChunks } from "../display/csv.ts";
import type { Output } from "../display/output.ts";
import type { Runtime } from "../runtime.ts";
import type { SheetCell } from "./workbook.ts";

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
  return rejected.source === "file" ? texts.rows.problems(listProblems(rejected)) : rejected.error;
}

export interface RejectedSheet {
  columns: readonly string[];
  /** The header of the code or the phone: the column of a problem that names none. */
  key: string;
  /** The header of the price, where a workbook takes what is typed as a number. */
  amount?: string;
  delimiter: string;
  marked: boolean;
  /** That of the file whose rows they are. */
  format?: FileForm["format"];
  cells: (row: { cells: readonly string[] } & Partial<RowFaults>) => readonly string[];
}

export function newSheet(columns: readonly string[], key: string): RejectedSheet {
  return { columns, key, delimiter: ",", marked: false, cells: ({ cells }) => cells };
}

/**
 * With the delimiter of the file, and marked unless it was plain UTF-8: for the program that the file came from. Where
 * that was a workbook, as the program writes a CSV in Spanish.
 */
export function copyForm({ format, delimiter, encoding, marked }: FileForm) {
  if (format === "xlsx") return { delimiter: ";", marked: true };
  return {
    delimiter: delimiter !== null && candidates.includes(delimiter) ? delimiter : ",",
    marked: delimiter !== null && (marked || encoding !== "utf-8"),
  };
}

/** Rows that are written as they were read: their price is no number or may be two, or nobody knows which of their cells it is. */
const keptAsRead: ReadonlySet<RowProblem["kind"]> = new Set([
  "price_unusable",
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
  // The numbers of a workbook have no sign until they are written.
  const decimal = form.decimal ?? (form.format === "xlsx" ? "," : null);
  const { codigo, precio } = mapping.fields;
  const amount = precio ?? "";
  const { price } = mapping;
  const written = (cell: string): string => {
    if (decimal === null) return cell;
    const amount = toText(cell);
    return plainAmount(form.delimiter === null ? jsonNumberCell(amount, decimal) : amount, decimal);
  };
  return {
    ...{ columns, key: codigo ?? "", amount },
    ...copyForm(form),
    format: form.format,
    cells: ({ cells, problem, also = [] }) => {
      const isKept = problem !== undefined && [problem, ...also].some(({ kind }) => keptAsRead.has(kind));
      return isKept ? cells : cells.map((cell, index) => (index === price ? written(cell) : cell));
    },
  };
}

const ERROR = "error";

/** A workbook's sheet has no more, the header among them. */
const maxSheetRows = 1_048_576;

/** Rows that would be taken for good ones in a CSV, where quotes are made right, every cell is a text, also `#N/A`, and a person's other row is absent. */
const hiddenByCsv =
  /^(code_not_text|value_not_text|quote_open|quote_late|person_repeated|cell_error|formula_unstored|formula_zero)$/;

/** What stays behind the error of a row until a person takes it away: with it the row is rejected again. */
function findSurplus(
  each: RejectedProduct,
  width: number,
  cells: readonly string[],
  { push }: Texts,
): string[] {
  if (cells.length > width) return cells.slice(width);
  if (cells.length < width) return [push.incompleteRow];
  if (each.source === "service") return [];
  if (each.problem.kind === "person_excluded") return [push.excludedRow];
  const looksGood = (problem: RowProblem): boolean =>
    hiddenByCsv.test(problem.kind) || (problem.kind === "digits_lost" && !hasLostDigits(problem.text));
  return listProblems(each).some(looksGood) ? [push.uncheckedRow] : [];
}

type Records = Iterable<{ each: RejectedProduct; cells: string[]; reason: string; surplus: string[] }>;

/** The rows as they are written, without the error column of an earlier file: one that is rejected again keeps one. */
function toRecords(
  rejected: Iterable<RejectedProduct>,
  { columns, cells: written }: Pick<RejectedSheet, "columns" | "cells">,
  texts: Texts,
): { names: readonly string[]; records: Records } {
  const old = columns.indexOf(ERROR);
  const without = <T>(cells: readonly T[]): T[] => cells.filter((_, index) => index !== old || old < 0);
  const names = without(columns);
  function* records(): Generator<Records extends Iterable<infer T> ? T : never> {
    for (const each of rejected) {
      const cells = without(written(each));
      const surplus = findSurplus(each, names.length, cells, texts);
      yield {
        ...{ each, surplus, reason: rejection(each, texts) ?? "" },
        cells: names.map((_, index) => cells[index] ?? ""),
      };
    }
  }
  return { names, records: records() };
}

export function rejectedCsv(
  rejected: Iterable<RejectedProduct>,
  { delimiter, ...sheet }: Omit<RejectedSheet, "marked">,
  texts: Texts,
): Iterable<string> {
  const { names, records } = toRecords(rejected, sheet, texts);
  function* lines(): Generator<readonly string[]> {
    yield [...names, ERROR].map(guardCell);
    for (const { cells, reason, surplus } of records) yield [...cells, reason, ...surplus].map(guardCell);
  }
  return csvChunks(lines(), { delimiter });
}

/** Whether a problem is in this column; one that says no column is in that of the key, or in all of them. */
function isIn(header: string, key: string): (problem: RowProblem) => boolean {
  return (problem) => {
    if ("column" in problem) return problem.column === header;
    if ("name" in problem) return problem.name === header;
    return header === key || !/^(code|duplicate|phones?|person)_/.test(problem.kind);
  };
}

/** A workbook runs no text; only what reading would take for an apostrophe of ours gets one. */
const keptText = (text: string): string => (unguardCell(text) === text ? text : guardCell(text));

async function rejectedWorkbook(
  rejected: Iterable<RejectedProduct>,
  sheet: RejectedSheet,
  texts: Texts,
): Promise<Iterable<Uint8Array>> {
  const { maxCellLength, workbookChunks } = await import("./workbook.ts");
  const { names, records } = toRecords(rejected, sheet, texts);
  const headings = [...names, ERROR];
  const toSheetCell = (whole: string, header?: string): SheetCell => {
    const text = keptText(whole).slice(0, maxCellLength);
    return { text, as: header !== undefined && header === sheet.amount ? "general" : "text" };
  };
  function* rows(): Generator<SheetCell[]> {
    yield headings.map((text) => ({ text, as: "heading" }));
    for (const { each, cells, reason, surplus } of records) {
      const problems = each.source === "file" ? listProblems(each) : undefined;
      const isCut = cells.some((cell) => cell.length > maxCellLength);
      const left = isCut && surplus.length === 0 ? [texts.push.uncheckedRow] : surplus;
      yield [
        ...names.map((header, index) => ({
          ...toSheetCell(cells[index] ?? "", header),
          isMarked: problems?.some(isIn(header, sheet.key)) ?? true,
        })),
        ...[reason, ...left].map((text) => toSheetCell(text)),
      ];
    }
  }
  return workbookChunks(rows(), [...names.map(() => 18), 80, 40]);
}

const maxNames = 1_000;

function* freeNames(file: string): Generator<string> {
  yield file;
  const { dir, name, ext } = parse(file);
  for (let n = 2; n <= maxNames; n++) yield join(dir, `${name}-${n}${ext}`);
}

function realPath(cwd: string, file: string): string {
  const path = resolve(cwd, file);
  try {
    return fs.realpathSync(path);
  } catch {
    return join(fs.realpathSync(dirname(path)), basename(path));
  }
}

/** What `--rejected` and `--errors` do not replace: the reports of others, and the files that this command reads, by whatever name. */
interface Kept {
  reports: Reports;
  inputs: readonly string[];
}

const fileId = (path: string): string | undefined => {
  const { dev, ino } = fs.statSync(path, { bigint: true, throwIfNoEntry: false }) ?? {};
  return ino === undefined ? undefined : `${dev}:${ino}`;
};

function readKept({ reports }: Journal, cwd: string, inputs: readonly string[]): Kept {
  const ids = inputs.flatMap((each) => (each === "-" ? [] : (fileId(resolve(cwd, each)) ?? [])));
  return { reports, inputs: ids };
}

/** `own` is a report as bpos wrote it; what cannot be read is somebody's, as is a link that leads nowhere. */
async function inspectTarget(
  { reports, inputs }: Kept,
  path: string,
): Promise<"free" | "empty" | "own" | "taken"> {
  if (fs.lstatSync(path, { throwIfNoEntry: false }) === undefined) return "free";
  try {
    const found = fs.statSync(path);
    if (!found.isFile() || inputs.includes(fileId(path) ?? "")) return "taken";
    if (found.size === 0) return "empty";
    const hash = createHash("sha256");
    for await (const chunk of fs.createReadStream(path)) hash.update(chunk as Buffer);
    return (await reports.isOurs(path, hash.digest("hex"))) ? "own" : "taken";
  } catch {
    return "taken";
  }
}

/** Puts a report in its place, whole or not at all; wherever a crash falls, the journal knows what stands there. */
async function put(
  reports: Reports,
  path: string,
  pid: number,
  chunks: Iterable<string | Uint8Array>,
): Promise<void> {
  const temporary = join(dirname(path), `.bpos-${pid}.tmp`);
  const mode = fs.lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0o600;
  try {
    fs.rmSync(temporary, { force: true });
    const hash = createHash("sha256");
    const handle = fs.openSync(temporary, "wx", 0o600);
    try {
      for (const chunk of chunks) {
        hash.update(chunk);
        fs.writeFileSync(handle, chunk);
      }
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
    fs.chmodSync(temporary, mode & 0o777);
    const digest = hash.digest("hex");
    await reports.add(path, digest);
    fs.renameSync(temporary, path);
    await reports.forget(path, digest);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** Takes away the reports of these names that are as bpos wrote them, up to the first name that nothing has. */
async function removeOwn(kept: Kept, cwd: string, names: Iterable<string>): Promise<void> {
  for (const name of names) {
    const path = realPath(cwd, name);
    const standing = await inspectTarget(kept, path);
    if (standing === "free") return;
    if (standing !== "own") continue;
    fs.rmSync(path, { force: true });
    await kept.reports.forget(path);
  }
}

async function orUnwritable<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new BposError("output_unwritable", { file, detail: (error as Error).message }, { cause: error });
  }
}

/** Over an earlier report only if that is as bpos wrote it, else to the next free name: somebody may have corrected it. Returns that name. */
export function writeReport(
  { cwd, pid }: Pick<System, "cwd" | "pid">,
  journal: Journal,
  file: string,
  { chunks, inputs = [] }: { chunks: Iterable<string | Uint8Array>; inputs?: readonly string[] },
): Promise<string> {
  return orUnwritable(file, async () => {
    const kept = readKept(journal, cwd, inputs);
    const names = freeNames(file);
    for (const name of names) {
      const path = realPath(cwd, name);
      if ((await inspectTarget(kept, path)) === "taken") continue;
      await put(journal.reports, path, pid, chunks);
      // What an earlier run wrote behind a file of others is out of date now.
      await removeOwn(kept, cwd, names);
      return name;
    }
    throw new Error(`${file} and ${maxNames - 1} names behind it are taken`);
  });
}

/** A name that ends in .xlsx is a workbook, as long as it has room for all rows. */
export async function writeRejectedFile(
  { system, texts }: Pick<Runtime, "system" | "texts">,
  { journal, output }: { journal: Journal; output: Output },
  file: string,
  {
    rejected,
    sheet,
    inputs,
  }: {
    rejected: Iterable<RejectedProduct> & { readonly length: number };
    sheet: RejectedSheet;
    /** The files that the command reads. */
    inputs: readonly string[];
  },
): Promise<string> {
  function* csv(): Generator<string> {
    // The program that the file came from takes UTF-8 without the mark for something else, unless the file had none either.
    if (sheet.marked) yield "\ufeff";
    yield* rejectedCsv(rejected, sheet, texts);
  }
  const workbook = /\.xlsx$/i;
  const name = rejected.length < maxSheetRows ? file : file.replace(workbook, ".csv");
  const chunks = workbook.test(name) ? await rejectedWorkbook(rejected, sheet, texts) : csv();
  const written = await writeReport(system, journal, name, { chunks, inputs });
  if (name !== file) await output.warning(texts.notices.reportTooLong(written));
  else if (written !== file) {
    const isInput = readKept(journal, system.cwd, inputs).inputs.includes(
      fileId(resolve(system.cwd, file)) ?? "",
    );
    await output.warning(texts.notices.reportElsewhere(file, written, isInput));
  }
  return written;
}

/** Takes away reports of earlier runs that nobody changed: whoever corrected them later would send what is old. */
export function removeRejectedFile(
  { cwd }: Pick<System, "cwd">,
  journal: Journal,
  file: string,
  inputs: readonly string[],
): Promise<void> {
  return orUnwritable(file, async () => {
    const kept = readKept(journal, cwd, inputs);
    const [first = file, ...others] = freeNames(file);
    await removeOwn(kept, cwd, [first]);
    await removeOwn(kept, cwd, others);
  });
}
