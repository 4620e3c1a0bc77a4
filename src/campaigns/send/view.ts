import { ABSENT, age, count, isoTime, number, shown } from "../../cli/format.ts";
import { heading, note, paragraph, title } from "../../cli/paragraph.ts";
import { type ReportSource, reportTitle } from "../../cli/report-title.ts";
import { type Column, table } from "../../cli/table.ts";
import type { Ui } from "../../cli/ui.ts";
import { pad, textWidth } from "../../cli/width.ts";
import type { Recipient } from "../../contract/campaign.ts";
import { problemsOf } from "../../errors/row-problem.ts";
import { en } from "../../i18n/en.ts";
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
const mostShown = ({ length }: readonly unknown[]): number =>
  length === LEFT_OUT_SHOWN + 1 ? length : LEFT_OUT_SHOWN;

/** What a person is asked to confirm before anybody is messaged. */
export interface SendPreview {
  /** The branch as people name it. */
  branch: string;
  template: string;
  language: string | null;
  /** The columns that fill the template's variables, in order. */
  params: readonly string[];
  /** The phone that a test goes to; null when it is none. */
  testTo: string | null;
  external_ref: string;
  header_url: string | null;
  recipients: SendReport["recipients"];
  calls: number;
  /** The first recipients as they would be sent. */
  first: readonly Recipient[];
  leftOut: LeftOut;
}

/** The rows of the file that nobody is messaged for. */
type LeftOut = Pick<SendReport, "invalid" | "duplicates" | "excluded"> & {
  /** Where all of them were written, so that they can be corrected. */
  file: ErrorsFile | null;
};
const leftOutKinds = ["invalid", "duplicates", "excluded"] as const;

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
type BeforeName = Exclude<CountName, "service_duplicates">;

/** The counts that are known before anything goes out. */
const BEFORE: readonly BeforeName[] = [
  "read",
  "duplicates",
  "invalid",
  "excluded",
  "already_sent",
  "planned",
];

function countsTable<Name extends CountName>(
  counts: Readonly<Record<Name, number>>,
  names: readonly Name[],
  ui: Ui,
): string {
  const words = ui.texts.send;
  const tone = (text: string, name: Name): string => {
    if (counts[name] === 0) return text;
    return name === "added" ? ui.theme.good(text) : name === "invalid" ? ui.theme.bad(text) : text;
  };
  return table<Name>(
    [
      { title: words.columns.what, cell: (name) => words.counts[name], priority: 1, shrinkTo: 8 },
      {
        title: words.columns.count,
        cell: (name) => number(counts[name], ui),
        align: "right",
        priority: 1,
        style: tone,
      },
    ],
    names,
    ui,
  ).trimEnd();
}

function leftOutTable(kind: (typeof leftOutKinds)[number], rows: readonly LeftOutRow[], ui: Ui): string[] {
  if (rows.length === 0) return [];
  const { leftOut: columns, counts, more } = ui.texts.send;
  const most = mostShown(rows);
  const rest = rows.length - most;
  const text = table<LeftOutRow>(
    [
      { title: columns.line, cell: (row) => shown(row.line), align: "right", priority: 1 },
      { title: columns.phone, cell: (row) => shown(row.phone), priority: 1, shrinkTo: 12 },
      {
        title: columns.reason,
        cell: (row) => ui.texts.rows.problems(problemsOf(row)),
        priority: 1,
        shrinkTo: 20,
        wraps: true,
      },
    ],
    rows.slice(0, most),
    ui,
  );
  const hidden = rest > 0 ? note(more(count(rest, ui)), ui) : [];
  return ["", ...heading(counts[kind], ui), text.trimEnd(), ...hidden];
}

const fileNote = ({ name, exclude }: ErrorsFile, ref: string, { texts }: Ui): string =>
  texts.send.file(name, ref, exclude);

/** Who is left out, by kind, and where all of them are. */
function leftOutTables(leftOut: LeftOut, ref: string, ui: Ui): string[] {
  const words = ui.texts.send;
  const tables = leftOutKinds.flatMap((kind) => leftOutTable(kind, leftOut[kind], ui));
  if (tables.length === 0) return [];
  const { file, invalid } = leftOut;
  const said = file === null ? (invalid.length > 0 ? words.noFile : null) : fileNote(file, ref, ui);
  return said === null ? tables : [...tables, "", ...note(said, ui)];
}

/** Who was left out, for a person who has just read the list. */
function leftOutNote(leftOut: LeftOut, ref: string, ui: Ui): string[] {
  const words = ui.texts.send;
  const rows = leftOutKinds.reduce((sum, kind) => sum + leftOut[kind].length, 0);
  if (rows === 0) return [];
  const { file } = leftOut;
  const where = file === null ? [] : note(fileNote(file, ref, ui), ui);
  return ["", ...note(words.leftOutAbove(count(rows, ui), file !== null), ui), ...where];
}

