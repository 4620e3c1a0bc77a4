import { age, count, dateTime, number, shown } from "../../cli/display/format.ts";
import { type Column, column, table } from "../../cli/display/table.ts";
import {
  heading,
  note,
  pad,
  paragraph,
  type ReportSource,
  reportTitle,
  textWidth,
  title,
} from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { Hours } from "../../cli/line/hours-flags.ts";
import type { Recipient } from "../../contract/campaign.ts";
import { listProblems } from "../../errors/problems.ts";
import { rowProblemsWords } from "../../errors/words/rows.ts";
import type { UnusedRow } from "../../input/recipients.ts";
import { shellWord } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import type { SendReport, SentCampaign } from "../send-report.ts";
import { verdict } from "../sending/outcome-view.ts";
import { countOf, type Schedule, type Waiting } from "../sending/schedule.ts";
import { statusName } from "../status/view.ts";
import { onlyFailedText } from "./only-failed.ts";
import type { SendRequest } from "./plan.ts";

const maxShown = 10;

export type ErrorsFile = { name: string; exclude: readonly string[] };

export interface SendPreview {
  branch: string;
  request: Pick<SendRequest, "headerUrl" | "template" | "schedule"> & {
    reading: { paramNames: readonly string[] };
  };
  calls: number;
  first: readonly Recipient[];
  /** What the first of them gets, if the template's text is known. */
  message?: string | undefined;
  file: ErrorsFile | null;
  waiting: readonly Waiting[];
  canary: number;
  planned: number;
  /** Whether the service has told that it has the template. */
  isTemplateChecked: boolean;
}

function facts(all: readonly (readonly [label: string, value: string | undefined])[], ui: Ui): string[] {
  const inset = Math.max(...all.map(([label]) => textWidth(label))) + 2;
  return all.flatMap(([label, value]) => {
    if (value === undefined) return [];
    const room = ui.width === undefined ? undefined : ui.width - inset;
    const [first = "", ...more] = paragraph(value, { width: room });
    return [ui.theme.dim(pad(label, inset)) + first, ...more.map((line) => " ".repeat(inset) + line)];
  });
}

type CountName = Exclude<keyof SendReport["recipients"], "errors"> | "service_duplicates";

const countsBefore = [
  "read",
  "duplicates",
  "invalid",
  "excluded",
  "opted_out",
  "already_sent",
  "planned",
] as const;

/** Why rows of the file are left out. */
const leftOutWords = (t: T) => ({
  duplicates: t("Twice in the file"),
  invalid: t("Invalid"),
  excluded: t("Excluded"),
});

function countsTable(
  { recipients, campaigns, testTo }: SendReport,
  names: readonly CountName[],
  ui: Ui,
): string[] {
  if (testTo !== undefined) return [];
  const { t } = ui.texts;
  const words: Record<CountName, string> = {
    read: t("Rows read"),
    planned: t("Planned"),
    added: t("Messaged"),
    ...leftOutWords(t),
    opted_out: t("Opted out // a count"),
    already_sent: t("Sent before"),
    service_duplicates: t("Duplicates (service)"),
  };
  const repeated = campaigns.reduce((sum, call) => sum + call.recipients.duplicates, 0);
  const counts: Record<CountName, number> = { ...recipients, service_duplicates: repeated };
  const { good: added, bad: invalid } = ui.theme;
  const tones: { [N in CountName]?: (text: string) => string } = { added, invalid };
  const style = (text: string, name: CountName): string =>
    counts[name] === 0 ? text : (tones[name]?.(text) ?? text);
  const columns: Column<CountName>[] = [
    column("", 1, (name) => words[name], { shrinkTo: 8 }),
    column(t("Recipients"), 1, (name) => number(counts[name], ui), { align: "right", style }),
  ];
  const some = names.filter((name) => name !== "service_duplicates" || repeated > 0);
  return ["", table(columns, some, ui).trimEnd()];
}

