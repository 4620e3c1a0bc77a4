import type { RejectedSheet } from "../input/rejected-sheet.ts";
import type { Journal } from "../journal/open.ts";
import type { System } from "../system.ts";
import type { Output } from "./output.ts";
import type { Runtime } from "./runtime.ts";

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
