import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RunningMock } from "../../../src/mock/index.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { addUnchecked } from "../../support/profiles.ts";
import { callsOf, fileOf, type Report } from "../../support/push.ts";
import { type Run, shell, temporaryFolder } from "../../support/run.ts";
import { service } from "../../support/service.ts";
import { eventsOf, watchPolls } from "../../support/watch.ts";

const hour = 60 * 60_000;
const header = "codigo,nombre,precio";
const today = [header, "A,Agua,10", "B,Bife,20", "C,Café,30"];
const tomorrow = [header, "A,Agua,11", "B,Bife,22", "C,Café,33"];

type Scheduled = Report & { scheduled_for: string; left_alone: { codigo: string; reason: string }[] };
type Past = Scheduled & { reason?: string; file: string };

/** A shop that pushed today's list, on a clock that begins at 09:00 in Buenos Aires. */
async function shop() {
  const { mock, env } = await service({ scenario: "empty" });
  const clock = fakeClock();
  const run = shell({ env, clock });
  const push = (lines: readonly string[], ...flags: string[]) =>
    run(["catalog", "push", fileOf(...lines), "--json", ...flags]);
  const schedule = async (...flags: string[]): Promise<Scheduled> => {
    const ended = await push(tomorrow, "--at", "12:00", ...flags);
    expect(ended.code, ended.stderr).toBe(0);
    return JSON.parse(ended.stdout) as Scheduled;
  };
  /** Polls once, and sends what is due. */
  const watch = async (...flags: string[]) => {
    const ended = await run(["orders", "watch", "--once", "-o", "ndjson", "--retries", "0", ...flags]);
    return { ...ended, events: eventsOf(ended).filter(({ event }) => event.startsWith("push.")) };
  };
  const history = async (): Promise<Past[]> =>
    (JSON.parse((await run(["catalog", "history", "--json"])).stdout) as { pushes: Past[] }).pushes;
  expect((await push(today, "--changed-only")).code).toBe(0);
  return { mock, clock, run, push, schedule, watch, history };
}

async function pricesOf(mock: RunningMock): Promise<Record<string, number>> {
  const products = await mock.control.catalog();
  return Object.fromEntries(products.map(({ codigo, precio }) => [codigo, precio]));
}

const todays = { A: 10, B: 20, C: 30 };
const tomorrows = { A: 11, B: 22, C: 33 };

it("waits for its time, is sent then by a watch with the time of sending, and can be undone", async () => {
  const { mock, clock, run, schedule, watch, history } = await shop();
  const report = await schedule();
  expect(report).toMatchObject({ outcome: "waiting", sent: 0, read: 3, rejected: [], left_alone: [] });
  expect(report.scheduled_for).toBe("2026-01-01T12:00:00.000-03:00");
  expect((await history())[0]).toMatchObject({ push_id: report.push_id, outcome: "waiting" });

  clock.advance(2 * hour);
  expect((await watch()).events).toEqual([]);
  expect(await pricesOf(mock)).toEqual(todays);
  clock.advance(1 * hour);
  const { events, code } = await watch();
  expect(code).toBe(0);
  expect(events).toMatchObject([
    { event: "push.sent", push_id: report.push_id, outcome: "complete", accepted: 3, left_alone: [] },
  ]);
  expect(await pricesOf(mock)).toEqual(tomorrows);
  const [sent] = await history();
  expect(sent).toMatchObject({ push_id: report.push_id, outcome: "complete", accepted: 3 });
  expect(sent!.scheduled_for).toBe(report.scheduled_for);
  expect(sent!.occurred_at >= report.scheduled_for).toBe(true);
  expect((await watch()).events).toEqual([]);

  const undone = await run(["catalog", "undo", report.push_id.slice(0, 8), "--yes", "--json"]);
  expect(undone.code, undone.stderr).toBe(0);
  expect(await pricesOf(mock)).toEqual(todays);
});

it("a running watch sends it at the very minute, beside its polls", async () => {
  const { mock, clock, run, schedule } = await shop();
  await schedule();
  clock.advance(3 * hour - 150_000);
  const ended = await watchPolls(run, {
    polls: 6,
    clock,
    world: { random: () => 0.5 },
    after: async (poll) => {
      if (poll >= 4) await expect.poll(() => pricesOf(mock)).toEqual(tomorrows);
      else expect(await pricesOf(mock)).toEqual(todays);
    },
  });
  expect(eventsOf(ended), ended.stderr).toMatchObject([{ event: "push.sent", accepted: 3 }]);
  expect(ended.stderr).toContain("Scheduled push");
});

