import fc from "fast-check";
import { expect } from "vitest";
import { canaryPeople } from "../../src/campaigns/send/plan.ts";
import { openCanary } from "../../src/campaigns/sending/calls.ts";
import { findOpening, findZones } from "../../src/campaigns/sending/hours.ts";
import { countOf, findWaiting } from "../../src/campaigns/sending/schedule.ts";
import { callTransitions, sendTransitions } from "../../src/campaigns/sending/transitions.ts";
import type { CampaignRequest } from "../../src/contract/campaign.ts";
import { findCountries } from "../../src/input/phone.ts";
import type { Sql } from "../../src/journal/engine/engine.ts";
import { type SendPlot, start } from "./send-plots.ts";
import { SendSimulation } from "./send-simulation.ts";

type Table = Readonly<Record<string, Readonly<Record<string, string>>>>;
const tables: Readonly<Record<"call" | "send", Table>> = { call: callTransitions, send: sendTransitions };

/** Every row of the two tables, as `call planned begins leaving`. */
export const allTransitions = Object.entries(tables).flatMap(([of, table]) =>
  Object.entries(table).flatMap(([from, events]) =>
    Object.entries(events).map(([event, to]) => `${of} ${from} ${event} ${to}`),
  ),
);

/** Whatever happens to a call or a send stands in the tables, and begins where the one before it ended. Adds the rows to `seen`. */
function checkTransitions({ transitions }: SendSimulation, seen: Set<string>): void {
  for (const { of, name, was, from, event, to } of transitions) {
    const row = `${of} ${from} ${event} ${to}`;
    expect(allTransitions, `${name}: ${row}`).toContain(row);
    expect(from, `${name}: ${row}`).toBe(was);
    seen.add(row);
  }
}

function checkHours({ schedule }: SendPlot, { campaigns }: SendSimulation): void {
  const { hours, startAt = 0 } = schedule;
  for (const { phones, at, id } of campaigns) {
    expect(at, `${id} before --at`).toBeGreaterThanOrEqual(startAt);
    if (hours === undefined) continue;
    for (const phone of phones) {
      const zones = findZones(findCountries(phone), hours.timeZones, start);
      expect(findOpening(zones, hours, at), `${phone} outside its hours`).toBe(at);
    }
  }
}

function checkPace({ schedule: { pace } }: SendPlot, { attempts }: SendSimulation): void {
  if (pace === undefined) return;
  for (const [n, { at }] of attempts.entries()) {
    const before = attempts[n - 1];
    if (before === undefined) continue;
    expect(at - before.at, "faster than the pace").toBeGreaterThanOrEqual(
      Math.floor((before.people * pace.perMs) / pace.people),
    );
  }
}

/** Nobody but the trial's people gets a message before the trial has passed, or is ignored. */
async function checkCanary(plot: SendPlot, simulation: SendSimulation): Promise<void> {
  const { canary, schedule } = plot;
  if (canary === undefined) return;
  const calls = await simulation.calls();
  const trial = calls.filter(({ is_canary }) => is_canary === 1);
  // There is no trial where all of them opt out before they are messaged.
  const drawn = canaryPeople(simulation.request(), simulation.request().reading.recipients, []);
  if ([...drawn].every((person) => simulation.optedOut.has(person))) return;
  const keys = new Set(trial.map(({ idempotency_key }) => idempotency_key));
  const others = simulation.campaigns.filter(({ key }) => !keys.has(key));
  const people = trial.reduce((sum, each) => sum + each.people, 0);
  if (simulation.optedOut.size === 0) expect(people).toBe(countOf(canary, plot.people.length));
  const released = Math.min(
    simulation.passedAt ?? Number.POSITIVE_INFINITY,
    simulation.ignoredAt ?? Number.POSITIVE_INFINITY,
  );
  for (const { at } of others) expect(at, "before the trial passed").toBeGreaterThanOrEqual(released);
  if (simulation.passedAt !== undefined && simulation.ignoredAt === undefined) {
    const phones = new Set(
      trial.flatMap(({ body }) => (JSON.parse(body) as CampaignRequest).recipients.map((r) => r.phone)),
    );
    const failed = plot.people.filter(({ phone, fails }) => fails && phones.has(phone)).length;
    expect(failed).toBeLessThanOrEqual(countOf(schedule.canary!.maxFailed, people));
  }
  if (others.length > 0) expect(openCanary(calls)).toEqual([]);
}

/** Plays a plot, and checks who was messaged, and when. Adds the transitions of calls and sends to `seen`. */
export async function checkSend(plot: SendPlot, sql: Sql, seen = new Set<string>()): Promise<void> {
  await sql.run("DELETE FROM opt_out");
  const simulation = new SendSimulation(plot, sql);
  const { schedule, canary, reading } = simulation.request();
  fc.pre(canary === undefined || countOf(canary, plot.people.length) > 0);
  fc.pre(canary === undefined || countOf(canary, plot.people.length) <= plot.people.length);
  const bodies = reading.recipients.map(({ phone }) => ({
    body: JSON.stringify({ recipients: [{ phone, params: [] }] }),
    people: 1,
  }));
  try {
    findWaiting(bodies, { schedule, notAfter: null }, simulation.now);
  } catch {
    // Its hours never come: it is refused before anything is sent.
    fc.pre(false);
  }

  const end = await simulation.run();
  expect(simulation.mostUnderWay).toBeLessThanOrEqual(plot.inFlight);
  if (schedule.pace !== undefined) expect(simulation.mostUnderWay).toBeLessThanOrEqual(1);
  const messaged = simulation.campaigns.flatMap(({ phones }) => phones);
  expect(new Set(messaged).size, "somebody was messaged twice").toBe(messaged.length);
  const everybody = plot.people.map(({ phone }) => phone).toSorted();
  const wanted = everybody.filter((phone) => !simulation.optedOut.has(phone));
  if (end === "sent") expect(messaged).toEqual(expect.arrayContaining(wanted));
  for (const [n, { phones }] of simulation.campaigns.entries())
    for (const phone of phones) {
      const before = simulation.optedOut.get(phone) ?? Number.POSITIVE_INFINITY;
      expect(n, `${phone} had opted out`).toBeLessThan(before);
    }
  checkHours(plot, simulation);
  checkPace(plot, simulation);
  await checkCanary(plot, simulation);
  checkTransitions(simulation, seen);
}
