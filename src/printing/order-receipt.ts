import { createdTime, money, number, shown } from "../cli/display/format.ts";
import {
  address,
  asCame,
  collectsCash,
  customerName,
  customerPhone,
  deliveryType,
  eachText,
  editedWords,
  isOff,
  payment,
  streetAddress,
  toCollect,
} from "../cli/display/order-facts.ts";
import { withCutTexts } from "../cli/display/text.ts";
import type { Ui } from "../cli/display/ui.ts";
import { type Fields, fields, list, present } from "../cli/display/values.ts";
import type { DrawerWhen } from "../cli/line/printer-flags.ts";
import { type ReceiptBlock, receiptBlocks } from "../contract/layout.ts";
import type { Order } from "../contract/order.ts";
import type { Layout } from "./layout.ts";
import type { Paper } from "./paper.ts";
import { Receipt } from "./receipt.ts";

export interface ReceiptOptions extends Omit<Paper, "drawer"> {
  drawer: DrawerWhen;
  ui: Pick<Ui, "texts" | "money" | "badge">;
  /** The branch in the receipt's head: several may share a printer. */
  branchName?: string | undefined;
  layout?: Layout | undefined;
  station?: StationTicket | undefined;
}

/** The part of an order that one station prints. */
interface StationTicket {
  name: string;
  /** The positions of its lines in the order. */
  lines: readonly number[];
  /** All stations that have a part of it, in their sequence. */
  stations: readonly string[];
  /** It shows the totals and the amount to collect. */
  collects: boolean;
  /** The pieces that an edit added and removed here; without them, the order is printed as a whole. */
  added?: readonly StationPiece[] | undefined;
  removed?: readonly StationPiece[] | undefined;
}

type StationPiece = { name: string; options: readonly string[]; pieces: number };

type Printed = Pick<ReceiptOptions, "ui" | "branchName" | "layout" | "station"> & { receipt: Receipt };

/** Empty if missing: on paper a dash would be read as a name. */
const text = (value: unknown): string => (present(value) ? asCame(value) : "");

function stateBanner(state: unknown, { receipt, ui }: Printed): void {
  const { t } = ui.texts;
  const words: Readonly<Record<string, string>> = { cancelado: t("CANCELLED"), rechazado: t("REJECTED") };
  const isOff = typeof state === "string" && Object.hasOwn(words, state);
  receipt.banner(isOff ? (words[state] ?? state) : shown(state).toUpperCase());
  if (isOff) receipt.heading(t("Do not prepare or deliver it."));
}

function head(order: Fields, { receipt, ui, branchName, station }: Printed): void {
  const { t } = ui.texts;
  const place = [ui.badge ?? [], branchName ?? []].flat().join(" · ");
  if (place !== "") receipt.heading(place);
  if (station !== undefined) {
    receipt.title(station.name);
    const others = station.stations.filter((name) => name !== station.name);
    const facts = {
      n: station.stations.indexOf(station.name) + 1,
      all: station.stations.length,
      others: others.join(", "),
    };
    if (others.length > 0) receipt.heading(t("Station {n} of {all} - also: {others}", facts));
  }
  receipt.title(t("ORDER {id}", { id: shown(order["order_id"]) }));
}

function customer(order: Fields, { receipt, ui: { texts } }: Printed): void {
  receipt.strong(customerName(order, texts));
  for (const line of [customerPhone(order), address(order)]) if (line !== "") receipt.line(line);
}

/** The customer's note, which the kitchen must not miss. */
function note(order: Fields, { receipt, ui: { texts } }: Printed): void {
  const { referencia } = fields(order["domicilio"]);
  receipt.box(`${texts.t("Note")}: ${asCame(referencia)}`);
}

const readName = (line: Fields): string => text(line["nombre"]) || shown(line["codigo"]);

function item(line: Fields, { receipt, ui, layout = {} }: Printed): void {
  const { prices = true, items_size: size } = layout;
  const mark = `${number(line["cantidad"], ui)} × `;
  const subtotal = prices && present(line["subtotal"]) ? money(line["subtotal"], ui) : "";
  receipt.large(mark, readName(line), subtotal, size === "double");
  for (const option of list(line["opciones"])) {
    const extra = option["precio_adicional"];
    const each =
      line["cantidad"] === 1 ? (price: string) => price : (price: string) => eachText(price, ui.texts.t);
    const amount = prices && present(extra) && extra !== 0 ? each(money(extra, ui)) : "";
    receipt.inset(`${" ".repeat(mark.length)}+ `, readName(option), { amount });
  }
}

