import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { askJournal } from "../../../support/journal.ts";
import { fixedServer, orderOf } from "../../../support/peers.ts";
import { readable } from "../../../support/printed.ts";
import { program } from "../../../support/programs.ts";
import { shell, temporaryFolder } from "../../../support/run.ts";
import { pointedAt } from "../../../support/service.ts";
import { virtualPrinter } from "../../../support/virtual-printer.ts";
import {
  eventsOf,
  newIds,
  orderBook,
  type WatchEvent,
  watchOnce,
  watchPolls,
} from "../../../support/watch.ts";

const line = (nombre: string, cantidad: number, precio: number) => ({
  ...{ codigo: null, nombre, cantidad, precio_unitario: precio, subtotal: cantidad * precio, opciones: [] },
});
const orderFor = (id: number, cantidad: number) => {
  const total = cantidad * 100;
  const pago = { modo: "en_entrega", pagado: false, monto: total };
  return orderOf(id, { lineas: [line("Empanada", cantidad, 100)], total, pago });
};
/** Edits an order as somebody does in the service's own admin. */
const edit = (order: Record<string, unknown>, cantidad: number): unknown =>
  Object.assign(order, {
    ...orderFor(0, cantidad),
    ...{ order_id: order["order_id"], status: order["status"] },
  });

async function stage(listed: Record<string, unknown>[]) {
  const home = temporaryFolder();
  const env = { ...pointedAt(await fixedServer(orderBook(listed).answer)), BPOS_HOME: home };
  return { home, run: shell({ env }), inSpanish: shell({ env: { ...env, BPOS_LANG: "es", NO_COLOR: "1" } }) };
}

const changesIn = (run: { stdout: string }): WatchEvent[] =>
  eventsOf(run).filter(({ event }) => event === "order.changed");

describe("an order that is edited while it is pendiente", () => {
  it("is announced once, with what was edited and the whole of it", async () => {
    const [order, other] = [orderFor(7, 6), orderFor(8, 1)];
    const { run } = await stage([order, other]);
    await watchOnce(run);
    edit(order, 12);
    const { stdout, stderr, code } = await watchOnce(run);
    const [event, ...more] = eventsOf({ stdout });
    expect({ more, stderr, code }).toEqual({ more: [], stderr: "", code: 0 });
    const { at, branch, ...rest } = event!;
    expect([typeof at, typeof branch]).toEqual(["string", "string"]);
    expect(rest).toEqual({
      ...{ event: "order.changed", order_id: 7, from: "pendiente", to: "pendiente" },
      ...{ changes: ["lineas", "total"], order },
    });
    expect((await watchOnce(run)).stdout).toBe("");
    edit(order, 6);
    expect(changesIn(await watchOnce(run))).toMatchObject([{ order_id: 7, order: { total: 600 } }]);
  });

  it("is announced in the poll that sees it, and not again by later ones", async () => {
    const order = orderFor(7, 6);
    const { run } = await stage([order]);
    const result = await watchPolls(run, { polls: 14, after: (poll) => poll === 2 && edit(order, 12) });
    expect(eventsOf(result).map(({ event }) => event)).toEqual(["order.new", "order.changed"]);
  });

  it("and moved on before the next poll is one change, with both", async () => {
    const order = orderFor(7, 6);
    const { run } = await stage([order]);
    await watchOnce(run);
    Object.assign(edit(order, 12) as object, { status: "en_preparacion" });
    const moved = { from: "pendiente", to: "en_preparacion", changes: ["lineas", "total"], order };
    expect(eventsOf(await watchOnce(run))).toMatchObject([{ event: "order.changed", ...moved }]);
    // From then on it is prepared and paid, which is no edit.
    edit(order, 3);
    expect((await watchOnce(run)).stdout).toBe("");
    order["status"] = "listo";
    const [next] = eventsOf(await watchOnce(run));
    for (const key of ["changes", "order"]) expect(next).not.toHaveProperty(key);
  });

  it("comes after the order as it was found, to an output that had not got that yet", async () => {
    const order = orderFor(7, 6);
    const { run, home } = await stage([order]);
    const file = join(home, "kept");
    const keep = program(`
      const { appendFileSync, readFileSync } = require("node:fs");
      const { BPOS_EVENT, BPOS_CHANGES = "none", BPOS_FROM = "" } = process.env;
      const { total } = JSON.parse(readFileSync(0, "utf8"));
      appendFileSync(${JSON.stringify(file)}, [BPOS_EVENT, BPOS_CHANGES, BPOS_FROM, total].join(" ") + "\\n");`);
    await watchOnce(run, "--exec", "exit 1", "--exec-changes");
    edit(order, 12);
    await watchOnce(run, "--exec", keep, "--exec-changes");
    order["status"] = "listo";
    await watchOnce(run, "--exec", keep, "--exec-changes");
    expect(readFileSync(file, "utf8").split("\n")).toEqual([
      "order.new none  600",
      "order.changed lineas,total pendiente 1200",
      "order.changed  pendiente 1200",
      "",
    ]);
  });

  it("reaches a command without --exec-changes and a folder as little as any change", async () => {
    const order = orderFor(7, 6);
    const { run, home } = await stage([order]);
    const outputs = ["--out-dir", join(home, "orders"), "--exec", `cat >> ${join(home, "kept")}`];
    await watchOnce(run, ...outputs);
    edit(order, 12);
    expect(changesIn(await watchOnce(run, ...outputs))).toHaveLength(1);
    expect(readdirSync(join(home, "orders"))).toEqual(["7.json"]);
    expect(readFileSync(join(home, "kept"), "utf8").trim().split("\n")).toHaveLength(1);
  });

  it("that an earlier version found is taken as it is, and announced from then on", async () => {
    const order = orderFor(7, 6);
    const { run, home } = await stage([order]);
    await watchOnce(run);
    await askJournal(home, "UPDATE watch_order SET content = NULL");
    edit(order, 12);
    expect((await watchOnce(run)).stdout).toBe("");
    edit(order, 3);
    expect(changesIn(await watchOnce(run))).toMatchObject([{ changes: ["lineas", "total"] }]);
  });

  it("is none of the watch's where it was there before, with --skip-existing", async () => {
    const order = orderFor(7, 6);
    const { run } = await stage([order]);
    await watchOnce(run, "--skip-existing");
    edit(order, 12);
    expect((await watchOnce(run)).stdout).toBe("");
  });

  it("is announced with 240 others, each once", async () => {
    const listed = Array.from({ length: 240 }, (_, n) =>
      Object.assign(orderFor(n + 1, 6), { created_at: Date.UTC(2026, 0, 1, 11) + n }),
    );
    const { run } = await stage(listed);
    expect(newIds(await watchOnce(run))).toHaveLength(240);
    for (const order of listed) Object.assign(order, { lineas: [line("Empanada", 12, 100)] });
    const ids = changesIn(await watchOnce(run)).map((event) => event["order_id"]);
    expect(ids.toSorted((a, b) => Number(a) - Number(b))).toEqual(listed.map((order) => order["order_id"]));
    expect((await watchOnce(run)).stdout).toBe("");
  });

  it("and is listed twice on a page, each time otherwise, is not announced at each poll", async () => {
    const { run } = await stage([orderFor(7, 6), orderFor(7, 12)]);
    const events = eventsOf(await watchPolls(run, { polls: 12 }));
    expect(events.map(({ event, order }) => [event, order?.["total"]])).toEqual([
      ["order.new", 600],
      ["order.changed", 1200],
    ]);
  });

  it("in fields that the contract does not know is not announced, however often they change", async () => {
    const order = orderFor(7, 6);
    const { run } = await stage([order]);
    const result = await watchPolls(run, {
      polls: 12,
      after: (poll) =>
        Object.assign(order, { seen_by: poll, lineas: [{ ...line("Empanada", 6, 100), poll }] }),
    });
    expect(eventsOf(result)).toHaveLength(1);
  });
});

