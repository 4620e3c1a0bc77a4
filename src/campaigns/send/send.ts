import { keepForHistory, mayAsk, type Output } from "../../cli/display/output.ts";
import { startProgress } from "../../cli/display/progress.ts";
import { checkOutputFile, checkStandardInput, openGiven } from "../../cli/files/named-files.ts";
import { copyForm, newSheet, removeRejectedFile, writeRejectedFile } from "../../cli/files/rejected-file.ts";
import { flag, fromJournal, onlyGiven } from "../../cli/line/flags.ts";
import { readInstant } from "../../cli/line/instant.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type OpenJournal, type Session, withSession } from "../../cli/session/session.ts";
import { limits } from "../../contract/limits.ts";
import { BposError, isReason } from "../../errors.ts";
import { type InputFile, unusable } from "../../input/file.ts";
import { countryCode, readPhone, type UsablePhone } from "../../input/phone.ts";
import {
  type ExclusionOptions,
  type Exclusions,
  type RecipientsReading,
  readExclusions,
  readRecipients,
} from "../../input/recipients.ts";
import type { Settings } from "../../settings/settings.ts";
import { failedRecipients } from "../status/read.ts";
import type { SendFlags } from "./command.ts";
import { checkHeader, readHeaderUrl } from "./header.ts";
import {
  defaultRef,
  earlierMessages,
  machineTime,
  parseRecipients,
  planSend,
  type SendPlan,
  type SendRequest,
  testRequest,
} from "./plan.ts";
import {
  doubtsIn,
  newSendReport,
  type SendReport,
  type SendResult,
  sendExitCode,
  sendReportJson,
} from "./report.ts";
import { type CallTools, planAndSend } from "./send-calls.ts";
import { mockTemplateText, readTemplateText, renderTemplate } from "./template-text.ts";
import { type ErrorsFile, type SendReportContext, sendPreview, sendReport, statusHint } from "./view.ts";

type Context = { runtime: Runtime; path: string; flags: SendFlags; session: Session; open: OpenJournal };

const listInputs = ({ path, flags: { exclude = [], templateText } }: Pick<Context, "path" | "flags">) => [
  ...[path, ...exclude],
  ...(templateText === undefined ? [] : [templateText]),
];

async function checkFlags(runtime: Runtime, path: string, flags: SendFlags): Promise<void> {
  const { headerUrl, errors } = flags;
  if ((flags.template === undefined) === (flags.templateId === undefined))
    throw new BposError("usage_flag", { problem: { kind: "template_choice" } });
  if (headerUrl !== undefined) readHeaderUrl(headerUrl);
  const inputs = listInputs({ path, flags });
  for (const input of inputs) checkStandardInput(runtime, input);
  if (inputs.filter((input) => input === "-").length > 1)
    throw new BposError("usage_flag", { problem: { kind: "stdin_twice", of: "files" } });
  const flag = "--errors";
  if (errors === "-") throw new BposError("usage_flag", { problem: { kind: "file_not_csv", flag } });
  if (errors === undefined) return;
  await checkOutputFile(runtime.system, { flag, file: errors, input: undefined, isRejected: true });
}

async function confirm(runtime: Runtime, planned: number, testTo?: string): Promise<void> {
  if (!mayAsk(runtime)) throw new BposError("not_a_terminal", { flag: "--yes" });
  const { system, signal, texts } = runtime;
  const question = testTo === undefined ? texts.notices.askSend(planned) : texts.notices.askTest(testTo);
  if (!(await system.prompts.confirm(question, signal, texts.questions)))
    throw new BposError("declined", { of: "send" });
}

async function readNotAfter(runtime: Runtime, { notAfter: text }: SendFlags): Promise<number | null> {
  if (text === undefined) return null;
  const flag = "--not-after";
  const at = await readInstant(runtime, { flag, text, coming: true });
  if (at <= runtime.system.clock.now())
    throw new BposError("usage_flag", { problem: { kind: "time_over", flag, text } });
  return at;
}

function testPhone(
  text: string,
  { country }: SendFlags,
  { country: usual = "", areaCode: area }: Settings,
): UsablePhone {
  const flag = "--test-to";
  const read = readPhone(text, { column: flag, country: countryCode(country ?? usual), area });
  if (read.ok) return read;
  const problem = { kind: "not_phone", problem: read.problem } as const;
  throw new BposError("usage_flag", { problem: { kind: "value", flag, text, problem } });
}

