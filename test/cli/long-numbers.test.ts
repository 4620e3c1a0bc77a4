import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { orderOf, pageOf } from "../support/peers.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { scriptedServer } from "../support/scripted-server.ts";
import { pointedAt } from "../support/service.ts";

const long = {
  total: "1234567890123456.78",
  monto: "100000000000000000000.5",
  costo_envio: "1e400",
  precio: "-12345678901234567.25",
  propina: "0.12345678901234567890",
  puntos: "12345678901234567890",
  vistos: "1.00000000000000000001",
};

/** JSON in which each text `#name` is the long number of that name. */
const withLong = (value: unknown): string =>
  JSON.stringify(value).replace(/"#(\w+)"/g, (_, name: string) => long[name as keyof typeof long]);

const order = orderOf(7, {
  total: "#total",
  costo_envio: "#costo_envio",
  pago: { modo: "en_entrega", pagado: false, monto: "#monto" },
  lineas: [
    {
      codigo: null,
      nombre: "Agua",
      cantidad: 1,
      precio_unitario: "#precio",
      subtotal: "#precio",
      opciones: [],
    },
  ],
  propina: { monto: "#propina", puntos: "#puntos" },
});
const campaign = {
  campaign_id: "c-1",
  counts: { total_recipients: "#vistos", read: "#puntos" },
  costo: "#costo_envio",
};

async function serving(): Promise<ReturnType<typeof shell>> {
  const server = await scriptedServer(
    {
      ...{ on: "GET /v1/orders", aside: true },
      handler: (response, { url }) => {
        const isFirst = !/status=(?!pendiente)/.test(url);
        response.end(withLong(pageOf(isFirst ? [order] : [], { total: isFirst ? "#total" : 0 })));
      },
    },
    {
      ...{ on: "GET /campaigns/c-1", aside: true },
      handler: (response) => response.end(withLong(campaign)),
    },
  );
  return shell({ env: pointedAt(server.url) });
}

const compact = (json: string): string => json.replace(/\n\s*/g, "").replaceAll('": ', '":');

it("orders list prints every digit, in every form", async () => {
  const run = await serving();
  expect((await run(["orders", "list", "-o", "ndjson"])).stdout).toBe(`${withLong(order)}\n`);
  for (const more of [[], ["--all"]]) {
    const { stdout, code } = await run(["orders", "list", "--json", ...more]);
    expect(code).toBe(0);
    expect(compact(stdout)).toContain(`[${withLong(order)}]`);
  }
  const chosen = await run(["orders", "list", "-o", "ndjson", "--fields", "pago.monto,propina,costo_envio"]);
  expect(chosen.stdout).toBe(
    `{"pago":{"monto":${long.monto}},"propina":{"monto":${long.propina},"puntos":${long.puntos}},"costo_envio":1e400}\n`,
  );
});

it("tables, tickets and CSV show such an amount as it came", async () => {
  const run = await serving();
  const table = await run(["orders", "list"]);
  expect(table.code).toBe(0);
  expect(table.stdout).toContain(long.total);
  expect(table.stdout).toContain(long.monto);
  const fields = await run(["orders", "list", "--fields", "order_id,lineas.subtotal,costo_envio"]);
  expect(fields.stdout).toContain(`[${long.precio}]`);
  expect(fields.stdout).toMatch(/ 1e400\n/);
  const ticket = await run(["orders", "show", "7"]);
  for (const amount of [long.total, long.monto, long.precio, "1e400"])
    expect(ticket.stdout).toContain(amount);
  expect(compact((await run(["orders", "show", "7", "--json"])).stdout)).toBe(withLong(order));
  const csv = await run(["orders", "list", "-o", "csv"]);
  expect(csv.stdout).toContain(`,1e400,${long.total},en_entrega,false,${long.monto}\r\n`);
  const negative = await run(["orders", "list", "-o", "csv", "--fields", "lineas.subtotal,pago.monto"]);
  expect(negative.stdout).toBe(`lineas.subtotal,pago.monto\r\n[${long.precio}],${long.monto}\r\n`);
});

it("orders watch keeps every digit in the journal, its files and its lines", async () => {
  const run = await serving();
  const folder = temporaryFolder();
  const first = await run([
    "orders",
    "watch",
    "--once",
    "-o",
    "ndjson",
    "--exec",
    "exit 1",
    "--out-dir",
    folder,
  ]);
  expect(readFileSync(join(folder, readdirSync(folder)[0] ?? ""), "utf8")).toBe(`${withLong(order)}\n`);
  expect(first.stdout).toContain(`"order":${withLong(order)},"repeated":false}`);
});
