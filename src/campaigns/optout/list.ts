import { writeList } from "../../cli/display/fields.ts";
import { checkOutputFile, writeNamedFile } from "../../cli/files/named-files.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { BposError, exitCodes } from "../../errors.ts";
import type { OptOut } from "../../journal/opt-outs.ts";
import { type ExportFlags, optOutNames } from "./command.ts";
import { withList } from "./open.ts";
import { exportReport, optOutFields, optOutTable, toObject } from "./view.ts";

export async function list(runtime: Runtime): Promise<void> {
  await withList(runtime, ["table", "json", "ndjson", "csv"], async ({ output, optOuts }) => {
    const rows = await optOuts.list();
    const doubts = (await optOuts.doubts()).length;
    const { fields } = runtime.flags;
    await writeList(output, optOutFields, rows, {
      fields,
      document: (objects) => ({ opt_outs: objects }),
      view: (ui) => optOutTable(rows, doubts, ui, fields),
    });
  });
}

async function toBytes(file: string, rows: readonly OptOut[]): Promise<Uint8Array> {
  const cells = rows.map((row) => optOutNames.map((name) => toObject(row)[name]));
  if (!/\.xlsx$/i.test(file)) {
    const { toCsv } = await import("../../cli/display/csv.ts");
    return Buffer.from(toCsv(optOutNames, cells));
  }
  const { workbookChunks } = await import("../../cli/files/workbook.ts");
  const heading = optOutNames.map((text) => ({ text, as: "heading" }) as const);
  const sheet = cells.map((row) => row.map((text) => ({ text: text ?? "" })));
  return Buffer.concat([...workbookChunks([heading, ...sheet], [18, 30, 10, 60])]);
}

/** Writes the list to a file that `import` and `--exclude` take; who was pruned has no phone that could be written. */
export async function exportList(runtime: Runtime, file: string, { force }: ExportFlags): Promise<void> {
  const isNew = force !== true;
  if (!/\.(?:csv|xlsx)$/i.test(file))
    throw new BposError("usage_flag", { problem: { kind: "file_not_table", flag: "<file>" } });
  await checkOutputFile(runtime.system, { flag: "<file>", file, input: undefined, isNew });

  await withList(runtime, ["table", "json", "ndjson"], async ({ output, optOuts }) => {
    const all = await optOuts.list();
    const rows = all.filter(({ phone }) => phone !== null);
    await writeNamedFile(runtime.system, file, await toBytes(file, rows), { isNew, mode: 0o600 });
    const report = { file, opt_outs: rows.length, without_phone: all.length - rows.length };
    if (report.without_phone > 0) runtime.exitCode = exitCodes.partial;
    if (output.format !== "table") await output.document(report);
    else if (!output.quiet || report.without_phone > 0) await output.data(exportReport(report, output.ui));
  });
}
