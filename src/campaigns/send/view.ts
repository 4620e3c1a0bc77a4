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
import type { Recipient } from "../../contract/campaign.ts";
import { listProblems } from "../../errors/problems.ts";
import { rowProblemsWords } from "../../errors/words/rows.ts";
import type { UnusedRow } from "../../input/recipients.ts";
import { statusName } from "../status/view.ts";
import { onlyFailedText } from "./only-failed.ts";
import type { SendRequest } from "./plan.ts";
import type { SendReport, SentCampaign } from "./report.ts";
import { countOf, type Waiting } from "./schedule.ts";

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

type CountName = keyof Ui["texts"]["send"]["counts"];

const countsBefore = [
  "read",
  "duplicates",
  "invalid",
  "excluded",
  "opted_out",
  "already_sent",
  "planned",
] as const;

function countsTable(
  { recipients, campaigns, testTo }: SendReport,
  names: readonly CountName[],
  ui: Ui,
): string[] {
  if (testTo !== undefined) return [];
  const words = ui.texts.send;
  const repeated = campaigns.reduce((sum, call) => sum + call.recipients.duplicates, 0);
  const counts: Record<CountName, number> = { ...recipients, service_duplicates: repeated };
  const { good: added, bad: invalid } = ui.theme;
  const tones: { [N in CountName]?: (text: string) => string } = { added, invalid };
  const style = (text: string, name: CountName): string =>
    counts[name] === 0 ? text : (tones[name]?.(text) ?? text);
  const columns: Column<CountName>[] = [
    column(words.columns.what, 1, (name) => words.counts[name], { shrinkTo: 8 }),
    column(words.columns.count, 1, (name) => number(counts[name], ui), { align: "right", style }),
  ];
  const some = names.filter((name) => name !== "service_duplicates" || repeated > 0);
  return ["", table(columns, some, ui).trimEnd()];
}

const notShown = (all: readonly unknown[], ui: Ui): string[] =>
  all.length > maxShown ? note(ui.texts.send.more(count(all.length - maxShown, ui)), ui) : [];

export function leftOutTable(title: string, rows: readonly UnusedRow[], ui: Ui): string[] {
  if (rows.length === 0) return [];
  const titles = ui.texts.send.leftOut;
  const columns: Column<UnusedRow>[] = [
    column(titles.line, 1, (row) => shown(row.line), { align: "right" }),
    column(titles.phone, 1, (row) => shown(row.phone), { shrinkTo: 20 }),
    column(titles.reason, 1, (row) => rowProblemsWords(listProblems(row), ui.texts.t), {
      shrinkTo: 20,
      wraps: true,
    }),
  ];
  const text = table(columns, rows.slice(0, maxShown), ui).trimEnd();
  return ["", ...heading(title, ui), text, ...notShown(rows, ui)];
}

function leftOutLines(report: SendReport, file: ErrorsFile | null, isShown: boolean, ui: Ui): string[] {
  const words = ui.texts.send;
  const { invalid, duplicates, excluded, external_ref: ref } = report;
  const rows = invalid.length + duplicates.length + excluded.length;
  if (rows === 0) return [];
  const where = file === null ? [] : note(words.file(file.name, ref, file.exclude), ui);
  if (isShown) return ["", ...note(words.leftOutAbove(count(rows, ui)), ui), ...where];
  const hint = file === null && invalid.length > 0 ? note(words.noFile, ui) : where;
  return [
    ...leftOutTable(words.counts.invalid, invalid, ui),
    ...leftOutTable(words.counts.duplicates, duplicates, ui),
    ...leftOutTable(words.counts.excluded, excluded, ui),
    ...(hint.length === 0 ? [] : ["", ...hint]),
  ];
}

function firstRecipients(first: readonly Recipient[], ui: Ui): string[] {
  if (first.length === 0) return [];
  const { first: titles, firstTitle } = ui.texts.send;
  const columns: Column<Recipient>[] = [
    column(titles.phone, 1, ({ phone }) => shown(phone)),
    column(titles.params, 1, ({ params }) => shown(params.join(" · ")), { shrinkTo: 12 }),
  ];
  return ["", ...heading(firstTitle, ui), table(columns, first, ui).trimEnd()];
}

