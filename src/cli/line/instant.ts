import { maxInstant } from "../../contract/limits.ts";
import type { ValueProblem } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import type { Runtime } from "../runtime.ts";
import { parseDuration } from "./flags.ts";

/** The days back of a word, in either language whatever the run's: a script must not depend on a locale. */
const words: Readonly<Record<string, number>> = { today: 0, hoy: 0, yesterday: 1, ayer: 1 };

function startOfDay(now: number, daysBack: number): Date {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysBack);
}

/** A date such as `22/11/2026` in ISO 8601, day first in both languages; month first too where that is another date. */
function isoDates(text: string): { dayFirst: string; monthFirst?: string } {
  const [, day = "", month = "", year = "", time] =
    /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?:,? (\d{2}:\d{2}))?$/.exec(text) ?? [];
  if (day === "") return { dayFirst: text };
  const iso = (...monthAndDay: string[]): string => {
    const date = [year.padStart(4, "20"), ...monthAndDay.map((part) => part.padStart(2, "0"))].join("-");
    return time === undefined ? date : `${date}T${time}`;
  };
  const dayFirst = iso(month, day);
  const isClear = Number(day) > 12 || Number(day) === Number(month);
  return isClear ? { dayFirst } : { dayFirst, monthFirst: iso(day, month) };
}

const timeOfDay = /^([01]?\d|2[0-3]):([0-5]\d)$/;
const isoForm = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/i;

function parseIso(text: string): number | undefined {
  if (!isoForm.test(text)) return undefined;
  const day = text.slice(0, 10);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // JavaScript reads 30 February as 2 March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined;
  // A date alone would be read as UTC, but people mean the start of that day in their zone.
  const instant = Date.parse(text === day ? `${day}T00:00:00` : text.replace(" ", "T"));
  return Number.isNaN(instant) ? undefined : instant;
}

/** An instant that has been, or is `coming`, as epoch milliseconds: a day, a time, or so long from now. Undefined when the text is none. */
function parseInstant(typed: string, now: number, coming: boolean): number | undefined {
  const daysBack = words[typed.toLowerCase()];
  if (daysBack !== undefined) return startOfDay(now, daysBack).getTime();
  const span = parseDuration(typed);
  if (span !== undefined) {
    const at = coming ? now + span : now - span;
    return at >= 0 && at <= maxInstant ? at : undefined;
  }
  const time = coming ? timeOfDay.exec(typed) : null;
  if (time !== null) return startOfDay(now, 0).setHours(Number(time[1]), Number(time[2]));
  return parseIso(isoDates(typed).dayFirst);
}

/** Epoch milliseconds. A date whose day and month could be swapped is read day first on a terminal, which says so, and refused without one. */
export async function readInstant(
  { system, texts }: Runtime,
  { flag, text, coming = false }: { flag: string; text: string; coming?: boolean },
): Promise<number> {
  const at = parseInstant(text, system.clock.now(), coming);
  if (at === undefined) {
    const problem: ValueProblem = { kind: coming ? "not_instant_to_come" : "not_instant", text };
    throw new BposError("usage_flag", { problem: { kind: "value", flag, problem } });
  }
  const { dayFirst, monthFirst } = isoDates(text);
  if (monthFirst === undefined) return at;
  if (!system.stderr.isTerminal) {
    const problem = { kind: "date_ambiguous", flag, text, dayFirst, monthFirst } as const;
    throw new BposError("usage_flag", { problem });
  }
  const read = texts.t("Note: {flag} {text} was read as day/month: {iso}.", { flag, text, iso: dayFirst });
  await system.stderr.write(`${read}\n`);
  return at;
}
