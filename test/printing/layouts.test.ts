import fc from "fast-check";
import { expect, it } from "vitest";
import { money, number, shown } from "../../src/cli/display/format.ts";
import { orderReceipt } from "../../src/printing/order-receipt.ts";
import { columnsByPaper } from "../../src/printing/paper.ts";
import { printable } from "../../src/printing/receipt.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { anyLayout, oddOrder } from "../support/odd-orders.ts";
import { type PrintedReceipt, printed } from "../support/printed.ts";
import { seed, sized } from "../support/soak.ts";

const ui = { texts: textsIn("es"), money: { locale: "es-AR", currency: "ARS" }, badge: null };
const languages = { en: textsIn("en"), es: textsIn("es"), "es-AR": textsIn("es-AR") };

const dense = (text: string): string => printable(text).replaceAll(/\s/g, "");

/** All letters of a receipt, without the amounts that stand at the right of the first of several lines, and frames. */
function readDense({ lines }: PrintedReceipt, amounts: readonly string[]): string {
  const inside = lines.map(({ text }) => {
    const line = text.replace(/^│ ?(.*)│$/, "$1").trimEnd();
    const amount = amounts.find((each) => line.endsWith(` ${each}`)) ?? "";
    return amount === "" ? line : line.slice(0, -amount.length);
  });
  return inside.join("").replaceAll(/\s/g, "");
}

/** Fails unless the texts stand there one after the other. */
function expectInTurn(paper: string, texts: readonly string[]): void {
  let at = 0;
  for (const text of texts) {
    const found = paper.indexOf(dense(text), at);
    expect(found, `${JSON.stringify(text)} is not in ${paper.slice(at)}`).toBeGreaterThanOrEqual(0);
    at = found + dense(text).length;
  }
}

// A layout for 40 orders.
const layouts = fc.sample(anyLayout, { numRuns: 50, seed });

it("prints what a kitchen, a courier and the till need of any order by any layout", {
  timeout: sized(20_000, 600_000),
}, () => {
  const paper = fc.constantFrom(58 as const, 80 as const);
  const language = fc.constantFrom("escpos" as const, "star" as const);
  const property = fc.property(
    oddOrder,
    fc.constantFrom(...layouts),
    paper,
    language,
    (order, given, mm, lang) => {
      const { lang: words = "es", ...layout } = given;
      const texts = languages[words];
      const { prices = true, copies = 1, cut_between: isCut = true } = layout;
      const how = {
        paper: mm,
        language: lang,
        drawer: "always",
        beep: true,
        ui,
        layout: { ...layout, texts },
      } as const;
      const receipts = printed(orderReceipt(order, how), lang, columnsByPaper[mm]);

      expect(receipts).toHaveLength(isCut ? copies : 1);
      expect(receipts.flatMap(({ unknown }) => unknown)).toEqual([]);
      const acts = receipts.flatMap((receipt) => receipt.acts).filter((act) => act !== "picture");
      expect(acts.filter((act) => act !== "cut")).toEqual(["beep", "drawer"]);

      const each = (price: string, line: { cantidad: number }): string =>
        line.cantidad === 1 ? price : texts.t("{price} each", { price });
      const amounts = order.lineas.flatMap((line) => [
        money(line.subtotal, ui),
        ...line.opciones.map((option) => each(money(option.precio_adicional, ui), line)),
      ]);
      const all = receipts.map((receipt) => readDense(receipt, amounts.map(printable))).join("");
      const whole = receipts.map((receipt) => readDense(receipt, [])).join("");
      const heads = whole.split(dense(texts.t("ORDER {id}", { id: order.order_id }))).length - 1;
      expect(heads).toBeGreaterThanOrEqual(copies);

      const items = order.lineas.flatMap((line) => [
        `${number(line.cantidad, ui)}×${line.nombre}`,
        ...line.opciones.map((option) => `+${option.nombre}`),
      ]);
      expectInTurn(all, Array.from({ length: copies }, () => items).flat());
      for (const text of [
        shown(order.cliente.nombre),
        `${texts.t("Note")}:${order.domicilio.referencia}`,
        texts.t(order.delivery_type === "delivery" ? "DELIVERY" : "PICK-UP"),
        order.pago.pagado ? texts.t("PAID") : `${texts.t("COLLECT")}${money(order.pago.monto, ui)}`,
        ...(layout.header ?? []),
        ...(layout.footer ?? []),
      ])
        expectInTurn(
          whole,
          Array.from({ length: copies }, () => text),
        );
      if (prices) for (const line of order.lineas) expect(whole).toContain(dense(money(line.subtotal, ui)));
    },
  );
  fc.assert(property, { seed, numRuns: sized(10, 500) });
});
