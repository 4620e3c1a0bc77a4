import { dateTime } from "../../cli/display/format.ts";
import { mayAsk, type Output } from "../../cli/display/output.ts";
import { writeRejectedFile } from "../../cli/files/rejected-file.ts";
import { copyForm, newSheet } from "../../cli/files/rejected-rows.ts";
import { questionWords } from "../../cli/line/questions.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError } from "../../errors.ts";
import type { T } from "../../texts/texts.ts";
import { type SendReport, sendExitCode, sendReportJson } from "../send-report.ts";
import type { ErrorsFile } from "../sending/report-view.ts";
import { renderTemplate } from "../template.ts";
import { checkHeader } from "./header.ts";
import { firstRecipients, newSendReport, writeCalls } from "./plan.ts";
import type { Prepared } from "./prepare.ts";
import { findTemplate } from "./template-text.ts";
import { sendPreview, uncheckedTemplateText } from "./view.ts";

/** A plan that the user, or `--yes`, confirmed. */
export interface Confirmed extends Prepared {
  errorsFile: ErrorsFile | null;
  /** Whether the rows that are left out have been shown. */
  leftOutShown: boolean;
}

async function writeLeftOut({
  runtime,
  flags,
  inputs,
  session,
  open,
  request,
}: Prepared): Promise<ErrorsFile | null> {
  const { errors, exclude = [] } = flags;
  const { form, columns, phoneColumn, invalid, duplicates, excluded } = request.reading;
  const rows = [...invalid, ...duplicates, ...excluded].sort((a, b) => a.line - b.line);
  if (errors === undefined || rows.length === 0) return null;

  const sheet = { ...newSheet(columns, phoneColumn), ...copyForm(form) };
  const rejected = rows.map((row) => ({ ...row, source: "file" as const, codigo: null }));
  const desk = { journal: open.journal, output: session.output };
  const name = await writeRejectedFile(runtime, desk, errors, { rejected, sheet, inputs });
  return { name, exclude };
}

/** Checks that a mock, which lists its templates, has the one of the request. Throws `template_unknown`. */
function checkTemplate({ request: { template }, templates }: Prepared): void {
  if (templates === undefined || findTemplate(templates, template) !== undefined) return;
  const asked = template.name ?? template.id ?? "";
  const known = templates.map(({ name, id }) => (template.name === null ? id : name)).join(", ");
  throw new BposError("template_unknown", { template: asked, known });
}

function formatPreview(
  { session, request, plan, waiting, templates }: Prepared,
  draft: SendReport,
  file: ErrorsFile | null,
  ui: Output["ui"],
): string {
  const calls = [...plan.pending, ...plan.calls];
  // Each call has one recipient at least.
  const first = calls.slice(0, 3).flatMap(firstRecipients).slice(0, 3);
  const { templateText } = request;
  const message = templateText && renderTemplate(templateText, first[0]?.params ?? []);
  const about = {
    branch: session.branchName,
    file,
    calls: calls.length,
    first,
    request,
    message,
    waiting,
    canary: plan.canary,
    planned: plan.planned,
    isTemplateChecked: templates !== undefined,
  };
  return sendPreview(draft, about, ui);
}

async function writeDryRun(
  prepared: Prepared,
  draft: SendReport,
  errorsFile: ErrorsFile | null,
): Promise<void> {
  const { session, plan } = prepared;
  const { output, wouldCall } = session;
  if (output.format === "table") await output.data(formatPreview(prepared, draft, errorsFile, output.ui));
  else {
    if (prepared.templates === undefined) await output.notice(uncheckedTemplateText(output.texts.t));
    await output.document(sendReportJson(draft));
  }

  if (wouldCall === undefined) return;
  for (const { body } of plan.pending) wouldCall("sendCampaign", Buffer.from(body));
  for (const { body } of writeCalls(prepared.request, plan)) wouldCall("sendCampaign", Buffer.from(body));
}

/** Shows a person what would be sent; returns whether they have seen it. */
async function show(prepared: Prepared, draft: SendReport, errorsFile: ErrorsFile | null): Promise<boolean> {
  const { runtime, session, plan } = prepared;
  const { output } = session;
  if (plan.planned === 0 || !runtime.system.stderr.isTerminal) return false;
  await output.block(formatPreview(prepared, draft, errorsFile, output.errorUi));
  return !output.quiet;
}

