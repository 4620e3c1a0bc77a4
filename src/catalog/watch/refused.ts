import { dirname, join, parse } from "node:path";
import { number, price } from "../../cli/display/format.ts";
import { describeError, type Output } from "../../cli/display/output.ts";
import { writeRejectedFile } from "../../cli/files/rejected-file.ts";
import { newSheet, type RejectedProduct } from "../../cli/files/rejected-rows.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type BposError, isReason } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import { type Comparison, compareItems } from "../compare.ts";
import type { KnownBefore, PushWork } from "../push/carry-out.ts";
import type { PushFlags } from "../push/command.ts";
import { changeBeyond } from "../push/price-changes.ts";
import type { FoundList } from "./lists.ts";

/** `prices.refused.xlsx` beside `prices.csv`. */
export const refusedFile = (path: string): string => join(dirname(path), `${parse(path).name}.refused.xlsx`);

/** The products that a list saved at `savedAt` would change, and that something saved or pushed later has changed, or may have. */
export async function findNewer(
  { pushes }: Pick<KnownBefore, "pushes">,
  branch: string,
  { changes, strangers }: Comparison,
  savedAt: number,
): Promise<string[]> {
  const newer = await pushes.changedSince(branch, savedAt);
  const codes = [...changes, ...strangers].map(({ codigo }) => codigo);
  return newer === undefined ? codes : codes.filter((codigo) => newer.has(codigo));
}

interface Desk {
  journal: Journal;
  branch: string;
  output: Output;
}

interface Refusal {
  error: BposError;
  /** Undefined of a list that could not be read. */
  work: PushWork | undefined;
  list: FoundList;
  flags: PushFlags;
}

/** Each product for which a list is refused as a whole, and why; all of them, where an error names the first. */
async function findReasons(
  { journal: { catalog, pushes }, branch, output: { ui } }: Desk,
  { error, list, flags }: Refusal,
  { request: { items, rejected } }: PushWork,
): Promise<Map<string, string>> {
  const words = ui.texts.lists.reasons;
  const reasons = new Map<string, string>();
  const missing = flags.deactivateMissing === true ? { kind: "deactivated" as const, rejected } : undefined;
  const compared = await compareItems(items, { catalog, branch, missing });
  if (isReason(error, "too_many_missing"))
    for (const codigo of compared.missing) reasons.set(codigo, words.missing);
  if (isReason(error, "list_older"))
    for (const codigo of await findNewer({ pushes }, branch, compared, list.savedAt))
      reasons.set(codigo, words.older);
  if (isReason(error, "price_change_too_large"))
    for (const { codigo, fields } of compared.changes) {
      const { from, to } = fields.precio ?? {};
      if (typeof from !== "number" || typeof to !== "number") continue;
      const share = changeBeyond(flags.maxPriceChange ?? 0, from, to);
      const percent = typeof share === "number" ? `${share > 0 ? "+" : ""}${number(share, ui)} %` : null;
      if (share !== undefined) reasons.set(codigo, words.price(price(from, ui), price(to, ui), percent));
    }
  return reasons;
}

/** The rows to look at: of a list that cannot be read as a whole a single one, which says why. */
async function listRefused(desk: Desk, refusal: Refusal): Promise<RejectedProduct[]> {
  const { error, work } = refusal;
  const none = { source: "service", codigo: null, line: null, cells: [] } as const;
  if (work !== undefined && (isReason(error, "rows_rejected_strict") || isReason(error, "rows_unreadable")))
    return [...work.request.rejected];

  const reasons = work === undefined ? new Map<string, string>() : await findReasons(desk, refusal, work);
  if (work === undefined || reasons.size === 0)
    return [{ ...none, error: await describeError(error, desk.output.ui.texts) }];
  const { request, sheet } = work;
  const rows: RejectedProduct[] = [];
  for (let at = 0; at < request.items.length; at++) {
    const { codigo } = request.items.item(at);
    const reason = reasons.get(codigo);
    if (reason === undefined || !reasons.delete(codigo)) continue;
    rows.push({
      ...none,
      codigo,
      line: request.items.line(at),
      error: reason,
      cells: request.items.cells(at),
    });
  }
  // What is left is not in the list.
  for (const [codigo, reason] of reasons) {
    const cells = sheet.columns.map((column) => (column === sheet.key ? codigo : ""));
    rows.push({ ...none, codigo, error: reason, cells });
  }
  return rows;
}

/** Writes what is refused, and why, beside the list. */
export async function writeRefused(
  runtime: Runtime,
  desk: Desk,
  refusal: Refusal,
): Promise<{ refused: BposError; file: string | null; unwritten?: BposError }> {
  const { error: refused, work, list } = refusal;
  try {
    const rejected = await listRefused(desk, refusal);
    const sheet = work?.sheet ?? newSheet([], "");
    const about = { rejected, sheet, inputs: [list.path] };
    return { refused, file: await writeRejectedFile(runtime, desk, refusedFile(list.path), about) };
  } catch (unwritten) {
    if (!isReason(unwritten, "output_unwritable")) throw unwritten;
    return { refused, file: null, unwritten };
  }
}
