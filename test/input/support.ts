import { noticeWords } from "../../src/cli/files/notices.ts";
import type { CatalogItem } from "../../src/contract/catalog.ts";
import { listProblems } from "../../src/errors/problems.ts";
import { fileWords } from "../../src/errors/words/files.ts";
import { rowProblemsWords } from "../../src/errors/words/rows.ts";
import { isReason } from "../../src/errors.ts";
import { type CatalogOptions, type CatalogReading, readCatalog } from "../../src/input/catalog.ts";
import type { InputFile } from "../../src/input/files/file.ts";
import type { Notice } from "../../src/input/files/table.ts";
import { textsIn } from "../../src/texts/texts.ts";

const t = textsIn("en").t;

/** A standard input that nobody may read. */
export const noInput: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => {
    throw new Error("standard input was read");
  },
};

/** A file of that text (UTF-8) or those bytes. */
export function fileOf(content: string | Uint8Array, name = "export.csv"): InputFile {
  return { name, bytes: typeof content === "string" ? Buffer.from(content) : content };
}

export async function catalog(content: string | Uint8Array, options?: CatalogOptions) {
  const reading = await readCatalog(fileOf(content), options);
  return { ...reading, rejected: [...reading.rejected] };
}

/** Returns whether a spreadsheet means another text by this one: it is read as what it means, so it does not survive as it is. */
export const isFormulaText = (text: string): boolean => /^="[^"]*"$/.test(text);

/** The products of a reading, each with its line and cells. */
export function rowsOf({
  items,
}: CatalogReading): { line: number; item: CatalogItem; cells: readonly string[] }[] {
  return Array.from({ length: items.length }, (_, position) => ({
    line: items.line(position),
    item: items.item(position),
    cells: items.cells(position),
  }));
}

/** The items alone. */
export async function items(content: string | Uint8Array, options?: CatalogOptions) {
  return rowsOf(await catalog(content, options)).map(({ item }) => item);
}

/** Every rejected row as a person reads it: `LINE: reason`. */
export async function reasons(content: string | Uint8Array, options?: CatalogOptions): Promise<string[]> {
  const { rejected } = await catalog(content, options);
  return rejected.map((row) => `${row.line}: ${rowProblemsWords(listProblems(row), t)}`);
}

/** Notices as a person reads them. */
export const inWords = (notices: readonly Notice[]): string[] => notices.map((each) => noticeWords(each, t));

/** Why the file was refused, as a person reads it: `what → next`, with the line if there is one. */
export async function refusal(reading: Promise<unknown>): Promise<string> {
  const error: unknown = await reading.then(
    () => new Error("the file was not refused"),
    (thrown: unknown) => thrown,
  );
  if (!isReason(error, "input_unusable")) throw error as Error;
  const { what, next } = fileWords(error.facts.problem, t);
  return `${error.facts.line === undefined ? "" : `line ${error.facts.line}: `}${what} → ${next}`;
}
