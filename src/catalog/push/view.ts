import { ABSENT, count, dateTime, isoTime, number, price, shown } from "../../cli/display/format.ts";
import { JsonList } from "../../cli/display/json.ts";
import { type Column, column, table } from "../../cli/display/table.ts";
import { heading, note, paragraph, type ReportSource, reportTitle } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { type RejectedProduct, rejection } from "../../cli/files/rejected-rows.ts";
import type { CatalogItem } from "../../contract/catalog.ts";
import type { PriceChange } from "../../errors/problems.ts";
import { type ErrorFacts, isReason } from "../../errors.ts";
import { en } from "../../i18n/en.ts";
import type { FileForm } from "../../input/rows.ts";
import type { Comparison } from "../compare.ts";
import type { LeftAlone } from "./plan.ts";
import { concatenate, type PushReport, sumUp } from "./report.ts";

const maxRejects = 10;
const maxCodes = 50;

type CountRow = { what: string; count: number; tone?: "good" | "warn" | "bad" };

export function countsTable(rows: CountRow[], words: { what: string; count: string }, ui: Ui): string {
  const style = (text: string, { tone, count }: CountRow): string =>
    tone === undefined || count === 0 ? text : ui.theme[tone](text);
  const columns: Column<CountRow>[] = [
    column(words.what, 1, (row) => row.what, { shrinkTo: 8 }),
    column(words.count, 1, (row) => number(row.count, ui), { align: "right", style }),
  ];
  return table(columns, rows, ui).trimEnd();
}

/** Whether it is the delete after a push: it has no rows that anybody could correct. */
const isFollowing = ({ action, read }: PushReport): boolean => action === "delete" && read === 0;

/** The counts of what was sent, and of those that nobody needs where they are 0. */
function sentRows(report: PushReport, ui: Ui): CountRow[] {
  const words = ui.texts.push.counts;
  const { planned, action } = report;
  if (planned) return [{ what: words.wouldSend[action], count: planned.wouldSend }];
  const { accepted, before, unanswered, uncounted, stale, notSent, refused } = sumUp(report);
  return [
    ...shownRow(words.notSent, notSent),
    { what: words.sent, count: report.sent },
    { what: words.accepted[action], count: accepted, tone: "good" },
    ...shownRow(words.before, before),
    { what: words.stale, count: stale, tone: "warn" },
    { what: words.refused, count: refused, tone: "bad" },
    ...shownRow(words.unanswered, unanswered),
    ...shownRow(words.uncounted, uncounted),
  ];
}

/** What was read is what was rejected, repeated, unchanged, not sent and sent; of the last, each row is a part. */
function countRows(report: PushReport, ui: Ui): CountRow[] {
  const words = ui.texts.push.counts;
  const { action } = report;
  const { rejectedHere, repeated } = sumUp(report);
  const hasRows = !isFollowing(report) && !report.undo;
  return [
    ...(hasRows ? [{ what: words.read[action], count: report.read }] : []),
    ...(hasRows || rejectedHere > 0
      ? [{ what: words.rejected, count: rejectedHere, tone: "bad" as const }]
      : []),
    ...shownRow(words.repeated, repeated),
    ...(action === "delete" ? [] : [{ what: words.unchanged, count: report.unchanged }]),
    ...sentRows(report, ui),
    ...(report.undo
      ? [{ what: words.leftAlone, count: report.undo.leftAlone.length, tone: "warn" as const }]
      : []),
    ...shownRow(words.unpriced, report.prices?.without ?? 0),
  ];
}

export const shownRow = (what: string, count: number): CountRow[] =>
  count === 0 ? [] : [{ what, count, tone: "warn" }];

/** Of a push of products without any price: whoever meant to change prices has changed none. */
export const hasNoPrices = ({ prices }: PushReport): boolean =>
  prices !== undefined && prices.without > 0 && !prices.hasAny;

const isNoneGood = ({ rejected, read, unchanged, sent, planned }: PushReport): boolean =>
  read > 0 && unchanged === 0 && rejected.length === read && (planned?.wouldSend ?? sent) === 0;

