import { age, count, isoTime, number, shown } from "../../cli/format.ts";
import type { Ui } from "../../cli/output.ts";
import { type Column, column, table } from "../../cli/table.ts";
import {
  heading,
  note,
  pad,
  paragraph,
  type ReportSource,
  reportTitle,
  textWidth,
  title,
} from "../../cli/text.ts";
import type { Recipient } from "../../contract/campaign.ts";
import { problemsOf } from "../../errors/problems.ts";
import type { LeftOutRow } from "../../input/recipients.ts";
import { statusName } from "../status/view.ts";
import type { Doubts, SendReport, SentCampaign } from "./report.ts";

/** How many rows of each kind that was left out a person is shown; the JSON and the file hold all of them. */
const LEFT_OUT_SHOWN = 10;

/** Where the rows that were left out are, and the files of people who must stay out when it is sent. */
export interface ErrorsFile {
  name: string;
  exclude: readonly string[];
}

/** To say that one more is not shown takes the line that would show it. */
const maxShown = ({ length }: readonly unknown[]): number =>
  length === LEFT_OUT_SHOWN + 1 ? length : LEFT_OUT_SHOWN;

/** What a person is asked to confirm before anybody is messaged, beside the report of the plan. */
export interface SendPreview {
  branch: string;
  language: string | null;
  /** The columns that fill the template's variables, in order. */
  params: readonly string[];
  header_url: string | null;
  calls: number;
  first: readonly Recipient[];
  file: ErrorsFile | null;
}

const leftOutKinds = ["invalid", "duplicates", "excluded"] as const;
/** The rows of the file that nobody is messaged for, and where all of them were written. */
type LeftOut = Pick<SendReport, (typeof leftOutKinds)[number]> & { file: ErrorsFile | null };

/** `Label   value` lines, the labels aligned. */
function facts(pairs: readonly (readonly [label: string, value: string])[], ui: Ui): string[] {
  const inset = Math.max(...pairs.map(([label]) => textWidth(label))) + 2;
  return pairs.flatMap(([label, value]) => {
    const room = ui.width === undefined ? undefined : ui.width - inset;
    const [first = "", ...more] = paragraph(value, { width: room });
    return [ui.theme.dim(pad(label, inset)) + first, ...more.map((line) => " ".repeat(inset) + line)];
  });
}

type CountName = keyof Ui["texts"]["send"]["counts"];

const countsBefore = ["read", "duplicates", "invalid", "excluded", "already_sent", "planned"] as const;

function countsTable(
  counts: Readonly<Partial<Record<CountName, number>>>,
  names: readonly CountName[],
  ui: Ui,
): string {
  const words = ui.texts.send;
  const style = (text: string, name: CountName): string => {
    if (counts[name] === 0) return text;
    return name === "added" ? ui.theme.good(text) : name === "invalid" ? ui.theme.bad(text) : text;
  };
  const columns: Column<CountName>[] = [
    column(words.columns.what, 1, (name) => words.counts[name], { shrinkTo: 8 }),
    column(words.columns.count, 1, (name) => number(counts[name], ui), { align: "right", style }),
  ];
  return table(columns, names, ui).trimEnd();
}

function leftOutTable(kind: (typeof leftOutKinds)[number], rows: readonly LeftOutRow[], ui: Ui): string[] {
  if (rows.length === 0) return [];
  const { leftOut: titles, counts, more } = ui.texts.send;
  const most = maxShown(rows);
  const reason = (row: LeftOutRow): string => ui.texts.rows.problems(problemsOf(row));
  const columns: Column<LeftOutRow>[] = [
    column(titles.line, 1, (row) => shown(row.line), { align: "right" }),
    column(titles.phone, 1, (row) => shown(row.phone), { shrinkTo: 12 }),
    column(titles.reason, 1, reason, { shrinkTo: 20, wraps: true }),
  ];
  const text = table(columns, rows.slice(0, most), ui).trimEnd();
  const hidden = rows.length > most ? note(more(count(rows.length - most, ui)), ui) : [];
  return ["", ...heading(counts[kind], ui), text, ...hidden];
}

