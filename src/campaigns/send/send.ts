import { keepForHistory, mayAsk, type Output } from "../../cli/display/output.ts";
import { startProgress } from "../../cli/display/progress.ts";
import { checkOutputFile, checkStandardInput, openGiven } from "../../cli/files/named-files.ts";
import { writeRejectedFile } from "../../cli/files/rejected-file.ts";
import { copyForm, newSheet } from "../../cli/files/rejected-rows.ts";
import { removeReport } from "../../cli/files/report-files.ts";
import { flag, fromJournal, onlyGiven } from "../../cli/line/flags.ts";
import { readInstant } from "../../cli/line/instant.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session/session.ts";
import { BposError } from "../../errors.ts";
import { carryOut } from "./carry-out.ts";
import type { SendFlags } from "./command.ts";
import { readHeaderUrl } from "./header.ts";
import { prepare } from "./prepare.ts";
import { preview } from "./preview.ts";

/** A person who named no template chooses one of those sent before, or types its name. */
async function askForTemplate(runtime: Runtime, flags: SendFlags): Promise<SendFlags> {
  if (flags.template !== undefined || flags.templateId !== undefined || !mayAsk(runtime)) return flags;
  const { askValue, valuesKnown } = await import("../../cli/line/ask.ts");
  const { askTemplate } = runtime.texts.notices;
  const values = await valuesKnown(runtime, flag("--template <name>", "", fromJournal("template")));
  return { ...flags, template: await askValue(runtime, askTemplate, { values }) };
}

async function checkFlags(runtime: Runtime, flags: SendFlags, inputs: readonly string[]): Promise<void> {
  const { headerUrl, errors } = flags;
  if ((flags.template === undefined) === (flags.templateId === undefined))
    throw new BposError("usage_flag", { problem: { kind: "template_choice" } });
  if (headerUrl !== undefined) readHeaderUrl(headerUrl);

  for (const input of inputs) checkStandardInput(runtime, input);
  if (inputs.filter((input) => input === "-").length > 1)
    throw new BposError("usage_flag", { problem: { kind: "stdin_twice", of: "files" } });

  if (errors === undefined) return;
  const wanted = { flag: "--errors", file: errors, input: undefined, isRejected: true } as const;
  if (errors === "-")
    throw new BposError("usage_flag", { problem: { kind: "file_not_csv", flag: wanted.flag } });
  await checkOutputFile(runtime.system, wanted);
}

export async function send(runtime: Runtime, path: string, given: SendFlags): Promise<void> {
  const flags = await askForTemplate(runtime, given);
  const { exclude = [], templateText } = flags;
  const inputs = [path, ...exclude, ...(templateText === undefined ? [] : [templateText])];
  await checkFlags(runtime, flags, inputs);

  const needs = { address: "campaigns_base_url", formats: ["table", "json", "ndjson"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { output, settings, branchName: branch } = session;
    const { system, texts } = runtime;
    const { errors, testTo, expect, dryRun = false, exclude = [] } = flags;
    const open = await session.openJournal({ asks: !dryRun });
    const { journal } = open;
    if (!dryRun) await journal.refuseOlder();
    const context = { runtime, path, flags, session, open };
    const whole = await readRequest(context);
    const text =
      flags.templateText && (await readTemplateText(runtime, output, flags.templateText, whole.reading));
    const test = testTo === undefined ? undefined : testPhone(testTo, flags, settings);
    const request = test === undefined ? whole : await testRequest(whole, journal.sends, test);
    request.templateText = text ?? (await mockTemplateText(session, request.template));
    const now = machineTime({ ...system, ...session });
    const plan = await planSend(request, journal.sends, now).catch(async (error: unknown) => {
      if (!isReason(error, "repeat_within_day")) throw error;
      // Whoever did not get that message is not messaged twice by this one.
      const persons = request.reading.recipients.map(({ person }) => person);
      const earlier = await earlierMessages(journal.sends, request, now, persons);
      const ids = [...new Set(earlier.flatMap(({ campaignId }) => campaignId ?? []))];
      request.failed = await failedRecipients(session.client, ids, runtime.signal);
      return planSend(request, journal.sends, now);
    });
    const { planned } = plan;
    const draft = newSendReport(request, plan, system.uuid(), dryRun);
    // Known before anything is written: a closed pipe must not hide it.
    if (dryRun) Object.assign(runtime, { exitCode: sendExitCode({ report: draft }), outcome: draft.outcome });
    // Before the question: whoever would rather correct the rows first says no.
    const written = errors === undefined ? null : await writeLeftOut(context, errors, request.reading);
    const errorsFile = written === null ? null : { name: written, exclude };
    if (written !== null) draft.errors_file = written;
    if (plan.dropped > 0) await output.warning(texts.notices.peopleDropped(plan.dropped, request.ref));
    if (planned > 0 && flags.headerUrl !== undefined && flags.preflight !== false)
      await checkHeader(runtime, session, flags.headerUrl);
    const leftOutShown = await preview(context, request, plan, { draft, file: errorsFile });
    if (dryRun)
      for (const { body } of [...plan.pending, ...plan.calls])
        session.wouldCall?.("sendCampaign", Buffer.from(body));
    if (expect !== undefined && expect !== planned)
      throw new BposError("expected_other_count", { expected: expect, actual: planned });
    if (dryRun) return;
    // With nobody left to message there is nothing to agree to.
    if (flags.yes !== true && planned > 0) await confirm(runtime, planned, test?.phone);
    const held = { ...open, journal: await open.lock("send", { waitMs: flags.lockWait }) };
    const result = await carryOut({ ...context, open: held }, request, planned, written);
    runtime.exitCode = sendExitCode(result);
    runtime.outcome = result.report.outcome;
    await writeSendReport(output, result, { file: path, branch, leftOutShown, errorsFile });
    await warnOfAnswers(output, result);
    if (result.failure) throw result.failure;
    if (errors !== undefined && written === null)
      await removeReport(system, journal, errors, listInputs(context));
  });
}
