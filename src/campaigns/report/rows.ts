import { type Cell, toCsv } from "../../cli/display/csv.ts";
import type { SheetCell } from "../../cli/files/workbook.ts";
import type { Texts } from "../../i18n/en.ts";
import { type CampaignReport, steps } from "./collect.ts";
import { classifyFailure } from "./failures.ts";

const columns = [
  ...(["phone", "name", "country", "line", "campaign_id", "status"] as const),
  ...steps.map((step) => `${step}_at` as const),
  "error",
] as const;
const header = [...columns, "meaning", "replies"];

function* toCells({ rows }: CampaignReport, { report: words }: Texts): Generator<Cell[]> {
  for (const row of rows) {
    const meaning = row.error === null ? "" : words.failures[classifyFailure(row.error)].meaning;
    // What begins with a plus and is no phone, as one that is masked, would get an apostrophe.
    const phone = row.phone.includes("…") ? row.phone.replace("+", "") : row.phone;
    yield [...columns.map((name) => ({ ...row, phone })[name]), meaning, row.replies.join(" · ")];
  }
}

/** A row for each recipient, with a heading. */
export const recipientsCsv = (report: CampaignReport, texts: Texts): string =>
  toCsv(header, toCells(report, texts));

/** The same as a workbook. */
export async function recipientsWorkbook(report: CampaignReport, texts: Texts): Promise<Buffer> {
  const { maxCellLength, workbookChunks } = await import("../../cli/files/workbook.ts");
  function* sheet(): Generator<SheetCell[]> {
    yield header.map((text) => ({ text, as: "heading" }));
    for (const cells of toCells(report, texts))
      yield cells.map((cell) => ({ text: String(cell ?? "").slice(0, maxCellLength) }));
  }
  const widths = header.map((name) => (/^(?:error|meaning|replies)$/.test(name) ? 48 : 22));
  return Buffer.concat([...workbookChunks(sheet(), widths)]);
}
