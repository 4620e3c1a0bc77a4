import type { T } from "../texts/texts.ts";
import { columnsByPaper, type Paper } from "./paper.ts";
import { Receipt } from "./receipt.ts";

/** Returns a receipt that shows whether width, letters, sizes and cut are right. */
export function testReceipt(paper: Paper, t: T, station?: string): Uint8Array {
  const columns = columnsByPaper[paper.paper];
  return new Receipt(paper)
    .title(...(station === undefined ? [] : [station]), t("bpos test receipt"))
    .line("1234567890".repeat(5).slice(0, columns))
    .line(t("{paper} mm paper: {columns} characters per line", { paper: paper.paper, columns }))
    .rule()
    .line("áéíóúüñ ÁÉÍÓÚÜÑ ¿? ¡! $ € °")
    .strong(t("Bold"))
    .large("2 × ", t("Large line"), "$ 1.234,50")
    .banner(t("REPRINT"))
    .box(t("If you can read all of this and the paper is cut, the printer works."))
    .bytes();
}