/** `--sheet` counts here too where the file has a sheet of that name. */
async function readExclusionFile(file: InputFile, options: ExclusionOptions, signal: AbortSignal) {
  try {
    return await readExclusions(file, options, signal);
  } catch (error) {
    const problem = isReason(error, "input_unusable") ? error.facts.problem : undefined;
    if (problem?.kind === "sheet_unknown" || problem?.kind === "no_workbook")
      return readExclusionFile(file, { ...options, sheet: undefined }, signal);
    if (problem?.kind !== "sheets_several") throw error;
    throw unusable(file, { kind: "exclusion_sheets", sheets: problem.sheets });
  }
}

async function readExcluded(
  { runtime: { system, signal, texts }, session: { output }, flags: { exclude = [] } }: Context,
  options: ExclusionOptions,
): Promise<Exclusions> {
  const all = new Map<string, { file: string; line: number }>();
  for (const path of exclude) {
    const file = await openGiven(system, path, output);
    const { people, unreadable, notices } = await readExclusionFile(file, options, signal);
    for (const notice of notices) await output.notice(`${file.name}: ${texts.rows.notice(notice)}`);
    const [first, ...more] = unreadable;
    if (first !== undefined) {
      const problem = { kind: "exclusion_unreadable", row: first.problem, more: more.length } as const;
      throw unusable(file, problem, first.line);
    }
    if (people.size === 0) await output.notice(texts.notices.excludesNobody(file.name));
    for (const [person, place] of people) all.set(person, place);
  }
  return all;
}

async function readRequest(context: Context): Promise<SendRequest> {
  const { runtime, path, flags, session, open } = context;
  const { output, settings } = session;
  const { system, signal, texts } = runtime;
  const { format, delimiter, encoding, phoneColumn, params, fixPhones } = flags;
  const phones = onlyGiven({
    phoneColumn,
    country: flags.country ?? settings.country,
    area: settings.areaCode,
  });
  // What cells of a workbook show, in the region of the message.
  const sheet = { sheet: flags.sheet, locale: flags.language ?? settings.locale };
  const { headerRow } = flags;
  const exclusions = await readExcluded(context, { ...phones, ...sheet });
  const file = await openGiven(system, path, output, flags);
  const bar = startProgress(system, output, texts.notices.reading(file.name));
  const reading = await readRecipients(
    file,
    {
      ...onlyGiven({ format, delimiter, encoding, params, fixPhones, headerRow }),
      ...phones,
      ...sheet,
      exclusions,
    },
    { signal, onProgress: (rows) => bar.update(rows, undefined) },
  ).finally(bar.clear);
  for (const notice of reading.notices) await output.notice(texts.rows.notice(notice));
  const { template = null, templateId = null, language = null } = flags;
  return {
    ...{ reading, excludedPeople: new Set(exclusions.keys()), branch: open.branch },
    ref: flags.ref ?? defaultRef(file.name, file.bytes),
    template: { name: template, id: templateId, language },
    campaignName: flags.name,
    headerUrl: flags.headerUrl,
    headerField: flags.headerField ?? settings.headerField,
    perCall: flags.trackAll === true ? limits.recipientsReturned : limits.recipientsPerCampaign,
    notAfter: await readNotAfter(runtime, flags),
    isTest: false,
    allowRepeat: flags.allowRepeat === true,
  };
}

async function writeLeftOut(
  { runtime, session, open, ...files }: Context,
  errors: string,
  { form, columns, phoneColumn, invalid, duplicates, excluded }: RecipientsReading,
): Promise<string | null> {
  const rows = [...invalid, ...duplicates, ...excluded].sort((a, b) => a.line - b.line);
  if (rows.length === 0) return null;
  const sheet = { ...newSheet(columns, phoneColumn), ...copyForm(form) };
  const rejected = rows.map((row) => ({ ...row, source: "file" as const, codigo: null }));
  return writeRejectedFile(runtime, { ...open, ...session }, errors, {
    ...{ rejected, sheet },
    inputs: listInputs(files),
  });
}

