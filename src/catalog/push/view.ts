import { ABSENT, count, isoTime, number, price, shown } from "../../cli/format.ts";
import { JsonList } from "../../cli/json.ts";
import type { Ui } from "../../cli/output.ts";
import { type RejectedProduct, rejection } from "../../cli/rejected-file.ts";
import { table } from "../../cli/table.ts";
import { heading, note, paragraph, type ReportSource, reportTitle } from "../../cli/text.ts";
import type { CatalogItem } from "../../contract/catalog.ts";
import { en } from "../../i18n/en.ts";
import type { PushReport } from "./report.ts";

/** How many rejected products a person is shown, or one more; the file and the JSON hold all of them. */
const maxRejects = 10;

interface CountRow {
  what: string;
  count: number;
  /** How it is shown where it is not zero. */
  tone?: "good" | "warn" | "bad";
}

export function countsTable(rows: CountRow[], columns: { what: string; count: string }, ui: Ui): string {
  const style = (text: string, { tone, count }: CountRow): string =>
    tone === undefined || count === 0 ? text : ui.theme[tone](text);
  return table<CountRow>(
    [
      { title: columns.what, cell: (row) => row.what, priority: 1, shrinkTo: 8 },
      { title: columns.count, cell: (row) => number(row.count, ui), align: "right", priority: 1, style },
    ],
    rows,
    ui,
  ).trimEnd();
}

function countRows({ planned, action, ...report }: PushReport, ui: Ui): CountRow[] {
  const words = ui.texts.push.counts;
  // A delete that follows a push has no rows of its own, and none is left out for being known.
  const isDelete = action === "delete";
  const sent: CountRow[] = planned
    ? [{ what: words.wouldSend[action], count: planned.wouldSend }]
    : [
        { what: words.sent, count: report.sent },
        { what: words.accepted[action], count: report.accepted, tone: "good" },
        { what: words.stale, count: report.skipped_stale, tone: "warn" },
      ];
  return [
    ...(isDelete && report.read === 0 ? [] : [{ what: words.read[action], count: report.read }]),
    ...sent,
    ...(isDelete ? [] : [{ what: words.unchanged, count: report.unchanged }]),
    { what: words.rejected, count: report.rejected.length, tone: "bad" },
  ];
}

/** What a reason is counted under; null where there is none. */
function reasonOf(each: RejectedProduct): string | null {
  if (each.source === "service") return each.error;
  const { problem } = each;
  return `${problem.kind} ${"column" in problem ? problem.column : ""}`;
}

/** The reason that most rejected rows have, as it is said of the first of them, and how many have it. */
function commonReason({ rejected }: PushReport, ui: Ui): { times: number; said: string } | undefined {
  const reasons = new Map<string, { times: number; first: RejectedProduct }>();
  for (const each of rejected) {
    const key = reasonOf(each);
    if (key === null) continue;
    const known = reasons.get(key);
    if (known === undefined) reasons.set(key, { times: 1, first: each });
    else known.times += 1;
  }
  const [most] = [...reasons.values()].sort((a, b) => b.times - a.times);
  if (most === undefined) return undefined;
  const { times, first } = most;
  const said = first.source === "file" ? ui.texts.rows.problem(first.problem) : first.error;
  return { times, said: said ?? "" };
}

/** That reason, when several rows have it and a person cannot see them all. */
function mostFrequent(report: PushReport, ui: Ui): string[] {
  const { times = 0, said = "" } = commonReason(report, ui) ?? {};
  if (times < 2) return [];
  return [ui.texts.push.mostFrequent(count(times, ui), count(report.rejected.length, ui), said)];
}

/** True when there was nothing to send since no row is good. */
const isNoneGood = ({ rejected, read, unchanged, sent, planned }: PushReport): boolean =>
  read > 0 && unchanged === 0 && rejected.length === read && (planned?.wouldSend ?? sent) === 0;

/** Where all rejected rows are, and what to do about them. */
function rejectsNotes(report: PushReport, rest: number, ui: Ui): string[] {
  const words = ui.texts.push;
  const { action, rejected_file: file, read } = report;
  // What follows a push has no rows that anybody could correct.
  const follows = action === "delete" && read === 0;
  return [
    ...(rest > 0 ? [words.more(count(rest, ui)), ...mostFrequent(report, ui)] : []),
    follows ? words.notDeactivated : file === null ? words.noFile[action] : words.file[action](file),
    ...(action === "upsert" && isNoneGood(report) ? [words.howRead] : []),
  ];
}

