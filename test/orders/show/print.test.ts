import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readable } from "../../support/printed.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
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
      stderr: `El pedido ${id} se mandó a ${printer.url}.\n`,
    });
    expect(plain.stderr).toBe("");
    const [receipt] = await printer.printed(1);
    const text = readable(receipt ?? { lines: [], acts: [], unknown: [] });
    expect(text).toMatch(new RegExp(`^ *PEDIDO ${id}\\n`, "m"));
    expect(text).toMatch(/^Íñigo Peña$/m);
    expect(text).toMatch(/(COBRAR|PAGADO)/);
    const json = await bpos([...show, "--print", "--printer", printer.url, "--drawer", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ order_id: Number(id) });
    // As all that a person prints: it may be on paper already.
    for (const each of await printer.printed(2)) expect(readable(each)).toMatch(/REIMPRESIÓN|REPRINT/);
  });

  it.each(["cancelado", "rechazado"] as const)(
    "of an order that is %s asks nobody to collect or hurry",
    async (state) => {
      const { mock, bpos, id } = await counter();
      await mock.control.setOrderStatus(Number(id), state);
      const printer = await virtualPrinter();
      const loud = ["--print", "--printer", printer.url, "--beep", "--drawer=always", "--lang", "es"];
      const run = await bpos(["orders", "show", id, ...loud]);
      const [receipt] = await printer.printed(1);
      expect(receipt?.acts).toEqual(["cut"]);
      const text = readable(receipt!);
      expect(text).toContain(state.toUpperCase());
      expect(text).toContain("TOTAL");
      for (const shown of [text, run.stdout]) expect(shown).not.toMatch(/cobrar|pagado/i);
    },
  );

  it.each([
    [{ modo: "en_entrega", pagado: false }, true],
    [{ modo: "en_entrega", pagado: true }, false],
    [{ modo: "en_entrega", pagado: false, monto: 0 }, false],
    [{ modo: "online", pagado: true }, false],
    [{ modo: "online", pagado: false }, false],
    [{ modo: "tarjeta", pagado: false }, false],
  ])("opens the drawer for %j: %s, and with always in any case", async (pago, opens) => {
    const { mock, env } = await service({ clock: "2026-02-03T20:00:00-03:00" });
    const [order] = await mock.control.placeOrders({ order: { pago } });
    const printer = await virtualPrinter();
    const show = ["orders", "show", String(order?.order_id), "--print", "--printer", printer.url];
    const home = temporaryFolder();
    const profile = { base_url: mock.baseUrl, api_key: mock.keys[0]!.key, drawer: "always" };
    const profiles = { own: profile, usual: { ...profile, drawer: true } };
    writeFileSync(join(home, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
    for (const how of [["--drawer"], ["--drawer", "cash"], ["--drawer", "always"]])
      expect((await shell({ env })([...show, ...how])).code).toBe(0);
    for (const name of ["own", "usual"])
      expect((await shell({ env: { BPOS_HOME: home } })([...show, "-p", name])).code).toBe(0);
    const opened = (await printer.printed(5)).map(({ acts }) => acts.includes("drawer"));
    expect(opened).toEqual([opens, opens, true, true, opens]);
  });

  it("shows the ticket and ends with 6 where it is not printed", async () => {
    const { bpos, id } = await counter();
    const printer = await virtualPrinter({ state: "paper_out" });
    const run = await bpos(["orders", "show", id, "--print", "--printer", printer.url]);
    expect(run.code).toBe(6);
    expect(run.stdout).toContain(`Order ${id}`);
    expect(run.stderr).toMatch(/it is out of paper[\s\S]*Nothing was printed\.[\s\S]*Load paper\./);
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
