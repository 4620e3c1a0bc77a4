import { removeRejectedFile } from "../../cli/files.ts";
import { readInstant } from "../../cli/flags.ts";
import { keepForHistory, mayAsk } from "../../cli/output.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type OpenJournal, type Session, withSession } from "../../cli/session.ts";
import { limits } from "../../contract/limits.ts";
import { BposError } from "../../errors.ts";
import type { SendFlags } from "./command.ts";
import { checkHeader, readHeaderUrl } from "./header.ts";
import type { SendPlan, SendRequest } from "./plan.ts";
import { checkRecipientsFiles, readGivenRecipients, writeLeftOut } from "./recipients-file.ts";
import { type SendReport, type SendResult, sendExitCode, sendFailure, sendReportJson } from "./report.ts";
import { startSending, warnOfDoubts, writeSendReport } from "./run.ts";
import type { Confirmed } from "./send-calls.ts";
import type { ErrorsFile } from "./view.ts";

function templateOf(flags: SendFlags): SendRequest["template"] {
  if ((flags.template === undefined) === (flags.templateId === undefined)) {
    throw new BposError("usage_flag", { problem: { kind: "template_choice" } });
  }
  return {
    ...(flags.template !== undefined && { name: flags.template }),
    ...(flags.templateId !== undefined && { id: flags.templateId }),
    ...(flags.language !== undefined && { language: flags.language }),
  };
}

/** Throws `expected_other_count` unless so many people would be messaged as --expect says. */
function checkExpected({ expect }: SendFlags, planned: number): void {
  if (expect !== undefined && expect !== planned)
    throw new BposError("expected_other_count", { expected: expect, actual: planned });
}

/** Asks before anything goes out; throws `declined`, `not_a_terminal` and `expected_other_count`. */
async function confirm(
  runtime: Runtime,
  flags: SendFlags,
  { planned, question }: { planned: number; question: string },
): Promise<void> {
  checkExpected(flags, planned);
  // With nobody left to message there is nothing to agree to.
  if (flags.yes === true || planned === 0) return;
  if (!mayAsk(runtime)) throw new BposError("not_a_terminal", { flag: "--yes" });
  const { system, signal, texts } = runtime;
  if (!(await system.prompts.confirm(question, signal, texts.questions)))
    throw new BposError("declined", { of: "send" });
}

/** When it is too late, from `--not-after`: a time, or so long from now. */
async function notAfterOf(runtime: Runtime, { notAfter }: SendFlags): Promise<number | null> {
  if (notAfter === undefined) return null;
  const flag = "--not-after";
  const at = await readInstant(runtime, { flag, text: notAfter, coming: true });
  if (at <= runtime.system.clock.now()) {
    throw new BposError("usage_flag", { problem: { kind: "time_over", flag, text: notAfter } });
  }
  return at;
}

/** The phone of `--test-to`, read as those of the file are. */
async function testPhone(
  text: string,
  country: string | undefined,
): Promise<{ phone: string; person: string }> {
  const { countryCode, readPhone } = await import("../../input/phone.ts");
  const read = readPhone(text, {
    column: "--test-to",
    country: country === undefined ? null : countryCode(country),
  });
  if (read.ok) return read;
  throw new BposError("usage_flag", {
    problem: {
      kind: "value",
      flag: "--test-to",
      text,
      problem: { kind: "not_phone", problem: read.problem },
    },
  });
}

async function requestOf(
  runtime: Runtime,
  path: string,
  flags: SendFlags,
  { settings, output }: Session,
): Promise<Omit<SendRequest, "branch">> {
  const { defaultRef } = await import("./plan.ts");
  const { file, reading, excludedPeople } = await readGivenRecipients(runtime, path, flags, {
    output,
    settings,
  });
  return {
    reading,
    excludedPeople,
    ref: flags.ref ?? defaultRef(file.name, file.bytes),
    template: templateOf(flags),
    campaignName: flags.name,
    headerUrl: flags.headerUrl,
    headerField: flags.headerField ?? settings.headerField,
    // The service lists no more of a campaign's recipients than that.
    perCall: flags.trackAll === true ? limits.recipientsReturned : limits.recipientsPerCampaign,
    notAfter: await notAfterOf(runtime, flags),
    isTest: false,
    allowRepeat: flags.allowRepeat === true,
  };
}

/** Shows what would leave: to the person who is asked, on a terminal, or as the result of a dry run. True when it was seen. */
async function preview(
  { system }: Runtime,
  session: Session,
  request: SendRequest,
  { plan, draft, errorsFile }: { plan: SendPlan; draft: SendReport; errorsFile: ErrorsFile | null },
): Promise<boolean> {
  const { output } = session;
  const { firstRecipients } = await import("./plan.ts");
  const { sendPreview } = await import("./view.ts");
  const shown = {
    branch: session.branchName,
    language: request.template.language ?? null,
    params: request.reading.paramNames,
    header_url: request.headerUrl ?? null,
    calls: plan.open.length + plan.calls.length,
    first: firstRecipients(plan, 3),
    file: errorsFile,
  };
  if (draft.dry_run) {
    if (output.format === "table") await output.data(sendPreview(draft, shown, output.ui));
    else await writeSendReport(output, { report: draft }, { file: null, branch: session.branchName });
    return true;
  }
  if (plan.planned === 0 || !system.stderr.isTerminal) return false;
  await output.block(sendPreview(draft, shown, output.errorUi));
  return !output.quiet;
}