/** A table of rejected rows, with those of these columns that have a title. */
export function rejectedTable(
  rows: readonly RejectedProduct[],
  columns: { line?: string; code: string; source?: string; reason: string },
  ui: Ui,
): string {
  const { line, code, source, reason } = columns;
  const said = (row: RejectedProduct): string => shown(rejection(row, ui.texts));
  return table<RejectedProduct>(
    [
      ...(line === undefined
        ? []
        : [
            {
              title: line,
              cell: (row: RejectedProduct) => shown(row.line),
              align: "right" as const,
              priority: 1,
            },
          ]),
      { title: code, cell: (row) => shown(row.codigo), priority: 1, shrinkTo: 16 },
      ...(source === undefined
        ? []
        : [
            {
              title: source,
              cell: (row: RejectedProduct) => ui.texts.push.source[row.source],
              priority: 2,
            },
          ]),
      { title: reason, cell: said, priority: 1, shrinkTo: 20, wraps: true },
    ],
    rows,
    ui,
  ).trimEnd();
}

function rejects(report: PushReport, ui: Ui): string[] {
  const { length } = report.rejected;
  if (length === 0) return [];
  const words = ui.texts.push;
  // The line that says "1 more" would be as long as the one more.
  const max = length === maxRejects + 1 ? maxRejects + 1 : maxRejects;
  const rows = report.rejected.slice(0, max);
  const { line, ...columns } = words.rejected;
  // Codes that were typed stand on no line.
  const isTyped = report.action === "delete" && rows.every((row) => row.line === null);
  return [
    "",
    ...heading(words.rejectedTitle, ui),
    rejectedTable(rows, isTyped ? columns : { line, ...columns }, ui),
    ...rejectsNotes(report, length - max, ui).flatMap((each) => note(each, ui)),
  ];
}

/** Some products as they will be sent, under a title; nothing when there are none. */
export function firstItems(first: readonly CatalogItem[], ui: Ui, titleText: string): string[] {
  if (first.length === 0) return [];
  const { first: columns, yes, no } = ui.texts.push;
  const disabled = (item: CatalogItem): string =>
    item.deshabilitado === undefined ? ABSENT : item.deshabilitado ? yes : no;
  const text = table<CatalogItem>(
    [
      { title: columns.code, cell: (item) => shown(item.codigo), priority: 1, shrinkTo: 8 },
      { title: columns.name, cell: (item) => shown(item.nombre), priority: 2, shrinkTo: 12 },
      { title: columns.category, cell: (item) => shown(item.categoria), priority: 4, shrinkTo: 8 },
      { title: columns.price, cell: (item) => price(item.precio, ui), align: "right", priority: 2 },
      { title: columns.disabled, cell: disabled, priority: 3 },
    ],
    first,
    ui,
  );
  return ["", ...heading(titleText, ui), text.trimEnd()];
}

/** The first products that would be sent; of a delete the codes say all. */
function firstOf({ action, planned }: PushReport, ui: Ui): string[] {
  const { firstTitle, first: columns } = ui.texts.push;
  const first = planned?.first ?? [];
  if (action === "upsert" || first.length === 0) return firstItems(first, ui, firstTitle[action]);
  const code = { title: columns.code, cell: (item: CatalogItem) => shown(item.codigo), priority: 1 };
  return ["", ...heading(firstTitle[action], ui), table([code], first, ui).trimEnd()];
}

/** How a push that was made ended, in one sentence. */
function headline(report: PushReport, ui: Ui): string {
  const words = ui.texts.push;
  const { outcome, failure, action, rejected } = report;
  const accepted = count(report.accepted, ui);
  const sent = count(report.sent, ui);
  const stale = count(report.skipped_stale, ui);
  if (failure?.reason === "journal_write_failed") return words.notKept(accepted, sent);
  if (outcome === "unknown" || outcome === "refused" || outcome === "stale") return words.outcome[outcome];
  if (sent.n === 0) return words.outcome.nothing;
  if (outcome === "partial" && failure !== undefined) return words.outcome.partial;
  if (outcome === "complete" && accepted.n === 0) return words.nothingNew(sent);
  const why = outcome === "nothing" ? commonReason(report, ui) : undefined;
  const reason = why && { said: why.said, isOnly: why.times === rejected.length };
  return words.done(outcome, action, { accepted, sent, rejected: count(rejected.length, ui), stale, reason });
}

