import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldsCsv } from "../../../src/cli/display/fields.ts";
import { type Listing, listText } from "../../../src/cli/display/table.ts";
import { createTheme, type Ui } from "../../../src/cli/display/ui.ts";
import { onlyObjects } from "../../../src/cli/display/values.ts";
import type { Order } from "../../../src/contract/order.ts";
import { orderFields, ordersList } from "../../../src/orders/list/view.ts";
import { orderChanged, orderTicket } from "../../../src/orders/ticket.ts";
import { order, page, paidPickUp } from "../../cli/samples.ts";
import { lines, pipe, places, terminal, uncoloured, widest } from "../../cli/ui.ts";
import { anyText } from "../../support/texts.ts";

const paged = { states: ["pendiente"], isPaged: true };
const ordersCsv = (orders: Order[]): string => fieldsCsv(orderFields, undefined, onlyObjects(orders), pipe());
const HOSTILE = "\u001b[2J\u001b[1;1H\nFORGED\r\u202eevil\u0007\u009b31m\u2028";
const ACTS = /[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029]/u;

/** An order in which any field may be missing or of any type. */
const oddOrder = fc.dictionary(
  fc.constantFrom(...Object.keys(order())),
  fc.oneof(
    fc.anything(),
    anyText(),
    fc.constant(HOSTILE),
    fc.array(
      fc.dictionary(fc.constantFrom("codigo", "nombre", "cantidad", "subtotal", "opciones"), fc.anything()),
    ),
    fc.dictionary(
      fc.constantFrom("nombre", "telefono", "modo", "pagado", "monto", "calle", "referencia"),
      fc.anything(),
    ),
  ),
) as unknown as fc.Arbitrary<Order>;

const shown = (ui: Ui, view: (ui: Ui) => Listing): string => listText(view(ui), ui);

describe.each(places)("orders list on %s", (_name, make) => {
  it("shows what a shop looks for, and how much more there is", () => {
    const text = uncoloured(
      shown(make(), (ui) =>
        ordersList(page([order(), paidPickUp], { total: 57, has_more: true }), paged, ui),
      ),
    );
    expect(text).toMatch(make().width === undefined ? /^Order / : /^Orders · pendiente\n\nOrder /);
    expect(text).toMatch(/1042 .*12 min .*delivery .*Ana Gómez .*1 Pizza muzzarella.* \$ 9\.700,00/);
    expect(text).toMatch(/1043 .*pick-up .*A customer .*PAID ONLINE/);
    if (make().width === undefined) expect(lines(text)).toHaveLength(3);
    else expect(text).toContain("2 of 57 orders shown. --page 2 shows the next page, --all every page.");
  });

  it("lets no order act on the terminal, forge a line or break the width", () => {
    fc.assert(
      fc.property(fc.array(oddOrder, { minLength: 1, maxLength: 4 }), (orders) => {
        const ui = make();
        const text = shown(ui, () => ordersList(page(orders), paged, ui));
        expect(lines(text).join("")).not.toMatch(ACTS);
        if (ui.width !== undefined) expect(widest(text)).toBeLessThanOrEqual(ui.width);
        else expect(lines(text)).toHaveLength(orders.length + 1);
      }),
    );
  });
});

describe("the footer of a list", () => {
  const footer = (more: object, listed = paged): string =>
    ordersList({ ...page([order()]), ...more }, listed, pipe()).foot.join("\n");

  it("tells how to see the rest", () => {
    expect(footer({})).toBe("1 order.");
    expect(footer({ page: 3, total: 41 })).toBe("1 of 41 orders shown.");
    expect(footer({ page: 2, total: 57, has_more: true })).toContain("--page 3");
    const whole = { ...paged, isPaged: false };
    expect(footer({ total: 57, has_more: true }, whole)).toBe("1 of 57 orders shown.");
    expect(footer({ total: undefined, has_more: true })).toBe(
      "1 order shown; there are more. --page 2 shows the next page, --all every page.",
    );
  });
});

