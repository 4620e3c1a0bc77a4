import { BposError } from "../../errors.ts";
import type {
  EarlierMessage,
  JournalCall,
  MachineTime,
  SendScope,
  Sends,
  SendTemplate,
} from "../../journal/records/sends.ts";
import { machineTime } from "../machine-time.ts";
import type { CallTools, Scope } from "./call-tools.ts";

const hourMs = 3_600_000;

export const earlierMessages = (
  sends: Sends,
  scope: SendScope & { template: SendTemplate },
  now: MachineTime,
  asked: Iterable<string>,
): Promise<readonly EarlierMessage[]> =>
  sends.messagedElsewhere(scope, { ...now, at: now.at - 24 * hourMs }, asked);

export function repeatFacts(
  earlier: readonly EarlierMessage[],
  isMeant: (person: string) => boolean,
  { at: now }: MachineTime,
): { people: number; ref: string; hoursAgo: number } | undefined {
  const repeated = earlier.filter(({ person }) => isMeant(person));
  const [newest] = repeated;
  if (newest === undefined) return undefined;

  const people = new Set(repeated.map(({ person }) => person));
  const hoursAgo = Math.max(0, Math.floor((now - newest.leftAt) / hourMs));
  return { people: people.size, ref: newest.ref, hoursAgo };
}

/** Calls by `send_id n` that must not leave, and why. */
export interface RepeatHold {
  calls: ReadonlySet<string>;
  failure: BposError<"repeat_held">;
}

/** The calls with people who got the template under another reference after this was planned: sending these calls now could message them twice. */
export async function findHeldCalls(
  scope: Scope,
  calls: readonly JournalCall[],
  tools: Pick<CallTools, "journal" | "clock" | "clockAheadMs">,
): Promise<RepeatHold | undefined> {
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
