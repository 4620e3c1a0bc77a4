import { expect, it } from "vitest";
import { readable } from "../support/printed.ts";
import { shell } from "../support/run.ts";
import { service } from "../support/service.ts";
import { virtualPrinter } from "../support/virtual-printer.ts";

const spanish = {
  screen: /^Pedido +Creado .*Cliente/m,
  notFound: /^Error: +No existe el pedido 99\.$/m,
  sent: /^El pedido \d+ se mandó a /m,
  receipt: /^ *PEDIDO \d+\n/m,
  receiptTime: /03\/02\/2026/,
};

it.each([
  {
    language: "en",
    screen: /^Order +Created .*Customer/m,
    notFound: /^Error: Order 99 not found\.$/m,
    next: /^Next: +Check the number/m,
    sent: /^Order \d+ was sent to /m,
    receipt: /^ *ORDER \d+\n/m,
    receiptTime: /2026-02-03/,
    start: /Start here:/,
  },
  { language: "es", ...spanish, start: /Empieza por aquí:/, next: /^Qué hacer: +Revisa el número/m },
  { language: "es-AR", ...spanish, start: /Empezá por acá:/, next: /^Qué hacer: +Revisá el número/m },
])("a screen, an error and a receipt are in the language $language", async ({ language, ...words }) => {
  const { mock, env } = await service({ scenario: "empty", clock: "2026-02-03T20:00:00-03:00" });
  const [order] = await mock.control.placeOrders({ order: { cliente: { nombre: "Íñigo Peña" } } });
  const printer = await virtualPrinter({}, { columns: 32 });
  const bpos = shell({ env: { ...env, BPOS_LANG: language } });

  expect((await bpos([])).stdout).toMatch(words.start);
  expect((await bpos(["orders", "list"])).stdout).toMatch(words.screen);

  const missing = await bpos(["orders", "show", "99"]);
  expect(missing.code).toBe(11);
  expect(missing.stderr).toMatch(words.notFound);
  expect(missing.stderr).toMatch(words.next);

  const id = String(order?.order_id);
  const shown = await bpos(["orders", "show", id, "--print", "--printer", printer.url, "--paper", "58"]);
  expect(shown.stderr).toMatch(words.sent);
  const [receipt] = await printer.printed(1);
  const text = readable(receipt ?? { lines: [], acts: [], unknown: [] });
  expect(text).toMatch(words.receipt);
  expect(text).toMatch(words.receiptTime);
});