const ticketPlaces = [
  ...places,
  ["a terminal of 34 columns", (more) => terminal(34, more)],
] satisfies typeof places;

describe.each(places)("ticket on %s", (_name, make) => {
  it("shows an order to be collected", () => {
    const text = uncoloured(orderTicket(order(), make({ badge: "MOCK" })));
    // It stays on paper and in a scrolled window, where "5 s ago" would be wrong a minute later.
    expect(text).not.toMatch(/ ago/);
    expect(text.split("\n")[0]).toMatch(/MOCK · Order 1042 .*pendiente/);
    expect(text).toMatch(/2026-01-01 08:00 .*DELIVERY/);
    expect(text).toMatch(/Ana Gómez .*\+5491161234567/);
    expect(text).toContain("Av. Corrientes 1234, 5 B, CABA");
    expect(text).toContain("Note: Timbre roto, llamar");
    expect(text).toMatch(/1 × Pizza muzzarella {2}\[00123\] .*\$ 9\.000,00/);
    expect(text).toContain("+ Sin aceitunas");
    expect(text).toMatch(/Shipping \(included in total\) .*\$ 700,00/);
    expect(text).toMatch(/Total .*\$ 9\.700,00/);
    expect(text).toMatch(/TO COLLECT .*\$ 9\.700,00/);
    expect(text).not.toContain("10.400");
  });

  it("shows a paid order unmistakably, and nothing to collect", () => {
    const text = uncoloured(orderTicket(paidPickUp, make(), true));
    expect(text).toContain("PAID ONLINE · nothing to collect");
    expect(text).not.toContain("TO COLLECT");
    expect(text).toMatch(/PICK-UP/);
    expect(text).toMatch(/A customer .*\+5491161230000/);
    expect(text).toContain("[—]");
    expect(text).toContain("$ 2.500,00 each");
    expect(text).toMatch(/\+ Salsa picante {2}\[SP\] {2}\$ 150,50\s+(?:│\n│ +)?each/);
    expect(text).toContain("This order might have been shown");
  });
});

describe.each(ticketPlaces)("any ticket on %s", (_name, make) => {
  it("wraps what is long, and loses nothing of it", () => {
    const name = "María de los Ángeles 👩‍🍳 寿司 Castañeda-Íñiguez y Fernández de la Torre";
    const branch = `Sucursal Rivadavia esquina Hidalgo ${"x".repeat(70)}`;
    const long = order({ cliente: { nombre: name, telefono: "+5491161234567" }, status: "en_preparacion" });
    const text = orderTicket(long, make({ badge: "MOCK" }), false, branch);
    const letters = (part: string): string => part.replace(/[^\p{L}\p{N}👩🍳]/gu, "");
    // The phone and the state stand beside the first line of what wraps.
    const all = letters(lines(text).join("").replace("+5491161234567", "").replace("en_preparacion", ""));
    for (const part of [name, branch, "Order 1042"]) expect(all).toContain(letters(part));
    expect(text).toContain("en_preparacion");
    expect(text).not.toContain("…");
  });
});

describe.each(places)("tickets of several branches on %s", (_name, make) => {
  it("name the branch", () => {
    const title = (badge: "MOCK" | null): string =>
      lines(orderTicket(order(), make({ badge }), false, "centro"))[0] ?? "";
    expect(title(null)).toMatch(/centro · Order 1042 .*pendiente/);
    expect(title("MOCK")).toContain("MOCK · centro · Order 1042");
  });
});

