import { isOffState } from "../../contract/limits.ts";
import type { T } from "../../texts/texts.ts";
import { money, shown } from "./format.ts";
import type { Ui } from "./ui.ts";
import { type Fields, fields, present } from "./values.ts";

// Responses can differ from the contract (`docs/explanation/guarantees.md`, Orders, 7), so field types are not trusted here.

export function customerName(order: Fields, texts: Ui["texts"]): string {
  const { nombre } = fields(order["cliente"]);
  return present(nombre) ? shown(nombre) : texts.t("A customer");
}

export function customerPhone(order: Fields): string {
  const { telefono, telefono_pais: country, telefono_area, telefono_numero } = fields(order["cliente"]);
  if (present(telefono)) return shown(telefono);
  const parts = [country, telefono_area, telefono_numero].filter(present).map(shown).join(" ");
  return present(country) ? `+${parts}` : parts;
}

/** A text as it came, control characters and all, for a file or a pipe; any other value as it is shown. */
export function asCame(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : shown(value);
}

/** Returns the address as it came (`docs/reference/service.md` 2.1). Without a street the parts do not find a door, so the full line is added. */
export function address(order: Fields): string {
  const home = fields(order["domicilio"]);
  const street = [home["calle"], home["numero"]].filter(present).map(asCame).join(" ");
  const parts = [street, ...[home["piso_depto"], home["localidad"]].filter(present).map(asCame)];
  const structured = parts.filter((part) => part !== "").join(", ");
  const full = present(order["delivery_address"]) ? asCame(order["delivery_address"]) : "";
  if (structured === "") return full;
  return present(home["calle"]) || full === "" ? structured : `${structured} · ${full}`;
}

/** Returns an address that a map can find: without floor and flat if the street is known. */
export function streetAddress(order: Fields): string {
  const { calle, numero, localidad } = fields(order["domicilio"]);
  if (!present(calle)) return address(order);
  const street = [calle, numero].filter(present).map(asCame).join(" ");
  return present(localidad) ? `${street}, ${asCame(localidad)}` : street;
}

/** `docs/reference/service.md` 2.3: only `pagado: true` means that nothing is to be collected, whatever `modo` announces. */
export function payment(order: Fields): "paid_online" | "paid" | "online_unpaid" | "to_collect" {
  const { modo, pagado } = fields(order["pago"]);
  if (pagado === true) return modo === "online" ? "paid_online" : "paid";
  return modo === "online" ? "online_unpaid" : "to_collect";
}

export const isOff = ({ status }: Fields): boolean => isOffState(status);

/** True if the customer pays in cash: beside `online` the specification has only `en_entrega`. */
export function collectsCash(order: Fields): boolean {
  const { modo, monto } = fields(order["pago"]);
  const isCash = !present(modo) || modo === "en_entrega";
  return isCash && payment(order) === "to_collect" && Number(monto ?? 1) !== 0 && !isOff(order);
}

/** Returns the amount to collect at the door: pago.monto as the service gave it, shipping included. */
export function toCollect(order: Fields, ui: Pick<Ui, "money">): string {
  return money(fields(order["pago"])["monto"], ui);
}

/** Returns the words for pick-up and delivery, in small letters. */
export const deliveryWords = (t: T) => ({ pickUp: t("pick-up"), delivery: t("delivery") });

export function deliveryType(order: Fields, words: { pickUp: string; delivery: string }): string {
  const type = order["delivery_type"];
  return type === "pick_up" ? words.pickUp : type === "delivery" ? words.delivery : shown(type);
}

export const orderName = (id: unknown, t: T): string => t("Order {id}", { id: shown(id) });

/** Returns the price of one of several. */
export const eachText = (price: string, t: T): string => t("{price} each", { price });

/** Names the edited fields, each once: an address has two fields. */
export function editedWords(edited: readonly string[], { t }: Pick<Ui["texts"], "t">): string {
  const words: Readonly<Record<string, string>> = {
    lineas: t("items"),
    total: t("total"),
    delivery_type: t("pick-up or delivery"),
    delivery_address: t("address"),
    domicilio: t("address"),
    cliente: t("customer"),
    pago: t("payment"),
    costo_envio: t("shipping"),
  };
  const said = edited.map((name) => (Object.hasOwn(words, name) ? (words[name] ?? name) : shown(name)));
  return t("Changed: {fields}", { fields: [...new Set(said)].join(", ") });
}
