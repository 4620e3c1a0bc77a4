import { type Output, openOutput } from "../../cli/display/output.ts";
import { chooseBadge } from "../../cli/display/ui.ts";
import { checkOutputFile, checkStandardInput, writeNamedFile } from "../../cli/files/named-files.ts";
import { noticeWords } from "../../cli/files/notices.ts";
import { rejectedCsv, rejectedSheet } from "../../cli/files/rejected-rows.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { readWantedMock } from "../../cli/session/branches.ts";
import { BposError, exitCodes } from "../../errors.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import { traceSettings } from "../../settings/settings.ts";
import { readGivenCatalog } from "../catalog-file.ts";
import { sliceItems } from "../item-list.ts";
import type { CheckFlags } from "./command.ts";
import { copyChunks } from "./fixed.ts";
import { type CatalogCheck, checkReport, checkReportJson } from "./view.ts";

const maxFirst = 5;

export async function check(runtime: Runtime, path: string, flags: CheckFlags): Promise<void> {
  checkStandardInput(runtime, path);
  const { settings, output } = await openCheck(runtime);
  const { fixed } = flags;
  const isNew = flags.force !== true;
  if (fixed !== undefined) await checkFixedFile(runtime, path, fixed, isNew);

  const reading = await readGivenCatalog(runtime, path, flags, { output, settings });
  const { items, rejected } = reading;
  const fixedFile = fixed !== undefined && items.length > 0 ? fixed : null;
  if (fixedFile !== null)
    await writeNamedFile(runtime.system, fixedFile, await copyChunks(fixedFile, reading), { isNew });

  const isFlawed = rejected.length > 0 || (flags.strict === true && items.unpriced > 0);
  if (isFlawed) runtime.exitCode = exitCodes.partial;
  const report = toCheck(path, reading, fixedFile);
  if (output.format === "json" || output.format === "ndjson") await output.document(checkReportJson(report));
  else if (output.format === "csv") await writeRejectedRows(output, reading);
  else if (!output.quiet || isFlawed || report.hasNoPrices)
    await output.data(checkReport(report, output.ui, fixed !== undefined));
}

async function openCheck(runtime: Runtime) {
  const isMock = readWantedMock(runtime) !== undefined;
  const { profile } = runtime.flags;
  // The profile without its key, since a push of the same command line would read with it.
  const profiles = !isMock || profile !== undefined;
  const { settings } = await traceSettings(runtime.system, { profile }, { profiles, journal: false });
  const { locale, currency, sandbox } = settings;
  const display = { money: { locale, currency }, badge: chooseBadge({ isMock, sandbox }) };
  return { settings, output: openOutput(runtime, ["table", "json", "ndjson", "csv"], display) };
}

async function checkFixedFile(runtime: Runtime, path: string, file: string, isNew: boolean): Promise<void> {
  if (file === "-") throw new BposError("usage_flag", { problem: { kind: "file_not_csv", flag: "--fixed" } });
  await checkOutputFile(runtime.system, { flag: "--fixed", file, input: path, isNew });
}

function toCheck(path: string, reading: CatalogReading, fixedFile: string | null): CatalogCheck {
  const { items } = reading;
  const { unpriced } = items;
  return {
    ...reading,
    file: path === "-" ? "standard input" : path,
    first: sliceItems(items, 0, maxFirst),
    products: items.length,
    unpriced,
    hasNoPrices: unpriced > 0 && unpriced + items.unlisted === items.length,
    fixedFile,
  };
}

async function writeRejectedRows(output: Output, reading: CatalogReading): Promise<void> {
  for (const notice of reading.notices) await output.notice(noticeWords(notice, output.texts.t));
  const sheet = { ...rejectedSheet(reading), delimiter: "," };
  for (const chunk of rejectedCsv(reading.rejected, sheet, output.ui.texts)) await output.data(chunk);
}
