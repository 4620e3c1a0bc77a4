import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { wantedMock } from "../../cli/branches.ts";
import { checkOutputFile, checkStandardInput, rejectedCsv } from "../../cli/files.ts";
import { badgeOf, type Output, openOutput } from "../../cli/output.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { BposError, exitCodes } from "../../errors.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import type { RejectedSheet } from "../../input/rejected-sheet.ts";
import { resolveSettings, type Settings } from "../../settings/settings.ts";
import { readGivenCatalog } from "../catalog-file.ts";
import type { CatalogCheck } from "./check.ts";
import type { CheckFlags } from "./command.ts";

/** The profile's look and mapping, without its key: what a push of the same command line would read with. */
async function settingsFor(runtime: Runtime): Promise<{ settings: Settings; isMock: boolean }> {
  const isMock = wantedMock(runtime) !== undefined;
  const { profile } = runtime.flags;
  const profiles = !isMock || profile !== undefined;
  return {
    settings: await resolveSettings(runtime.system, { profile }, { profiles }),
    isMock,
  };
}

/** Writes the corrected copy in the form that its name says. */
async function writeFixed(
  runtime: Runtime,
  file: string,
  reading: CatalogReading,
  { isNew }: { isNew: boolean },
): Promise<void> {
  const { cleanItems, copyShape } = await import("./check.ts");
  const { fixedCsv, fixedJson } = await import("./fixed.ts");
  const json = /\.(json|ndjson|jsonl)$/i.exec(file)?.[1]?.toLowerCase();
  const text =
    json === undefined
      ? fixedCsv(cleanItems(reading.items), copyShape(reading))
      : fixedJson(cleanItems(reading.items), { isArray: json === "json" });
  try {
    await writeFile(resolve(runtime.system.cwd, file), text, { flag: isNew ? "wx" : "w" });
  } catch (error) {
    throw new BposError("output_unwritable", { file, detail: (error as Error).message }, { cause: error });
  }
}

async function write(
  output: Output,
  report: CatalogCheck,
  { sheet, fixed }: { sheet: RejectedSheet; fixed: boolean },
): Promise<void> {
  const { checkReport, checkReportJson } = await import("./view.ts");
  if (output.format === "json" || output.format === "ndjson") await output.document(checkReportJson(report));
  else if (output.format === "csv") {
    for (const notice of report.notices) await output.notice(output.texts.rows.notice(notice));
    for (const chunk of rejectedCsv(report, { ...sheet, delimiter: "," }, output.ui))
      await output.data(chunk);
  } else if (!output.quiet || report.rejected.length > 0) {
    await output.data(checkReport(report, output.ui, { fixed }));
  }
}

/** Runs `bpos catalog check`. */
export async function check(runtime: Runtime, path: string, flags: CheckFlags): Promise<void> {
  checkStandardInput(runtime, path);
  const { system } = runtime;
  const { settings, isMock } = await settingsFor(runtime);
  const badge = badgeOf({ isMock, sandbox: settings.sandbox });
  const look = { money: { locale: settings.locale, currency: settings.currency }, badge };
  const output = openOutput(runtime, ["table", "json", "ndjson", "csv"], look);
  const { fixed } = flags;
  if (fixed === "-")
    throw new BposError("usage_flag", {
      problem: { kind: "file_not_csv", flag: "--fixed" },
    });
  const isNew = flags.force !== true;
  if (fixed !== undefined)
    await checkOutputFile(system, { flag: "--fixed", file: fixed, input: path, isNew });
  const reading = await readGivenCatalog(runtime, path, flags, { output, settings });
  const { catalogCheck } = await import("./check.ts");
  const report = catalogCheck(reading, path === "-" ? "standard input" : path);
  if (fixed !== undefined && report.products > 0) {
    await writeFixed(runtime, fixed, reading, { isNew });
    report.fixedFile = fixed;
  }
  if (report.rejected.length > 0) runtime.exitCode = exitCodes.partial;
  const { rejectedSheet } = await import("../../input/rejected-sheet.ts");
  await write(output, report, { sheet: rejectedSheet(reading), fixed: fixed !== undefined });
}
