import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session/session.ts";
import { BposError, exitCodes } from "../../errors.ts";
import type { JournalCall, KnownSend } from "../../journal/records/sends.ts";
import { type SendReport, type SendResult, sendExitCode, sendReportJson, toReport } from "../send-report.ts";
import type { CallTools } from "../sending/call-tools.ts";
import { phonesIn } from "../sending/calls.ts";
import { sortUnknown } from "../sending/opted-out.ts";
import { newSending, type Sending } from "../sending/round.ts";
import { sendAndWait } from "../sending/send-and-wait.ts";
import { warnOfAnswers, withCallTools, writeSendReport } from "../sending/show-sending.ts";
import { templateLabel } from "../template.ts";
import type { ResumeFlags } from "./command.ts";

export async function resume(
  runtime: Runtime,
  name: string | undefined,
  { allowRepeat = false, ignoreCanary = false, lockWait, inFlight }: ResumeFlags,
): Promise<void> {
  const needs = { address: "campaigns_base_url", formats: ["table", "json", "ndjson"] } as const;
  await withSession(runtime, needs, async (session) => {
    const open = await session.openJournal({ asks: true });
    const { branch, branchNow, journal } = open;
    const work = (tools: CallTools): Promise<SendResult[]> =>
      resumeSends(name, branch, tools, { allowRepeat, ignoreCanary });
    const results = await withCallTools(runtime, session, open, { lockWait, inFlight, work });

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

function newResumeReport(
  send: KnownSend,
  calls: readonly JournalCall[],
  stuck: number,
  testTo: string | undefined,
): SendReport {
  const peopleIn = (some: readonly JournalCall[]): number =>
    some.reduce((sum, { people }) => sum + people, 0);
  const read = peopleIn(calls);
  const sent = peopleIn(calls.filter(({ state }) => state === "sent"));
  const known = {
    send_id: send.send_id,
    template: templateLabel(send.template),
    external_ref: send.ref,
    ...(testTo !== undefined && { testTo }),
  };
  return toReport(known, { read, planned: read - sent - stuck, already_sent: sent });
}

async function resumeSends(
  name: string | undefined,
  branch: string,
  tools: CallTools,
  how: { allowRepeat: boolean; ignoreCanary: boolean },
): Promise<SendResult[]> {
  const { sends } = tools.journal;
  const found = await sends.named(branch, name);
  if (name !== undefined && found.length === 0) throw new BposError("send_not_found", { ref: name });

  const sendings: Sending[] = [];
  for (const send of found) {
    const calls = await sends.callsOf(send.send_id);
    const { stuck } = await sortUnknown(calls, await tools.journal.optOuts.all(), sends);
    const [testTo] = send.isTest ? (await sends.whole(calls)).flatMap(phonesIn) : [];
    const report = newResumeReport(send, calls, stuck.size, testTo);
    // A test may be repeated at any time.
    const allowRepeat = how.allowRepeat || send.isTest;
    const own = { ...how, allowRepeat, sendId: send.send_id, inFlight: tools.inFlight };
    sendings.push(newSending(send, report, own));
  }
  return sendAndWait(sendings, tools);
}

async function writeReports({ output, branchName }: Session, results: readonly SendResult[]): Promise<void> {
  const { format, texts } = output;
  if (format === "json" && results.length !== 1)
    await output.document({ sends: results.map(({ report }) => sendReportJson(report)) });
  else
    for (const result of results)
      await writeSendReport(output, result, { file: null, branch: branchName, isResumed: true });

  const none = texts.t("Nothing to resume: this machine's journal has no pending sends.");
  if (results.length === 0 && format === "table") await output.notice(none);
  for (const result of results) await warnOfAnswers(output, result);
}
