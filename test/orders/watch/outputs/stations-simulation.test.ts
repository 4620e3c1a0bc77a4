import fc from "fast-check";
import { expect, it } from "vitest";
import { type ModelOrder, stateAt, totalAt } from "../../../support/branch-model.ts";
import { sized } from "../../../support/soak.ts";
import { plots, start } from "../../../support/watch-plots.ts";

import { type Code, Kitchen, kitchens, type StationPlot, type Ticket, toLines } from "./kitchen.ts";

/** Returns what a cook who reads the tickets in their sequence has to make in the end; reprints are made already. */
function toMake(tickets: readonly Ticket[]): Record<string, number> {
  let made: Record<string, number> = {};
  for (const { kind, lines, delta } of tickets)
    if (kind === "off") made = {};
    else if (delta === undefined) made = { ...lines };
    else for (const [name, count] of Object.entries(delta)) made[name] = (made[name] ?? 0) + count;
  return Object.fromEntries(Object.entries(made).filter(([, count]) => count !== 0));
}

async function check(plot: StationPlot): Promise<void> {
  const kitchen = new Kitchen(plot);
  await kitchen.run();
  const isSteady = new Set(plot.kitchens).size === 1;
  const found = await kitchen.found();
  for (const order of plot.orders.filter(({ id }) => found.has(id))) {
    const tickets = [...kitchen.papers].map(
      ([station, paper]) => [station, paper.filter((each) => each.order === order.id)] as const,
    );
    const printed = tickets.flatMap(([, paper]) => paper);
    const [first] = printed.filter(({ kind }) => kind === "new");
    expect(first, `order ${order.id} is nowhere`).toBeDefined();
    checkLines(order, tickets, kitchen);
    if (isSteady) checkEnd(order, tickets, kitchen);
  }
}

type Tickets = readonly (readonly [station: string, paper: readonly Ticket[]])[];

/** Each line is on paper, and at a station once, unless it says that it may be there. */
function checkLines({ id, lines }: ModelOrder, tickets: Tickets, { torn }: Kitchen): void {
  const news = tickets.flatMap(([, paper]) => paper.filter(({ kind }) => kind === "new"));
  const names = (lines?.(0) ?? []).map((line) => (line as { codigo: string }).codigo);
  // An order that was edited before it was found is another order.
  const isFirst = news.some((ticket) => Object.keys(ticket.lines).some((name) => names.includes(name)));
  if (isFirst && lines?.(9) === lines?.(0))
    for (const name of names)
      expect(
        news.some((each) => name in each.lines),
        `${name} of order ${id} is nowhere`,
      ).toBe(true);
  for (const [station, paper] of tickets) {
    const own = paper.filter(({ kind }) => kind === "new");
    for (const name of names) {
      const unmarked = own.filter((each) => name in each.lines && !each.repeated);
      expect(unmarked.length, `${name} of order ${id} is twice at ${station}`).toBeLessThanOrEqual(1);
    }
    if (own.length > 1 && !torn.has(`${id} ${station}`))
      expect(new Set(own.map((each) => JSON.stringify(each.lines))).size).toBe(own.length);
  }
}

/** With the same stations all the time: what the cooks make is what was ordered, and who has a part knows of the end. */
function checkEnd(order: ModelOrder, tickets: Tickets, { now, torn }: Kitchen): void {
  const { id, createdAt, states } = order;
  if (createdAt <= now - 3 * 3_600_000) return;
  for (const [station, paper] of tickets)
    if (!torn.has(`${id} ${station}`))
      expect(
        paper.some(({ repeated }) => repeated),
        `${id} ${station}`,
      ).toBe(false);
  if (tickets.some(([station]) => torn.has(`${id} ${station}`))) return;

  const state = stateAt(order, now);
  const isOff = state === "cancelado" || state === "rechazado";
  const wasOff = states[0]?.state === "rechazado";
  for (const [station, paper] of tickets.filter(([, each]) => each.length > 0)) {
    const last = paper.at(-1);
    const nothing = Object.keys(toMake(paper)).length === 0;
    if (isOff && !wasOff && paper[0]?.kind === "new" && states.length > 1 && paper.length > 1)
      expect(last?.kind === "off" || nothing, `${station} does not know that ${id} is off`).toBe(true);
  }
  if (isOff) return;
  const wanted: Record<string, number> = {};
  for (const line of order.lines?.(totalAt(order, now) - 1) ?? []) {
    const { codigo, cantidad } = line as { codigo: string; cantidad: number };
    wanted[codigo] = (wanted[codigo] ?? 0) + cantidad;
  }
  for (const [station, paper] of tickets)
    for (const [name, count] of Object.entries(toMake(paper)))
      expect(wanted[name], `${station} makes ${count} × ${name} of order ${id}`).toBe(count);
  for (const [name, count] of Object.entries(wanted))
    expect(
      tickets.some(([, paper]) => toMake(paper)[name] === count),
      `nobody makes ${count} × ${name} of order ${id}`,
    ).toBe(true);
}