function messageLines(message: string | undefined, [first]: readonly Recipient[], ui: Ui): string[] {
  if (message === undefined || first === undefined) return [];
  const narrow = { width: ui.width && Math.max(1, ui.width - 2) };
  const lines = message.split("\n").flatMap((line) => paragraph(line, narrow));
  const title = heading(ui.texts.send.message(first.phone), ui);
  return ["", ...title, ...lines.map((line) => ui.theme.accent(`│ ${line}`.trimEnd()))];
}

function formatTitle(
  { testTo, dry_run: dryRun }: SendReport,
  { texts: { send: words } }: Ui,
  isResumed = false,
): string {
  const marks = [...(testTo === undefined ? [] : [words.testMark]), ...(dryRun ? [words.dryRunMark] : [])];
  return [isResumed ? words.resumeTitle : words.title, ...marks].join(" · ");
}

/** When the calls would leave, in the preview's own lines. */
function scheduleFacts({ request: { schedule }, waiting, canary, planned }: SendPreview, ui: Ui) {
  const words = ui.texts.send;
  const { labels } = words;
  const { startAt, hours, pace, canary: terms } = schedule;
  const groups = waiting.map(({ countries, people, at }) =>
    words.waitsFor(countries.replaceAll(",", ", "), count(people, ui), dateTime(at, ui)),
  );
  const days = hours?.days.days.length === 7 ? null : hours?.days.text;
  const limit = terms && count(countOf(terms.maxFailed, canary), ui);
  return [
    [labels.at, startAt === undefined ? undefined : dateTime(startAt, ui)],
    [labels.hours, hours && words.hours(hours.between.text, days ?? null)],
    ...(hours === undefined ? [] : groups.map((text) => ["", text] as const)),
    [labels.pace, pace && words.pace(pace.text, age((planned * pace.perMs) / pace.people))],
    [labels.canary, terms && limit && words.canary(count(canary, ui), age(terms.waitMs), limit)],
  ] as const;
}

export function sendPreview(report: SendReport, preview: SendPreview, ui: Ui): string {
  const words = ui.texts.send;
  const { labels } = words;
  const { testTo, dry_run: dryRun, external_ref: ref, recipients } = report;
  const { template, headerUrl, reading } = preview.request;
  const { planned } = recipients;
  const params = reading.paramNames.map(words.variable).join(" · ");
  const wouldSend = words.wouldSend(count(planned, ui), count(preview.calls, ui));
  const about = [
    [labels.test, testTo && words.test(testTo)],
    [labels.mode, ui.badge ?? words.live],
    [labels.branch, preview.branch],
    [labels.template, report.template],
    [labels.language, template.language ?? words.anyLanguage],
    [labels.variables, params || words.noVariables],
    [labels.ref, ref],
    [labels.header, headerUrl],
    ...scheduleFacts(preview, ui),
    [labels.onlyFailed, onlyFailedText(report, ui)],
  ] as const;
  return `${[
    ...title(formatTitle(report, ui), ui),
    ...facts(about, ui),
    ...countsTable(report, countsBefore, ui),
    ...firstRecipients(planned === 0 ? [] : preview.first, ui),
    ...messageLines(preview.message, preview.first, ui),
    ...leftOutLines(report, preview.file, false, ui),
    "",
    ...paragraph(planned === 0 ? words.nobody : wouldSend, ui).map(ui.theme.strong),
    ...(preview.isTemplateChecked ? [] : note(words.templateAtSend, ui)),
    ...(dryRun ? paragraph(words.dryRun, ui) : []),
  ].join("\n")}\n`;
}

