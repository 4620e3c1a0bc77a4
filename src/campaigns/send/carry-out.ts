import { keepForHistory } from "../../cli/display/output.ts";
import { removeReport } from "../../cli/files/report-files.ts";
import { spentCost } from "./cost.ts";
import { planAndSend } from "./plan-and-send.ts";
import type { Confirmed } from "./preview.ts";
import { type SendResult, sendExitCode, sendReportJson } from "./report.ts";
import { warnOfAnswers, withProgress, writeSendReport } from "./show-sending.ts";

async function sendAndKeep(confirmed: Confirmed): Promise<SendResult> {
  const { runtime, flags, session, open, request, plan, errorsFile } = confirmed;
  const sendId = runtime.system.uuid();
  const agreed = { planned: plan.planned, expect: flags.expect };
  const result = await withProgress(runtime, session, open, {
    lockWait: flags.lockWait,
    work: (tools) => planAndSend(request, agreed, tools, sendId),
  });
  const { report } = result;
  report.cost = spentCost(result.wentOut, report.campaigns, request.pricing?.rates);
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

/** Sends what was agreed to, and reports it. Throws what stopped it below the report. */
export async function carryOut(confirmed: Confirmed): Promise<void> {
  const { runtime, path, flags, inputs, session, open, errorsFile, leftOutShown } = confirmed;
  const { output, branchName: branch } = session;
  const result = await sendAndKeep(confirmed);

  runtime.exitCode = sendExitCode(result);
  runtime.outcome = result.report.outcome;
  await writeSendReport(output, result, { file: path, branch, leftOutShown, errorsFile });
  await warnOfAnswers(output, result);
  if (result.failure) throw result.failure;

  if (flags.errors !== undefined && errorsFile === null)
    await removeReport(runtime.system, open.journal, flags.errors, inputs);
}
