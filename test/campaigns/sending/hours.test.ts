import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findClosing, findOpening, findZones } from "../../../src/campaigns/sending/hours.ts";
import type { Hours } from "../../../src/cli/line/hours-flags.ts";
import { findCountries } from "../../../src/input/phone.ts";
import { sized } from "../../support/soak.ts";

const minute = 60_000;
const everyDay = [0, 1, 2, 3, 4, 5, 6];
const hours = (from: number, to: number, days = everyDay): Hours => ({
  between: { text: "", from, to },
  days: { text: "", days },
  timeZones: [],
});
const at = (iso: string): number => Date.parse(iso);
const iso = (instant: number | undefined): string | undefined =>
  instant === undefined ? undefined : new Date(instant).toISOString().slice(0, 16);

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the time of a clock on the wall, by another way than the code. */
function wall(zone: string, instant: number): { minutes: number; day: number } {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("en-GB", {
      ...{ timeZone: zone, hourCycle: "h23", weekday: "short", hour: "2-digit", minute: "2-digit" },
    });
  formats.set(zone, format);
  const parts = format.formatToParts(instant);
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? "";
  const day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].indexOf(part("weekday"));
  return { minutes: Number(part("hour")) * 60 + Number(part("minute")), day };
}

function isOpen(zone: string, instant: number, { between: { from, to }, days: { days } }: Hours): boolean {
  const { minutes, day } = wall(zone, instant);
  if (from < to) return days.includes(day) && minutes >= from && minutes < to;
  return (days.includes(day) && minutes >= from) || (days.includes((day + 6) % 7) && minutes < to);
}

