import { BposError, type ErrorReason } from "../../errors.ts";
import type { JournalCall, KnownSend } from "../../journal/sends.ts";
import { earlierMessages, machineTime, recipientsOf, repeatFacts, templateLabel } from "../send/plan.ts";
import { reportOf, type SendReport, type SendResult } from "../send/report.ts";
import { type CallTools, forgetRefused, sendCalls } from "../send/send-calls.ts";

const peopleIn = (calls: readonly JournalCall[]): number =>
  calls.reduce((sum, { people }) => sum + people, 0);

function reportBefore(send: KnownSend, calls: readonly JournalCall[]): SendReport {
  const read = peopleIn(calls);
  const sent = peopleIn(calls.filter(({ state }) => state === "sent"));
  const [testTo] = send.isTest ? calls.flatMap(recipientsOf) : [];
  const known = {
    ...{ send_id: send.send_id, template: templateLabel(send.template), external_ref: send.ref },
    ...(testTo && { testTo: testTo.phone }),
  };
  return reportOf(known, { read, planned: read - sent, already_sent: sent });
}

/** The calls with people who got the template under another reference after this was planned: to send them now could be twice. */
async function heldCalls(send: KnownSend, tools: CallTools): Promise<CallTools["held"]> {
  const { sends } = tools.journal;
  const now = machineTime(tools);
  // What the branch had sent before this was planned was agreed to then; within one millisecond nobody knows.
  const since = (await earlierMessages(sends, send, now)).filter(
    ({ seq, attemptedAt }) => seq > send.seq || attemptedAt >= send.at,
  );
  const messaged = new Set(since.map(({ person }) => person));
  const open = (await sends.pendingPeople(send.send_id)).filter(({ person }) => messaged.has(person));
  const persons = new Set(open.map(({ person }) => person));
  const [newest, ...others] = since.filter(({ person }) => persons.has(person));
  if (newest === undefined) return undefined;
  const facts = { ...repeatFacts([newest, ...others], now), sendRef: send.ref };
  return { calls: new Set(open.map(({ n }) => n)), failure: new BposError("repeat_held", facts) };
}

async function resumeSend(send: KnownSend, tools: CallTools & { allowRepeat: boolean }): Promise<SendResult> {
  const { journal, allowRepeat } = tools;
  const calls = await journal.sends.callsOf(send.send_id);
  // Whoever tries a message out may get it as often as they like.
  const held = allowRepeat || send.isTest ? undefined : await heldCalls(send, tools);
  const result = await sendCalls(calls, reportBefore(send, calls), { ...tools, held });
  await forgetRefused(journal.sends, send, result);
  return result;
}

const endOfAll: ReadonlySet<ErrorReason> = new Set([
  ...(["access_denied", "unavailable", "interrupted"] as const),
  ...(["journal_unreadable", "journal_write_failed"] as const),
]);

/** Whether what stopped one send would stop the next one too. */
const stopsAll = (failure: BposError | undefined): boolean =>
  failure !== undefined && endOfAll.has(failure.reason);

/**
 * Finishes the sends of a branch that have this id or reference, or without a name all that are open: the same bytes with the same
 * keys, and what never left. Nobody else may be sending for the branch meanwhile. Throws `send_not_found`.
 *
 * @example
 * const results = await resumeSends("s-17", branch, { client, journal, clock, signal, allowRepeat: false });
 */
export async function resumeSends(
  name: string | undefined,
  branch: string,
  tools: CallTools & { allowRepeat: boolean },
): Promise<SendResult[]> {
  const sends = await tools.journal.sends.named(branch, name);
  if (name !== undefined && sends.length === 0) throw new BposError("send_not_found", { ref: name });
  const results: SendResult[] = [];
  for (const send of sends) {
    const result = await resumeSend(send, tools);
    results.push(result);
    if (stopsAll(result.failure)) break;
  }
  return results;
}
