import type { Order } from "../../contract/order.ts";
import { drawPaper, readPaper } from "../../printing/paper.ts";
import { writePng } from "../../printing/png.ts";
import type { Paper } from "../../printing/receipt.ts";
import { type Language, textsIn } from "../../texts/texts.ts";
import { orderReceipt } from "../show/receipt.ts";

interface Wanted {
  paper: Paper["paper"];
  lang: Language;
  branch: string;
}

/** An order of a mock as a printer prints it, in PNG, for the mock's page. */
export function drawReceipt(order: Order, { paper, lang, branch }: Wanted): Uint8Array {
  const money = { locale: "es-AR", currency: "ARS" };
  const options = { paper, language: "escpos", drawer: false, beep: false } as const;
  const ui = { texts: textsIn(lang), money, badge: "MOCK" } as const;
  const bytes = orderReceipt(order, { ...options, ui, branch });
  return writePng(drawPaper(readPaper(bytes, options), paper));
}
