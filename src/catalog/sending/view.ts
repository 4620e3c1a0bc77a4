import { ABSENT, count, isoTime, number, price, shown } from "../../cli/display/format.ts";
import { JsonList } from "../../cli/display/json.ts";
import { type Column, column, table } from "../../cli/display/table.ts";
import { heading, note, paragraph, type ReportSource, reportTitle } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { type RejectedProduct, rejection } from "../../cli/files/rejected-rows.ts";
import type { CatalogItem } from "../../contract/catalog.ts";
import type { PriceChange } from "../../errors/problems.ts";
import type { ErrorFacts } from "../../errors.ts";
import type { FileForm } from "../../input/files/rows.ts";
import { english, type T } from "../../texts/texts.ts";
import type { Comparison } from "../compare.ts";
import { concatenate, type PushReport, sumUp } from "./report.ts";
import type { LeftAlone } from "./request.ts";
import { isFollowing, isNoneGood, verdict } from "./verdict.ts";

const maxRejects = 10;
const maxCodes = 50;

type CountRow = { what: string; count: number; tone?: "good" | "warn" | "bad" };

/** A table of counts; `title` is that of their column. */
export function countsTable(rows: CountRow[], title: string, ui: Ui): string {
  const style = (text: string, { tone, count }: CountRow): string =>
    tone === undefined || count === 0 ? text : ui.theme[tone](text);
  const columns: Column<CountRow>[] = [
    column("", 1, (row) => row.what, { shrinkTo: 8 }),
    column(title, 1, (row) => number(row.count, ui), { align: "right", style }),
  ];
  return table(columns, rows, ui).trimEnd();
}

/** The counts of what was sent, and of those that nobody needs where they are 0. */
function sentRows(report: PushReport, t: T): CountRow[] {
  const { planned, action } = report;
  if (planned) {
    const what = action === "upsert" ? t("Would be sent") : t("Would be deactivated");
    return [{ what, count: planned.wouldSend }];
  }

  const { accepted, before, unanswered, uncounted, stale, notSent, refused } = sumUp(report);
  return [
    ...shownRow(t("Not sent"), notSent),
    { what: t("Sent // products"), count: report.sent },
    { what: action === "upsert" ? t("Accepted") : t("Deactivated"), count: accepted, tone: "good" },
    ...shownRow(t("Applied by an earlier attempt"), before),
    { what: t("Stale, ignored"), count: stale, tone: "warn" },
    { what: t("Rejected by the service"), count: refused, tone: "bad" },
    ...shownRow(t("Without an answer"), unanswered),
    ...shownRow(t("Not in the service's answer"), uncounted),
  ];
}

/** What was read is what was rejected, repeated, unchanged, not sent and sent; of the last, each row is a part. */
function countRows(report: PushReport, t: T): CountRow[] {
  const { action } = report;
  const { rejectedHere, repeated } = sumUp(report);
  const hasRows = !isFollowing(report) && !report.undo;
  const read = action === "upsert" ? t("Rows read") : t("Codes read");
  return [
    ...(hasRows ? [{ what: read, count: report.read }] : []),
    ...(hasRows || rejectedHere > 0
      ? [{ what: t("Rejected by bpos"), count: rejectedHere, tone: "bad" as const }]
      : []),
    ...shownRow(t("Repeats of another row"), repeated),
    ...(action === "delete" ? [] : [{ what: t("Unchanged, not sent"), count: report.unchanged }]),
    ...sentRows(report, t),
    ...(report.undo
      ? [{ what: t("Left alone // a count"), count: report.undo.leftAlone.length, tone: "warn" as const }]
      : []),
    ...shownRow(t("Products without a price"), report.prices?.without ?? 0),
  ];
}

export const shownRow = (what: string, count: number): CountRow[] =>
  count === 0 ? [] : [{ what, count, tone: "warn" }];

