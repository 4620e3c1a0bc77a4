import { count } from "../../cli/display/format.ts";
import { note, paragraph, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { checkOutputFile, writeNamedFile } from "../../cli/files/named-files.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session/session.ts";
import type { CatalogItem } from "../../contract/catalog.ts";
import { BposError, exitCodes, isReason } from "../../errors.ts";
import { type CatalogReading, readCatalog } from "../../input/catalog.ts";
import { changedFields } from "../../journal/catalog.ts";
import { copyChunks, copyShape } from "../check/fixed.ts";
import { readJournal } from "../push/carry-out.ts";
import { itemList } from "../push/plan.ts";
import type { ExportFlags } from "./command.ts";

interface CatalogExport {
  file: string;
  branch: string;
  products: number;
  leftOut: { deactivated: number; uncertain: number };
}

/** As a spreadsheet in the profile's language expects a CSV. */
function toForm(locale: string): CatalogReading["form"] {
  const isComma = /^(?:es|pt)\b/.test(locale);
  const [delimiter, decimal] = isComma ? ([";", ","] as const) : ([",", "."] as const);
  return { format: "csv", encoding: "utf-8", delimiter, decimal, marked: true };
}

/** In the order of their codes, without those that a push would put on sale again, or of which nobody knows. */
async function readKnown(session: Session) {
  const { journal, branch } = await readJournal(session);
  const { catalog } = journal;
  const items: CatalogItem[] = [];
  let uncertain = 0;
  for await (const page of catalog.activePages(branch)) {
    uncertain += page.uncertain.length;
    for (const item of JSON.parse(`[${page.list.toString()}]`) as CatalogItem[]) items.push(item);
  }
  const { deactivated } = await catalog.count(branch);
  return { items, leftOut: { deactivated, uncertain } };
}

const unreadable = (file: string, code: string): BposError =>
  new BposError("usage_flag", { problem: { kind: "export_unreadable", file, code } });

/** Throws `usage_flag` where a product does not read back as it is, which a push would then send. */
async function checkReadsBack(
  { name, bytes }: { name: string; bytes: Buffer },
  items: readonly CatalogItem[],
  { locale, map }: Session["settings"],
): Promise<void> {
  const keptMap = map === undefined ? {} : { keptMap: map };
  const read = await readCatalog({ name, bytes }, { locale, ...keptMap }).catch((error: unknown) => {
    if (isReason(error, "input_unusable")) return undefined;
    throw error;
  });
  const isSame = (item: CatalogItem): boolean => {
    const row = read?.items.find(item.codigo);
    const found = row === undefined ? undefined : read?.items.itemAt(row);
    return found !== undefined && changedFields.every((field) => found[field] === item[field]);
  };
  const unlike = items.find((item) => !isSame(item)) ?? (read?.rejected.length === 0 ? undefined : items[0]);
  if (unlike === undefined) return;
  throw unreadable(name, unlike.codigo);
}

async function toBytes(file: string, items: readonly CatalogItem[], locale: string): Promise<Buffer> {
  const fields = ["codigo", ...changedFields] as const;
  const isThere = (field: (typeof fields)[number]) => items.some((item) => item[field] !== undefined);
  const mapped = fields.map((field) => [field, isThere(field) ? field : null] as const);
  const mapping = { fields: Object.fromEntries(mapped) as CatalogReading["mapping"]["fields"] };
  const shape = () => copyShape({ items: itemList(items), mapping, form: toForm(locale) });
  const chunks = await copyChunks(file, items, shape).catch((error: unknown) => {
    if (!isReason(error, "usage_flag") || error.facts.problem.kind !== "control_character") throw error;
    throw unreadable(file, error.facts.problem.code);
  });
  return Buffer.concat(
    Array.from(chunks, (chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk)),
  );
}

function exportReport({ file, products, leftOut, branch }: CatalogExport, ui: Ui): string {
  const words = ui.texts.changes.exported;
  const { good, warn } = ui.theme;
  const done = paragraph(words.done(count(products, ui), file), ui).map(good);
  return `${[
    ...title(`${words.title} · ${branch}`, ui),
    ...(products > 0 ? done : paragraph(words.nothing, ui).map(warn)),
    ...(leftOut.deactivated > 0 ? note(words.deactivated(count(leftOut.deactivated, ui)), ui) : []),
  ].join("\n")}\n`;
}

/** Writes what the journal knows of a branch to a file that push takes back without a difference. */
export async function exportList(runtime: Runtime, file: string, { force }: ExportFlags): Promise<void> {
  const isNew = force !== true;
  if (!/\.(?:csv|xlsx|json|ndjson|jsonl)$/i.test(file))
    throw new BposError("usage_flag", { problem: { kind: "file_not_list", flag: "<file>" } });
  await checkOutputFile(runtime.system, { flag: "<file>", file, input: undefined, isNew });

  const needs = { address: "base_url", formats: ["table", "json", "ndjson"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { output, settings, branchName: branch } = session;
    const { format, texts } = output;
    const { items, leftOut } = await readKnown(session);
    if (items.length > 0) {
      const bytes = await toBytes(file, items, settings.locale);
      await checkReadsBack({ name: file, bytes }, items, settings);
      await writeNamedFile(runtime.system, file, bytes, { isNew });
    }

    const isWhole = items.length > 0 && leftOut.uncertain === 0;
    if (!isWhole) runtime.exitCode = exitCodes.partial;
    const words = texts.changes.exported;
    if (leftOut.uncertain > 0)
      await output.warning(words.uncertain(count(leftOut.uncertain, output.errorUi)));
    const report = { file, branch, products: items.length, leftOut };
    if (format !== "table")
      await output.document({ file, branch, products: items.length, left_out: leftOut });
    else if (!output.quiet || !isWhole) await output.data(exportReport(report, output.ui));
  });
}
