import { describe, expect, it } from "vitest";
import { fakeClock } from "../../../support/fake-clock.ts";
import { fixedServer, orderOf } from "../../../support/peers.ts";
import { shell, type World } from "../../../support/run.ts";
import { screenAfter } from "../../../support/screen.ts";
import { pointedAt, service } from "../../../support/service.ts";
import { orderBook } from "../../../support/watch.ts";

const minute = 60_000;
const redrawMs = 1_000;

async function stage() {
  const clock = fakeClock();
  const { mock } = await service({ scenario: "empty", now: () => clock.now() });
  const place = async (nombre: string, total = 1000): Promise<number> =>
    (await mock.control.placeOrders({ order: { cliente: { nombre }, total } }))[0]!.order_id;
  return { mock, clock, place, run: shell({ env: { BPOS_MOCK: mock.baseUrl, NO_COLOR: "1" } }) };
}

interface Scene {
  /** Called with what the terminal shows each time before the next redraw or poll, and the means to stop. */
  at: (screen: string[], stop: () => void) => unknown;
  clock: ReturnType<typeof fakeClock>;
}

/** The world of a watch on a terminal, and what that shows. */
function onTerminal({ at, clock }: Scene, more: World = {}): { world: World; shown: () => string[] } {
  let text = "";
  const length = { out: 0, err: 0 };
  const hear = (from: "out" | "err") => (all: string) => {
    text += all.slice(length[from]);
    length[from] = all.length;
  };
  let stop = (): void => undefined;
  const shown = (): string[] => screenAfter(text);
  const world: World = {
    ...{ terminal: 100, onOutput: hear("out"), onError: hear("err"), random: () => 0.5, ...more },
    onStart: (means) => {
      stop = means;
    },
    clock: {
      now: () => clock.now(),
      async sleep(ms, signal) {
        await at(shown(), stop);
        // A redraw must not move the clock on while a poll is under way.
        if (ms !== redrawMs) await clock.sleep(ms, signal);
      },
    },
  };
  return { world, shown };
}

/** The lines of orders: a number, and how long it waits. */
const rowsIn = (screen: string[]): string[] =>
  screen.filter((line) => /^(?:› )? *\d+ +\d+ (?:s|min|h|d) /.test(line));

