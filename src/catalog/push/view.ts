import { type RejectedProduct, rejection } from "../../cli/files.ts";
import { ABSENT, count, isoTime, number, price, shown } from "../../cli/format.ts";
import { JsonList } from "../../cli/json.ts";
import type { Ui } from "../../cli/output.ts";
import { table } from "../../cli/table.ts";
import { heading, note, paragraph, type ReportSource, reportTitle } from "../../cli/text.ts";
import type { CatalogItem } from "../../contract/catalog.ts";
import { en } from "../../i18n/en.ts";
import type { PushReport } from "./report.ts";

/** How many rejected products a person is shown, or one more; the file and the JSON hold all of them. */
const REJECTS_SHOWN = 10;

interface CountRow {
  what: string;
  count: number;
  tone: "good" | "warn" | "bad" | null;
}

/** What a push that was not made would send. */
export interface PushPlan {
  wouldSend: number;
  /** How many calls would take them. */
  calls: number;
  /** The first items of them, to be shown. */
  first: readonly CatalogItem[];
}

function countRows(report: PushReport, plan: PushPlan | undefined, ui: Ui): CountRow[] {
  const words = ui.texts.push.counts;
  const some = (n: number, tone: CountRow["tone"]): CountRow["tone"] => (n > 0 ? tone : null);
  const answers: CountRow[] = [
    { what: words.accepted[report.action], count: report.accepted, tone: some(report.accepted, "good") },
    { what: words.stale, count: report.skipped_stale, tone: some(report.skipped_stale, "warn") },
  ];
  // A delete that follows a push has no rows of its own, and none is left out for being known.
  const isDelete = report.action === "delete";
  return [
    ...(isDelete && report.read === 0
      ? []
      : [{ what: words.read[report.action], count: report.read, tone: null }]),
    plan
      ? { what: words.wouldSend[report.action], count: plan.wouldSend, tone: null }
      : { what: words.sent, count: report.sent, tone: null },
    ...(plan ? [] : answers),
    ...(isDelete ? [] : [{ what: words.unchanged, count: report.unchanged, tone: null }]),
    { what: words.rejected, count: report.rejected.length, tone: some(report.rejected.length, "bad") },
  ];
}

