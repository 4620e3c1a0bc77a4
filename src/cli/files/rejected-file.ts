import type { Journal } from "../../journal/journal.ts";
import type { Output } from "../display/output.ts";
import type { Runtime } from "../runtime.ts";
import {
  maxSheetRows,
  type RejectedProduct,
  type RejectedSheet,
  rejectedCsv,
  rejectedWorkbook,
} from "./rejected-rows.ts";
import { isOneOf, writeReport } from "./report-files.ts";

/** A name that ends in .xlsx is a workbook, as long as it has room for all rows. */
export async function writeRejectedFile(
  { system, outTexts }: Pick<Runtime, "system" | "outTexts">,
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
    // The program that wrote the file misreads UTF-8 without a byte order mark, unless the file had none either.
    if (sheet.marked) yield "\ufeff";
    yield* rejectedCsv(rejected, sheet, outTexts);
  }

  const workbook = /\.xlsx$/i;
  const name = rejected.length < maxSheetRows ? file : file.replace(workbook, ".csv");
  const chunks = workbook.test(name) ? await rejectedWorkbook(rejected, sheet, outTexts) : csv();

  const written = await writeReport(system, journal, name, { chunks, inputs });
  const { t } = output.texts;
  if (name !== file)
    await output.warning(
      t("A workbook holds at most 1,048,575 rows. More were left out, so they are in {written}.", {
        written,
      }),
    );
  else if (written !== file) {
    const elsewhere = t(
      isOneOf(system.cwd, file, inputs)
        ? "This command reads {file}, so it was not overwritten. The rows left out are in {written}."
        : "{file} changed since bpos wrote it, or is open in another program, so it was not overwritten. The rows left out are in {written}.",
      { file, written },
    );
    await output.warning(elsewhere);
  }
  return written;
}
