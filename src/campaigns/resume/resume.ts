import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session/session.ts";
import { BposError, type ErrorReason, exitCodes } from "../../errors.ts";
import type { JournalCall, KnownSend } from "../../journal/sends.ts";
import {
  earlierMessages,
  machineTime,
  parseRecipients,
  repeatFacts,
  sortUnknown,
  templateLabel,
} from "../send/plan.ts";
import { type SendReport, type SendResult, sendExitCode, sendReportJson, toReport } from "../send/report.ts";
import { type CallTools, sendCalls } from "../send/send-calls.ts";
import { warnOfAnswers, withProgress, writeSendReport } from "../send/show-sending.ts";
import type { ResumeFlags } from "./command.ts";

function newResumeReport(send: KnownSend, calls: readonly JournalCall[], stuck: number): SendReport {
  const peopleIn = (some: readonly JournalCall[]): number =>
    some.reduce((sum, { people }) => sum + people, 0);
  const read = peopleIn(calls);
  const sent = peopleIn(calls.filter(({ state }) => state === "sent"));
  const [testTo] = send.isTest ? calls.flatMap(parseRecipients) : [];
  const known = {
    send_id: send.send_id,
    template: templateLabel(send.template),
    external_ref: send.ref,
    ...(testTo && { testTo: testTo.phone }),
  };
  return toReport(known, { read, planned: read - sent - stuck, already_sent: sent });
}

/** The calls with people who got the template under another reference after this was planned: sending these calls now could message them twice. */
async function findHeldCalls(send: KnownSend, tools: CallTools): Promise<CallTools["held"]> {
  const { sends } = tools.journal;
  const now = machineTime(tools);
  const pending = await sends.pendingPeople(send.send_id);
  const asked = pending.map(({ person }) => person);
  const earlier = await earlierMessages(sends, send, now, asked);

  // Sends from before this plan were confirmed then. The clocks of two machines do not prove which came first.
  const since = earlier.filter(({ afterSeq }) => afterSeq >= send.seq);
  const messaged = new Set(since.map(({ person }) => person));
  const held = pending.filter(({ person }) => messaged.has(person));
  const persons = new Set(held.map(({ person }) => person));
  const facts = repeatFacts(since, (person) => persons.has(person), now);
  if (facts === undefined) return undefined;

  const failure = new BposError("repeat_held", { ...facts, sendRef: send.ref });
  return { calls: new Set(held.map(({ n }) => n)), failure };
}

const metByAll: readonly (ErrorReason | undefined)[] = [
  "access_denied",
  "unavailable",
  "memory_short",
  "interrupted",
  "journal_unreadable",
  "journal_write_failed",
  "journal_older",
  "lock_lost",
];

/** Whether every other send would fail in the same way. */
const isMetByAll = (failure: BposError | undefined): boolean => metByAll.includes(failure?.reason);

async function resumeSends(
  name: string | undefined,
  branch: string,
  tools: CallTools,
  allowRepeat: boolean,
): Promise<SendResult[]> {
  const { sends } = tools.journal;
  const found = await sends.named(branch, name);
  if (name !== undefined && found.length === 0) throw new BposError("send_not_found", { ref: name });

  const results: SendResult[] = [];
  for (const send of found) {
    const calls = await sends.callsOf(send.send_id);
    // Whoever tries a message out may get it as often as they like.
    const held = allowRepeat || send.isTest ? undefined : await findHeldCalls(send, tools);
    const { stuck } = await sortUnknown(calls, await tools.journal.optOuts.all(), sends);
    const report = newResumeReport(send, calls, stuck.size);
    const result = await sendCalls(calls, report, send, { ...tools, held });
    results.push(result);
    if (isMetByAll(result.failure)) break;
  }
  return results;
}

async function writeReports({ output, branchName }: Session, results: readonly SendResult[]): Promise<void> {
  const { format, texts } = output;
  if (format === "json" && results.length !== 1)
    await output.document({ sends: results.map(({ report }) => sendReportJson(report)) });
  else
    for (const result of results)
      await writeSendReport(output, result, { file: null, branch: branchName, isResumed: true });

  if (results.length === 0 && format === "table") await output.notice(texts.notices.nothingOpen);
  for (const result of results) await warnOfAnswers(output, result);
}

export async function resume(
  runtime: Runtime,
  name: string | undefined,
  { allowRepeat = false, lockWait: waitMs }: ResumeFlags,
): Promise<void> {
  const needs = { address: "campaigns_base_url", formats: ["table", "json", "ndjson"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { branch, branchNow, lock } = await session.openJournal({ asks: true });
    const journal = await lock("send", { waitMs });
    const results = await withProgress(runtime, session, journal, (tools) =>
      resumeSends(name, branch, tools, allowRepeat),
    );

    // Only its answers showed that this is a mock.
    if (branchNow() !== branch)
      for (const { report } of results) await journal.sends.move(report.send_id, branchNow());

    // An unknown outcome comes first: `resume` is what settles it.
    const codes = results.map(sendExitCode);
    const worst = codes.includes(exitCodes.unknown) ? exitCodes.unknown : codes.find((code) => code !== 0);
    runtime.exitCode = worst ?? exitCodes.ok;
    const worstResult = results[codes.indexOf(runtime.exitCode)];
    runtime.outcome = worstResult?.report.outcome;

    await writeReports(session, results);
    if (worstResult?.failure) throw worstResult.failure;
  });
}