export function rejectedTable(
  rows: readonly RejectedProduct[],
  columns: { line: string; code: string; source?: string; reason: string },
  ui: Ui,
): string {
  const { line, code, source, reason } = columns;
  const all: (Column<RejectedProduct> | false)[] = [
    rows.some((row) => row.line !== null) && column(line, 1, (row) => shown(row.line), { align: "right" }),
    column(code, 1, (row) => shown(row.codigo), { shrinkTo: 16 }),
    source !== undefined && column(source, 2, (row) => ui.texts.push.source[row.source]),
    column(reason, 1, (row) => shown(rejection(row, ui.texts)), { shrinkTo: 20, wraps: true }),
  ];
  return table(all, rows, ui).trimEnd();
}

function rejects(report: PushReport, ui: Ui, format: PushSource["format"]): string[] {
  const { action, rejected, rejected_file: file } = report;
  if (rejected.length === 0) return [];
  const words = ui.texts.push;
  const rest = rejected.length - maxRejects;
  const notes = [
    ...(rest > 0 ? [words.more(count(rest, ui))] : []),
    isFollowing(report) ? words.notDeactivated : file === null ? words.noFile : words.file(file),
    ...(action === "upsert" && isNoneGood(report) ? [words.howRead(format)] : []),
  ];
  return [
    "",
    ...heading(words.rejectedTitle, ui),
    rejectedTable(rejected.slice(0, maxRejects), words.rejected, ui),
    ...notes.flatMap((each) => note(each, ui)),
  ];
}

export function firstItems(first: readonly CatalogItem[], ui: Ui, titleText: string): string[] {
  if (first.length === 0) return [];
  const { first: columns, yes, no } = ui.texts.push;
  const has = (field: keyof CatalogItem): boolean => first.some((item) => item[field] !== undefined);
  const disabled = (item: CatalogItem): string =>
    item.deshabilitado === undefined ? ABSENT : item.deshabilitado ? yes : no;
  const all: (Column<CatalogItem> | false)[] = [
    column(columns.code, 1, (item) => shown(item.codigo), { shrinkTo: 8 }),
    has("nombre") && column(columns.name, 2, (item) => shown(item.nombre), { shrinkTo: 12 }),
    has("categoria") && column(columns.category, 4, (item) => shown(item.categoria), { shrinkTo: 8 }),
    has("precio") && column(columns.price, 2, (item) => price(item.precio, ui), { align: "right" }),
    has("deshabilitado") && column(columns.disabled, 3, disabled),
  ];
  return ["", ...heading(titleText, ui), table(all, first, ui).trimEnd()];
}

/** `9 rows: 2 accepted, 7 rejected (6 by bpos, 1 by the service)`; undefined where all of them were accepted. */
function sumText(report: PushReport, ui: Ui): string | undefined {
  const words = ui.texts.push;
  const { total, rejectedHere, refused, ...parts } = sumUp(report);
  if (parts.accepted === total) return undefined;
  const unit =
    isFollowing(report) || report.undo ? "products" : report.action === "delete" ? "codes" : "rows";
  const of = { unit, action: report.action } as const;
  const said = Object.entries(parts).flatMap(([part, n]) =>
    n === 0 ? [] : words.became[part as keyof typeof parts](count(n, ui), of),
  );
  const rejected = words.rejectedBy(
    count(rejectedHere + refused, ui),
    { here: count(rejectedHere, ui), there: count(refused, ui) },
    of,
  );
  const all = [...said, ...(rejectedHere + refused > 0 ? [rejected] : [])];
  return `${words.units[unit](count(total, ui))}: ${all.join(", ")}`;
}

function headline(report: PushReport, ui: Ui): string {
  const words = ui.texts.push;
  const { outcome, failure, action } = report;
  const accepted = count(report.accepted, ui);
  const sent = count(report.sent, ui);
  if (isReason(failure, "journal_write_failed")) {
    const { lockLost } = failure.facts;
    return lockLost === undefined ? words.notKept(accepted, sent) : words.takenOver(accepted, sent);
  }
  if (outcome === "unknown" || outcome === "refused" || outcome === "stale") return words.outcome[outcome];
  if (sent.n === 0) return words.outcome.nothing;
  if (outcome === "partial" && failure !== undefined) return words.outcome.partial;
  if (outcome === "complete" && accepted.n === 0) return words.nothingNew(sent);
  const unpriced = count(report.prices?.without ?? 0, ui);
  return words.done(accepted.n === 0 ? "nothing" : outcome, action, {
    accepted,
    unpriced,
    hasNoPrices: hasNoPrices(report),
    sum: sumText(report, ui),
  });
}

