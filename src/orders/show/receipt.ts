import { type Fields, fields, list, present } from "../../cli/display/fields.ts";
import { createdTime, money, number, shown } from "../../cli/display/format.ts";
import { withCutTexts } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { DrawerWhen } from "../../cli/line/printer-flags.ts";
import type { Order } from "../../contract/order.ts";
import { type Paper, Receipt } from "../../delivery/receipt.ts";
import {
  address,
  asCame,
  collectsCash,
  customerName,
  customerPhone,
  deliveryType,
  editedWords,
  isOff,
  payment,
  toCollect,
} from "./view.ts";

// Loaded only where something is printed: the encoder is as large as the rest of a short command.

export interface ReceiptOptions extends Omit<Paper, "drawer"> {
  drawer: DrawerWhen;
  ui: Pick<Ui, "texts" | "money" | "badge">;
  /** Several branches may share a printer. */
  branch?: string | undefined;
  station?: StationTicket | undefined;
}

/** The part of an order that one station prints. */
interface StationTicket {
  name: string;
  /** The places of its lines in the order. */
  lines: readonly number[];
  /** All stations that have a part of it, in their sequence. */
  stations: readonly string[];
  /** It prints every order as a whole, so that it collects. */
  everything: boolean;
  /** What an edit brought and took away here; without it, an edit is printed as a whole. */
  added?: readonly StationPiece[] | undefined;
  removed?: readonly StationPiece[] | undefined;
}

type StationPiece = { name: string; options: readonly string[]; pieces: number };

type Printed = Pick<ReceiptOptions, "ui" | "branch" | "station"> & { receipt: Receipt };

/** Empty where there is nothing: on paper a dash would be read as a name. */
const text = (value: unknown): string => (present(value) ? asCame(value) : "");

function stateBanner(state: unknown, { receipt, ui: { texts } }: Printed): void {
  const words: Readonly<Record<string, string>> = texts.receipt.states;
  const isOff = typeof state === "string" && Object.hasOwn(words, state);
  receipt.banner(isOff ? (words[state] ?? state) : shown(state).toUpperCase());
  if (isOff) receipt.heading(texts.receipt.stop);
}

function head(order: Fields, { receipt, ui, branch, station }: Printed): void {
  const place = [ui.badge ?? [], branch ?? []].flat().join(" · ");
  if (place !== "") receipt.heading(place);
  if (station !== undefined) {
    receipt.title(station.name);
    const others = station.stations.filter((name) => name !== station.name);
    const n = station.stations.indexOf(station.name) + 1;
    if (others.length > 0) receipt.heading(ui.texts.receipt.stations(n, station.stations.length, others));
  }
  receipt.title(ui.texts.receipt.order(shown(order["order_id"])));
}

function customer(order: Fields, { receipt, ui: { texts } }: Printed): void {
  receipt.strong(customerName(order, texts));
  for (const line of [customerPhone(order), address(order)]) if (line !== "") receipt.line(line);
}

/** The customer's own words, which nobody may miss. */
function note(order: Fields, { receipt, ui: { texts } }: Printed): void {
  const { referencia } = fields(order["domicilio"]);
  if (present(referencia)) receipt.box(`${texts.receipt.reference}: ${asCame(referencia)}`);
}

const readName = (line: Fields): string => text(line["nombre"]) || shown(line["codigo"]);

function item(line: Fields, { receipt, ui }: Printed): void {
  const mark = `${number(line["cantidad"], ui)} × `;
  receipt.large(mark, readName(line), present(line["subtotal"]) ? money(line["subtotal"], ui) : "");
  for (const option of list(line["opciones"])) {
    const extra = option["precio_adicional"];
    const each = line["cantidad"] === 1 ? (price: string) => price : ui.texts.ticket.each;
    const amount = present(extra) && extra !== 0 ? each(money(extra, ui)) : "";
    receipt.inset(`${" ".repeat(mark.length)}+ `, readName(option), { amount });
  }
}

/** The lines that this paper is about. */
const ownLines = (order: Fields, { station }: Pick<Printed, "station">): Fields[] =>
  list(order["lineas"]).filter((_, n) => station?.lines.includes(n) !== false);

