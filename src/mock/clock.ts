import { badInput } from "./refusal.ts";
import { lastInstant, parseInstant } from "./time.ts";

/**
 * The world's time. Two things are kept apart: the world's age (milliseconds lived, which never shrinks, and which
 * deliveries and arrivals follow) and its date, which is the age plus an origin and may be set back.
 */
export interface ClockState {
  /** Epoch milliseconds of the date at age 0. */
  readonly origin: number;
  readonly ageAtAnchor: number;
  /** Real time of the anchor, epoch milliseconds. */
  readonly realAtAnchor: number;
  /** World milliseconds for each real one; 0 is a frozen clock. */
  readonly speed: number;
  /** The millisecond in which the world began, which its numbers derive from; absent in worlds of 0.1. */
  readonly began?: number;
}

/** How a clock is moved: on by milliseconds, or to a date-time. */
export type ClockMove = { readonly advance_ms: number } | { readonly now: string };

/** A clock at age 0: frozen at `frozenAt` (epoch milliseconds), or running from the real time at `speed`. */
export function startClock(
  real: number,
  speed: number,
  { frozenAt, began = frozenAt ?? real }: { frozenAt: number | null; began?: number },
): ClockState {
  return {
    began,
    origin: frozenAt ?? real,
    ageAtAnchor: 0,
    realAtAnchor: real,
    speed: frozenAt === null ? speed : 0,
  };
}

/** The world's age in whole milliseconds at a real instant. */
export function ageAt(clock: ClockState, real: number): number {
  return clock.ageAtAnchor + Math.floor(Math.max(0, real - clock.realAtAnchor) * clock.speed);
}

/**
 * The clock after a move at `age`. Advancing, or setting a later date, lets that time pass; setting an earlier date
 * changes the date alone: nobody grows younger, so what was reported stays reported.
 * Throws MockRefusal 400 for a date that is none or lies beyond the year 9998.
 */
export function moveClock(clock: ClockState, age: number, real: number, move: ClockMove): ClockState {
  const today = clock.origin + age;
  const target = "now" in move ? parseInstant(move.now) : today + move.advance_ms;
  if (target === null) throw badInput("now: RFC 3339 with seconds and an offset is required");
  if (target < 0 || target > lastInstant) throw badInput("the clock runs from 1970 to 9998");
  const passed = Math.max(0, target - today);
  const ageAtAnchor = age + passed;
  return { ...clock, origin: target - ageAtAnchor, ageAtAnchor, realAtAnchor: real };
}