/** Who is left out, by kind, and where all of them are; their number alone for a person who has just read the list. */
function leftOutLines(leftOut: LeftOut, ref: string, isShown: boolean, ui: Ui): string[] {
  const words = ui.texts.send;
  const rows = leftOutKinds.reduce((sum, kind) => sum + leftOut[kind].length, 0);
  if (rows === 0) return [];
  const { file, invalid } = leftOut;
  const where = file === null ? [] : note(words.file(file.name, ref, file.exclude), ui);
  if (isShown) return ["", ...note(words.leftOutAbove(count(rows, ui), file !== null), ui), ...where];
  const tables = leftOutKinds.flatMap((kind) => leftOutTable(kind, leftOut[kind], ui));
  const hint = file === null && invalid.length > 0 ? note(words.noFile, ui) : where;
  return hint.length === 0 ? tables : [...tables, "", ...hint];
}

function firstRecipients(first: readonly Recipient[], heading_: string, ui: Ui): string[] {
  if (first.length === 0) return [];
  const { first: titles } = ui.texts.send;
  const columns: Column<Recipient>[] = [
    column(titles.phone, 1, ({ phone }) => shown(phone)),
    column(titles.params, 1, ({ params }) => shown(params.join(" · ")), { shrinkTo: 12 }),
  ];
  return ["", ...heading(heading_, ui), table(columns, first.slice(0, 3), ui).trimEnd()];
}

/** What a send would do, shown before the question and by `--dry-run`: whom, with what, in how many calls. */
export function sendPreview(report: SendReport, preview: SendPreview, ui: Ui): string {
  const words = ui.texts.send;
  const { labels } = words;
  const { testTo, dry_run: dryRun, external_ref: ref, recipients } = report;
  const { params, header_url: header } = preview;
  const isTest = testTo !== undefined;
  const titleText = dryRun
    ? isTest
      ? words.testDryRunTitle
      : words.dryRunTitle
    : isTest
      ? words.testTitle
      : words.previewTitle;
  const wouldSend = isTest
    ? words.wouldTest(testTo)
    : words.wouldSend(count(recipients.planned, ui), count(preview.calls, ui));
  const { planned } = recipients;
  return `${[
    ...title(titleText, ui),
    ...facts(
      [
        ...(isTest ? [[labels.test, words.test(testTo)] as const] : []),
        [labels.mode, ui.badge ?? words.live],
        [labels.branch, preview.branch],
        [labels.template, report.template],
        [labels.language, preview.language ?? words.anyLanguage],
        [labels.variables, params.length === 0 ? words.noVariables : params.map(words.variable).join(" · ")],
        [labels.ref, ref],
        ...(header === null ? [] : [[labels.header, header] as const]),
      ],
      ui,
    ),
    // Of a test the rows of the file say nothing: one message goes out.
    ...(isTest ? [] : ["", countsTable(recipients, countsBefore, ui)]),
    ...firstRecipients(
      planned === 0 ? [] : preview.first,
      isTest ? words.testFirstTitle : words.firstTitle,
      ui,
    ),
    ...leftOutLines({ ...report, file: preview.file }, ref, false, ui),
    "",
    ...paragraph(planned === 0 ? words.nobody : wouldSend, ui).map(ui.theme.strong),
    ...(dryRun ? paragraph(words.dryRun, ui) : []),
  ].join("\n")}\n`;
}

function doubtful({ unaccounted, people, unsent: [first] }: Doubts, ui: Ui): string {
  const words = ui.texts.send.doubtful;
  const known = words.people(count(people - unaccounted, ui), count(people, ui));
  return [unaccounted > 0 ? known : "", first === undefined ? "" : words.status(first.status)]
    .filter((text) => text !== "")
    .join(" ");
}

function outcomeText(report: SendReport, ui: Ui): string {
  const words = ui.texts.send;
  const { outcome, unsent, doubts, recipients } = report;
  if (outcome === "partial" && unsent === undefined && doubts) return doubtful(doubts, ui);
  const said = report.notKept === true ? words.notKept : words.outcome[outcome];
  return typeof said === "string" ? said : said(count(recipients.added, ui));
}