/** Sends what was confirmed, while no other bpos sends for this branch. */
async function carryOut(
  runtime: Runtime,
  session: Session,
  request: SendRequest,
  {
    journal,
    branchNow,
    errorsFile,
    ...confirmed
  }: Confirmed & Pick<OpenJournal, "journal" | "branchNow"> & { errorsFile: string | null },
): Promise<SendResult> {
  const { sendCampaign } = await import("./send-calls.ts");
  const { client, output, clockAheadMs } = session;
  const { clock } = runtime.system;
  const sendId = runtime.system.uuid();
  const bar = startSending(runtime.system, output);
  const { signal } = runtime;
  const tools = { client, journal, clock, uuid: () => sendId, signal, clockAheadMs, onProgress: bar.update };
  const result = await sendCampaign(request, confirmed, tools).finally(bar.clear);
  if (errorsFile !== null) result.report.errors_file = errorsFile;
  // A mock has told so only with its answer: nobody was messaged for the real branch.
  if (branchNow() !== request.branch) await journal.sends.move(result.report.send_id, branchNow());
  // Not under the report's own id: a run that planned nothing names an earlier send, which has its own report.
  const report = JSON.stringify(sendReportJson(result.report));
  await keepForHistory(output, () => journal.sends.report(sendId, report));
  return result;
}

/** Throws `usage_flag` and `header_unusable` for what is wrong before anything is read. */
async function checkFlags(runtime: Runtime, path: string, flags: SendFlags): Promise<void> {
  templateOf(flags);
  if (flags.headerUrl !== undefined) readHeaderUrl(flags.headerUrl);
  await checkRecipientsFiles(runtime, path, flags);
}

/** Runs `bpos campaign send`. */
export async function send(runtime: Runtime, path: string, flags: SendFlags): Promise<void> {
  await checkFlags(runtime, path, flags);
  const needs = { address: "campaigns_base_url", formats: ["table", "json", "ndjson"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { output } = session;
    const { newSendReport } = await import("./report.ts");
    const { machineTime, planSend, testRequest } = await import("./plan.ts");
    const dryRun = flags.dryRun === true;
    const { journal, branch, branchNow, lock } = await session.openJournal({ asks: !dryRun });
    const whole = { ...(await requestOf(runtime, path, flags, session)), branch };
    const test =
      flags.testTo === undefined
        ? undefined
        : await testPhone(flags.testTo, flags.country ?? session.settings.country);
    const request = test === undefined ? whole : await testRequest(whole, journal.sends, test);
    const plan = await planSend(request, journal.sends, machineTime({ ...runtime.system, ...session }));
    const draft = newSendReport(request, plan, { sendId: runtime.system.uuid(), dryRun });
    // Known before anything is written: a closed pipe must not hide it.
    if (dryRun) runtime.exitCode = sendExitCode({ report: draft });
    const { errors } = flags;
    // Before the question: whoever would rather correct the rows first says no.
    const written =
      errors === undefined ? null : await writeLeftOut(runtime, { journal, output }, errors, request.reading);
    const errorsFile = written === null ? null : { name: written, exclude: flags.exclude ?? [] };
    if (written !== null) draft.errors_file = written;
    if (plan.dropped > 0)
      await output.warning(runtime.texts.notices.peopleDropped(plan.dropped, request.ref));
    if (plan.planned > 0) await checkHeader(runtime, session, flags);
    const leftOutShown = await preview(runtime, session, request, { plan, draft, errorsFile });
    if (dryRun) {
      for (const { body } of [...plan.open, ...plan.calls])
        session.wouldCall?.("sendCampaign", Buffer.from(body));
      checkExpected(flags, plan.planned);
      return;
    }
    const question =
      test === undefined
        ? runtime.texts.notices.askSend(plan.planned)
        : runtime.texts.notices.askTest(test.phone);
    await confirm(runtime, flags, { planned: plan.planned, question });
    await lock("send");
    const result = await carryOut(runtime, session, request, {
      ...{ journal, branchNow },
      planned: plan.planned,
      expect: flags.expect,
      errorsFile: written,
    });
    runtime.exitCode = sendExitCode(result);
    const source = { file: path, branch: session.branchName };
    await writeSendReport(output, result, { ...source, leftOutShown, errorsFile });
    await output.mismatches(result.mismatches);
    await warnOfDoubts(output, result.report);
    const failure = sendFailure(result);
    if (failure) throw failure;
    if (errors !== undefined && written === null) await removeRejectedFile(runtime.system, journal, errors);
  });
}
