import { describe, expect, it } from "vitest";
import { readable } from "../../support/printed.ts";
import { shell } from "../../support/run.ts";
import { service } from "../../support/service.ts";
import { virtualPrinter } from "../../support/virtual-printer.ts";

async function counter() {
  const { mock, env } = await service({ clock: "2026-02-03T20:00:00-03:00" });
  const [order] = await mock.control.placeOrders({ order: { cliente: { nombre: "Íñigo Peña" } } });
  if (order === undefined) throw new Error("the mock has no order");
  return { mock, bpos: shell({ env }), id: String(order.order_id) };
}

describe("orders show --print", () => {
  it("shows the ticket as without it, and prints it in the language of the run", async () => {
    const { bpos, id } = await counter();
    const printer = await virtualPrinter({}, { columns: 32 });
    const show = ["orders", "show", id];
    const plain = await bpos(show);
    const run = await bpos([...show, "--print", "--printer", printer.url, "--paper", "58", "--lang", "es"]);
    expect(run).toEqual({
      code: 0,
      stdout: (await bpos([...show, "--lang", "es"])).stdout,
      stderr: `El pedido ${id} salió para ${printer.url}.\n`,
    });
    expect(plain.stderr).toBe("");
    const [receipt] = await printer.printed(1);
    const text = readable(receipt ?? { lines: [], acts: [], unknown: [] });
    expect(text).toMatch(new RegExp(`^ *PEDIDO ${id}\\n`, "m"));
    expect(text).toMatch(/^Íñigo Peña$/m);
    expect(text).toMatch(/(COBRAR|PAGADO)/);
    const json = await bpos([...show, "--print", "--printer", printer.url, "--drawer", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ order_id: Number(id) });
    expect((await printer.printed(2))[1]?.acts).toEqual(["drawer", "cut"]);
  });

  it("shows the ticket and ends with 6 where it is not printed", async () => {
    const { bpos, id } = await counter();
    const printer = await virtualPrinter({ state: "paper_out" });
    const run = await bpos(["orders", "show", id, "--print", "--printer", printer.url]);
    expect(run.code).toBe(6);
    expect(run.stdout).toContain(`Order ${id}`);
    expect(run.stderr).toMatch(/it is out of paper[\s\S]*Nothing was printed\.[\s\S]*Put paper in\./);
    expect(printer.receipts).toEqual([]);
  });

  it("ends with 2 without a printer, before the service is asked, and for a printer that is not to print", async () => {
    const { mock, bpos, id } = await counter();
    let asked = 0;
    mock.onRequest(() => (asked += 1));
    const absent = await bpos(["orders", "show", id, "--print"]);
    expect(absent).toMatchObject({ code: 2, stdout: "" });
    expect(absent.stderr).toContain("--printer tcp://192.168.1.50:9100");
    const idle = await bpos(["orders", "show", id, "--printer", "lp:kitchen"]);
    expect(idle.stderr).toContain("--printer requires --print");
    const lost = await bpos(["orders", "show", id, "--printer-language", "star"]);
    expect(lost.stderr).toContain("--printer-language requires --print");
    expect(asked).toBe(0);
  });
});