function countsTable(report: PushReport, plan: PushPlan | undefined, ui: Ui): string {
  const { columns } = ui.texts.push;
  const style = (text: string, { tone }: CountRow): string => (tone === null ? text : ui.theme[tone](text));
  return table<CountRow>(
    [
      { title: columns.what, cell: (row) => row.what, priority: 1, shrinkTo: 8 },
      { title: columns.count, cell: (row) => number(row.count, ui), align: "right", priority: 1, style },
    ],
    countRows(report, plan, ui),
    ui,
  );
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
const isNoneGood = ({ rejected, read, unchanged, sent }: PushReport, plan: PushPlan | undefined): boolean =>
  read > 0 && unchanged === 0 && rejected.length === read && (plan?.wouldSend ?? sent) === 0;

/** Where all rejected rows are, and what to do about them. */
function rejectsNotes(report: PushReport, plan: PushPlan | undefined, rest: number, ui: Ui): string[] {
  const words = ui.texts.push;
  const { action, rejected_file: file, read } = report;
  // What follows a push has no rows that anybody could correct.
  const follows = action === "delete" && read === 0;
  return [
    ...(rest > 0 ? [words.more(count(rest, ui)), ...mostFrequent(report, ui)] : []),
    follows ? words.notDeactivated : file === null ? words.noFile[action] : words.file[action](file),
    ...(action === "upsert" && isNoneGood(report, plan) ? [words.howRead] : []),
  ];
}

function rejectsTable(report: PushReport, plan: PushPlan | undefined, ui: Ui): string[] {
  if (report.rejected.length === 0) return [];
  const words = ui.texts.push;
  const columns = words.rejected;
  // The line that says "1 more" would be as long as the one more.
  const most = report.rejected.length === REJECTS_SHOWN + 1 ? REJECTS_SHOWN + 1 : REJECTS_SHOWN;
  const rest = report.rejected.length - most;
  const rejected = report.rejected.slice(0, most);
  // Codes that were typed stand on no line.
  const isTyped = report.action === "delete" && rejected.every(({ line }) => line === null);
  const line = { title: columns.line, align: "right", priority: 1 } as const;
  const text = table<RejectedProduct>(
    [
      ...(isTyped ? [] : [{ ...line, cell: (r: RejectedProduct) => shown(r.line) }]),
      { title: columns.code, cell: (r) => shown(r.codigo), priority: 1, shrinkTo: 16 },
      { title: columns.source, cell: (r) => words.source[r.source], priority: 2 },
      {
        title: columns.reason,
        cell: (r) => shown(rejection(r, ui.texts)),
        priority: 1,
        shrinkTo: 20,
        wraps: true,
      },
    ],
    rejected,
    ui,
  );
  return [
    "",
    ...heading(words.rejectedTitle, ui),
    text.trimEnd(),
    ...rejectsNotes(report, plan, rest, ui).flatMap((each) => note(each, ui)),
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
function firstOf({ action }: PushReport, plan: PushPlan | undefined, ui: Ui): string[] {
  const { firstTitle, first: columns } = ui.texts.push;
  const first = plan?.first ?? [];
  if (action === "upsert" || first.length === 0) return firstItems(first, ui, firstTitle[action]);
  const code = { title: columns.code, cell: (item: CatalogItem) => shown(item.codigo), priority: 1 };
  return ["", ...heading(firstTitle[action], ui), table([code], first, ui).trimEnd()];
}

/** How a push that was made ended, in one sentence. */
function headline(report: PushReport, ui: Ui): string {
  const words = ui.texts.push;
  const { outcome, stoppedBy, action, rejected } = report;
  const accepted = count(report.accepted, ui);
  const sent = count(report.sent, ui);
  const stale = count(report.skipped_stale, ui);
  if (stoppedBy === "journal_write_failed") return words.notKept(accepted, sent);
  if (outcome === "unknown" || outcome === "refused" || outcome === "stale") return words.outcome[outcome];
  if (sent.n === 0) return words.outcome.nothing;
  if (outcome === "partial" && stoppedBy !== undefined) return words.outcome.partial;
  if (outcome === "complete" && accepted.n === 0) return words.nothingNew(sent);
  const why = outcome === "nothing" ? commonReason(report, ui) : undefined;
  const reason = why && { said: why.said, isOnly: why.times === rejected.length };
  return words.done(outcome, action, { accepted, sent, rejected: count(rejected.length, ui), stale, reason });
}

function verdict(report: PushReport, plan: PushPlan | undefined, ui: Ui): string {
  const words = ui.texts.push;
  const { good, warn, bad } = ui.theme;
  if (isNoneGood(report, plan))
    return paragraph(words.outcome.noneGood(count(report.read, ui)), ui)
      .map(bad)
      .join("\n");
  if (plan) {
    const text = words.dryRun[report.action](count(plan.wouldSend, ui), count(plan.calls, ui));
    return paragraph(text, ui).join("\n");
  }
  if (report.sent === 0 && report.unchanged > 0) {
    return paragraph(words.outcome.allKnown(count(report.rejected.length, ui)), ui)
      .map(good)
      .join("\n");
  }
  const tones = { complete: good, partial: warn, refused: bad, stale: bad, unknown: bad };
  const tone = report.outcome === "nothing" ? (report.sent > 0 ? bad : warn) : tones[report.outcome];
  return paragraph(headline(report, ui), ui).map(tone).join("\n");
}

/** Why products came too late. */
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

/** The codes that a push deactivates because the file no longer has them: nobody has seen them anywhere else. */
function deactivatedCodes(codes: readonly string[], ui: Ui): string[] {
  return ["", ...heading(ui.texts.push.codesTitle, ui), ...paragraph(codes.map(shown).join(", "), ui)];
}

/**
 * What came of a push, or would: counts, remarks, the first ten rejected products and where the others
 * are (`spec.md` 4.2).
 *
 * @param codes those that are deactivated since the file no longer has them.
 * @param plan for a push that was not made.
 */
export function pushReport(
  report: PushReport,
  ui: Ui,
  { plan, codes = [], ...source }: ReportSource & { plan?: PushPlan; codes?: readonly string[] },
): string {
  const words = ui.texts.push;
  const titles = report.dry_run ? words.dryRunTitle : words.title;
  return `${[
    ...reportTitle(titles[report.action], source, ui),
    verdict(report, plan, ui),
    "",
    countsTable(report, plan, ui).trimEnd(),
    ...remarks(report, ui),
    ...(codes.length > 0 ? deactivatedCodes(codes, ui) : firstOf(report, plan, ui)),
    ...rejectsTable(report, plan, ui),
  ].join("\n")}\n`;
}

/** A push in the shape of the command line's JSON; row problems in English, whatever the language of the tables. */
export function pushReportJson(report: PushReport, plan?: PushPlan): object {
  const { push_id, action, occurred_at, read, sent, batches, accepted, skipped_stale } = report;
  const { duplicate_batches, unchanged, rejected_file, outcome, dry_run } = report;
  const rejected = new JsonList(report.rejected, (each) => ({
    codigo: each.codigo,
    error: rejection(each, en),
    source: each.source,
    line: each.line,
  }));
  const counts = { read, sent, batches, accepted, skipped_stale, duplicate_batches, unchanged };
  // Nothing was sent of a plan: what would be stands beside the counts, not in them.
  const planned = plan && { planned: plan.wouldSend, planned_batches: plan.calls, first: plan.first };
  return { push_id, action, occurred_at, ...counts, rejected, rejected_file, outcome, dry_run, ...planned };
}

/** Of so many rejected products the history keeps what was wrong; the rejected file has all of them. */
const REJECTS_KEPT = 10_000;

/** The same for the history. */
export function keptReportJson(report: PushReport): object {
  const left = report.rejected.length - REJECTS_KEPT;
  if (left <= 0) return pushReportJson(report);
  const kept = { ...report, rejected: report.rejected.slice(0, REJECTS_KEPT) };
  return { ...pushReportJson(kept), rejected_left_out: left };
}