async function preview(
  { runtime, session }: Context,
  request: SendRequest,
  { pending, calls, planned }: SendPlan,
  { draft, file }: { draft: SendReport; file: ErrorsFile | null },
): Promise<boolean> {
  const all = [...pending, ...calls];
  // Each call has one recipient at least.
  const first = all.slice(0, 3).flatMap(parseRecipients).slice(0, 3);
  const { output, branchName: branch } = session;
  const view = (ui: Output["ui"]): string => {
    const { templateText: text } = request;
    const message = text && renderTemplate(text, first[0]?.params ?? []);
    return sendPreview(draft, { branch, file, calls: all.length, first, request, message }, ui);
  };
  if (draft.dry_run) {
    if (output.format === "table") await output.data(view(output.ui));
    else await output.document(sendReportJson(draft));
    return true;
  }
  if (planned === 0 || !runtime.system.stderr.isTerminal) return false;
  await output.block(view(output.errorUi));
  return !output.quiet;
}

export function startSending(
  runtime: Runtime,
  { client, output, clockAheadMs }: Session,
  { journal }: OpenJournal,
) {
  const { system, signal } = runtime;
  const bar = startProgress(system, output, "");
  const tools: CallTools = {
    ...{ client, journal, clock: system.clock, signal, clockAheadMs },
    onProgress: ({ calls, allCalls, people, allPeople }) =>
      bar.update(people, allPeople, output.texts.notices.sending(calls, allCalls)),
  };
  return { tools, bar };
}

async function carryOut(
  { runtime, session, open, flags: { expect } }: Context,
  request: SendRequest,
  planned: number,
  errorsFile: string | null,
): Promise<SendResult> {
  const { journal, branchNow } = open;
  const sendId = runtime.system.uuid();
  const { tools, bar } = startSending(runtime, session, open);
  const result = await planAndSend(request, { planned, expect }, { ...tools, sendId }).finally(bar.clear);
  if (errorsFile !== null) result.report.errors_file = errorsFile;
  // A mock has told so only with its answer: nobody was messaged for the real branch.
  if (branchNow() !== request.branch) await journal.sends.move(result.report.send_id, branchNow());
  // Not under the report's own id: a run that planned nothing names an earlier send, which has its own report.
  const report = JSON.stringify(sendReportJson(result.report));
  await keepForHistory(session.output, () => journal.sends.report(sendId, report));
  return result;
}

export async function writeSendReport(
  output: Output,
  { report, sentAt }: SendResult,
  context: SendReportContext,
): Promise<void> {
  if (output.format !== "table") return output.document(sendReportJson(report));
  const { outcome, invalid, recipients } = report;
  if (output.quiet && outcome === "sent" && invalid.length === 0 && recipients.errors.length === 0) return;
  await output.data(sendReport(report, output.ui, { ...context, sentAt }));
}

export async function warnOfAnswers(output: Output, { report, mismatches }: SendResult): Promise<void> {
  const { notices } = output.texts;
  await output.mismatches(mismatches);
  const doubts = doubtsIn(report.campaigns);
  if (doubts === undefined) return;
  const { unaccounted, people, unconfirmed } = doubts;
  const next = statusHint(report, output.texts);
  if (unaccounted > 0) await output.warning(notices.unaccounted(unaccounted, people, next));
  const [first, ...more] = unconfirmed;
  if (first !== undefined)
    await output.warning(notices.statusNotSent(first.campaign_id ?? "", first.status, more.length, next));
}

/** A person who named no template chooses one of those sent before, or types its name. */
async function withTemplate(runtime: Runtime, flags: SendFlags): Promise<SendFlags> {
  if (flags.template !== undefined || flags.templateId !== undefined || !mayAsk(runtime)) return flags;
  const { askValue, valuesKnown } = await import("../../cli/line/ask.ts");
  const { askTemplate } = runtime.texts.notices;
  const values = await valuesKnown(runtime, flag("--template <name>", "", fromJournal("template")));
  return { ...flags, template: await askValue(runtime, askTemplate, { values }) };
}

export async function send(runtime: Runtime, path: string, given: SendFlags): Promise<void> {
  const flags = await withTemplate(runtime, given);
  await checkFlags(runtime, path, flags);
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
      await removeRejectedFile(system, journal, errors, listInputs(context));
  });
}