function slipLine(line: Fields, { receipt, ui }: Printed): void {
  receipt.inset(`${number(line["cantidad"], ui)} × `, readName(line));
}

/** What an edit brought and took away, and what is to be made now: nothing of it is to be read as a second order. */
function edits(order: Fields, printed: Printed & { station: StationTicket }): void {
  const { receipt, ui, station } = printed;
  const { added = [], removed = [] } = station;
  const words = ui.texts.receipt;
  for (const [word, pieces] of [
    [words.added, added],
    [words.removed, removed],
  ] as const) {
    if (pieces.length === 0) continue;
    receipt.heading(word);
    for (const { name, options, pieces: count } of pieces) {
      const mark = `${word === words.added ? "+" : "-"} ${number(count, ui)} × `;
      receipt.large(mark, name);
      for (const option of options) receipt.inset(`${" ".repeat(mark.length)}+ `, option);
    }
  }
  receipt.rule();
  const lines = ownLines(order, printed);
  receipt.line(lines.length === 0 ? words.nothingLeft : words.now);
  for (const line of lines) {
    slipLine(line, printed);
    for (const option of list(line["opciones"])) receipt.inset("    + ", readName(option));
  }
}

/** costo_envio is part of total already (`docs/service.md` 2.1): it is named, never added. */
function sums(order: Fields, { receipt, ui }: Printed): void {
  const words = ui.texts.receipt;
  const { costo_envio: shipping, total } = order;
  if (present(shipping) && shipping !== 0) receipt.amount(words.shipping, money(shipping, ui));
  receipt.amount(words.total, money(total, ui), true).gap();
  if (isOff(order)) return;
  const how = payment(order);
  if (how === "paid" || how === "paid_online") return void receipt.title(words.paid);
  if (how === "online_unpaid") receipt.heading(words.onlineUnpaid);
  receipt.title(words.collect, toCollect(order, ui));
}

/** That it was printed before, or what of it was edited since. */
function warnings(
  repeated: boolean,
  edited: readonly string[] | undefined,
  { receipt, ui: { texts }, station }: Printed,
): void {
  const words = texts.receipt;
  const [banner, hint] =
    station?.added === undefined
      ? [words.edited, words.editedHint]
      : [words.stationEdited, words.stationEditedHint];
  if (repeated) receipt.banner(words.reprint).heading(words.reprintHint);
  if (edited !== undefined) receipt.banner(banner).heading(editedWords(edited, texts)).heading(hint);
}

/**
 * An order as a receipt printer takes it (`docs/service.md` 2.1 to 2.4); never fails, whatever is missing from the order. One that is off makes nobody
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
  const receipt = new Receipt({ ...options, drawer: opens, beep: options.beep && !isOff(order) });
  const printed = { ...options, receipt };
  const { receipt: words, ticket } = options.ui.texts;

  warnings(repeated, edited, printed);
  head(order, printed);
  receipt.banner(deliveryType(order, words)).heading(createdTime(order, options.ui));
  if (order["status"] !== "pendiente") stateBanner(order["status"], printed);
  receipt.rule();

  customer(order, printed);
  note(order, printed);
  receipt.rule();

  const { station } = options;
  const items = ownLines(order, printed);
  if (station?.added !== undefined) edits(order, { ...printed, station });
  else if (items.length === 0) receipt.line(ticket.noLines);
  else for (const line of items) item(line, printed);
  receipt.rule();

  // The total of an order of which it prints a part would be read as that of the part.
  if (station === undefined || station.everything) sums(order, printed);
  return receipt.bytes();
}

/** What became of an order that is on paper already: a short slip, which opens no drawer. */
export function changeReceipt(
  given: Order,
  { from, to, ...options }: ReceiptOptions & Record<"from" | "to", string>,
): Uint8Array {
  const order = withCutTexts(given) as Fields;
  const receipt = new Receipt({ ...options, drawer: false });
  const printed = { ...options, receipt };

  stateBanner(to, printed);
  head(order, printed);
  receipt
    .heading(`${shown(from)} → ${shown(to)}`)
    .heading(createdTime(order, options.ui))
    .rule();

  customer(order, printed);
  receipt.rule();

  for (const line of ownLines(order, printed)) slipLine(line, printed);
  return receipt.bytes();
}