/** The lines on this receipt. */
const ownLines = (order: Fields, { station }: Pick<Printed, "station">): Fields[] =>
  list(order["lineas"]).filter((_, n) => station?.lines.includes(n) !== false);

function slipLine(line: Fields, { receipt, ui }: Printed): void {
  receipt.inset(`${number(line["cantidad"], ui)} × `, readName(line));
}

/** Prints the items that an edit added and removed, and the resulting order: nobody should read it as a second order. */
function edits(order: Fields, printed: Printed & { station: StationTicket }): void {
  const { receipt, ui, station } = printed;
  const { added = [], removed = [] } = station;
  const { t } = ui.texts;
  for (const [word, sign, pieces] of [
    [t("ADDED"), "+", added],
    [t("REMOVED"), "-", removed],
  ] as const) {
    if (pieces.length === 0) continue;
    receipt.heading(word);
    for (const { name, options, pieces: count } of pieces) {
      const mark = `${sign} ${number(count, ui)} × `;
      receipt.large(mark, name);
      for (const option of options) receipt.inset(`${" ".repeat(mark.length)}+ `, option);
    }
  }
  receipt.rule();
  const lines = ownLines(order, printed);
  receipt.line(
    t(lines.length === 0 ? "Nothing left for this station." : "The order for this station is now:"),
  );
  for (const line of lines) {
    if (station.collects) {
      item(line, printed);
      continue;
    }
    slipLine(line, printed);
    for (const option of list(line["opciones"])) receipt.inset("    + ", readName(option));
  }
}

/** costo_envio is already part of total (`docs/reference/service.md` 2.1): it is shown, never added. */
function totals(order: Fields, { receipt, ui }: Printed): void {
  const { t } = ui.texts;
  const { costo_envio: shipping, total } = order;
  if (present(shipping) && shipping !== 0) receipt.amount(t("Shipping (in total)"), money(shipping, ui));
  receipt.amount(t("TOTAL"), money(total, ui), true).gap();
}

function collect(order: Fields, { receipt, ui }: Printed): void {
  const { t } = ui.texts;
  if (isOff(order)) return;
  const how = payment(order);
  if (how === "paid" || how === "paid_online") return void receipt.title(t("PAID"));
  if (how === "online_unpaid") receipt.heading(t("Online payment, not paid yet"));
  receipt.title(t("COLLECT"), toCollect(order, ui));
}

function items(order: Fields, printed: Printed): void {
  const { receipt, ui, station } = printed;
  if (station?.added !== undefined) {
    edits(order, { ...printed, station });
    return;
  }

  const lines = ownLines(order, printed);
  if (lines.length === 0) receipt.line(ui.texts.t("No items."));
  for (const line of lines) item(line, printed);
}

function delivery(order: Fields, printed: Printed): void {
  const { receipt, ui } = printed;
  const { t } = ui.texts;
  const types = { pickUp: t("PICK-UP"), delivery: t("DELIVERY") };
  receipt.banner(deliveryType(order, types)).heading(createdTime(order, ui));
  if (order["status"] !== "pendiente") stateBanner(order["status"], printed);
}

/** Blocks are separated by a rule. */
const blocks: Readonly<
  Record<ReceiptBlock, readonly [part: string, print: (order: Fields, printed: Printed) => void]>
> = {
  number: ["order", head],
  delivery: ["order", delivery],
  customer: ["customer", customer],
  notes: ["customer", note],
  items: ["items", items],
  totals: ["sums", totals],
  collect: ["sums", collect],
};

/** Returns the address of the QR code: the way to the door of a delivery, or a conversation with the customer. */
function qrAddress(order: Fields, what: Layout["qr"]): string | undefined {
  if (what === "phone") {
    const phone = customerPhone(order);
    // Without a country code it could be another person's number.
    return phone.startsWith("+") ? `https://wa.me/${phone.replace(/\D/g, "")}` : undefined;
  }
  const to = what === "map" && order["delivery_type"] === "delivery" ? streetAddress(order) : "";
  const fit = to.replace(/\p{Surrogate}/gu, "");
  return fit === "" ? undefined : `https://maps.google.com/?q=${encodeURIComponent(fit)}`;
}

