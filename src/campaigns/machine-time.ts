import type { Session } from "../cli/session/session.ts";
import type { MachineTime } from "../journal/records/sends.ts";

export const machineTime = (of: {
  clock: { now(): number };
  clockAheadMs: () => number | undefined;
}): MachineTime => ({ at: of.clock.now(), aheadMs: of.clockAheadMs() });

/** Returns when a send that was planned at `at` was sent, epoch milliseconds; in a mock by its clock, as the answered call has it. */
export const sentTime = (
  at: number,
  call: { answered_at: number | null; ahead_ms: number | null } | undefined,
  { mockOrigin, worldTime, clockAheadMs }: Pick<Session, "mockOrigin" | "worldTime" | "clockAheadMs">,
): number =>
  mockOrigin() === undefined || call?.answered_at == null
    ? worldTime(at, clockAheadMs())
    : worldTime(call.answered_at, call.ahead_ms);
