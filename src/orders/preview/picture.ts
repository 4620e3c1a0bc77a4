import type { Order } from "../../contract/order.ts";
import { drawReceipt } from "../../printing/printing.ts";
import { type Language, textsIn } from "../../texts/texts.ts";

interface Wanted {
  paper: 58 | 80;
  lang: Language;
  branch: string;
}

/** Draws an order of a mock as a printer prints it, in PNG, for the mock's page. */
export async function drawOrder(order: Order, { paper, lang, branch }: Wanted): Promise<Uint8Array> {
  const money = { locale: "es-AR", currency: "ARS" };
  const ui = { texts: textsIn(lang), money, badge: "MOCK" } as const;
  const printer = { paper, language: "escpos", drawer: false, beep: false } as const;
  const receipt = await drawReceipt(order, { ...printer, ui, branchName: branch });
  return receipt.png();
}