function notShown(all: readonly unknown[], ui: Ui): string[] {
  if (all.length <= maxShown) return [];
  const more = ui.texts.t(
    "{count, plural, one {# more is not shown; --json lists all of them.} other {# more are not shown; --json lists all of them.}}",
    { count: count(all.length - maxShown, ui) },
  );
  return note(more, ui);
}

export function leftOutTable(title: string, rows: readonly UnusedRow[], ui: Ui): string[] {
  if (rows.length === 0) return [];
  const { t } = ui.texts;
  const columns: Column<UnusedRow>[] = [
    column(t("Line"), 1, (row) => shown(row.line), { align: "right" }),
    column(t("Phone"), 1, (row) => shown(row.phone), { shrinkTo: 20 }),
    column(t("Reason"), 1, (row) => rowProblemsWords(listProblems(row), t), {
      shrinkTo: 20,
      wraps: true,
    }),
  ];
  const text = table(columns, rows.slice(0, maxShown), ui).trimEnd();
  return ["", ...heading(title, ui), text, ...notShown(rows, ui)];
}

function leftOutLines(report: SendReport, file: ErrorsFile | null, isShown: boolean, ui: Ui): string[] {
  const { t } = ui.texts;
  const { invalid, duplicates, excluded, external_ref: ref } = report;
  const rows = invalid.length + duplicates.length + excluded.length;
  if (rows === 0) return [];
  const where = file === null ? [] : note(fileText(file, ref, t), ui);
  if (isShown) {
    const above = t(
      "{count, plural, one {# row was} other {# rows were}} left out, as shown above; --json lists all of them.",
      { count: count(rows, ui) },
    );
    return ["", ...note(above, ui), ...where];
  }

  const noFile = t("--errors FILE writes all of them to a file to correct and send.");
  const hint = file === null && invalid.length > 0 ? note(noFile, ui) : where;
  const words = leftOutWords(t);
  return [
    ...leftOutTable(words.invalid, invalid, ui),
    ...leftOutTable(words.duplicates, duplicates, ui),
    ...leftOutTable(words.excluded, excluded, ui),
    ...(hint.length === 0 ? [] : ["", ...hint]),
  ];
}

/** Which file holds the rows left out, and how to send it once it is corrected. */
function fileText({ name, exclude }: ErrorsFile, ref: string, t: T): string {
  const flags = [`--ref ${shellWord(ref)}`, ...exclude.map((file) => `--exclude ${shellWord(file)}`)];
  return t("All rows left out are in {file}: correct it and send that file, with {flags}.", {
    file: name,
    flags: flags.join(" "),
  });
}

function firstRecipients(first: readonly Recipient[], ui: Ui): string[] {
  if (first.length === 0) return [];
  const { t } = ui.texts;
  const columns: Column<Recipient>[] = [
    column(t("Phone"), 1, ({ phone }) => shown(phone)),
    column(t("Variables"), 1, ({ params }) => shown(params.join(" · ")), { shrinkTo: 12 }),
  ];
  return ["", ...heading(t("The first recipients"), ui), table(columns, first, ui).trimEnd()];
}

function messageLines(message: string | undefined, [first]: readonly Recipient[], ui: Ui): string[] {
  if (message === undefined || first === undefined) return [];
  const narrow = { width: ui.width && Math.max(1, ui.width - 2) };
  const lines = message.split("\n").flatMap((line) => paragraph(line, narrow));
  const title = heading(ui.texts.t("The message to {phone}", { phone: first.phone }), ui);
  return ["", ...title, ...lines.map((line) => ui.theme.accent(`│ ${line}`.trimEnd()))];
}

function formatTitle(
  { testTo, dry_run: dryRun }: SendReport,
  { texts: { t } }: Ui,
  isResumed = false,
): string {
  const marks = [...(testTo === undefined ? [] : [t("test")]), ...(dryRun ? [t("dry run")] : [])];
  return [isResumed ? t("Campaign resume") : t("Campaign send"), ...marks].join(" · ");
}

