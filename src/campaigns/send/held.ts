import { BposError } from "../../errors.ts";
import type { JournalCall } from "../../journal/sends.ts";
import { earlierMessages, machineTime, repeatFacts } from "./plan.ts";
import type { CallTools, Scope } from "./send-calls.ts";

/** Calls by `send_id n` that must not leave, and why. */
export interface Held {
  calls: ReadonlySet<string>;
  failure: BposError<"repeat_held">;
}

/** The calls with people who got the template under another reference after this was planned: sending these calls now could message them twice. */
export async function findHeld(
  scope: Scope,
  calls: readonly JournalCall[],
  tools: Pick<CallTools, "journal" | "clock" | "clockAheadMs">,
): Promise<Held | undefined> {
  const { sends } = tools.journal;
  const ids = new Set(calls.flatMap(({ send_id, state }) => (state === "sent" ? [] : [send_id])));
  const pending = (await Promise.all([...ids].map((id) => sends.pendingPeople(id)))).flat();
  const now = machineTime(tools);
  const asked = pending.map(({ person }) => person);
  const earlier = await earlierMessages(sends, scope, now, asked);

  // Sends from before this plan were confirmed then. The clocks of two machines do not prove which came first.
  const newest = new Map<string, number>();
  for (const { person, afterSeq } of earlier) newest.set(person, Math.max(afterSeq, newest.get(person) ?? 0));
  const held = pending.filter(({ person, seq }) => (newest.get(person) ?? -1) >= seq);
  const persons = new Set(held.map(({ person }) => person));
  const facts = repeatFacts(earlier, (person) => persons.has(person), now);
  if (facts === undefined) return undefined;

  const failure = new BposError("repeat_held", { ...facts, sendRef: scope.ref });
  return { calls: new Set(held.map(({ send_id, n }) => `${send_id} ${n}`)), failure };
}
