import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { startMock } from "../../src/mock/index.ts";
import { fixedServer, orderOf } from "./peers.ts";
import { readable } from "./printed.ts";
import { shell, temporaryFolder } from "./run.ts";
import { type VirtualPrinter, virtualPrinter } from "./virtual-printer.ts";
import { orderBook } from "./watch.ts";

export const catalogRows = [
  "codigo,nombre,categoria,precio",
  "P1,Muzza,Pizzas,100",
  "P2,Fugazzeta,pízzas ,120",
  "B1,Coca,Bebidas,50",
  "X1,Flan,Postres,40",
];

/** A line of an order, with its options. */
export const lineOf = (codigo: string | null, nombre: string, cantidad = 1, ...options: string[]) => ({
  ...{ codigo, nombre, cantidad, precio_unitario: 100, subtotal: 100 * cantidad },
  opciones: options.map((each) => ({ codigo: null, nombre: each, precio_adicional: 0 })),
});

/** An order of these lines, which costs what they cost. */
export function ordered(id: number, lineas: ReturnType<typeof lineOf>[], more: object = {}) {
  const total = lineas.reduce((sum, { subtotal }) => sum + subtotal, 0);
  return orderOf(id, { lineas, total, pago: { modo: "en_entrega", pagado: false, monto: total }, ...more });
}

/** A profile whose stations print on three printers: cocina has pizzas, barra drinks, and caja everything. */
async function kitchen() {
  const home = temporaryFolder();
  const printers = {
    cocina: await virtualPrinter(),
    barra: await virtualPrinter(),
    caja: await virtualPrinter(),
  };
  const stations: Record<string, unknown>[] = [
    { name: "cocina", printer: printers.cocina.url, categories: ["Pizzas"] },
    { name: "barra", printer: printers.barra.url, categories: ["Bebidas"] },
    { name: "caja", printer: printers.caja.url, everything: true },
  ];
  const list = join(home, "lista.csv");
  writeFileSync(list, `${catalogRows.join("\n")}\n`);
  return {
    home,
    list,
    printers,
    stations,
    /** Writes the profile, with other stations where given. */
    write(service: { base_url: string; api_key: string }, own: unknown = stations, more: object = {}) {
      mkdirSync(home, { recursive: true });
      const profiles = { centro: { ...service, stations: own, ...more } };
      const config = { default: "centro", profiles };
      writeFileSync(join(home, "config.json"), JSON.stringify(config), { mode: 0o600 });
    },
    run: shell({ env: { BPOS_HOME: home, BPOS_LANG: "es" } }),
  };
}

/** The same, with a mock that knows the catalog of the list. */
export async function stockedKitchen() {
  const mock = await startMock({ clock: "2026-01-01T12:00:00-03:00", scenario: "empty" });
  onTestFinished(() => mock.close());
  const made = await kitchen();
  const service = { base_url: mock.baseUrl, api_key: mock.keys[0]!.key };
  made.write(service);
  const pushed = await made.run(["catalog", "push", made.list, "-q"]);
  if (pushed.code !== 0) throw new Error(pushed.stderr);
  const place = async (...lineas: ReturnType<typeof lineOf>[]): Promise<number> =>
    (await mock.control.placeOrders({ order: { lineas } }))[0]!.order_id;
  return {
    ...made,
    mock,
    service,
    place,
    write: (own?: unknown, more?: object) => made.write(service, own, more),
  };
}

/** The same, with a service whose orders are these, to edit; the codes are routed by a map. */
export async function editedKitchen(orders: Record<string, unknown>[]) {
  const made = await kitchen();
  const service = {
    base_url: await fixedServer(orderBook(orders).answer),
    api_key: "bpk_test_secret_0123456789",
  };
  const map = join(made.home, "mapa.csv");
  writeFileSync(map, "código;estación\nP1;cocina\nP2;cocina\nB1;barra\n");
  made.write(service);
  return { ...made, service, map, write: (own?: unknown) => made.write(service, own) };
}

/** The text of each receipt that was cut. */
export const papers = ({ receipts }: VirtualPrinter): string[] =>
  receipts.filter(({ acts }) => acts.includes("cut")).map((receipt) => readable(receipt));

/** Returns the contents of a ticket: its order, with R before it where that is a reprint, C where it was cancelled and E where it was edited, and its products. */
export function inShort(paper: string): string {
  const [, id = "?"] = /PEDIDO\s+(\d+)/.exec(paper) ?? [];
  const marks = [
    ["REIMPRESIÓN", "R"],
    ["CANCELADO", "C"],
    ["CAMBIÓ", "E"],
    ["MODIFICADO", "M"],
  ] as const;
  const products = ["Muzza", "Fugazzeta", "Coca", "Flan", "Nadie"].filter((name) => paper.includes(name));
  return `${marks.map(([word, mark]) => (paper.includes(word) ? mark : "")).join("")}${id}: ${products.join(" ")}`;
}