it("leaves alone what was pushed since, and names it; not what an undo took back, nor what is the same", async () => {
  const { mock, clock, run, push, schedule, watch, history } = await shop();
  await schedule();
  await push([header, "A,Agua,15"]);
  await push([header, "C,Café,33"]);
  await push([header, "B,Bife,99"]);
  await run(["catalog", "undo", "--yes"]);
  clock.advance(3 * hour);
  const { events, stderr, code } = await watch();
  expect(events).toMatchObject([{ event: "push.sent", accepted: 2, left_alone: ["A"] }]);
  expect(code).toBe(3);
  expect(stderr).toContain("1 product pushed since it was scheduled stays as pushed: A.");
  expect(await pricesOf(mock)).toEqual({ ...tomorrows, A: 15 });
  expect((await history())[0]!.left_alone).toEqual([{ codigo: "A", reason: "pushed_since" }]);
});

it("--force overwrites what was pushed since, and names it", async () => {
  const { mock, clock, push, schedule, watch } = await shop();
  await schedule("--force");
  await push([header, "A,Agua,15"]);
  clock.advance(3 * hour);
  const { events, stderr } = await watch();
  expect(events).toMatchObject([{ event: "push.sent", accepted: 3, left_alone: [] }]);
  expect(stderr).toContain("1 product pushed since it was scheduled was overwritten: A.");
  expect(await pricesOf(mock)).toEqual(tomorrows);
});

it("what was pushed or deactivated since stays so, with --deactivate-missing too", async () => {
  const { mock, clock, run, push, watch } = await shop();
  const list = [header, "A,Agua,11", "C,Café,33"];
  const flags = ["--at", "12:00", "--deactivate-missing", "--max-deactivate", "90%"];
  const { stdout } = await push(list, ...flags);
  expect(JSON.parse(stdout)).toMatchObject({ planned: 2, deactivated: { planned: 1, codes: ["B"] } });
  await push([header, "N,Nuevo,1"]);
  await run(["catalog", "delete", "C"]);
  clock.advance(3 * hour);
  const { events } = await watch();
  expect(events).toMatchObject([{ accepted: 2, left_alone: ["C"] }]);
  const known = JSON.parse((await run(["catalog", "diff", fileOf(...today), "--json"])).stdout) as object;
  expect(known).toMatchObject({ counts: { missing: 1 } });
  expect(await pricesOf(mock)).toMatchObject({ A: 11, C: 30, N: 1 });
});

it("lists that wait do not stand in each other's way: the later one wins, however late both are sent", async () => {
  const { mock, clock, push, schedule, watch } = await shop();
  await push([header, "A,Agua,14", "B,Bife,24"], "--at", "2026-01-01 14:00");
  await schedule();
  clock.advance(6 * hour);
  const { events, stderr } = await watch();
  expect(events).toMatchObject([{ accepted: 3 }, { accepted: 2, left_alone: [] }]);
  expect(stderr).toContain("3 h 00 min after its time");
  expect(await pricesOf(mock)).toEqual({ A: 14, B: 24, C: 33 });
});

it("a guard refuses at once, and again at its time by what is known then", async () => {
  const { mock, clock, push, schedule, watch, history, run } = await shop();
  const now = await push([header, "A,Agua,100"], "--at", "12:00", "--max-price-change", "50%");
  expect(now.code).toBe(2);
  expect(now.stderr).toContain("price_change_too_large");
  const { push_id: id } = await schedule("--max-price-change", "50%");
  await push([header, "B,Bife,1000"], "--at", "11:00");
  clock.advance(3 * hour);
  const ended = await watch();
  expect(ended.events).toMatchObject([
    { event: "push.sent" },
    { event: "push.refused", push_id: id, reason: "price_change_too_large" },
  ]);
  expect(ended.code).toBe(3);
  expect(await pricesOf(mock)).toEqual({ ...todays, B: 1000 });
  const past = (await history()).find(({ push_id }) => push_id === id);
  expect(past).toMatchObject({ outcome: "refused", reason: "price_change_too_large", sent: 0 });
  const shown = await run(["catalog", "history"], { terminal: 200 });
  expect(shown.stdout).toContain("was not sent. 1 known price would change by more than 50%");
  expect((await run(["status"], { terminal: 200 })).stdout).toContain("1 scheduled push was not sent");
});