/** `source` is the title of the column that says who rejected a row, if there is one. */
export function rejectedTable(
  rows: readonly RejectedProduct[],
  { source, reason }: { source?: string; reason: string },
  ui: Ui,
): string {
  const { t } = ui.texts;
  const names = { file: "bpos", service: t("service") };
  const all: (Column<RejectedProduct> | false)[] = [
    rows.some((row) => row.line !== null) &&
      column(t("Line"), 1, (row) => shown(row.line), { align: "right" }),
    column(t("Code"), 1, (row) => shown(row.codigo), { shrinkTo: 16 }),
    source !== undefined && column(source, 2, (row) => names[row.source]),
    column(reason, 1, (row) => shown(rejection(row, ui.texts.t)), { shrinkTo: 20, wraps: true }),
  ];
  return table(all, rows, ui).trimEnd();
}

/** How many more there are than a table shows. */
const moreText = (rest: number, ui: Ui): string =>
  ui.texts.t("{count, plural, one {# more is not shown.} other {# more are not shown.}}", {
    count: count(rest, ui),
  });

/** Says where all rejected rows are, or how to get them. */
function whereRejected(report: PushReport, t: T): string {
  const { rejected_file: file } = report;
  if (isFollowing(report)) return notRetried(t);
  return file === null
    ? t("--rejected FILE writes all of them to a file to correct; --json lists them.")
    : t("All of them are in {file}: correct it and run the same command with it.", { file });
}

/** Says that the service refused to deactivate products after a push. */
export const notRetried = (t: T): string =>
  t(
    "They are not retried. `bpos catalog history --json` lists them; if one is still on sale, run `bpos catalog delete CODE`.",
  );

/** Lists the flags that change how a whole column is read. */
const readingFlags = (format: string | undefined): string[] =>
  format === "xlsx"
    ? ["--sheet", "--header-row", "--decimal"]
    : format === "csv"
      ? ["--decimal", "--delimiter", "--encoding", "--header-row"]
      : ["--decimal", "--encoding"];

function rejects(report: PushReport, ui: Ui, format: PushSource["format"]): string[] {
  const { action, rejected } = report;
  if (rejected.length === 0) return [];
  const { t } = ui.texts;
  const rest = rejected.length - maxRejects;
  const howRead = t(
    "If a whole column is wrong: `bpos catalog check FILE` shows how bpos reads each one; {flags} and --map change that.",
    { flags: readingFlags(format).join(", ") },
  );
  const notes = [
    ...(rest > 0 ? [moreText(rest, ui)] : []),
    whereRejected(report, t),
    ...(action === "upsert" && isNoneGood(report) ? [howRead] : []),
  ];
  return [
    "",
    ...heading(t("Rejected"), ui),
    rejectedTable(rejected.slice(0, maxRejects), { source: t("By"), reason: t("Reason") }, ui),
    ...notes.flatMap((each) => note(each, ui)),
  ];
}

export function firstItems(first: readonly CatalogItem[], ui: Ui, titleText: string): string[] {
  if (first.length === 0) return [];
  const { t } = ui.texts;
  const [yes, no] = [t("yes"), t("no")];
  const has = (field: keyof CatalogItem): boolean => first.some((item) => item[field] !== undefined);
  const disabled = (item: CatalogItem): string =>
    item.deshabilitado === undefined ? ABSENT : item.deshabilitado ? yes : no;
  const all: (Column<CatalogItem> | false)[] = [
    column(t("Code"), 1, (item) => shown(item.codigo), { shrinkTo: 8 }),
    has("nombre") && column(t("Name"), 2, (item) => shown(item.nombre), { shrinkTo: 12 }),
    has("categoria") && column(t("Category"), 4, (item) => shown(item.categoria), { shrinkTo: 8 }),
    has("precio") && column(t("Price"), 2, (item) => price(item.precio, ui), { align: "right" }),
    has("deshabilitado") && column(t("Disabled"), 3, disabled),
  ];
  return ["", ...heading(titleText, ui), table(all, first, ui).trimEnd()];
}

export const staleWhy = ({ occurred_at }: PushReport, ui: Ui): string =>
  ui.texts.t(
    "The service had applied changes later than {time}. Check the clock of this machine and of the one that pushed before.",
    { time: isoTime(occurred_at, ui) },
  );

