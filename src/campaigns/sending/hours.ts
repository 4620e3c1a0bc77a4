import { findZone, type Hours } from "../../cli/line/hours-flags.ts";

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
/** Hours repeat every week: hours that do not open within two weeks never open. */
const furthestMs = 15 * dayMs;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns how far a zone's clock is ahead of UTC, milliseconds. */
function offsetMs(zone: string, at: number): number {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  formats.set(zone, format);
  const [, sign = "+", hours = 0, minutes = 0] = /GMT([+-])(\d\d):(\d\d)/.exec(format.format(at)) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * minuteMs * (sign === "-" ? -1 : 1);
}

type NewerLocale = Intl.Locale & { getTimeZones?: () => string[]; timeZones?: readonly string[] };

const zonesByCountry = new Map<string, readonly string[]>();

/** Every time zone of a country, as the data of Intl has them; UTC where it has none. */
function allZones(country: string): readonly string[] {
  const known = zonesByCountry.get(country);
  if (known !== undefined) return known;
  const locale = new Intl.Locale(`und-${country}`) as NewerLocale;
  // Node 24 has the method, Node 20 the property.
  const zones = locale.getTimeZones?.() ?? locale.timeZones ?? [];
  zonesByCountry.set(country, zones);
  return zones;
}

/** The time zones that count for people of these countries: all that differ, the most common first, unless one of the country's was chosen. */
export function findZones(countries: readonly string[], chosen: readonly string[], now: number): string[] {
  const zones = countries.flatMap((country) => {
    const all = allZones(country);
    const own = all.length < 2 ? [] : all.filter((zone) => chosen.includes(findZone(zone) ?? zone));
    return own.length > 0 ? own : all;
  });
  // Many zones differ only in the past.
  const months = Array.from({ length: 13 }, (_, n) => now + n * 30 * dayMs);
  const alike = new Map<string, string[]>();
  for (const zone of zones) {
    const name = months.map((at) => offsetMs(zone, at)).join();
    alike.set(name, [...(alike.get(name) ?? []), zone]);
  }
  const groups = [...alike.values()].sort((a, b) => b.length - a.length);
  return groups.length === 0 ? ["UTC"] : groups.flatMap((group) => group.at(-1) ?? []);
}

type Window = { from: number; to: number; days: readonly number[] };

const toWindow = ({ between, days }: Hours): Window => ({
  from: between.from * minuteMs,
  to: between.to * minuteMs,
  days: days.days,
});

/** Whether it is open at that instant of UTC in a zone. */
function isOpenIn(zone: string, at: number, { from, to, days }: Window): boolean {
  const local = at + offsetMs(zone, at);
  const day = Math.floor(local / dayMs);
  const time = local - day * dayMs;
  // Epoch day 0 was a Thursday.
  const isMeant = (epochDay: number): boolean => days.includes((epochDay + 4) % 7);
  if (from < to) return isMeant(day) && time >= from && time < to;
  return (isMeant(day) && time >= from) || (isMeant(day - 1) && time < to);
}

/** The next instant after `at` in which a zone's clock shows that time of the day and `isMeant`; undefined within two weeks. */
function findNext(
  zone: string,
  at: number,
  time: number,
  isMeant: (instant: number) => boolean,
): number | undefined {
  const today = Math.floor((at + offsetMs(zone, at)) / dayMs);
  for (let day = today - 1; day < today + 15; day++) {
    const wall = day * dayMs + time;
    // A time may come twice or not at all on the day of a change: it is tried with the offset before and after.
    const before = wall - offsetMs(zone, wall - dayMs);
    const after = wall - offsetMs(zone, wall + dayMs);
    const found = [before, after].sort((a, b) => a - b).find((instant) => instant > at && isMeant(instant));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns when all of the zones are open, from `at` on; undefined for never. */
export function findOpening(zones: readonly string[], hours: Hours, at: number): number | undefined {
  const window = toWindow(hours);
  let opening = at;
  while (opening - at < furthestMs) {
    const from = opening;
    const closed = zones.filter((zone) => !isOpenIn(zone, from, window));
    if (closed.length === 0) return opening;
    const next = closed.map((zone) =>
      findNext(zone, from, window.from, (instant) => isOpenIn(zone, instant, window)),
    );
    if (next.includes(undefined)) return undefined;
    opening = Math.max(...(next as number[]));
  }
  return undefined;
}

/** The instant at which a zone's clock is changed between the two, of which there is one at most within two days. */
function findChange(zone: string, from: number, to: number): number | undefined {
  if (offsetMs(zone, from) === offsetMs(zone, to)) return undefined;
  let [before, after] = [from, to];
  while (after - before > minuteMs) {
    const middle = Math.floor((before + after) / 2 / minuteMs) * minuteMs;
    if (middle <= before) break;
    if (offsetMs(zone, middle) === offsetMs(zone, from)) before = middle;
    else after = middle;
  }
  return after;
}

/** Returns when the first of the zones closes, all of which are open at `at`; undefined for never. */
export function findClosing(zones: readonly string[], hours: Hours, at: number): number | undefined {
  const window = toWindow(hours);
  const closings = zones.flatMap((zone) => {
    const closing = findNext(zone, at, window.to, (instant) => !isOpenIn(zone, instant, window));
    if (closing === undefined) return [];
    // A clock that is put forward over the end, or back to before the beginning, closes earlier than that time comes.
    const change = findChange(zone, at, closing);
    return [change === undefined || isOpenIn(zone, change, window) ? closing : change];
  });
  return closings.length === 0 ? undefined : Math.min(...closings);
}