function verdict(report: PushReport, ui: Ui): string[] {
  const words = ui.texts.push;
  const { good, warn, bad } = ui.theme;
  const { planned, rejected, unchanged, sent, outcome } = report;
  if (isNoneGood(report)) return paragraph(words.outcome.noneGood(count(report.read, ui)), ui).map(bad);
  if (planned)
    return paragraph(words.dryRun[report.action](count(planned.wouldSend, ui), count(planned.calls, ui)), ui);
  if (sent === 0 && unchanged > 0)
    return paragraph(words.outcome.allKnown(count(rejected.length, ui)), ui).map(good);
  const tones = { complete: good, partial: warn, refused: bad, stale: bad, unknown: bad };
  const tone = outcome === "nothing" ? (sent > 0 ? bad : warn) : tones[outcome];
  return paragraph(headline(report, ui), ui).map(tone);
}

export function staleWhy({ occurred_at }: PushReport, ui: Ui): string {
  return ui.texts.push.staleWhy(isoTime(occurred_at, ui));
}

/** What a person should know beyond the counts: repeats and staleness. */
function remarks(report: PushReport, ui: Ui): string[] {
  const words = ui.texts.push;
  const texts: string[] = [];
  const { duplicate_batches: duplicates, unknownDuplicates: unknown = 0 } = report;
  if (duplicates > unknown) texts.push(words.duplicates(count(duplicates - unknown, ui)));
  if (unknown > 0) texts.push(words.unknownDuplicates(count(unknown, ui)));
  if (report.skipped_stale > 0) texts.push(staleWhy(report, ui));
  return texts.flatMap((text) => paragraph(text, ui).map(ui.theme.warn));
}

/**
 * What came of a push, or would: counts, remarks, the codes that are deactivated since the file no longer has them, the first
 * rejected products and where the others are.
 */
export function pushReport(report: PushReport, ui: Ui, source: ReportSource): string {
  const words = ui.texts.push;
  const titles = report.dry_run ? words.dryRunTitle : words.title;
  const { codes = [] } = report;
  const named = ["", ...heading(words.codesTitle, ui), ...paragraph(codes.map(shown).join(", "), ui)];
  return `${[
    ...reportTitle(titles[report.action], source, ui),
    ...verdict(report, ui),
    "",
    countsTable(countRows(report, ui), words.columns, ui),
    ...remarks(report, ui),
    ...(codes.length > 0 ? named : firstOf(report, ui)),
    ...rejects(report, ui),
  ].join("\n")}\n`;
}

/** A push in the shape of the command line's JSON; row problems in English, whatever the language of the tables. */
export function pushReportJson(report: PushReport): object {
  const { push_id, action, occurred_at, read, sent, batches, accepted, skipped_stale, planned } = report;
  const { duplicate_batches, unchanged, rejected_file, outcome, dry_run } = report;
  const rejected = new JsonList(report.rejected, (each) => ({
    codigo: each.codigo,
    error: rejection(each, en),
    source: each.source,
    line: each.line,
  }));
  return {
    ...{ push_id, action, occurred_at, read, sent, batches, accepted, skipped_stale },
    ...{ duplicate_batches, unchanged, rejected, rejected_file, outcome, dry_run },
    // Nothing was sent of a plan: what would be stands beside the counts, not in them.
    ...(planned && { planned: planned.wouldSend, planned_batches: planned.calls, first: planned.first }),
  };
}

/** Of so many rejected products the history keeps what was wrong; the rejected file has all of them. */
const maxKept = 10_000;

export function keptReportJson(report: PushReport): object {
  const left = report.rejected.length - maxKept;
  if (left <= 0) return pushReportJson(report);
  const kept = { ...report, rejected: report.rejected.slice(0, maxKept) };
  return { ...pushReportJson(kept), rejected_left_out: left };
}