it("is sent up to a day late, and not any more then", async () => {
  const { mock, clock, run, schedule, watch, history } = await shop();
  const { push_id: id } = await schedule();
  clock.advance(3 * hour + 24 * hour);
  const overdue = JSON.parse((await run(["status", "--json"])).stdout) as object;
  expect(overdue).toMatchObject({ ok: false, branches: [{ waiting_pushes: [{ push_id: id }] }] });
  clock.advance(1);
  const { events, stderr } = await watch();
  expect(events).toMatchObject([{ event: "push.missed", push_id: id }]);
  expect(stderr).toContain("nothing watched this branch within 24 h");
  expect(await pricesOf(mock)).toEqual(todays);
  expect((await history())[0]).toMatchObject({ outcome: "missed" });
  expect((await run(["status"], { terminal: 200 })).stdout).toContain("1 scheduled push was not sent");
});

it("without an answer it waits, and the watch goes on; it is sent once, when there is one", async () => {
  const { mock, clock, schedule, watch, history } = await shop();
  const { push_id: id } = await schedule();
  clock.advance(3 * hour);
  await mock.control.addFault("POST /v1/catalog/items commit-drop times=1");
  const first = await watch();
  expect(first.events).toMatchObject([{ event: "push.delayed", push_id: id, reason: "outcome_unknown" }]);
  expect(first.stderr).toContain("cannot be sent yet");
  expect((await history())[0]).toMatchObject({ push_id: id, outcome: "unknown" });
  const before = (await callsOf(mock)).length;
  const second = await watch();
  expect(second.events).toMatchObject([
    { event: "push.sent", push_id: id, accepted: 3, outcome: "complete" },
  ]);
  expect((await callsOf(mock)).slice(before).filter((call) => call.startsWith("POST"))).toHaveLength(1);
  expect(await history()).toHaveLength(2);
});

it("no order waits for a push that hangs; the next watch continues it", async () => {
  const { mock, clock, run, schedule, watch, history } = await shop();
  const { push_id: id } = await schedule();
  clock.advance(3 * hour);
  await mock.control.addFault("POST /v1/catalog/items delay=60s");
  const hung = await watchPolls(run, {
    polls: 6,
    clock,
    world: { random: () => 0.5 },
    after: async (poll) => {
      if (poll !== 1) return;
      await expect.poll(async () => (await history())[0]!.outcome).toBe("unknown");
      await mock.control.placeOrders({ count: 2 });
    },
  });
  expect(eventsOf(hung).map(({ event }) => event)).toEqual(["order.new", "order.new"]);
  await mock.control.clearFaults();
  expect((await run(["catalog", "cancel", id])).stderr).toContain("is being sent, or was interrupted");
  const { events } = await watch();
  expect(events).toMatchObject([{ event: "push.sent", push_id: id, accepted: 3 }]);
  expect(await pricesOf(mock)).toEqual(tomorrows);
});

it("is refused for good where the service refuses it, which --on-failure hears of", async () => {
  const { mock, clock, run, schedule, watch, history } = await shop();
  const { push_id: id } = await schedule();
  clock.advance(3 * hour);
  await mock.control.addFault("POST /v1/catalog/items status=400 times=1");
  const heard = join(temporaryFolder(), "heard");
  const argv = ["--on-failure", `printf '%s ' "$BPOS_EVENT" "$BPOS_COMMAND" >> ${heard}`];
  const after = async (poll: number): Promise<void> => {
    if (poll === 1) await expect.poll(() => existsSync(heard)).toBe(true);
  };
  const running = await watchPolls(run, { polls: 2, clock, argv, after });
  expect(eventsOf(running)).toMatchObject([{ event: "push.refused", push_id: id, reason: "input_refused" }]);
  expect(readFileSync(heard, "utf8")).toMatch(/^push_failed orders watch/);
  expect((await watch()).events).toEqual([]);
  expect((await history())[0]).toMatchObject({ push_id: id, outcome: "refused" });
});

