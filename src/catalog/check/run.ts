import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { wantedMock } from "../../cli/branches.ts";
import { checkOutputFile, checkStandardInput } from "../../cli/files.ts";
import { badgeOf, type Output, openOutput } from "../../cli/output.ts";
import {
  type RejectedProduct,
  type RejectedSheet,
  rejectedCsv,
  rejectedSheet,
} from "../../cli/rejected-file.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { CatalogItem } from "../../contract/catalog.ts";
import { BposError, exitCodes } from "../../errors.ts";
import type { CatalogForm, CatalogMapping, CatalogReading } from "../../input/catalog.ts";
import type { LazyList } from "../../input/catalog-items.ts";
import { encodedOnce } from "../../input/decode.ts";
import type { Notice } from "../../input/table.ts";
import { resolveSettings, type Settings } from "../../settings/settings.ts";
import { readGivenCatalog } from "../catalog-file.ts";
import type { CheckFlags } from "./command.ts";
import { cleanItems, copyShape, fixedCsv, fixedJson } from "./fixed.ts";
import { checkReport, checkReportJson } from "./view.ts";

/** How many products are shown as they will be sent. */
const maxFirst = 5;

/** The texts of the products that were encoded twice, or look so. */
interface DoubledTexts {
  /** Texts that a corrected copy holds repaired. */
  repaired: number;
  /** Texts that it leaves: codes, which are never changed, and names of which only a part looks so. */
  left: number;
  /** The first of them, and what it probably should be. */
  sample: { line: number; text: string; proposal: string } | null;
}

/** What a catalog file comes to, without the service. */
export interface CatalogCheck {
  /** The file as people name it. */
  file: string;
  form: CatalogForm;
  mapping: CatalogMapping;
  /** The first products as they will be sent. */
  first: readonly CatalogItem[];
  /** Rows of the file. */
  read: number;
  /** Products that will be sent. */
  products: number;
  /** Rows that another row with the same code stands for. */
  collapsed: number;
  rejected: LazyList<RejectedProduct>;
  notices: readonly Notice[];
  doubled: DoubledTexts;
  /** The corrected copy that was written. */
  fixedFile: string | null;
}

const textFields = ["codigo", "nombre", "categoria"] as const;

function doubledTexts({ items, notices }: CatalogReading): DoubledTexts {
  const found: DoubledTexts = { repaired: 0, left: 0, sample: null };
  if (!notices.some(({ kind }) => kind === "double_encoded")) return found;
  for (let position = 0; position < items.length; position++) {
    const item = items.item(position);
    for (const field of textFields) {
      const text = item[field] ?? "";
      if (field !== "codigo" && encodedOnce(text) !== null) found.repaired += 1;
      else {
        const word = text.split(/\s+/).find((each) => encodedOnce(each) !== null);
        if (word === undefined) continue;
        found.left += 1;
        found.sample ??= { line: items.line(position), text: word, proposal: encodedOnce(word) ?? "" };
      }
    }
  }
  return found;
}

/** A reading as a report; `fixedFile` is set by whoever writes that file. */
function catalogCheck(reading: CatalogReading, file: string): CatalogCheck {
  const { form, mapping, items, read, collapsed, notices } = reading;
  const first = Array.from({ length: Math.min(maxFirst, items.length) }, (_, position) =>
    items.item(position),
  );
  const { rejected } = reading;
  const counts = { read, products: items.length, collapsed };
  const doubled = doubledTexts(reading);
  return { file, form, mapping, first, ...counts, rejected, notices, doubled, fixedFile: null };
}

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
  if (output.format === "json" || output.format === "ndjson") await output.document(checkReportJson(report));
  else if (output.format === "csv") {
    for (const notice of report.notices) await output.notice(output.texts.rows.notice(notice));
    for (const chunk of rejectedCsv(report.rejected, { ...sheet, delimiter: "," }, output.texts))
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
  const report = catalogCheck(reading, path === "-" ? "standard input" : path);
  if (fixed !== undefined && report.products > 0) {
    await writeFixed(runtime, fixed, reading, { isNew });
    report.fixedFile = fixed;
  }
  if (report.rejected.length > 0) runtime.exitCode = exitCodes.partial;
  await write(output, report, { sheet: rejectedSheet(reading), fixed: fixed !== undefined });
}
