import * as z from "zod";
import { type ClockState, lastInstant, parseInstant } from "../core/clock.ts";
import { badInput } from "../core/refusal.ts";

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

function chooseSpeed({ speed, pausedSpeed = 1 }: ClockState, move: { frozen: boolean } | { speed: number }) {
  if ("speed" in move) return move.speed;
  return move.frozen ? 0 : speed || pausedSpeed;
}

/** A later date lets the time until then pass; an earlier one changes only the date. Throws MockRefusal 400 outside 1970 to 9998. */
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