function verdict(report: SendReport, sentAt: number | undefined, ui: Ui): string[] {
  const words = ui.texts.send;
  const { good, warn, bad, strong } = ui.theme;
  const loud = (text: string): string => strong(warn(text));
  const { dry_run, outcome, campaigns, unsent } = report;
  if (dry_run) return paragraph(words.dryRun, ui);
  const tones = { sent: good, replayed: loud, partial: warn, refused: bad, unknown: bad, nothing: warn };
  const lines = paragraph(outcomeText(report, ui), ui).map(tones[outcome]);
  const replayed = campaigns.filter((call) => call.replayed).length;
  if (outcome === "replayed" && sentAt !== undefined)
    lines.push(
      ...paragraph(words.replayedAt(isoTime(new Date(sentAt).toISOString(), ui), age(ui.now - sentAt)), ui),
    );
  if (outcome !== "replayed" && replayed > 0)
    lines.push(
      ...paragraph(words.replayedCalls(count(replayed, ui), count(campaigns.length, ui)), ui).map(loud),
    );
  if (unsent !== undefined && (outcome === "unknown" || outcome === "partial")) {
    const said = words.unsent(count(unsent.calls, ui), count(unsent.people, ui));
    lines.push(...paragraph(report.gaveUp === true ? `${said} ${words.gaveUp}` : said, ui).map(strong));
  }
  return lines;
}

function callsTable(campaigns: readonly SentCampaign[], ui: Ui): string[] {
  if (campaigns.length === 0) return [];
  const { calls: titles, yes, no } = ui.texts.send;
  const { bad, strong, warn } = ui.theme;
  const amount = (heading: string, priority: number, of: (call: SentCampaign) => number | undefined) =>
    column<SentCampaign>(heading, priority, (call) => number(of(call), ui), { align: "right" });
  const isUnknown = (call: SentCampaign): boolean => call.campaign_id === null;
  const columns: Column<SentCampaign>[] = [
    column(titles.id, 1, (call) => shown(call.campaign_id), { style: strong }),
    column(titles.status, 2, (call) => statusName(call.status, ui), {
      style: (text, call) => (isUnknown(call) ? bad(text) : text),
    }),
    // Of a call that was answered the other counts say it.
    ...(campaigns.some(isUnknown) ? [amount(titles.people, 1, ({ people }) => people)] : []),
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
  const { serviceErrors, more } = ui.texts.send;
  const most = maxShown(errors);
  const rest = errors.length - most;
  return [
    "",
    ...heading(serviceErrors, ui),
    ...errors.slice(0, most).flatMap((error) => paragraph(error, ui)),
    ...(rest > 0 ? note(more(count(rest, ui)), ui) : []),
  ];
}

interface SendReportContext extends ReportSource {
  /** When the replayed calls went out, epoch milliseconds, if the journal knows. */
  sentAt?: number | undefined;
  /** The preview listed the rows that were left out: their number is enough. */
  leftOutShown?: boolean;
  errorsFile?: ErrorsFile | null;
  /** Whether `campaign resume` as it is settles what is pending. */
  isResumed?: boolean;
}

/** What came of a send: recipients, calls, whom the service or we left out. A replay is said loudly. */
export function sendReport(report: SendReport, ui: Ui, context: SendReportContext): string {
  const words = ui.texts.send;
  const { labels } = words;
  const { sentAt, leftOutShown = false, errorsFile: file = null, isResumed = true } = context;
  const { testTo, outcome, external_ref: ref, campaigns, recipients } = report;
  const isTest = testTo !== undefined;
  const [only, ...others] = campaigns.flatMap((call) => call.campaign_id ?? []);
  const hints = outcome === "unknown" && isResumed ? [words.resume(ref)] : [];
  if (only !== undefined) hints.push(others.length === 0 ? words.statusHint(only) : words.statusHintRef(ref));
  const repeated = campaigns.reduce((sum, call) => sum + call.recipients.duplicates, 0);
  const counts = { ...recipients, service_duplicates: repeated };
  const names: CountName[] = [
    ...countsBefore,
    "added",
    ...(repeated > 0 ? ["service_duplicates" as const] : []),
  ];
  return `${[
    ...reportTitle(isTest ? words.testTitle : words.reportTitle, context, ui),
    ...verdict(report, sentAt, ui),
    "",
    ...facts(
      [
        ...(isTest ? [[labels.test, words.test(testTo)] as const] : []),
        [labels.template, report.template],
        [labels.ref, ref],
        [labels.sendId, report.send_id],
      ],
      ui,
    ),
    ...(isTest ? [] : ["", countsTable(counts, names, ui)]),
    ...callsTable(campaigns, ui),
    ...serviceErrorLines(recipients.errors, ui),
    ...leftOutLines({ ...report, file }, ref, leftOutShown, ui),
    ...(hints.length > 0 ? ["", ...hints.flatMap((text) => note(text, ui))] : []),
  ].join("\n")}\n`;
}
