import * as z from "zod";
import { badInput } from "./refusal.ts";

const dateTime = z.iso.datetime({ offset: true });
const storeOffsetMs = -3 * 60 * 60 * 1000;

/** The last instant that the mock can tell, in epoch milliseconds: beyond it years have five digits. */
export const lastInstant = Date.UTC(9998, 11, 31);

export const parseInstant = (text: string): number | null =>
  dateTime.safeParse(text).success ? Date.parse(text) : null;

/** With the fraction below a millisecond: who writes microseconds means them where two events are compared. */
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
  /** The speed at which a frozen world goes on; absent in one that was never moved. */
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

export const clockMoveSchema = z.union(
  [
    z.strictObject({ advance_ms: z.int().min(0) }),
    z.strictObject({ now: z.string() }),
    z.strictObject({ frozen: z.boolean() }),
    z.strictObject({ speed: z.number().min(0) }),
  ],
  'one of {"advance_ms":N}, a whole number from 0 up, {"now":"…"}, {"frozen":true|false} and {"speed":N}, a number from 0 up, is required',
);

export type ClockMove = z.infer<typeof clockMoveSchema>;

/** Time ends at the last instant: a world at a great speed gets there. */
export function computeAge({ origin, ageAtAnchor, realAtAnchor, speed }: ClockState, real: number): number {
  const age = ageAtAnchor + Math.floor(Math.max(0, real - realAtAnchor) * speed);
  return Math.min(age, Math.max(ageAtAnchor, lastInstant - origin));
}

function chooseSpeed({ speed, pausedSpeed = 1 }: ClockState, move: { frozen: boolean } | { speed: number }) {
  if ("speed" in move) return move.speed;
  return move.frozen ? 0 : speed || pausedSpeed;
}

/** A later date lets that time pass; an earlier one changes the date alone. Throws MockRefusal 400 outside 1970 to 9998. */
export function moveClock(clock: ClockState, age: number, real: number, move: ClockMove): ClockState {
  if ("speed" in move || "frozen" in move) {
    const pausedSpeed = clock.speed || (clock.pausedSpeed ?? 1);
    return { ...clock, ageAtAnchor: age, realAtAnchor: real, speed: chooseSpeed(clock, move), pausedSpeed };
  }
  const today = clock.origin + age;
  const target = "now" in move ? parseInstant(move.now) : today + move.advance_ms;
  if (target === null) throw badInput("now: RFC 3339 with seconds and an offset is required");
  if (target < 0 || target > lastInstant) throw badInput("the clock runs from 1970 to 9998");

  const ageAtAnchor = age + Math.max(0, target - today);
  return { ...clock, origin: target - ageAtAnchor, ageAtAnchor, realAtAnchor: real };
}