function top({ receipt, layout = {} }: Printed): void {
  const { logo, header: [name, ...more] = [] } = layout;
  if (logo !== undefined) receipt.picture(logo);
  if (name !== undefined) receipt.title(name);
  for (const line of more) receipt.heading(line);
  if (logo !== undefined || name !== undefined) receipt.gap();
}

function bottom(order: Fields, { receipt, ui: { texts }, layout = {} }: Printed): void {
  const { qr, footer = [] } = layout;
  const link = qrAddress(order, qr);
  if (link !== undefined) receipt.gap().qr(link, qr === "map" ? texts.t("Map") : "WhatsApp");
  // The QR code already ends with a gap.
  if (footer.length > 0 && link === undefined) receipt.gap();
  for (const line of footer) receipt.heading(line);
}

/** Every copy after the first is marked as a copy, and neither beeps nor opens the drawer. */
function printCopies(options: ReceiptOptions & Paper, print: (printed: Printed) => void): Uint8Array {
  const { copies = 1, cut_between: isCut = true, texts = options.ui.texts } = options.layout ?? {};
  const ui = { ...options.ui, texts };
  const parts = Array.from({ length: copies }, (_, n) => {
    const acts = n > 0 && { drawer: false, beep: false };
    const receipt = new Receipt({ ...options, ...acts });
    if (n > 0) receipt.heading(texts.t("COPY {n} OF {copies}", { n: n + 1, copies }));
    print({ ...options, ui, receipt });
    return receipt.bytes({ isCut: isCut || n === copies - 1 });
  });
  return Buffer.concat(parts);
}

/** Prints that this is a reprint, or what was edited. */
function warnings(
  repeated: boolean,
  edited: readonly string[] | undefined,
  { receipt, ui: { texts }, station }: Printed,
): void {
  const { t } = texts;
  const [banner, hint] =
    station?.added === undefined
      ? [t("CHANGED"), t("Replaces the earlier receipt.")]
      : [t("CHANGED // items of one station"), t("Changes only. Do not make the rest again.")];
  if (repeated) receipt.banner(t("REPRINT")).heading(t("Might already be printed."));
  if (edited !== undefined) receipt.banner(banner).heading(editedWords(edited, texts)).heading(hint);
}

/**
 * An order as a receipt printer takes it (`docs/reference/service.md` 2.1 to 2.4); never fails, whatever is missing from the order. One that is off makes nobody
 * collect or hurry; one of which fields were `edited` stands for the receipt before.
 */
export function orderReceipt(
  given: Order,
  {
    repeated = false,
    edited,
    ...options
  }: ReceiptOptions & { repeated?: boolean; edited?: readonly string[] },
): Uint8Array {
  const order = withCutTexts(given) as Fields;
  const opens = options.drawer === "always" ? !isOff(order) : options.drawer !== false && collectsCash(order);
  const paper = { ...options, drawer: opens, beep: options.beep && !isOff(order) };
  const hasNote = present(fields(order["domicilio"])["referencia"]);
  // At other stations, the total of the order would be read as that of the part.
  const collects = options.station?.collects !== false;
  const wanted = (options.layout?.blocks ?? receiptBlocks).filter(
    (name) => (name !== "notes" || hasNote) && (collects || blocks[name][0] !== "sums"),
  );

  return printCopies(paper, (printed) => {
    warnings(repeated, edited, printed);
    top(printed);
    let last: string | undefined;
    for (const name of wanted) {
      const [part, print] = blocks[name];
      if (last !== undefined && last !== part) printed.receipt.rule();
      print(order, printed);
      last = part;
    }
    // The courier has the whole receipt.
    if (collects) bottom(order, printed);
  });
}

/** Returns a short slip for a printed order that was cancelled or rejected; it does not open the drawer. */
export function changeReceipt(
  given: Order,
  { from, to, ...options }: ReceiptOptions & Record<"from" | "to", string>,
): Uint8Array {
  const order = withCutTexts(given) as Fields;
  return printCopies({ ...options, drawer: false }, (printed) => {
    const { receipt, ui } = printed;
    stateBanner(to, printed);
    head(order, printed);
    receipt
      .heading(`${shown(from)} → ${shown(to)}`)
      .heading(createdTime(order, ui))
      .rule();

    customer(order, printed);
    receipt.rule();

    for (const line of ownLines(order, printed)) slipLine(line, printed);
  });
}