function verdict(report: PushReport, ui: Ui): string[] {
  const words = ui.texts.push;
  const { good, warn, bad } = ui.theme;
  const { planned, rejected, unchanged, sent, outcome, action, lastPushAt: at } = report;
  if (isNoneGood(report)) return paragraph(words.outcome.noneGood(count(report.read, ui)), ui).map(bad);
  if (planned)
    return paragraph(words.dryRun[action](count(planned.wouldSend, ui), count(planned.calls, ui)), ui);
  if (sent === 0 && unchanged > 0)
    return paragraph(
      words.outcome.allKnown(count(rejected.length, ui), at === undefined ? undefined : dateTime(at, ui)),
      ui,
    ).map(good);
  const isHalf = outcome === "complete" || outcome === "partial" || (outcome === "nothing" && sent === 0);
  const isGood = outcome === "complete" && !hasNoPrices(report);
  return paragraph(headline(report, ui), ui).map(isGood ? good : isHalf ? warn : bad);
}

export const staleWhy = ({ occurred_at }: PushReport, ui: Ui): string =>
  ui.texts.push.staleWhy(isoTime(occurred_at, ui));

function remarks(report: PushReport, ui: Ui): string[] {
  const words = ui.texts.push;
  const { duplicate_batches: duplicates, unknownDuplicates: unknown = 0 } = report;
  return [
    ...(duplicates > unknown ? [words.duplicates(count(duplicates - unknown, ui))] : []),
    ...(unknown > 0 ? [words.unknownDuplicates(count(unknown, ui))] : []),
    ...(report.skipped_stale > 0 ? [staleWhy(report, ui)] : []),
  ].flatMap((text) => paragraph(text, ui).map(ui.theme.warn));
}

function codeLines(report: PushReport, ui: Ui): string[] {
  const { codes = [], dry_run: isPreview } = report;
  if (codes.length === 0) return [];
  const { codesTitle, moreCodes } = ui.texts.push;
  const rest = codes.length - maxCodes;
  return [
    "",
    ...heading(isFollowing(report) ? codesTitle.missing : codesTitle.named, ui),
    ...paragraph(codes.slice(0, maxCodes).map(shown).join(", "), ui),
    ...(rest > 0 ? note(moreCodes(count(rest, ui), isPreview), ui) : []),
  ];
}

function leftAloneLines({ undo }: PushReport, ui: Ui): string[] {
  const all = undo?.leftAlone ?? [];
  if (all.length === 0) return [];
  const { t } = ui.texts;
  const reasons: Record<LeftAlone["reason"], string> = {
    changed_since: t("changed since that push"),
    former_unknown: t("this journal never knew what it was before"),
    state_unknown: t("it is not known what the service has now"),
  };
  const { code, reason } = ui.texts.push.rejected;
  const columns: Column<LeftAlone>[] = [
    column(code, 1, (each) => shown(each.codigo), { shrinkTo: 16 }),
    column(reason, 1, (each) => reasons[each.reason], { shrinkTo: 20, wraps: true }),
  ];
  const rest = all.length - maxRejects;
  const more = t(
    "{count, plural, one {# more is not shown} other {# more are not shown}}; --json lists them.",
    { count: count(rest, ui) },
  );
  return [
    "",
    ...heading(t("Left alone // products of an undo"), ui),
    table(columns, all.slice(0, maxRejects), ui).trimEnd(),
    ...(rest > 0 ? note(more, ui) : []),
  ];
}

type PushSource = ReportSource & { format?: FileForm["format"] | undefined };

export function pushReport(report: PushReport, ui: Ui, source: PushSource): string {
  const words = ui.texts.push;
  const { action, planned, undo } = report;
  // An undo shows all that it changes.
  const first = undo === undefined ? (planned?.first ?? []) : [];
  const titles = report.dry_run ? words.dryRunTitle : words.title;
  const undone = ui.texts.t(report.dry_run ? "Catalog undo · dry run" : "Catalog undo");
  return `${[
    ...reportTitle(undo === undefined ? titles[action] : undone, source, ui),
    ...verdict(report, ui),
    "",
    countsTable(countRows(report, ui), words.columns, ui),
    ...remarks(report, ui),
    ...(action === "delete" ? codeLines(report, ui) : firstItems(first, ui, words.firstTitle)),
    ...rejects(report, ui, source.format),
    ...leftAloneLines(report, ui),
  ].join("\n")}\n`;
}