function verdict(
  { outcome, campaigns, unsent, waiting, recipients }: SendReport,
  sentAt: number | undefined,
  ui: Ui,
) {
  const words = ui.texts.send;
  const { good, warn, bad, strong } = ui.theme;
  const loud = (text: string): string => strong(warn(text));
  const tones = { sent: good, replayed: loud, partial: warn, refused: bad, unknown: bad, nothing: warn };
  const said = outcome === "sent" ? words.outcome.sent(count(recipients.added, ui)) : words.outcome[outcome];
  const lines = paragraph(said, ui).map(tones[outcome]);
  const replayed = campaigns.filter((call) => call.replayed).length;
  if (outcome === "replayed" && sentAt !== undefined) {
    const at = dateTime(sentAt, ui);
    lines.push(...paragraph(words.replayedAt(at, age(ui.now - sentAt)), ui));
  } else if (outcome !== "replayed" && replayed > 0) {
    const some = words.replayedCalls(count(replayed, ui), count(campaigns.length, ui));
    lines.push(...paragraph(some, ui).map(loud));
  }
  if (unsent !== undefined && (outcome === "unknown" || outcome === "partial"))
    lines.push(...paragraph(words.unsent(count(unsent.calls, ui), count(unsent.people, ui)), ui).map(strong));
  if (waiting !== undefined) {
    const { reason, people, until } = waiting;
    lines.push(...paragraph(words.stillWaits(reason, count(people, ui), dateTime(until, ui)), ui));
  }
  return lines;
}

function callsTable(campaigns: readonly SentCampaign[], ui: Ui): string[] {
  if (campaigns.length === 0) return [];
  const { calls: titles, yes, no } = ui.texts.send;
  const { bad, strong, warn } = ui.theme;
  const amount = (heading: string, priority: number, of: (call: SentCampaign) => number) =>
    column<SentCampaign>(heading, priority, (call) => number(of(call), ui), { align: "right" });
  const isPartial = campaigns.some(({ people, recipients }) => people !== recipients.added);
  const columns: (Column<SentCampaign> | false)[] = [
    column(titles.id, 1, (call) => shown(call.campaign_id), { style: strong }),
    column(titles.status, 2, (call) => statusName(call.status, ui), {
      style: (text, call) => (call.campaign_id === null ? bad(text) : text),
    }),
    isPartial && amount(titles.people, 3, ({ people }) => people),
    amount(titles.added, 1, ({ recipients }) => recipients.added),
    amount(titles.duplicates, 4, ({ recipients }) => recipients.duplicates),
    amount(titles.errors, 3, ({ recipients }) => recipients.errors.length),
    column(titles.replayed, 2, (call) => (call.replayed ? yes : no), {
      style: (text, call) => (call.replayed ? warn(text) : text),
    }),
    column(titles.name, 5, (call) => shown(call.campaign_name), { shrinkTo: 16 }),
  ];
  return ["", table(columns, campaigns, ui).trimEnd()];
}

function serviceErrorLines(errors: readonly string[], ui: Ui): string[] {
  if (errors.length === 0) return [];
  const lines = errors.slice(0, maxShown).flatMap((error) => paragraph(error, ui));
  return ["", ...heading(ui.texts.send.serviceErrors, ui), ...lines, ...notShown(errors, ui)];
}

export function statusHint(report: SendReport, { send: words }: Ui["texts"]): string {
  const [id, ...others] = report.campaigns.flatMap(({ campaign_id }) => campaign_id ?? []);
  if (id === undefined) return "";
  return others.length === 0 ? words.statusHint(id) : words.statusHintRef(report.external_ref);
}

export interface SendReportContext extends ReportSource {
  sentAt?: number | undefined;
  leftOutShown?: boolean;
  errorsFile?: ErrorsFile | null;
  isResumed?: boolean;
}

export function sendReport(report: SendReport, ui: Ui, context: SendReportContext): string {
  const { labels, test } = ui.texts.send;
  const { sentAt, leftOutShown = false, errorsFile = null, isResumed } = context;
  // A person who sees both streams has just read them.
  const isShown = leftOutShown && ui.width !== undefined;
  const about = [
    [labels.test, report.testTo && test(report.testTo)],
    [labels.template, report.template],
    [labels.ref, report.external_ref],
    [labels.sendId, report.send_id],
    [labels.onlyFailed, onlyFailedText(report, ui)],
  ] as const;
  const hint = statusHint(report, ui.texts);
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