function remarks(report: PushReport, ui: Ui): string[] {
  const { t } = ui.texts;
  const { duplicate_batches: all, unknownDuplicates: unknown = 0 } = report;
  const duplicates = t(
    "{count, plural, one {# batch had been applied by an earlier attempt and was not applied again.} other {# batches had been applied by an earlier attempt and were not applied again.}}",
    { count: count(all - unknown, ui) },
  );
  const unknownDuplicates = t(
    "The service reports {count, plural, one {# batch} other {# batches}} as applied before, and this journal has no earlier attempt: check the products at the service.",
    { count: count(unknown, ui) },
  );
  return [
    ...(all > unknown ? [duplicates] : []),
    ...(unknown > 0 ? [unknownDuplicates] : []),
    ...(report.skipped_stale > 0 ? [staleWhy(report, ui)] : []),
  ].flatMap((text) => paragraph(text, ui).map(ui.theme.warn));
}

function codeLines(report: PushReport, ui: Ui): string[] {
  const { codes = [], dry_run: isPreview } = report;
  if (codes.length === 0) return [];
  const { t } = ui.texts;
  const rest = codes.length - maxCodes;
  const more = t(
    isPreview
      ? "{count, plural, one {# more is not shown} other {# more are not shown}}; --json lists them."
      : "{count, plural, one {# more is not shown} other {# more are not shown}}; `bpos catalog history --json` lists them.",
    { count: count(rest, ui) },
  );
  return [
    "",
    ...heading(isFollowing(report) ? t("No longer in the file") : t("Codes"), ui),
    ...paragraph(codes.slice(0, maxCodes).map(shown).join(", "), ui),
    ...(rest > 0 ? note(more, ui) : []),
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
  const columns: Column<LeftAlone>[] = [
    column(t("Code"), 1, (each) => shown(each.codigo), { shrinkTo: 16 }),
    column(t("Reason"), 1, (each) => reasons[each.reason], { shrinkTo: 20, wraps: true }),
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

function titleOf({ action, undo, dry_run: isDry }: PushReport, t: T): string {
  if (undo !== undefined) return t(isDry ? "Catalog undo · dry run" : "Catalog undo");
  return action === "upsert"
    ? t(isDry ? "Catalog push · dry run" : "Catalog push")
    : t(isDry ? "Catalog delete · dry run" : "Catalog delete");
}

export function pushReport(report: PushReport, ui: Ui, source: PushSource): string {
  const { t } = ui.texts;
  const { action, planned, undo } = report;
  // An undo shows all that it changes.
  const first = undo === undefined ? (planned?.first ?? []) : [];
  return `${[
    ...reportTitle(titleOf(report, t), source, ui),
    ...verdict(report, ui),
    "",
    countsTable(countRows(report, t), t("Products"), ui),
    ...remarks(report, ui),
    ...(action === "delete" ? codeLines(report, ui) : firstItems(first, ui, t("The first products"))),
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
  const { t } = ui.texts;
  const fromZero = t("from 0");
  const formatShare = ({ change_percent: share }: PriceChange): string =>
    share === null ? fromZero : `${share > 0 ? "+" : ""}${number(share, ui)} %`;
  const columns: (Column<PriceChange> | false)[] = [
    column(t("Code"), 1, (row) => shown(row.codigo), { shrinkTo: 8 }),
    prices.some(({ nombre }) => nombre !== null) &&
      column(t("Name"), 3, (row) => shown(row.nombre), { shrinkTo: 12 }),
    column(t("Old price"), 1, (row) => price(row.old_price, ui), { align: "right" }),
    column(t("New price"), 1, (row) => price(row.new_price, ui), { align: "right" }),
    column(t("Change"), 2, formatShare, { align: "right", style: ui.theme.bad }),
  ];
  const rest = all - prices.length;
  const refused = t(
    "Nothing was sent: {count, plural, one {# known price} other {# known prices}} would change by more than {limit}.",
    { count: count(all, ui), limit },
  );
  return `${[
    ...reportTitle(t("Catalog push"), source, ui),
    ...paragraph(refused, ui).map(ui.theme.bad),
    "",
    table(columns, prices, ui).trimEnd(),
    ...(rest > 0 ? note(moreText(rest, ui), ui) : []),
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
    error: rejection(each, english),
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