/** Of a push that `--max-price-change` refused; ends with how many more there are than are named. */
export function priceChangesReport(
  { count: all, limit, prices }: ErrorFacts["price_change_too_large"],
  ui: Ui,
  source: ReportSource,
): string {
  const { title, changes, more } = ui.texts.push;
  const { code, name, before, after, change } = changes.columns;
  const formatShare = ({ change_percent: share }: PriceChange): string =>
    share === null ? changes.fromZero : `${share > 0 ? "+" : ""}${number(share, ui)} %`;
  const columns: (Column<PriceChange> | false)[] = [
    column(code, 1, (row) => shown(row.codigo), { shrinkTo: 8 }),
    prices.some(({ nombre }) => nombre !== null) &&
      column(name, 3, (row) => shown(row.nombre), { shrinkTo: 12 }),
    column(before, 1, (row) => price(row.old_price, ui), { align: "right" }),
    column(after, 1, (row) => price(row.new_price, ui), { align: "right" }),
    column(change, 2, formatShare, { align: "right", style: ui.theme.bad }),
  ];
  const rest = all - prices.length;
  return `${[
    ...reportTitle(title.upsert, source, ui),
    ...paragraph(changes.title(count(all, ui), limit), ui).map(ui.theme.bad),
    "",
    table(columns, prices, ui).trimEnd(),
    ...(rest > 0 ? note(more(count(rest, ui)), ui) : []),
  ].join("\n")}\n`;
}

/** All that would change, as JSON has it. */
export const changesJson = ({ changes, strangers }: Comparison) =>
  new JsonList(concatenate(changes, strangers), ({ codigo, kind, fields }) => ({ codigo, kind, fields }));

export function pushReportJson(report: PushReport): object {
  const { push_id, action, occurred_at, read, sent, batches, accepted, skipped_stale, planned } = report;
  const { undo, duplicate_batches, unchanged, rejected_file, outcome, dry_run, codes, prices, compared } =
    report;
  const rejected = new JsonList(report.rejected, (each) => ({
    codigo: each.codigo,
    error: rejection(each, en),
    source: each.source,
    line: each.line,
  }));
  return {
    push_id,
    action,
    occurred_at,
    read,
    sent,
    batches,
    accepted,
    skipped_stale,
    duplicate_batches,
    unchanged,
    rejected,
    rejected_file,
    outcome,
    dry_run,
    ...(prices && {
      without_price: prices.without,
      prices_to_zero: prices.toZero ?? { count: 0, first: [] },
    }),
    // Nothing was sent of a plan: what would be stands beside the counts, not in them.
    ...(codes && { codes: new JsonList(codes, (code) => code) }),
    ...(planned && { planned: planned.wouldSend, planned_batches: planned.calls, first: planned.first }),
    ...(undo && { undo_of: undo.of, left_alone: new JsonList(undo.leftAlone, (each) => each) }),
    ...(compared && { diff: compared.counts }),
    // Of a push `catalog diff` lists them.
    ...(compared && undo && { changes: changesJson(compared) }),
  };
}

/** Of so many rejected products, and codes of a delete, the history keeps what there was; the rejected file has all of them. */
const maxKept = 10_000;

export function keptReportJson(report: PushReport): object {
  const { rejected, codes = [] } = report;
  const { undo } = report;
  const [rejectedLeft, codesLeft] = [rejected.length - maxKept, codes.length - maxKept];
  const kept = {
    ...report,
    ...(rejectedLeft > 0 && { rejected: rejected.slice(0, maxKept) }),
    ...(codesLeft > 0 && { codes: codes.slice(0, maxKept) }),
    ...(undo && { undo: { ...undo, leftAlone: undo.leftAlone.slice(0, maxKept) } }),
  };
  return {
    ...pushReportJson(kept),
    ...(rejectedLeft > 0 && { rejected_left_out: rejectedLeft }),
    ...(codesLeft > 0 && { codes_left_out: codesLeft }),
  };
}
