import { type Cell, toCsv } from "../../cli/display/csv.ts";
import { count } from "../../cli/display/format.ts";
import { checkOutputFile, checkStandardInput, writeNamedFile } from "../../cli/files/named-files.ts";
import type { SheetCell } from "../../cli/files/workbook.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session/session.ts";
import { BposError, exitCodes } from "../../errors.ts";
import { readGivenCatalog, sayNotices } from "../catalog-file.ts";
import { compareItems, isSame, type NamedChange } from "../compare.ts";
import { openExistingJournal } from "../existing-journal.ts";
import { priceShare } from "../price-changes.ts";
import type { DiffFlags } from "./command.ts";
import { type CatalogDiff, diffReport, diffReportJson } from "./view.ts";

const fields = ["precio", "nombre", "categoria", "deshabilitado"] as const;
const columns = [
  ...["codigo", "kind", "nombre", "categoria"],
  ...fields.flatMap((field) => [`${field}_from`, `${field}_to`]),
  "change_percent",
];

/** Shows what pushing a file would change, compared with the confirmed products in the journal; sends and asks nothing. */
export async function diff(runtime: Runtime, path: string, flags: DiffFlags): Promise<void> {
  checkStandardInput(runtime, path);
  await checkReportFile(runtime, path, flags);
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { output, settings } = session;
    const { format, ui } = output;
    const { t } = output.texts;
    // First: code loaded after reading a large file is compiled again.
    const { journal, branch } = await openExistingJournal(session);
    const reading = await readGivenCatalog(runtime, path, flags, { output, settings });
    await sayNotices(output, reading);
    const missing = { kind: "missing", rejected: reading.rejected } as const;
    const compared = await compareItems(reading.items, { catalog: journal.catalog, branch, missing });
    const file = path === "-" ? "standard input" : path;
    const found = { file, branch: session.branchName, compared };

    const { report, exitCode = false, force } = flags;
    const rejected = reading.rejected.length;
    const isEqual = isSame(found.compared) && rejected === 0;
    if (exitCode && !isEqual) runtime.exitCode = exitCodes.partial;
    if (report !== undefined) {
      const { workbookChunks } = await import("../../cli/files/workbook.ts");
      const rows = workbookChunks(
        sheetRows(found),
        columns.map(() => 16),
      );
      await writeNamedFile(runtime.system, report, rows, { isNew: force !== true });
    }
    if (rejected > 0) {
      const facts = { count: count(rejected, output.errorUi) };
      await output.warning(
        t(
          "Warning: {count, plural, one {# row was rejected and not compared. `bpos catalog check FILE` lists it} other {# rows were rejected and not compared. `bpos catalog check FILE` lists them}}.",
          facts,
        ),
      );
    }

    if (format === "csv") await output.data(toCsv(columns, cellsOf(found), ui.width !== undefined));
    else if (format !== "table") await output.document(diffReportJson(found));
    else if (!output.quiet || !isEqual) await output.data(diffReport(found, ui, report));
  });
}

function toCells(change: NamedChange): Cell[] {
  const { codigo, kind, nombre, categoria } = change;
  const values = fields.flatMap((field): Cell[] => {
    const { from = null, to = null } = change.fields[field] ?? {};
    return [from, to];
  });
  return [codigo, kind, nombre, categoria, ...values, priceShare(change) ?? null];
}

function* cellsOf({ compared }: CatalogDiff): Generator<Cell[]> {
  for (const change of compared.changes) yield toCells(change);
  for (const change of compared.strangers) yield toCells(change);
}

function* sheetRows(diff: CatalogDiff): Generator<SheetCell[]> {
  yield columns.map((text) => ({ text, as: "heading" }));
  for (const cells of cellsOf(diff))
    yield cells.map((cell) => ({
      text: String(cell ?? ""),
      as: typeof cell === "number" ? "number" : "text",
    }));
}

async function checkReportFile(
  { system }: Runtime,
  input: string,
  { report, force }: DiffFlags,
): Promise<void> {
  if (report === undefined) return;
  if (!/\.xlsx$/i.test(report))
    throw new BposError("usage_flag", { problem: { kind: "file_not_workbook", flag: "--report" } });
  await checkOutputFile(system, { flag: "--report", file: report, input, isNew: force !== true });
}