function firstRecipients(first: readonly Recipient[], titleText: string, ui: Ui): string[] {
  if (first.length === 0) return [];
  const { first: columns } = ui.texts.send;
  const params = ({ params }: Recipient): string => (params.length === 0 ? ABSENT : params.join(" · "));
  const text = table<Recipient>(
    [
      { title: columns.phone, cell: ({ phone }) => shown(phone), priority: 1 },
      { title: columns.params, cell: params, priority: 1, shrinkTo: 12 },
    ],
    first.slice(0, 3),
    ui,
  );
  return ["", ...heading(titleText, ui), text.trimEnd()];
}

/** What a send would do, shown before the question and by `--dry-run`: whom, with what, in how many calls. */
export function sendPreview(
  preview: SendPreview,
  ui: Ui,
  { dryRun = false }: { dryRun?: boolean } = {},
): string {
  const words = ui.texts.send;
  const { labels } = words;
  const { params, testTo } = preview;
  const { planned } = preview.recipients;
  const pairs: [string, string][] = [
    [labels.mode, ui.badge ?? words.live],
    [labels.branch, preview.branch],
    [labels.template, preview.template],
    [labels.language, preview.language ?? words.anyLanguage],
    [labels.variables, params.length === 0 ? words.noVariables : params.map(words.variable).join(" · ")],
    [labels.ref, preview.external_ref],
  ];
  if (testTo !== null) pairs.unshift([labels.test, words.test(testTo)]);
  if (preview.header_url !== null) pairs.push([labels.header, preview.header_url]);
  const wouldSend =
    testTo === null ? words.wouldSend(count(planned, ui), count(preview.calls, ui)) : words.wouldTest(testTo);
  const firstTitle = testTo === null ? words.firstTitle : words.testFirstTitle;
  const titles =
    testTo === null
      ? { dry: words.dryRunTitle, asked: words.previewTitle }
      : { dry: words.testDryRunTitle, asked: words.testTitle };
  return `${[
    ...title(dryRun ? titles.dry : titles.asked, ui),
    ...facts(pairs, ui),
    // Of a test the rows of the file say nothing: one message goes out.
    ...(testTo === null ? ["", countsTable(preview.recipients, BEFORE, ui)] : []),
    ...firstRecipients(planned === 0 ? [] : preview.first, firstTitle, ui),
    ...leftOutTables(preview.leftOut, preview.external_ref, ui),
    "",
    ...paragraph(planned === 0 ? words.nobody : wouldSend, ui).map(ui.theme.strong),
    ...(dryRun ? paragraph(words.dryRun, ui) : []),
  ].join("\n")}\n`;
}

/** Of a send whose calls were all answered: what the answers leave open. */
function doubtful({ unaccounted, people, unsent }: Doubts, ui: Ui): string {
  const words = ui.texts.send.doubtful;
  const [first] = unsent;
  return [
    ...(unaccounted > 0 ? [words.people(count(people - unaccounted, ui), count(people, ui))] : []),
    ...(first === undefined ? [] : [words.status(first.status)]),
  ].join(" ");
}

/** What the service itself counts as duplicates, in the calls of this send. */
const serviceDuplicates = ({ campaigns }: SendReport): number =>
  campaigns.reduce((sum, { recipients }) => sum + recipients.duplicates, 0);

function verdict(report: SendReport, sentAt: string | undefined, ui: Ui): string[] {
  const words = ui.texts.send;
  const { good, warn, bad, strong } = ui.theme;
  if (report.dry_run) return paragraph(words.dryRun, ui);
  const outcome = report.notKept === true ? words.notKept : words.outcome[report.outcome];
  const isDoubtful = report.outcome === "partial" && report.unsent === undefined;
  const text =
    isDoubtful && report.doubts
      ? doubtful(report.doubts, ui)
      : typeof outcome === "string"
        ? outcome
        : outcome(count(report.recipients.added, ui));
  const tones = {
    sent: good,
    replayed: (t: string) => strong(warn(t)),
    partial: warn,
    refused: bad,
    unknown: bad,
    nothing: warn,
  };
  const lines = paragraph(text, ui).map(tones[report.outcome]);
  const replayed = report.campaigns.filter((call) => call.replayed).length;
  if (report.outcome === "replayed") {
    if (sentAt !== undefined) {
      const at = words.replayedAt(isoTime(sentAt, ui), age(ui.now - Date.parse(sentAt)));
      lines.push(...paragraph(at, ui));
    }
  } else if (replayed > 0) {
    const said = words.replayedCalls(count(replayed, ui), count(report.campaigns.length, ui));
    lines.push(...paragraph(said, ui).map((line) => strong(warn(line))));
  }
  const { unsent } = report;
  if (unsent !== undefined && (report.outcome === "unknown" || report.outcome === "partial")) {
    const said = words.unsent(count(unsent.calls, ui), count(unsent.people, ui));
    lines.push(...paragraph(report.gaveUp === true ? `${said} ${words.gaveUp}` : said, ui).map(strong));
  }
  return lines;
}

