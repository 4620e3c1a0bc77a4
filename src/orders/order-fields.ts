import { type Fields, fields, list, present } from "../cli/fields.ts";
import { money, number, shown } from "../cli/format.ts";
import type { Ui } from "../cli/output.ts";
import type { Texts } from "../i18n/en.ts";

// The service's answers are passed on even when they differ from the contract (`docs/guarantees.md`, Orders, 7), so nothing here
// trusts the type of a field: a ticket with one odd field is worth more than none.

const joined = (values: readonly unknown[], between: string): string =>
  values.filter(present).map(shown).join(between);

export function customerName(order: Fields, texts: Texts): string {
  const { nombre } = fields(order["cliente"]);
  return present(nombre) ? shown(nombre) : texts.orders.noName;
}

export function customerPhone(order: Fields): string {
  const cliente = fields(order["cliente"]);
  if (present(cliente["telefono"])) return shown(cliente["telefono"]);
  const parts = joined([cliente["telefono_pais"], cliente["telefono_area"], cliente["telefono_numero"]], " ");
  return present(cliente["telefono_pais"]) ? `+${parts}` : parts;
}

/** A text as it came, control characters and all, for a file or a pipe; any other value as it is shown. */
export function asCame(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : shown(value);
}

/** As it came (`docs/service.md` 2.1): parts without a street do not find a door, so the full line then stands beside them. */
export function address(order: Fields): string {
  const home = fields(order["domicilio"]);
  const street = [home["calle"], home["numero"]].filter(present).map(asCame).join(" ");
  const parts = [street, ...[home["piso_depto"], home["localidad"]].filter(present).map(asCame)];
  const structured = parts.filter((part) => part !== "").join(", ");
  const full = present(order["delivery_address"]) ? asCame(order["delivery_address"]) : "";
  if (structured === "") return full;
  return present(home["calle"]) || full === "" ? structured : `${structured} · ${full}`;
}

/** `docs/service.md` 2.3: only `pagado: true` means that nothing is to be collected, whatever `modo` announces. */
export function payment(order: Fields): "paid_online" | "paid" | "online_unpaid" | "to_collect" {
  const { modo, pagado } = fields(order["pago"]);
  if (pagado === true) return modo === "online" ? "paid_online" : "paid";
  return modo === "online" ? "online_unpaid" : "to_collect";
}

/** What to collect at the door: pago.monto as the service gave it, shipping included. */
export function toCollect(order: Fields, ui: Pick<Ui, "money">): string {
  return money(fields(order["pago"])["monto"], ui);
}

export function deliveryType(order: Fields, words: { pickUp: string; delivery: string }): string {
  const type = order["delivery_type"];
  return type === "pick_up" ? words.pickUp : type === "delivery" ? words.delivery : shown(type);
}

export function linesSummary(order: Fields, ui: Pick<Ui, "money">): string {
  return list(order["lineas"])
    .map((line) => `${number(line["cantidad"], ui)} ${shown(line["nombre"])}`)
    .join(", ");
}