function canaryText(canary: number, { maxFailed, waitMs }: NonNullable<Schedule["canary"]>, ui: Ui): string {
  const limit = count(countOf(maxFailed, canary), ui);
  const facts = { count: count(canary, ui), time: age(waitMs) };
  return limit.n === 0
    ? ui.texts.t(
        "{count, plural, one {# recipient} other {# recipients}} first; the rest unless any of them failed within {time}",
        facts,
      )
    : ui.texts.t(
        "{count, plural, one {# recipient} other {# recipients}} first; the rest unless more than {limit} of them failed within {time}",
        { ...facts, limit },
      );
}

/** Counts the recipients that wait in each country, and says until when. */
function groupText({ countries, people, at }: Waiting, ui: Ui): string {
  return ui.texts.t("{countries}: {count, plural, one {# recipient} other {# recipients}} from {at}", {
    countries: countries.replaceAll(",", ", "),
    count: count(people, ui),
    at: dateTime(at, ui),
  });
}

function hoursText({ between, days }: Hours, t: T): string {
  return days.days.length === 7
    ? t("{between}, in the time of each recipient's country", { between: between.text })
    : t("{between}, {days}, in the time of each recipient's country", {
        between: between.text,
        days: days.text,
      });
}

/** When the calls would leave, in the preview's own lines. */
function scheduleFacts({ request: { schedule }, waiting, canary, planned }: SendPreview, ui: Ui) {
  const { t } = ui.texts;
  const { startAt, hours, pace, canary: terms } = schedule;
  const paceText =
    pace &&
    t("{pace}, so about {time}", {
      pace: pace.text,
      time: age((planned * pace.perMs) / pace.people),
    });
  return [
    [t("Begins"), startAt === undefined ? undefined : dateTime(startAt, ui)],
    [t("Hours"), hours && hoursText(hours, t)],
    ...(hours === undefined ? [] : waiting.map((group) => ["", groupText(group, ui)] as const)),
    [t("Pace"), paceText],
    [t("Canary"), terms && canaryText(canary, terms, ui)],
  ] as const;
}

const testText = (phone: string, t: T): string => t("one message to {phone}", { phone });

/** Returns the first lines of a preview: what would be sent. */
function previewFacts(report: SendReport, preview: SendPreview, ui: Ui) {
  const { t } = ui.texts;
  const { testTo, external_ref: ref } = report;
  const { template, headerUrl, reading } = preview.request;
  // The number of each variable of the template, and the column that fills it.
  const params = reading.paramNames.map((name, at) => `{{${at + 1}}} ${name}`).join(" · ");
  return [
    [t("Test"), testTo && testText(testTo, t)],
    [t("Mode"), ui.badge ?? t("LIVE")],
    [t("Branch"), preview.branch],
    [t("Template"), report.template],
    [t("Language"), template.language ?? t("the template's only one")],
    [t("Variables"), params || t("none // variables")],
    [t("Reference"), ref],
    [t("Header file"), headerUrl],
    ...scheduleFacts(preview, ui),
    [t("Only failed"), onlyFailedText(report, ui)],
  ] as const;
}

export function sendPreview(report: SendReport, preview: SendPreview, ui: Ui): string {
  const { t } = ui.texts;
  const { planned } = report.recipients;
  const wouldSend = t(
    "{count, plural, one {# recipient} other {# recipients}} would be messaged, in {calls, plural, one {# call} other {# calls}}.",
    { count: count(planned, ui), calls: count(preview.calls, ui) },
  );
  return `${[
    ...title(formatTitle(report, ui), ui),
    ...facts(previewFacts(report, preview, ui), ui),
    ...countsTable(report, countsBefore, ui),
    ...firstRecipients(planned === 0 ? [] : preview.first, ui),
    ...messageLines(preview.message, preview.first, ui),
    ...leftOutLines(report, preview.file, false, ui),
    "",
    ...paragraph(planned === 0 ? t("Nobody would be messaged.") : wouldSend, ui).map(ui.theme.strong),
    ...(preview.isTemplateChecked ? [] : note(templateText(t), ui)),
    ...(report.dry_run ? paragraph(t("Nothing was sent."), ui) : []),
  ].join("\n")}\n`;
}

