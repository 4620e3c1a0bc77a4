import type { ValueProblem } from "../errors/usage-problem.ts";
import { BposError } from "../errors.ts";
import { parseDuration } from "./flags.ts";
import type { Runtime } from "./runtime.ts";

/** The days back of a word, in either language whatever the run's: a script must not depend on a locale. */
const words: Readonly<Record<string, number>> = { today: 0, hoy: 0, yesterday: 1, ayer: 1 };

function startOfDay(now: number, daysBack: number): Date {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysBack);
}

/** The parts of a date such as `22/11/2026`, day first in both languages, and a time of day where there is one. */
function dateParts(text: string): { year: string; day: string; month: string; time: string } | undefined {
  const [, day, month, year, time = ""] =
    /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?:,? (\d{2}:\d{2}))?$/.exec(text) ?? [];
  if (day === undefined || month === undefined || year === undefined) return undefined;
  const [d, m] = [day.padStart(2, "0"), month.padStart(2, "0")];
  return { year: year.padStart(4, "20"), day: d, month: m, time: time && `T${time}` };
}

/** The same time in ISO 8601. */
function asIso(text: string): string {
  const parts = dateParts(text);
  return parts === undefined ? text : `${parts.year}-${parts.month}-${parts.day}${parts.time}`;
}

/** The same time read month first, in ISO 8601, where that is another one and there is such a month. */
function monthFirst(text: string): string | undefined {
  const { year, day, month, time } = dateParts(text) ?? {};
  if (day === undefined || day === month || Number(day) > 12) return undefined;
  return `${year}-${day}-${month}${time}`;
}

/** An instant that has been, as epoch milliseconds: a day, a time, or so long ago. Undefined when the text is none. */
function parseInstant(typed: string, now: number): number | undefined {
  const daysBack = words[typed.toLowerCase()];
  if (daysBack !== undefined) return startOfDay(now, daysBack).getTime();
  const ago = parseDuration(typed);
  if (ago !== undefined) return ago <= now ? now - ago : undefined;
  const text = asIso(typed);
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/i.test(text))
    return undefined;
  const day = text.slice(0, 10);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // The language takes 30 February for 2 March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined;
  // A date alone would be read as UTC; people mean the start of that day where they are.
  const instant = new Date(text.length === 10 ? `${text}T00:00:00` : text.replace(" ", "T")).getTime();
  return Number.isNaN(instant) ? undefined : instant;
}

/** An instant to come, as epoch milliseconds: a day, a time, a time of today, or so long from now. Undefined when the text is none. */
function parseComing(text: string, now: number): number | undefined {
  const ahead = parseDuration(text);
  if (ahead !== undefined) return now + ahead;
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === undefined) return parseInstant(text, now);
  return startOfDay(now, 0).setHours(Number(hours), Number(minutes));
}

/**
 * The epoch milliseconds of a flag that takes a time. A date whose day and month could be swapped is read day first, which is said
 * on a terminal; without one nobody would see it. Throws `usage_flag`.
 */
export async function readInstant(
  { system, texts }: Runtime,
  { flag, text, coming = false }: { flag: string; text: string; coming?: boolean },
): Promise<number> {
  const now = system.clock.now();
  const at = coming ? parseComing(text, now) : parseInstant(text, now);
  if (at === undefined) {
    const problem: ValueProblem = { kind: coming ? "not_instant_to_come" : "not_instant", text };
    throw new BposError("usage_flag", { problem: { kind: "value", flag, problem } });
  }
  const swapped = monthFirst(text);
  if (swapped === undefined) return at;
  const dayFirst = asIso(text);
  if (!system.stderr.isTerminal) {
    const problem = { kind: "date_ambiguous", flag, text, dayFirst, monthFirst: swapped } as const;
    throw new BposError("usage_flag", { problem });
  }
  await system.stderr.write(`${texts.notices.dateRead(flag, text, dayFirst)}\n`);
  return at;
}
