import * as z from "zod";

const dateTime = z.iso.datetime({ offset: true });
const storeOffsetMs = -3 * 60 * 60 * 1000;

/** The last instant of the mock, in epoch milliseconds: later years have five digits. */
export const lastInstant = Date.UTC(9998, 11, 31);

export const parseInstant = (text: string): number | null =>
  dateTime.safeParse(text).success ? Date.parse(text) : null;

/** Returns epoch milliseconds with their fraction: microseconds matter when two events are compared. */
export function parseExactly(text: string): number {
  const [, below = ""] = /\.\d{3}(\d+)/.exec(text) ?? [];
  return Date.parse(text) + Number(`0.${below}`);
}

/** ISO 8601 with milliseconds and the stores' offset, -03:00. */
export const formatInstant = (epochMs: number): string =>
  new Date(epochMs + storeOffsetMs).toISOString().replace("Z", "-03:00");

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a duration such as `500ms`, `40s`, `1.5m` or `1h30m`; null for anything else. */
export function parseDuration(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smh]))+$/.test(text)) return null;
  let ms = 0;
  for (const [, n, unit] of text.matchAll(/([\d.]+)(ms|[smh])/g)) ms += Number(n) * units[unit as "ms"];
  return Math.round(ms);
}

/** The world's time: its age, which never shrinks, and its date, which is the age plus an origin and may be set back. */
export interface ClockState {
  readonly origin: number;
  readonly ageAtAnchor: number;
  /** Real time of the anchor, epoch milliseconds. */
  readonly realAtAnchor: number;
  /** World milliseconds for each real one; 0 is frozen. */
  readonly speed: number;
  /** The speed at which a frozen world resumes; absent if the clock was never moved. */
  readonly pausedSpeed?: number;
  /** The millisecond in which the world began, which its numbers derive from. */
  readonly began: number;
}

/** A clock as an export has it: without the machine's. */
export const clockSchema = z
  .object({
    origin: z.int(),
    ageAtAnchor: z.int().min(0),
    speed: z.number().min(0),
    pausedSpeed: z.number().gt(0).exactOptional(),
    began: z.int(),
  })
  .refine(({ origin, ageAtAnchor }) => origin + ageAtAnchor >= 0 && origin + ageAtAnchor <= lastInstant);

/** Time stops at the last instant, which a fast world can reach. */
export function computeAge({ origin, ageAtAnchor, realAtAnchor, speed }: ClockState, real: number): number {
  const age = ageAtAnchor + Math.floor(Math.max(0, real - realAtAnchor) * speed);
  return Math.min(age, Math.max(ageAtAnchor, lastInstant - origin));
}