describe("an edited order, for people,", () => {
  it("is a ticket that says what was edited, with the whole order, and rings", async () => {
    const order = orderFor(7, 6);
    const { inSpanish } = await stage([order]);
    const argv = ["orders", "watch", "--once"];
    await inSpanish(argv, { terminal: 80 });
    edit(order, 12);
    const { stdout, stderr } = await inSpanish(argv, { terminal: 80 });
    expect(stdout).toMatch(/Pedido 7 .*MODIFICADO · pendiente/);
    expect(stdout).toMatch(/Cambió: productos, total/);
    expect(stdout).toMatch(/12 × Empanada.*1\.200,00/);
    expect(stdout).toMatch(/A COBRAR.*1\.200,00/);
    expect(stderr).toContain("\u0007");
  });

  it("is one line with --compact in a pipe", async () => {
    const order = orderFor(7, 6);
    const { run } = await stage([order]);
    await watchOnce(run);
    edit(order, 12);
    const { stdout } = await run(["orders", "watch", "--once", "--compact"]);
    expect(stdout).toMatch(/ 7 .* 12 Empanada .* 1\.200,00 {2}pendiente \(Changed: items, total\)\n$/);
  });

  it("is on paper as the new order under a heading of its own, with a beep and without the drawer", async () => {
    const [order, off] = [orderFor(7, 6), orderFor(8, 1)];
    const { inSpanish } = await stage([order, off]);
    const printer = await virtualPrinter();
    const print = () => watchOnce(inSpanish, "--printer", printer.url, "--drawer=always", "--beep");
    await print();
    edit(order, 12);
    Object.assign(edit(off, 2) as object, { status: "cancelado" });
    expect((await print()).code).toBe(0);
    const [slip, receipt] = printer.receipts
      .slice(2)
      .toSorted((a, b) => readable(a).length - readable(b).length);
    expect(receipt?.acts).toEqual(["beep", "cut"]);
    const text = readable(receipt!);
    expect(text).toMatch(/^\s*MODIFICADO\s+Cambió: productos, total\s+Reemplaza al ticket anterior\./);
    expect(text).toMatch(/PEDIDO\s+7[\s\S]*12 × Empanada[\s\S]*COBRAR \$ 1\.200,00/);
    expect(text).not.toContain("REIMPRESIÓN");
    // A cancelled order is called off, whatever was edited.
    expect(readable(slip!)).toMatch(/CANCELADO[\s\S]*PEDIDO\s+8/);
    expect(readable(slip!)).not.toContain("MODIFICADO");
    await print();
    expect(printer.receipts).toHaveLength(4);
  });
});