const ordered = fc.array(
  fc.tuple(fc.constantFrom<Code>("P1", "P2", "B1", "X1", "N1"), fc.integer({ min: 1, max: 3 })),
  { maxLength: 4 },
);

const stationPlots = (kitchensOf: fc.Arbitrary<number[]>): fc.Arbitrary<StationPlot> =>
  fc
    .record({
      plot: plots,
      kitchens: kitchensOf,
      lines: fc.array(fc.array(ordered, { minLength: 4, maxLength: 4 }), { minLength: 30, maxLength: 30 }),
      isEdited: fc.boolean(),
      moves: fc.array(
        fc.tuple(
          fc.integer({ min: 1, max: 8 }),
          fc.tuple(
            fc.constantFrom<Code>("P1", "B1", "X1", "N1"),
            fc.constantFrom("Pizzas", "Bebidas", "Postres", "Otra"),
          ),
        ),
        { maxLength: 4 },
      ),
      jams: fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.boolean()), { maxLength: 6 }),
    })
    .map(({ plot, kitchens: chosen, lines, isEdited, moves, jams }) => {
      const orders = plot.orders.map((order, n): ModelOrder => {
        const versions = (lines[n] ?? []).map(toLines);
        return { ...order, lines: (edits) => versions[isEdited ? edits % versions.length : 0] ?? [] };
      });
      return { ...plot, orders, kitchens: chosen, moves: new Map(moves), jams: new Map(jams) };
    });

/** Two orders of one second after the other, with a watch that is killed after so many effects, and opens another kitchen. */
function opened(lines: readonly Code[], kills: readonly number[], chosen: readonly number[]): StationPlot {
  const order = (id: number, codes: readonly Code[]): ModelOrder => {
    const from = start + (2 - id) * 1_000;
    const states = [{ state: "pendiente" as const, from }];
    const own = toLines(codes.map((code) => [code, 1] as const));
    return { id, appearsAt: from, createdAt: from, states, edits: [], lines: () => own };
  };
  const none = { faults: new Map(), failures: new Set<number>(), unprinted: new Set<number>() };
  const downs = kills.map((after) => ({ after, downMs: 0 }));
  const plot = { ...none, orders: [order(1, []), order(2, lines)], kills: downs, latency: 5 };
  return { ...plot, kitchens: chosen, moves: new Map(), jams: new Map() };
}

it("a station that goes and comes back does not print again what it has printed", async () => {
  await check(opened(["B1", "P1"], [1, 48, 10, 15], [0, 0, 2, 5, 0]));
});

it("a station that goes while it prints says, once it is back, that it may have printed this", async () => {
  const plot = opened(["P1", "X1"], [28, 56, 13, 1], [0, 0, 3, 0, 1]);
  await check({ ...plot, moves: new Map([[1, ["P1", "Bebidas"]]]), jams: new Map([[2, false]]) });
});

it("prints each line at its stations once, or again as a reprint, and nowhere never, whatever happens", async () => {
  const steady = stationPlots(fc.nat({ max: kitchens.length - 1 }).map((one) => [one]));
  await fc.assert(fc.asyncProperty(steady, check), { numRuns: sized(3, 1_000) });
}, 600_000);

it("the same where stations come, go and are renamed between its lives", async () => {
  const changing = fc.array(fc.nat({ max: kitchens.length - 1 }), { minLength: 2, maxLength: 5 });
  await fc.assert(fc.asyncProperty(stationPlots(changing), check), { numRuns: sized(3, 1_000) });
}, 600_000);