function callsTable(campaigns: readonly SentCampaign[], ui: Ui): string[] {
  if (campaigns.length === 0) return [];
  const { calls: columns, yes, no } = ui.texts.send;
  // Of a call that was answered the other counts say it.
  const people: Column<SentCampaign>[] = campaigns.some((call) => call.campaign_id === null)
    ? [{ title: columns.people, cell: (call) => number(call.people, ui), align: "right", priority: 1 }]
    : [];
  const text = table<SentCampaign>(
    [
      { title: columns.id, cell: (call) => shown(call.campaign_id), priority: 1, style: ui.theme.strong },
      {
        title: columns.status,
        cell: (call) => statusName(call.status, ui),
        priority: 2,
        style: (text, call) => (call.campaign_id === null ? ui.theme.bad(text) : text),
      },
      ...people,
      {
        title: columns.added,
        cell: (call) => number(call.recipients.added, ui),
        align: "right",
        priority: 1,
      },
      {
        title: columns.duplicates,
        cell: (c) => number(c.recipients.duplicates, ui),
        align: "right",
        priority: 4,
      },
      {
        title: columns.errors,
        cell: (c) => number(c.recipients.errors.length, ui),
        align: "right",
        priority: 3,
      },
      {
        title: columns.replayed,
        cell: (call) => (call.replayed ? yes : no),
        priority: 2,
        style: (t, call) => (call.replayed ? ui.theme.warn(t) : t),
      },
      { title: columns.name, cell: (call) => shown(call.campaign_name), priority: 5, shrinkTo: 16 },
    ],
    campaigns,
    ui,
  );
  return ["", text.trimEnd()];
}

function serviceErrorLines(errors: readonly string[], ui: Ui): string[] {
  if (errors.length === 0) return [];
  const { serviceErrors, more } = ui.texts.send;
  const most = mostShown(errors);
  const rest = errors.length - most;
  return [
    "",
    ...heading(serviceErrors, ui),
    ...errors.slice(0, most).flatMap((error) => paragraph(error, ui)),
    ...(rest > 0 ? note(more(count(rest, ui)), ui) : []),
  ];
}

/**
 * What came of a send: people, calls, whom the service or we left out. A replay is said loudly (`spec.md` 4.3).
 *
 * @param sentAt when the replayed calls went out, ISO 8601 with offset, if the journal knows.
 * @param leftOutShown the preview listed the rows that were left out: their number is enough.
 * @param errorsFile where those rows were written.
 * @param isResumed whether `campaign resume` as it is settles what is open.
 */
export function sendReport(
  report: SendReport,
  ui: Ui,
  {
    sentAt,
    leftOutShown = false,
    errorsFile = null,
    isResumed = true,
    ...source
  }: ReportSource & {
    sentAt?: string | undefined;
    leftOutShown?: boolean;
    errorsFile?: ErrorsFile | null;
    isResumed?: boolean;
  },
): string {
  const words = ui.texts.send;
  const ids = report.campaigns.map((call) => call.campaign_id).filter((id) => id !== null);
  const [only, ...others] = ids;
  const { testTo, outcome, external_ref: ref } = report;
  const hint = outcome === "unknown" && isResumed ? [words.resume(ref)] : [];
  const counts = { ...report.recipients, service_duplicates: serviceDuplicates(report) };
  const names: CountName[] = [...BEFORE, "added"];
  if (counts.service_duplicates > 0) names.push("service_duplicates");
  if (only !== undefined) hint.push(others.length === 0 ? words.statusHint(only) : words.statusHintRef(ref));
  const pairs: [string, string][] = [
    ...(testTo === undefined ? [] : [[words.labels.test, words.test(testTo)] as [string, string]]),
    [words.labels.template, report.template],
    [words.labels.ref, report.external_ref],
    [words.labels.sendId, report.send_id],
  ];
  return `${[
    ...reportTitle(testTo === undefined ? words.reportTitle : words.testTitle, source, ui),
    ...verdict(report, sentAt, ui),
    "",
    ...facts(pairs, ui),
    ...(testTo === undefined ? ["", countsTable(counts, names, ui)] : []),
    ...callsTable(report.campaigns, ui),
    ...serviceErrorLines(report.recipients.errors, ui),
    ...(leftOutShown ? leftOutNote : leftOutTables)({ ...report, file: errorsFile }, ref, ui),
    ...(hint.length > 0 ? [""] : []),
    ...hint.flatMap((text) => note(text, ui)),
  ].join("\n")}\n`;
}

/** A send in the shape of the command line's JSON; row problems in English, whatever the language of the tables. */
export function sendReportJson(report: SendReport): object {
  const { send_id, template, external_ref, recipients, outcome, dry_run, testTo } = report;
  const listed = (rows: readonly LeftOutRow[]): object[] =>
    rows.map((row) => ({ line: row.line, phone: row.phone, error: en.rows.problems(problemsOf(row)) }));
  return {
    send_id,
    template,
    external_ref,
    recipients,
    // A field that is for the screen only is no key of the JSON.
    campaigns: report.campaigns.map(({ people: _, ...call }) => call),
    invalid: listed(report.invalid),
    duplicates: listed(report.duplicates),
    excluded: listed(report.excluded),
    outcome,
    dry_run,
    ...(testTo !== undefined && { test: true }),
    ...(report.errors_file !== undefined && { errors_file: report.errors_file }),
  };
}