async function ask(runtime: Runtime, planned: number, testTo: string | undefined): Promise<void> {
  if (!mayAsk(runtime)) throw new BposError("not_a_terminal", { flag: "--yes" });
  const { system, signal, texts } = runtime;
  const { t } = texts;
  const question =
    testTo === undefined
      ? t("Send to {count, plural, one {# recipient} other {# recipients}} now?", { count: planned })
      : t("Send one test message to {phone} now?", { phone: testTo });
  const agrees = await system.prompts.confirm(question, signal, questionWords(texts.t));
  if (!agrees) throw new BposError("declined", { of: "send" });
}

/** Asks whether to send outside the hours of the profile. Throws `outside_hours` where nobody can be asked. */
async function askOutside({ runtime, flags, session, waiting }: Prepared): Promise<boolean> {
  const { between, days } = session.settings.hours;
  const areProfiles = flags.between === undefined && flags.days === undefined && flags.at === undefined;
  const outside = waiting.filter(({ reason }) => reason === "hours");
  const [first] = outside;
  if (!areProfiles || first === undefined) return false;

  const people = outside.reduce((sum, each) => sum + each.people, 0);
  const hours = between ?? days ?? "";
  if (!mayAsk(runtime))
    throw new BposError("outside_hours", { people, hours, until: isoWithOffset(first.at) });
  const { system, signal, texts } = runtime;
  const question = texts.t(
    "{count, plural, one {# recipient is} other {# recipients are}} outside the hours of this profile ({hours}) and will wait until {until}. Send?",
    { count: people, hours, until: dateTime(first.at, session.output.errorUi) },
  );
  const agrees = await system.prompts.confirm(question, signal, questionWords(texts.t));
  if (!agrees) throw new BposError("declined", { of: "send" });
  return true;
}

/** Says that recipients of an earlier send are excluded. */
const droppedText = (people: number, ref: string, t: T): string =>
  t(
    'Warning: {count, plural, one {# recipient of an earlier send under "{ref}" was not messaged and is not in this file} other {# recipients of an earlier send under "{ref}" were not messaged and are not in this file}}. This send will not message them; `bpos campaign resume` would.',
    { count: people, ref },
  );

/** Shows the plan and asks for confirmation; returns undefined after a dry run, which ends here. */
export async function preview(prepared: Prepared): Promise<Confirmed | undefined> {
  const { runtime, flags, session, request, plan } = prepared;
  const { dryRun = false, preflight = true, headerUrl, expect, yes = false } = flags;
  const { planned, dropped } = plan;
  const { output } = session;
  const draft = newSendReport(request, plan, runtime.system.uuid(), dryRun);
  // With --yes the service itself refuses it right away.
  if (dryRun || (!yes && runtime.system.stderr.isTerminal)) checkTemplate(prepared);
  const [first] = prepared.waiting;
  if (first !== undefined) {
    const people = prepared.waiting.reduce((sum, each) => sum + each.people, 0);
    draft.waiting = { people, until: first.at, reason: first.reason };
  }
  if (dryRun) {
    // Set before anything is written: a closed pipe must not hide it.
    runtime.exitCode = sendExitCode({ report: draft });
    runtime.outcome = draft.outcome;
  }

  // Before the question, so the user can say no and correct the rows first.
  const errorsFile = await writeLeftOut(prepared);
  if (errorsFile !== null) draft.errors_file = errorsFile.name;
  if (dropped > 0) await output.warning(droppedText(dropped, request.ref, output.texts.t));
  if (planned > 0 && headerUrl !== undefined && preflight) await checkHeader(runtime, session, headerUrl);

  let leftOutShown = false;
  if (dryRun) await writeDryRun(prepared, draft, errorsFile);
  else leftOutShown = await show(prepared, draft, errorsFile);

  if (expect !== undefined && expect !== planned)
    throw new BposError("expected_other_count", { expected: expect, actual: planned });
  if (dryRun) return undefined;

  // With nobody left to message there is nothing to confirm.
  const hasAgreed = await askOutside(prepared);
  if (!hasAgreed && !yes && planned > 0) await ask(runtime, planned, draft.testTo);
  return { ...prepared, errorsFile, leftOutShown };
}
