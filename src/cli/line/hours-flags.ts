import { similarTo } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import type { Settings } from "../../settings/settings.ts";
import type { T } from "../../texts/texts.ts";
import { flag, needsFlag, onlyGiven, several, suggest, type Value } from "./flags.ts";

/** A part of the day as it was written, and in minutes from midnight; one that ends before it begins goes over midnight. */
type Between = { text: string; from: number; to: number };
/** Days of the week as they were written, and from 0, Sunday, to 6. */
type Days = { text: string; days: readonly number[] };

/** When people may be messaged, in the time of their own country. */
export interface Hours {
  between: Between;
  days: Days;
  /** Which time zone counts for a country that has several. */
  timeZones: readonly string[];
}

const wholeDay = 24 * 60;

const betweenValue: Value<Between> = {
  read(text, refuse) {
    const [, ...parts] = /^(\d{1,2}):([0-5]\d) ?- ?(\d{1,2}):([0-5]\d)$/.exec(text.trim()) ?? [];
    const [fromHour = 99, fromMinute = 0, toHour = 99, toMinute = 0] = parts.map(Number);
    const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute];
    if (from >= wholeDay || to > wholeDay) refuse({ kind: "not_hours", text });
    if (from === to) refuse({ kind: "hours_empty", text });
    return { text: text.trim(), from, to };
  },
};

/** From Sunday on, in either language whatever the run's: a script must not depend on a locale. */
const dayNames = [
  ["sunday", "domingo"],
  ["monday", "lunes"],
  ["tuesday", "martes"],
  ["wednesday", "miercoles"],
  ["thursday", "jueves"],
  ["friday", "viernes"],
  ["saturday", "sabado"],
];

function findDay(written: string): number {
  const name = written.trim().toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  return name.length < 3 ? -1 : dayNames.findIndex((names) => names.some((each) => each.startsWith(name)));
}

const daysValue: Value<Days> = {
  ...suggest("mon-fri", "mon-sat", "mon-sun"),
  read(text, refuse) {
    const days = new Set<number>();
    for (const part of text.split(",")) {
      const [first = -1, last = first, ...more] = part.split("-").map(findDay);
      if (first < 0 || last < 0 || more.length > 0) refuse({ kind: "not_days", text });
      for (let day = first; ; day = (day + 1) % 7) {
        days.add(day);
        if (day === last) break;
      }
    }
    return { text: text.trim(), days: [...days] };
  },
};

/** The name by which Intl knows a time zone; undefined where it knows none. */
export function findZone(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The zone that was probably meant: people leave out the continent, or write spaces. */
function similarZone(text: string): string | null {
  const known = Intl.supportedValuesOf("timeZone");
  const name = text.trim().replaceAll(" ", "_");
  const cities = known.map((zone) => zone.replace(/^.*\//, ""));
  const city = similarTo(name.replace(/^.*\//, ""), cities);
  return similarTo(name, known) ?? (city === null ? null : (known[cities.indexOf(city)] ?? null));
}

const zoneValue: Value<string> = {
  read: (text, refuse) =>
    findZone(text) ?? refuse({ kind: "not_time_zone", text, similar: similarZone(text) }),
};

/** The flags of hours, for each command that takes them. */
export function hoursFlags(t: T) {
  return {
    between: flag(
      "--between <hours>",
      t("message recipients only at these hours of their country, such as 09:00-21:00; the others wait"),
      betweenValue,
    ),
    days: flag("--days <days>", t("message recipients only on these days, such as mon-sat"), daysValue),
    timeZone: flag(
      "--time-zone <zone>",
      t("time zone to use for a country that has several; can be repeated"),
      several(zoneValue),
    ),
  };
}

export interface HoursFlags {
  between?: Between | undefined;
  days?: Days | undefined;
  timeZone?: string[] | undefined;
}

/** The hours from the flags, otherwise from the profile; undefined if neither has any. Throws `usage_flag`, also for an invalid setting of the profile. */
export function readHours(
  flags: HoursFlags,
  { profile, hours: own }: Pick<Settings, "profile" | "hours">,
): Hours | undefined {
  const read = <T>(setting: string, text: string, value: Value<T>): T =>
    value.read(
      text,
      (problem) => {
        const flag = `${setting} (profiles.${profile ?? ""})`;
        throw new BposError("usage_flag", { problem: { kind: "value", flag, text, problem } });
      },
      undefined,
    );
  const ofProfile = {
    between: own.between === undefined ? undefined : read("between", own.between, betweenValue),
    days: own.days === undefined ? undefined : read("days", own.days, daysValue),
    timeZones: (own.timeZone ?? "")
      .split(",")
      .flatMap((zone) => (zone === "" ? [] : read("time_zone", zone, zoneValue))),
  };
  const between = flags.between ?? ofProfile.between;
  // Other hours apply to every day, unless the days are set too.
  const days = flags.days ?? (flags.between === undefined ? ofProfile.days : undefined);
  if (between === undefined && days === undefined) {
    if (flags.timeZone !== undefined) throw needsFlag("--time-zone", "--between");
    return undefined;
  }
  return {
    between: between ?? { text: "00:00-24:00", from: 0, to: wholeDay },
    days: days ?? { text: "mon-sun", days: [0, 1, 2, 3, 4, 5, 6] },
    timeZones: flags.timeZone ?? ofProfile.timeZones,
  };
}

/** Returns those flags as a profile keeps them. */
export const keptHours = ({ between, days, timeZone }: HoursFlags) =>
  onlyGiven({ between: between?.text, days: days?.text, time_zone: timeZone?.join(",") });