describe("hours in the time of a country", () => {
  it.each([
    // São Paulo is 3 h behind UTC.
    [
      "a day's",
      "America/Sao_Paulo",
      hours(540, 1_260),
      "2026-11-26T11:59Z",
      "2026-11-26T12:00",
      "2026-11-27T00:00",
    ],
    [
      "a day's, later",
      "America/Sao_Paulo",
      hours(540, 1_260),
      "2026-11-27T00:00Z",
      "2026-11-27T12:00",
      "2026-11-28T00:00",
    ],
    [
      "over midnight",
      "America/Sao_Paulo",
      hours(1_260, 120),
      "2026-11-26T12:00Z",
      "2026-11-27T00:00",
      "2026-11-27T05:00",
    ],
    [
      "over midnight, after it",
      "America/Sao_Paulo",
      hours(1_260, 120),
      "2026-11-27T04:00Z",
      "2026-11-27T04:00",
      "2026-11-27T05:00",
    ],
    // A Friday night ends on Saturday, and Saturday's own has not begun.
    [
      "of a night of Friday",
      "America/Sao_Paulo",
      hours(1_260, 120, [5]),
      "2026-11-28T05:00Z",
      "2026-12-05T00:00",
      "2026-12-05T05:00",
    ],
    [
      "not on Sunday",
      "America/Sao_Paulo",
      hours(540, 1_260, [1, 2, 3, 4, 5, 6]),
      "2026-11-29T01:00Z",
      "2026-11-30T12:00",
      "2026-12-01T00:00",
    ],
    // In Madrid 02:00 is followed by 03:00 on 29 March, and 03:00 by 02:00 on 25 October 2026.
    [
      "when the clock goes forward",
      "Europe/Madrid",
      hours(540, 1_260),
      "2026-03-28T21:00Z",
      "2026-03-29T07:00",
      "2026-03-29T19:00",
    ],
    [
      "when it goes back",
      "Europe/Madrid",
      hours(540, 1_260),
      "2026-10-24T20:00Z",
      "2026-10-25T08:00",
      "2026-10-25T20:00",
    ],
    [
      "that would begin in the hour that is left out",
      "Europe/Madrid",
      hours(150, 300),
      "2026-03-28T22:00Z",
      "2026-03-29T01:30",
      "2026-03-29T03:00",
    ],
    [
      "that would end in it",
      "Europe/Madrid",
      hours(0, 150),
      "2026-03-28T23:00Z",
      "2026-03-28T23:00",
      "2026-03-29T01:00",
    ],
    [
      "close while the clock, put back, is before their beginning again",
      "America/Santiago",
      hours(1_395, 15, [6]),
      "2026-04-05T02:00Z",
      "2026-04-05T02:15",
      "2026-04-05T03:00",
    ],
  ] as const)("%s", (...[, zone, asked, now, opens, closes]) => {
    const opening = findOpening([zone], asked, at(now));
    expect(iso(opening)).toBe(opens);
    expect(iso(findClosing([zone], asked, opening!))).toBe(closes);
  });

  it("of a whole day never close, and those that all zones of a country never have at once never come", () => {
    const now = at("2026-11-26T12:00Z");
    const zones = findZones(["US"], [], now);
    expect(findClosing(zones, hours(0, 1_440), now)).toBeUndefined();
    expect(findOpening(zones, hours(540, 600), now)).toBeUndefined();
    // 09:00 on Adak, 10 h behind UTC, to 21:00 in New York.
    const opening = findOpening(zones, hours(540, 1_260), now);
    expect(iso(opening)).toBe("2026-11-26T19:00");
    expect(iso(findClosing(zones, hours(540, 1_260), opening!))).toBe("2026-11-27T02:00");
    const chosen = findZones(["US"], ["America/New_York"], now);
    expect(iso(findOpening(chosen, hours(540, 600), now))).toBe("2026-11-26T14:00");
  });

  it("open and close as the clock on the wall says, whatever the zone, minute by minute", () => {
    const zones = [
      "America/Sao_Paulo",
      "Europe/Madrid",
      "America/Santiago",
      "America/Havana",
      "Asia/Kathmandu",
      "UTC",
    ];
    const time = fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15);
    // Around changes of the clock in Spain, Chile and Cuba.
    const start = fc
      .tuple(
        fc.constantFrom("2026-03-27", "2026-10-23", "2026-04-03", "2026-09-04", "2026-03-06"),
        fc.nat({ max: 4_000 }),
      )
      .map(([day, minutes]) => at(`${day}T00:00Z`) + minutes * minute);
    const days = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(
        fc.tuple(fc.constantFrom(...zones), time, time, days, start),
        ([zone, from, to, days, now]) => {
          fc.pre(from !== to);
          const asked = hours(from, to, days);
          const opening = findOpening([zone], asked, now);
          // A window of less than an hour may fall into the one that is left out.
          if (opening === undefined) {
            expect((to - from + 1_440) % 1_440).toBeLessThanOrEqual(60);
            return;
          }
          expect(isOpen(zone, opening, asked)).toBe(true);
          const before = Array.from(
            { length: Math.min(200, (opening - now) / minute) },
            (_, n) => opening - (n + 1) * minute,
          );
          const skipped = before.filter((instant) => isOpen(zone, instant, asked));
          // It may open half an hour late, on the night when the clock goes forward over its beginning; never early.
          expect(skipped.length).toBeLessThanOrEqual(60);
          const closing = findClosing([zone], asked, opening) ?? opening + 200 * minute;
          const while_ = Math.min(200, (closing - opening) / minute);
          for (let n = 0; n < while_; n++) expect(isOpen(zone, opening + n * minute, asked)).toBe(true);
        },
      ),
      { numRuns: sized(20, 1_000) },
    );
  });
});

describe("the country of a phone", () => {
  it.each([
    ["+5491155550017", "AR"],
    ["+5511987654321", "BR"],
    ["+525512345678", "MX"],
    ["+56950000017", "CL"],
    ["+12125550117", "US"],
    ["+14165550117", "CA"],
    ["+18095550117", "DO"],
    ["+17875550117", "PR"],
    ["+77012345678", "KZ"],
    ["+79161234567", "RU"],
    ["+34612345678", "ES"],
  ])("of %s is %s", (phone, country) => {
    expect(findCountries(phone)).toEqual([country]);
  });

  it("that nothing tells is none, which counts as UTC", () => {
    expect(findCountries("+80012345678")).toEqual([]);
    expect(findZones([], [], 0)).toEqual(["UTC"]);
  });
});