describe("a change of an order", () => {
  const change = { order_id: 1042, from: "pendiente", at: "2026-01-01T12:05:00-03:00" };

  it("is one line", () => {
    const text = orderChanged({ ...change, to: "en_preparacion" }, order(), pipe());
    expect(text).toBe("12:05  Order 1042: pendiente → en_preparacion\n");
  });

  it("of what it holds is a yellow ticket with the whole order, and what was edited in it", () => {
    const edited = {
      ...change,
      to: "pendiente",
      changes: ["lineas", "delivery_address", "domicilio", "new"],
    };
    const shown = (ui: Ui, more = {}): string => orderChanged({ ...edited, ...more }, order(), ui, "centro");
    const text = shown(terminal(80, { theme: createTheme(1) }));
    const whole = lines(uncoloured(orderTicket(order(), terminal(80), false, "centro")));
    expect(lines(uncoloured(text))).toEqual([
      expect.stringMatching(/^╭ centro · Order 1042 ─+ CHANGED · pendiente ╮$/),
      expect.stringMatching(/^│ Changed: items, address, new +12:05 │$/),
      expect.stringMatching(/^├─+┤$/),
      ...whole.slice(1),
    ]);
    for (const line of text.trimEnd().split("\n")) expect(line).toContain("\u001b[33m");
    expect(shown(pipe(), { to: "en_preparacion" })).toMatch(
      /^centro · Order 1042 · CHANGED · en_preparacion\n {2}Changed: items, address, new {2}12:05\n {2}Previous state: pendiente\.\n[\s\S]*TO COLLECT/,
    );
    expect(shown(pipe(), { to: "cancelado" })).toMatch(/CANCELADO\n {2}Previous state: pendiente/);
  });

  it.each(["cancelado", "rechazado"])("to %s is a red ticket that says which order it was", (to) => {
    const shown = (ui: Ui): string => orderChanged({ ...change, to }, order(), ui, "centro");
    const text = shown(terminal(80, { theme: createTheme(1) }));
    expect(lines(uncoloured(text))).toEqual([
      expect.stringMatching(new RegExp(`^╭ centro · Order 1042 ─+ ${to.toUpperCase()} ╮$`)),
      expect.stringMatching(/^│ Previous state: pendiente\. +12:05 │$/),
      expect.stringMatching(/^│ Ana Gómez +\+5491161234567 │$/),
      expect.stringMatching(/^├─+┤$/),
      expect.stringMatching(/^│ 1 × Pizza muzzarella +│$/),
      expect.stringMatching(/^╰─+╯$/),
    ]);
    for (const line of text.trimEnd().split("\n")) expect(line).toContain("\u001b[31m");
    expect(shown(pipe())).toBe(
      `centro · Order 1042 · ${to.toUpperCase()}\n  Previous state: pendiente.  12:05\n  Ana Gómez  +5491161234567\n  1 × Pizza muzzarella\n`,
    );
  });
});

it("shows amounts in the profile's locale, and times in the language's form and this machine's zone", () => {
  const late = order({ created_at_iso: "2026-01-31T15:05:00+05:00", created_at: 0 });
  const shownIn = (locale: string, currency: string): string => {
    const ui = pipe({ money: { locale, currency } });
    return orderTicket(late, ui) + shown(ui, () => ordersList(page([late]), paged, ui));
  };
  expect(shownIn("en-US", "USD").match(/2026-01-31 07:05/g)).toHaveLength(2);
  expect(shownIn("en-US", "USD")).toContain("$9,700.00");
  expect(shownIn("pt-BR", "BRL").match(/2026-01-31 07:05/g)).toHaveLength(2);
  expect(shownIn("pt-BR", "BRL")).toContain("R$ 9.700,00");
  expect(ordersCsv([late])).toContain("2026-01-31T15:05:00+05:00");
});

it("writes orders as CSV that a reader gets back, digits and all", () => {
  const odd = order({
    order_id: 9007199254740993n,
    cliente: { nombre: '=1+1, "x"', telefono: "+54911" },
    total: 0.1,
  });
  const [first, second] = parse<Record<string, string>>(ordersCsv([odd, {} as Order]), {
    columns: true,
  });
  expect(first).toMatchObject({
    order_id: "9007199254740993",
    created_at_iso: "2026-01-01T08:00:00-03:00",
    cliente_nombre: `'=1+1, "x"`,
    cliente_telefono: "+54911",
    direccion: "Av. Corrientes 1234, 5 B, CABA",
    lineas: "1 x 00123 Pizza muzzarella (Sin aceitunas)",
    total: "0.1",
    pago_pagado: "false",
  });
  expect(Object.values(second ?? {}).join("")).toBe("");
});
