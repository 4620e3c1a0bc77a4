import type { Hours } from "../../cli/line/hours-flags.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { WaitReason } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import type { JournalCall } from "../../journal/records/sends.ts";
import { type Call, countriesIn } from "./calls.ts";
import { findClosing, findOpening, findZones } from "./hours.ts";

/** How fast a send may go: so many people in that time; `text` as `--pace` was written. */
export type SendRate = { text: string; people: number; perMs: number };

export type ShareOrCount = { share: number } | { count: number };

/** The confirmed times at which the calls of a send may leave; the journal keeps them as JSON. */
export interface Schedule {
  /** Epoch milliseconds. */
  startAt?: number;
  hours?: Hours;
  pace?: SendRate;
  /** How long the rest waits for the canary, milliseconds, and how many of the canary may fail. */
  canary?: { waitMs: number; maxFailed: ShareOrCount };
}

export interface Due {
  at: number;
  reason: Exclude<WaitReason, "canary">;
}

/** Calls with a pace leave about once a minute. */
const beatMs = 60_000;

export const countOf = (size: ShareOrCount, of: number): number =>
  "count" in size ? size.count : Math.floor(size.share * of);

/** Returns how many people a call may have, so that a pace is spread. */
export const peopleAtOnce = ({ people, perMs }: SendRate, max: number): number =>
  Math.max(1, Math.min(max, Math.floor((people * beatMs) / perMs)));

/** Whether all calls may leave at once. */
export const isPlain = (schedule: Schedule): boolean => Object.keys(schedule).length === 0;

/** Returns the JSON text that the journal keeps; null for at once. */
export const keepSchedule = (schedule: Schedule): string | null =>
  isPlain(schedule) ? null : JSON.stringify(schedule);

export const readSchedule = (kept: string | null): Schedule =>
  kept === null ? {} : (JSON.parse(kept) as Schedule);

/** Returns no country for phones that belong to none. */
const listCountries = (countries: string): string[] => (countries === "" ? [] : countries.split(","));

/** Decides when each call of a send may leave. */
export class Timetable {
  readonly schedule: Schedule;
  /** The time at which the pace lets the next call leave. */
  #nextAt = 0;
  readonly #countries = new WeakMap<Call, string>();
  /** The zones that count, and the times at which they are open, by country. */
  readonly #zones = new Map<string, string[]>();
  readonly #open = new Map<string, { from: number; until: number }>();

  constructor(schedule: Schedule) {
    this.schedule = schedule;
  }

  /** Records the countries of a call whose body is not read. */
  knows(call: Call, countries: string): void {
    this.#countries.set(call, countries);
  }

  /** Records a call that left. */
  left({ people }: Pick<JournalCall, "people">, at: number): void {
    const { pace } = this.schedule;
    if (pace !== undefined) this.#nextAt = Math.max(this.#nextAt, at + (people * pace.perMs) / pace.people);
  }

  /** Returns from when on a call may leave, and why not before; undefined where its hours never come. */
  due(call: Call, now: number): Due | undefined {
    const { startAt = 0 } = this.schedule;
    const at = Math.max(now, startAt, Math.ceil(this.#nextAt));
    const opening = this.#opening(call, at);
    if (opening === undefined) return undefined;
    if (opening.from > at) return { at: opening.from, reason: "hours" };
    return { at, reason: startAt > now && startAt >= at ? "at" : "pace" };
  }

  /** Returns the error of a call whose hours never come. */
  hoursNever(call: Call, now: number): BposError {
    const { countries, zones } = this.zonesOf(call, now);
    const hours = this.schedule.hours?.between.text ?? "";
    const zone = zones.length > 1 ? (zones[0] ?? null) : null;
    const problem = { kind: "hours_never", hours, countries: listCountries(countries), zone } as const;
    return new BposError("usage_flag", { problem });
  }

  /** Returns until when a call that may leave now may be tried, epoch milliseconds; undefined for always. */
  closesAt(call: Call, now: number): number | undefined {
    const until = this.#opening(call, now)?.until;
    return until === Number.POSITIVE_INFINITY ? undefined : until;
  }

  /** Returns the countries of a call's people, and the zones that count for them. */
  zonesOf(call: Call, at: number): { countries: string; zones: readonly string[] } {
    const countries = this.#countries.get(call) ?? countriesIn(call);
    this.#countries.set(call, countries);
    const chosen = this.schedule.hours?.timeZones ?? [];
    const zones = this.#zones.get(countries) ?? findZones(listCountries(countries), chosen, at);
    this.#zones.set(countries, zones);
    return { countries, zones };
  }

  /** Returns the opening at `at`, or the next one. */
  #opening(call: Call, at: number): { from: number; until: number } | undefined {
    const { hours } = this.schedule;
    if (hours === undefined) return { from: at, until: Number.POSITIVE_INFINITY };
    const { countries, zones } = this.zonesOf(call, at);
    const known = this.#open.get(countries);
    if (known !== undefined && known.from <= at && at < known.until) return { ...known, from: at };

    const from = findOpening(zones, hours, at);
    if (from === undefined) return undefined;
    const opening = { from, until: findClosing(zones, hours, from) ?? Number.POSITIVE_INFINITY };
    this.#open.set(countries, opening);
    return opening;
  }
}

/** People of some countries who wait for their hours, or for the beginning. */
export interface Waiting extends Due {
  countries: string;
  people: number;
}

/** Returns the recipients of a plan who would wait, by country, and the zones of each country. Throws `usage_flag` for hours that never come, or come too late. */
export function findWaiting(
  calls: readonly (Call & { people: number })[],
  { schedule, notAfter }: { schedule: Schedule; notAfter: number | null },
  now: number,
): { waiting: Waiting[]; zones: ReadonlyMap<string, readonly string[]> } {
  const timetable = new Timetable(schedule);
  const waiting = new Map<string, Waiting>();
  const allZones = new Map<string, readonly string[]>();
  const { hours } = schedule;
  for (const call of calls) {
    const due = timetable.due(call, now);
    const { countries, zones } =
      hours === undefined ? { countries: "", zones: [] } : timetable.zonesOf(call, now);
    const listed = listCountries(countries);
    allZones.set(countries, zones);
    if (due === undefined) throw timetable.hoursNever(call, now);
    if (due.at <= now) continue;
    if (notAfter !== null && due.at > notAfter) {
      const [opens, end] = [isoWithOffset(due.at), isoWithOffset(notAfter)];
      const problem = { kind: "hours_too_late", countries: listed, opens, notAfter: end } as const;
      throw new BposError("usage_flag", { problem });
    }
    const people = (waiting.get(countries)?.people ?? 0) + call.people;
    waiting.set(countries, { ...due, countries, people });
  }
  return { waiting: [...waiting.values()].sort((a, b) => a.at - b.at), zones: allZones };
}