describe("orders watch --compact on a terminal", () => {
  it("shows what waits, the oldest first, what was cancelled, and today; Ctrl-C takes it away", async () => {
    const { mock, clock, place, run } = await stage();
    await place("Ana", 1000);
    clock.advance(4 * minute);
    const second = await place("Luis", 500);
    clock.advance(8 * minute);
    let before: string[] = [];
    let after: string[] = [];
    const { world, shown } = onTerminal({
      clock,
      async at(screen, stop) {
        if (before.length === 0 && screen.at(-1)?.includes("2 waiting")) {
          before = screen;
          await mock.control.setOrderStatus(second, "cancelado");
        }
        if (screen.some((line) => line.endsWith("cancelado"))) after = screen;
        if (after.length > 0) stop();
      },
    });
    const { code, stdout } = await run(["orders", "watch", "--compact", "--late", "10m"], world);
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(rowsIn(before)).toEqual([
      expect.stringMatching(/ 12 min {2}Ana .* {2}\$ 1\.000,00$/),
      expect.stringMatching(/ 8 min {2}Luis .* {2}\$ 500,00$/),
    ]);
    expect(before).toContain("Today: 2 orders · $ 1.500,00");
    expect(before.at(-1)).toMatch(/^MOCK · demo · online .* 2 waiting · 1 late, the oldest 12 min$/);
    expect(rowsIn(after)).toEqual([
      expect.stringMatching(/Luis .* cancelado$/),
      expect.stringMatching(/Ana .*\$ 1\.000,00$/),
    ]);
    expect(after).toContain("Today: 1 order · $ 1.000,00");
    // Notices stay; nothing of the screen does.
    const left = shown().filter((line) => line !== "");
    expect(left[0]).toMatch(/^Watching demo /);
    expect(left[1]).toMatch(/^Order \d+ has been waiting for 12 min\.$/);
    expect(left.join("\n")).not.toMatch(/Today|MOCK|1\.000,00$/m);
  });

  it("prints above the board what had left pendiente before any poll listed it", async () => {
    const { mock, clock, place, run } = await stage();
    let taken = 0;
    const { world } = onTerminal({
      clock,
      async at(screen, stop) {
        if (taken === 0 && screen.at(-1)?.includes("0 waiting")) {
          taken = await place("Ana");
          await mock.control.setOrderStatus(taken, "en_preparacion");
        }
        if (screen.some((line) => / {2}en_preparacion$/.test(line)) || clock.now() > startMs + 60 * minute)
          stop();
      },
    });
    const startMs = clock.now();
    const { stdout } = await run(["orders", "watch", "--compact"], world);
    expect(stdout).toMatch(new RegExp(`  ${taken}  Ana  .*  en_preparacion\n$`));
  });

  it("says of an order that it was edited, for as long as it waits", async () => {
    const clock = fakeClock();
    const made = clock.now();
    const order = orderOf(7, { created_at: made });
    const url = await fixedServer(orderBook([order]).answer);
    const seen: string[] = [];
    const { world } = onTerminal({
      clock,
      at(screen, stop) {
        const [row] = rowsIn(screen);
        if (row === undefined) return;
        const [, end = ""] = /(\$.*)/.exec(row) ?? [];
        if (end !== seen.at(-1)) seen.push(end);
        order["total"] = 250;
        if (row.endsWith("edited") && clock.now() > made + 5 * minute) order["status"] = "listo";
        if (row.endsWith("listo")) stop();
      },
    });
    const run = shell({ env: { ...pointedAt(url), NO_COLOR: "1" } });
    await run(["orders", "watch", "--compact"], world);
    expect(seen).toEqual(["$ 100,00", "$ 250,00  edited", "$ 250,00  listo"]);
  });

  it("counts what does not fit, and leaves lines above it free for warnings", async () => {
    const { mock, clock, run } = await stage();
    const ids = (await mock.control.placeOrders({ count: 40 })).map(({ order_id }) => order_id);
    let fullest: string[] = [];
    const { world } = onTerminal(
      {
        clock,
        at(screen, stop) {
          if (rowsIn(screen).length > rowsIn(fullest).length) fullest = screen;
          if (rowsIn(screen).length > 0) stop();
        },
      },
      { rows: 16, terminal: 60 },
    );
    await run(["orders", "watch", "--compact"], world);
    const at = fullest.findIndex((line) => line.includes("Waits"));
    expect(fullest.length - at).toBeLessThanOrEqual(16 - 4);
    const more = fullest.indexOf(`+${40 - rowsIn(fullest).length} more`);
    // Both ends of what waits, and which came last.
    const numbers = fullest.map((line) => Number(/^(?:› | {2})?(\d+) /.exec(line)?.[1] ?? 0));
    expect(numbers.slice(at + 2, more)).toEqual(ids.slice(0, more - at - 2));
    expect(more - at - 2).toBeGreaterThan(1);
    const newest = numbers.slice(more + 1).filter((id) => id > 0);
    expect(newest).toEqual(ids.slice(-newest.length));
    expect(newest.length).toBeGreaterThan(1);
    expect(fullest.filter((line) => line.includes("›"))).toEqual([
      expect.stringMatching(new RegExp(`^› ${ids.at(-1)} `)),
    ]);
    for (const line of fullest.slice(at)) expect(line.length).toBeLessThan(60);
  });
});

it.each([
  ["en", /^MOCK · (?:online · )?(?:last response )?\d+ s ago · 1 late$/],
  ["es", /^MOCK · (?:en línea · )?(?:respondió )?hace \d+ s · 1 retrasado$/],
] as const)("keeps the mark and the late count at 46 columns, in %s", async (lang, line) => {
  const { clock, place, run } = await stage();
  await place("Ana");
  clock.advance(12 * minute);
  let status = "";
  const { world } = onTerminal(
    {
      clock,
      at(screen, stop) {
        const last = screen.at(-1) ?? "";
        if (/(ago|hace) .*1 (late|retrasado)/.test(last)) status = last;
        if (status !== "") stop();
      },
    },
    { terminal: 46 },
  );
  await run(["orders", "watch", "--compact", "--late", "10m", "--lang", lang], world);
  expect(status).toMatch(line);
});

describe("orders watch --compact elsewhere", () => {
  it("prints one line for each new order and each change in a pipe, and none twice", async () => {
    const { mock, place, run } = await stage();
    const ids = [await place("Ana"), await place("Zoë\u001b[2J\nB")];
    const argv = ["orders", "watch", "--compact", "--once"];
    const { stdout } = await run(argv);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(new RegExp(`^2026-01-01 .*  ${ids[0]}  Ana  .*  pendiente$`)),
      expect.stringMatching(new RegExp(`  ${ids[1]}  Zoë␛\\[2J⏎B  `)),
      "",
    ]);
    expect((await run(argv)).stdout).toBe("");
    await mock.control.setOrderStatus(ids[0]!, "cancelado");
    expect((await run(argv)).stdout).toMatch(/^2026-01-01 .* {2}Ana {2}.* {2}pendiente → cancelado\n$/);
  });

  it("leaves the events of -o ndjson as they are", async () => {
    const { place, run } = await stage();
    const id = await place("Ana");
    const { stdout } = await run(["orders", "watch", "--compact", "--once", "-o", "ndjson"]);
    expect(JSON.parse(stdout)).toMatchObject({ event: "order.new", order: { order_id: id } });
  });
});
