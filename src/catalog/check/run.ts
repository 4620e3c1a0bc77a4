import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { wantedMock } from "../../cli/branches.ts";
import { checkOutputFile, checkStandardInput } from "../../cli/files.ts";
import { badgeOf, openOutput } from "../../cli/output.ts";
import { rejectedCsv, rejectedSheet } from "../../cli/rejected-file.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { CatalogItem } from "../../contract/catalog.ts";
import { BposError, exitCodes } from "../../errors.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import { encodedOnce } from "../../input/decode.ts";
import { resolveSettings } from "../../settings/settings.ts";
import { readGivenCatalog } from "../catalog-file.ts";
import type { CheckFlags } from "./command.ts";
import { cleanItems, copyShape, fixedCsv, fixedJson } from "./fixed.ts";
import { checkReport, checkReportJson } from "./view.ts";

const maxFirst = 5;

/** The texts of the products that were encoded twice, or look so. */
interface DoubledTexts {
  repaired: number;
  /** Texts that it leaves: codes, which are never changed, and names of which only a part looks so. */
  left: number;
  /** The first of them, and what it probably should be. */
  sample: { line: number; text: string; proposal: string } | null;
}

/** What a catalog file comes to, without the service. */
export interface CatalogCheck
  extends Pick<CatalogReading, "form" | "mapping" | "read" | "collapsed" | "rejected" | "notices"> {
  file: string;
  first: readonly CatalogItem[];
  products: number;
  doubled: DoubledTexts;
  fixedFile: string | null;
}

function doubledTexts({ items, notices }: CatalogReading): DoubledTexts {
  const found: DoubledTexts = { repaired: 0, left: 0, sample: null };
  if (!notices.some(({ kind }) => kind === "double_encoded")) return found;
  for (let position = 0; position < items.length; position++) {
    const item = items.item(position);
    for (const field of ["codigo", "nombre", "categoria"] as const) {
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

/** Writes the corrected copy in the form that its name says. */
async function writeFixed(cwd: string, file: string, reading: CatalogReading, isNew: boolean): Promise<void> {
  const json = /\.(json|ndjson|jsonl)$/i.exec(file)?.[1]?.toLowerCase();
  const items = cleanItems(reading.items);
  const text = json === undefined ? fixedCsv(items, copyShape(reading)) : fixedJson(items, json === "json");
  try {
    await writeFile(resolve(cwd, file), text, { flag: isNew ? "wx" : "w" });
  } catch (error) {
    throw new BposError("output_unwritable", { file, detail: (error as Error).message }, { cause: error });
  }
}

/** Runs `bpos catalog check`. */
export async function check(runtime: Runtime, path: string, flags: CheckFlags): Promise<void> {
  checkStandardInput(runtime, path);
  const { system } = runtime;
  const isMock = wantedMock(runtime) !== undefined;
  const { profile } = runtime.flags;
  // The profile without its key: what a push of the same command line would read with.
  const settings = await resolveSettings(system, { profile }, { profiles: !isMock || profile !== undefined });
  const badge = badgeOf({ isMock, sandbox: settings.sandbox });
  const output = openOutput(runtime, ["table", "json", "ndjson", "csv"], {
    money: { locale: settings.locale, currency: settings.currency },
    badge,
  });
  const { fixed } = flags;
  if (fixed === "-")
    throw new BposError("usage_flag", { problem: { kind: "file_not_csv", flag: "--fixed" } });
  const isNew = flags.force !== true;
  if (fixed !== undefined)
    await checkOutputFile(system, { flag: "--fixed", file: fixed, input: path, isNew });
  const reading = await readGivenCatalog(runtime, path, flags, { output, settings });
  const { items, rejected } = reading;
  const fixedFile = fixed !== undefined && items.length > 0 ? fixed : null;
  if (fixedFile !== null) await writeFixed(system.cwd, fixedFile, reading, isNew);
  if (rejected.length > 0) runtime.exitCode = exitCodes.partial;
  const report: CatalogCheck = {
    ...reading,
    file: path === "-" ? "standard input" : path,
    first: Array.from({ length: Math.min(maxFirst, items.length) }, (_, position) => items.item(position)),
    products: items.length,
    doubled: doubledTexts(reading),
    fixedFile,
  };
  if (output.format === "json" || output.format === "ndjson") await output.document(checkReportJson(report));
  else if (output.format === "csv") {
    for (const notice of report.notices) await output.notice(output.texts.rows.notice(notice));
    const sheet = { ...rejectedSheet(reading), delimiter: "," };
    for (const chunk of rejectedCsv(rejected, sheet, output.texts)) await output.data(chunk);
  } else if (!output.quiet || rejected.length > 0)
    await output.data(checkReport(report, output.ui, { fixed: fixed !== undefined }));
}
