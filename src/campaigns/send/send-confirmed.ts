import { keepForHistory } from "../../cli/display/output.ts";
import { removeReport } from "../../cli/files/report-files.ts";
import { toUnsent } from "../../errors/unsent.ts";
import { BposError } from "../../errors.ts";
import { machineTime } from "../machine-time.ts";
import { type SendReport, type SendResult, sendExitCode, sendReportJson } from "../send-report.ts";
import type { CallTools } from "../sending/call-tools.ts";
import { newSending } from "../sending/round.ts";
import { keepSchedule } from "../sending/schedule.ts";
import { sendAndWait } from "../sending/send-and-wait.ts";
import { warnOfAnswers, withCallTools, writeSendReport } from "../sending/show-sending.ts";
import { templateLabel } from "../template.ts";
import { newSendReport, planSend, type SendRequest, writeCalls } from "./plan.ts";
import type { Confirmed } from "./preview.ts";

/** Plans again with the current journal, and records the plan, all or nothing. `planned` is the number of recipients that was shown. */
async function keepPlan(
  request: SendRequest,
  { planned: shown, expect }: { planned: number; expect: number | undefined },
  tools: CallTools,
  newId: string,
): Promise<SendReport> {
  const { branch, ref, template, templateText, notAfter, isTest } = request;
  const schedule = keepSchedule(request.schedule);
  const { paramNames } = request.reading;

  const now = machineTime(tools);
  // Nobody else plans under the lock, so this needs no transaction: one that takes so long could look like one that hangs.
  const plan = await planSend(request, tools.journal, now);
  const { planned, pending, sent } = plan;
  if (expect === undefined ? planned > shown : planned !== expect)
    throw new BposError("expected_other_count", { expected: expect ?? shown, actual: planned });

  return tools.journal.transaction(async ({ sends }) => {
    // The latest confirmation also applies to pending calls.
    await sends.setTerms(request, { notAfter, schedule });
    await sends.forgetUnsent(request);
    const excluded = request.reading.excluded.flatMap(({ person }) => person ?? []);
    await sends.leaveOut(request, { at: now.at, template: templateLabel(template) }, [
      ...excluded.map((person) => ({ person, reason: "excluded" }) as const),
      ...(request.leftOut ?? []),
      ...plan.optedOut.map((person) => ({ person, reason: "opted_out" }) as const),
    ]);

    let sendId = newId;
    if (plan.calls.length > 0) {
      const about = { branch, ref, template, templateText, notAfter, schedule, isTest, paramNames };
      await sends.plan({ send_id: sendId, at: now.at, ...about }, writeCalls(request, plan));
    } else sendId = (pending[0] ?? sent.at(-1))?.send_id ?? sendId;

    return newSendReport(request, plan, sendId, false);
  });
}

/** Plans again and sends. Throws `expected_other_count` if the plan is not the one that the user confirmed. */
export async function planAndSend(
  request: SendRequest,
  confirmed: { planned: number; expect: number | undefined },
  tools: CallTools,
  newId: string,
): Promise<SendResult> {
  const report = await keepPlan(request, confirmed, tools, newId);
  // The journal has them: a million rows would take more memory than all else.
  request.reading.recipients = [];
  const { allowRepeat, isTest } = request;
  const how = { isPlanned: true, allowRepeat: allowRepeat || isTest, inFlight: tools.inFlight };
  const sending = newSending(request, report, how);
  await sendAndWait([sending], tools);
  return sending.result;
}

/** Sends under the lock of the branch, and keeps the report in the journal. */
async function sendUnderLock(confirmed: Confirmed): Promise<SendResult> {
  const { runtime, flags, session, open, request, plan, errorsFile } = confirmed;
  const sendId = runtime.system.uuid();
  // It is planned again under the lock, and these have rows of the file.
  plan.calls = [];
  const agreed = { planned: plan.planned, expect: flags.expect };
  const result = await withCallTools(runtime, session, open, {
    lockWait: flags.lockWait,
    inFlight: flags.inFlight,
    work: (tools) => planAndSend(request, agreed, tools, sendId),
  });
  const { report } = result;
  if (errorsFile !== null) report.errors_file = errorsFile.name;

  // Only its answer showed that this is a mock: nobody of the real branch was messaged.
  const { journal, branchNow } = open;
  const branch = branchNow();
  if (branch !== request.branch) await journal.sends.move(report.send_id, branch);

  // Not under the report's own id: a run that planned nothing names an earlier send, which has its own report.
  const json = JSON.stringify(sendReportJson(report));
  await keepForHistory(session.output, () => journal.sends.report(sendId, json));
  return result;
}

/** Sends what was confirmed, and writes the report. Throws what stopped the send, after the report. */
export async function sendConfirmed(confirmed: Confirmed): Promise<void> {
  const { runtime, path, flags, inputs, session, open, errorsFile, leftOutShown } = confirmed;
  const { output, branchName: branch } = session;
  const result = await sendUnderLock(confirmed);

  runtime.exitCode = sendExitCode(result);
  runtime.outcome = result.report.outcome;
  await writeSendReport(output, result, { file: path, branch, leftOutShown, errorsFile });
  await warnOfAnswers(output, result);
  if (result.failure) throw result.report.campaigns.length > 0 ? result.failure : toUnsent(result.failure);

  if (flags.errors !== undefined && errorsFile === null)
    await removeReport(runtime.system, open.journal, flags.errors, inputs);
}