/** Says that the service does not list its templates. */
export const templateText = (t: T): string =>
  t("The template's name and language are checked only at the send.");

function callsTable(campaigns: readonly SentCampaign[], ui: Ui): string[] {
  if (campaigns.length === 0) return [];
  const { t } = ui.texts;
  const [yes, no] = [t("yes"), t("no")];
  const { bad, strong, warn } = ui.theme;
  const amount = (heading: string, priority: number, of: (call: SentCampaign) => number) =>
    column<SentCampaign>(heading, priority, (call) => number(of(call), ui), { align: "right" });
  const isPartial = campaigns.some(({ people, recipients }) => people !== recipients.added);
  const columns: (Column<SentCampaign> | false)[] = [
    column(t("Campaign"), 1, (call) => shown(call.campaign_id), { style: strong }),
    column(t("Status"), 2, (call) => statusName(call.status, ui), {
      style: (text, call) => (call.campaign_id === null ? bad(text) : text),
    }),
    isPartial && amount(t("Recipients"), 3, ({ people }) => people),
    amount(t("Added"), 1, ({ recipients }) => recipients.added),
    amount(t("Duplicates"), 4, ({ recipients }) => recipients.duplicates),
    amount(t("Errors"), 3, ({ recipients }) => recipients.errors.length),
    column(t("Replayed"), 2, (call) => (call.replayed ? yes : no), {
      style: (text, call) => (call.replayed ? warn(text) : text),
    }),
    column(t("Name"), 5, (call) => shown(call.campaign_name), { shrinkTo: 16 }),
  ];
  return ["", table(columns, campaigns, ui).trimEnd()];
}

function serviceErrorLines(errors: readonly string[], ui: Ui): string[] {
  if (errors.length === 0) return [];
  const lines = errors.slice(0, maxShown).flatMap((error) => paragraph(error, ui));
  return ["", ...heading(ui.texts.t("The service left out"), ui), ...lines, ...notShown(errors, ui)];
}

export function statusHint(report: SendReport, t: T): string {
  const [id, ...others] = report.campaigns.flatMap(({ campaign_id }) => campaign_id ?? []);
  if (id === undefined) return "";
  return others.length === 0
    ? t("bpos campaign status {id} shows its status.", { id: shellWord(id) })
    : t("bpos campaign status --ref {ref} shows its status.", { ref: shellWord(report.external_ref) });
}

export interface SendReportContext extends ReportSource {
  sentAt?: number | undefined;
  leftOutShown?: boolean;
  errorsFile?: ErrorsFile | null;
  isResumed?: boolean;
}

export function sendReport(report: SendReport, ui: Ui, context: SendReportContext): string {
  const { t } = ui.texts;
  const { sentAt, leftOutShown = false, errorsFile = null, isResumed } = context;
  // A person who sees both streams has just read them.
  const isShown = leftOutShown && ui.width !== undefined;
  const about = [
    [t("Test"), report.testTo && testText(report.testTo, t)],
    [t("Template"), report.template],
    [t("Reference"), report.external_ref],
    [t("Send"), report.send_id],
    [t("Only failed"), onlyFailedText(report, ui)],
  ] as const;
  const hint = statusHint(report, t);
  return `${[
    ...reportTitle(formatTitle(report, ui, isResumed), context, ui),
    ...verdict(report, sentAt, ui),
    "",
    ...facts(about, ui),
    ...countsTable(report, [...countsBefore, "added", "service_duplicates"], ui),
    ...callsTable(report.campaigns, ui),
    ...serviceErrorLines(report.recipients.errors, ui),
    ...leftOutLines(report, errorsFile, isShown, ui),
    ...(hint === "" ? [] : ["", ...note(hint, ui)]),
  ].join("\n")}\n`;
}
