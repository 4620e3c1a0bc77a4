import { count, isoTime, shown } from "../../cli/display/format.ts";
import { type Column, column, table } from "../../cli/display/table.ts";
import { heading, note, paragraph, type ReportSource, reportTitle } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { FileForm } from "../../input/files/rows.ts";
import type { T } from "../../texts/texts.ts";
import { type CountRow, countsTable, firstItems, moreText, rejectedTable, shownRow } from "../tables.ts";
import { type PushReport, sumUp } from "./report.ts";
import type { LeftAlone } from "./request.ts";
import { isFollowing, isNoneGood, verdict } from "./verdict.ts";

const maxRejects = 10;
const maxCodes = 50;

/** Returns the counts of a sent request; some are shown only if they are not 0. */
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

/** Returns the counts of all rows that were read: rejected, repeated, unchanged, not sent, and sent with its parts. */
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
    ...shownRow(t("Duplicate rows // of a push"), repeated),
    ...(action === "delete" ? [] : [{ what: t("Unchanged, not sent"), count: report.unchanged }]),
    ...sentRows(report, t),
    ...(report.undo
      ? [{ what: t("Left alone // a count"), count: report.undo.leftAlone.length, tone: "warn" as const }]
      : []),
    ...shownRow(t("Products without a price"), report.prices?.without ?? 0),
  ];
}

/** Says where all rejected rows are, or how to get them. */
function whereRejected(report: PushReport, t: T): string {
  const { rejected_file: file, action } = report;
  if (isFollowing(report)) return notRetried(t);
  if (file === null)
    return t("To correct them, write them to a file with --rejected FILE; --json lists them.");
  // It holds a few products: with --deactivate-missing all others would be missing.
  return action === "upsert"
    ? t("All of them are in {file}. Correct that file and push it without --deactivate-missing.", { file })
    : t("All of them are in {file}. Correct that file and run the same command with it.", { file });
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
    "If a whole column is wrong, `bpos catalog check FILE` shows how bpos reads each column. To change that, use {flags} or --map.",
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

export const staleWhy = ({ occurred_at }: PushReport, ui: Ui): string =>
  ui.texts.t(
    "The service already has changes newer than {time}. Check the clocks of this machine and of the machine that pushed before.",
    { time: isoTime(occurred_at, ui) },
  );

function remarks(report: PushReport, ui: Ui): string[] {
  const { t } = ui.texts;
  const { duplicate_batches: all, unknownDuplicates: unknown = 0 } = report;
  const duplicates = t(
    "{count, plural, one {# batch was already applied by an earlier attempt, and was not applied again.} other {# batches were already applied by an earlier attempt, and were not applied again.}}",
    { count: count(all - unknown, ui) },
  );
  const unknownDuplicates = t(
    "The service reports {count, plural, one {# batch} other {# batches}} as already applied, but this journal has no earlier attempt. Check the products in the service.",
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
    former_unknown: t("this journal does not have its earlier values"),
    state_unknown: t("its current values in the service are unknown"),
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
