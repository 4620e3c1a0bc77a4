import { isoWithOffset } from "../../contract/limits.ts";
import type { Journal } from "../../journal/journal.ts";
import type { PersonCall } from "../../journal/sends.ts";
import { openCanary } from "../send/plan.ts";

import { readSchedule, Timetable } from "../send/schedule.ts";
import { findHeld } from "../send/sending.ts";
import type { NoStatus } from "./view.ts";

const waits = { at: "waits_start", hours: "waits_hours", pace: "waits_pace" } as const;

/** Why a call that is planned has not left yet, as `resume` would find it now. */
export async function explainPlanned(
  { send_id: id, n, ref, isTest }: PersonCall,
  branch: string,
  { journal, clock }: { journal: Journal; clock: { now(): number } },
): Promise<NoStatus> {
  const { sends } = journal;
  const scope = { branch, ref };
  const calls = await sends.callsUnder(scope);
  const own = calls.find((call) => call.send_id === id && call.n === n);
  const [send] = await sends.named(branch, id);
  if (own === undefined || send === undefined) return { kind: "planned" };

  const now = clock.now();
  const { not_after: end } = own;
  if (end !== null && end <= now) return { kind: "too_late", until: isoWithOffset(end) };

  const tools = { journal, clock, clockAheadMs: () => undefined };
  const held = isTest ? undefined : await findHeld({ ...scope, template: send.template }, [own], tools);
  if (held?.calls.has(`${id} ${n}`)) return { kind: "held", ref: held.failure.facts.ref };
  if (own.is_canary === 0 && openCanary(calls).length > 0) return { kind: "canary" };

  const timetable = new Timetable(readSchedule(own.schedule));
  for (const call of calls) if (call.attempted_at !== null) timetable.left(call, call.attempted_at);
  const due = timetable.due(own, now);
  if (due === undefined || due.at <= now) return { kind: "planned" };
  return { kind: waits[due.reason], until: isoWithOffset(due.at) };
}