it("can be cancelled for as long as it waits", async () => {
  const { mock, clock, run, schedule, watch, history } = await shop();
  const first = await schedule();
  const cancel = (id: string): Promise<Run> => run(["catalog", "cancel", id, "--json"]);
  const cancelled = await cancel(first.push_id.slice(0, 8));
  expect(cancelled.code, cancelled.stderr).toBe(0);
  expect(JSON.parse(cancelled.stdout)).toMatchObject({ push_id: first.push_id, outcome: "cancelled" });
  const again = await cancel(first.push_id);
  expect(again.code).toBe(2);
  expect(again.stderr).toContain("push_not_waiting");
  const second = await schedule();
  expect((await run(["__complete", "bash", "--", "catalog", "cancel", ""])).stdout).toContain(second.push_id);
  clock.advance(3 * hour);
  expect((await watch()).events).toMatchObject([{ push_id: second.push_id }]);
  expect(await pricesOf(mock)).toEqual(tomorrows);
  const late = await run(["catalog", "cancel", second.push_id]);
  expect(late.stderr).toContain("was sent");
  const ordinary = (await history()).at(-1)!.push_id;
  expect((await cancel(ordinary)).stderr).toContain("push_not_waiting");
  expect((await cancel("zz")).stderr).toContain("push_not_found");
});

it("takes a time of day as the next one, and says which, in which zone, and that nobody watches", async () => {
  const { run } = await shop();
  const at = (text: string) => run(["catalog", "push", fileOf(...tomorrow), "--at", text], { terminal: 200 });
  const later = await at("06:00");
  expect(later.stdout).toContain("will be sent tomorrow at 06:00, America/Buenos_Aires");
  expect(later.stderr).toContain("nobody watches this branch now");
  expect((await at("2h")).stdout).toContain("today at 11:00, America/Buenos_Aires");
  expect((await at("2026-01-05 07:30")).stdout).toContain("on 2026-01-05 at 07:30");
  for (const [text, said] of [
    ["2025-12-31 06:00", "is in the past"],
    ["yesterday", "is in the past"],
    ["soon", "It takes a time such as"],
    ["25:00", "It takes a time such as"],
  ] as const) {
    const refused = await at(text);
    expect(refused.code, text).toBe(2);
    expect(refused.stderr).toContain(said);
  }
  const shown = await run(["catalog", "history"], { terminal: 200 });
  expect(shown.stdout).toContain("waits: it is sent tomorrow at 06:00");
});

it("refuses a time that the clocks skip", async () => {
  const { run } = await shop();
  const zone = process.env["TZ"];
  process.env["TZ"] = "America/Santiago";
  try {
    const at = (text: string) => run(["catalog", "push", fileOf(...tomorrow), "--at", text]);
    const skipped = await at("2026-09-06 00:30");
    expect(skipped.code).toBe(2);
    expect(skipped.stderr).toContain("does not exist");
    expect((await at("2026-09-06T00:30-04:00")).code).toBe(0);
    expect((await at("2026-09-06 01:30")).code).toBe(0);
  } finally {
    process.env["TZ"] = zone;
  }
});

it("two watches at the due moment send it once", async () => {
  const { mock, clock, schedule, watch } = await shop();
  await schedule();
  clock.advance(3 * hour);
  const before = (await callsOf(mock)).length;
  const both = await Promise.all([watch(), watch("--consumer", "other")]);
  expect(both.flatMap(({ events }) => events)).toMatchObject([{ event: "push.sent", accepted: 3 }]);
  expect((await callsOf(mock)).slice(before).filter((call) => call.startsWith("POST"))).toHaveLength(1);
});

it("one watch sends the lists of all its branches, and names them", async () => {
  const { mock } = await service({ scenario: "demo" });
  const clock = fakeClock();
  const run = shell({ clock });
  for (const [n, name] of ["centro", "norte"].entries())
    await run(addUnchecked(name, "--base-url", mock.baseUrl), { stdin: mock.keys[n]!.key });
  for (const name of ["centro", "norte"]) {
    const pushed = await run(["-p", name, "catalog", "push", fileOf(...tomorrow), "--at", "12:00", "-q"]);
    expect(pushed.code, pushed.stderr).toBe(0);
  }
  clock.advance(3 * hour);
  const ended = await run(["orders", "watch", "--once", "--all-profiles", "-o", "ndjson"]);
  const sent = eventsOf(ended).filter(({ event }) => event === "push.sent");
  expect(sent.map(({ branch }) => branch).toSorted()).toEqual(["centro", "norte"]);
  expect(ended.stderr).toContain("norte: Scheduled push");
});
