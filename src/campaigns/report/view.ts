import { type Cell, guardedChunks } from "../../cli/display/csv.ts";
import { count, isoTime, number, shown } from "../../cli/display/format.ts";
import { type Column, column, table } from "../../cli/display/table.ts";
import { heading, note, paragraph, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { SheetCell } from "../../cli/files/workbook.ts";
import type { Texts } from "../../i18n/en.ts";
import { costLines, countryName } from "../send/cost.ts";
import { classifyFailure } from "../status/read.ts";
import { sharesTable } from "../status/view.ts";
import { type CampaignReport, type ReportReply, steps, type TimeRow } from "./collect.ts";

const maxRows = 24;

/** What stands above the report, each with its label. */
export function listFacts(report: CampaignReport, branch: string, ui: Ui): [label: string, value: string][] {
  const { labels } = ui.texts.report;
  const counts: Readonly<Record<string, string>> = ui.texts.send.counts;
  const leftOut = Object.entries(report.left_out).flatMap(([name, people]) =>
    people ? `${counts[name] ?? name} ${number(people, ui)}` : [],
  );
  const all: [string, string | null][] = [
    [labels.branch, branch],
    [labels.template, report.template],
    [labels.ref, report.external_ref],
    [labels.at, report.at && isoTime(report.at, ui)],
    [labels.readAt, isoTime(report.read_at, ui)],
    [labels.leftOut, leftOut.join(" · ")],
  ];
  return all.flatMap(([label, value]) => (value === null || value === "" ? [] : [[label, shown(value)]]));
}

/** What the report cannot say, since the service or a call did not. */
export function listLimits(report: CampaignReport, ui: Ui): string[] {
  const words = ui.texts.report;
  const { calls, recipients_hidden: hidden, recipients_listed: listed, external_ref: ref } = report;
  const open = calls.all - calls.answered;
  const doubtful = report.replies.filter(({ opt_out }) => opt_out === "doubtful").length;
  return [
    ...(hidden > 0 ? [words.listed(count(listed, ui), count(listed + hidden, ui))] : []),
    ...(doubtful > 0 ? [ui.texts.optout.doubtful(count(doubtful, ui))] : []),
    ...(open > 0 ? [words.open(count(open, ui), ref ?? "")] : []),
  ];
}

/** The funnel's stages with those who did not get through it, and how many are all. */
export function listStages({ funnel, counts }: CampaignReport, ui: Ui) {
  const words = ui.texts.report;
  const stages = funnel.map(({ stage, recipients }) => ({ stage, name: words.stages[stage], recipients }));
  const rest = (["failed", "pending"] as const).flatMap((stage) => {
    const recipients = counts[stage];
    return recipients ? [{ stage, name: words[stage], recipients }] : [];
  });
  return { stages: [...stages, ...rest], all: funnel[0]?.recipients ?? 0 };
}

function section<Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[], ui: Ui): string[] {
  if (rows.length === 0) return [];
  const seen = rows.slice(0, maxRows);
  const more = rows.length - seen.length;
  return [
    "",
    ...heading(name, ui),
    table(columns, seen, ui).trimEnd(),
    ...(more > 0 ? note(ui.texts.report.more(count(more, ui)), ui) : []),
  ];
}

const stepColumns = <Row extends Record<(typeof steps)[number], number>>(ui: Ui): Column<Row>[] =>
  steps.map((step) =>
    column(ui.texts.report.stages[step], 2, (row) => number(row[step], ui), { align: "right" }),
  );

function errorLines({ errors }: CampaignReport, ui: Ui): string[] {
  const words = ui.texts.report;
  if (errors.length === 0) return [];
  const { bad, dim } = ui.theme;
  const told = errors.slice(0, maxRows).flatMap(({ error, kind, recipients }) => {
    const { meaning, advice } = words.failures[kind];
    const head = `${number(recipients, ui)} × ${error === "" ? words.unnamed : error}`;
    return [...paragraph(head, ui).map(bad), ...paragraph(meaning, ui), ...paragraph(advice, ui).map(dim)];
  });
  return ["", ...heading(words.errors, ui), ...told];
}

/** The report on a screen. */
export function reportText(report: CampaignReport, branch: string, ui: Ui): string {
  const words = ui.texts.report;
  const { columns } = ui.texts.cost;
  const { stages, all } = listStages(report, ui);
  const hours: Column<TimeRow>[] = [
    column(words.hour, 1, ({ at }) => isoTime(at, ui)),
    ...stepColumns<TimeRow>(ui),
  ];
  type Country = CampaignReport["countries"][number];
  const countries: Column<Country>[] = [
    column(words.country, 1, ({ country }) => countryName(country, ui), { shrinkTo: 8 }),
    column(columns.recipients, 1, ({ recipients }) => number(recipients, ui), { align: "right" }),
    ...stepColumns<Country>(ui),
    column(words.failed, 2, ({ failed }) => number(failed, ui), { align: "right" }),
  ];
  const optOut = column<ReportReply>(words.reply.optOut, 2, (row) =>
    shown(row.opt_out && words.optOut[row.opt_out]),
  );
  const replies: Column<ReportReply>[] = [
    column(words.reply.at, 3, ({ at }) => isoTime(at, ui)),
    column(words.reply.from, 2, ({ phone, name }) => shown([name, phone].filter(Boolean).join(" · ")), {
      shrinkTo: 16,
    }),
    ...(report.replies.some(({ opt_out }) => opt_out !== null) ? [optOut] : []),
    column(words.reply.text, 1, ({ text }) => shown(text), { shrinkTo: 24, wraps: true }),
  ];
  return `${[
    ...title(words.title, ui),
    ...listFacts(report, branch, ui).flatMap(([label, value]) => paragraph(`${label}: ${value}`, ui)),
    "",
    ...heading(words.funnel, ui),
    ...sharesTable(
      stages.map(({ stage, name, recipients }) => [stage, name, recipients]),
      all,
      ui,
    ),
    ...section(words.hours, hours, report.hours, ui),
    ...errorLines(report, ui),
    ...section(words.countries, countries, report.countries, ui),
    ...costLines(report.cost ?? undefined, ui),
    ...section(words.replies, replies, report.replies, ui),
    ...listLimits(report, ui).flatMap((text) => ["", ...note(text, ui)]),
  ].join("\n")}\n`;
}

const columns = [
  ...(["phone", "name", "country", "line", "campaign_id", "status"] as const),
  ...steps.map((step) => `${step}_at` as const),
  "error",
] as const;
const header = [...columns, "meaning", "replies"];

function* toCells({ rows }: CampaignReport, { report: words }: Texts): Generator<Cell[]> {
  for (const row of rows) {
    const meaning = row.error === null ? "" : words.failures[classifyFailure(row.error)].meaning;
    // What begins with a plus and is no phone, as one that is masked, would get an apostrophe.
    const phone = row.phone.includes("…") ? row.phone.replace("+", "") : row.phone;
    yield [
      ...columns.map((name) => (name === "phone" ? phone : row[name])),
      meaning,
      row.replies.join(" · "),
    ];
  }
}

/** A row for each recipient, with a heading. */
export const recipientsCsv = (report: CampaignReport, texts: Texts): Iterable<string> =>
  guardedChunks(header, toCells(report, texts));

/** The same as a workbook. */
export async function recipientsWorkbook(
  report: CampaignReport,
  texts: Texts,
): Promise<Iterable<Uint8Array>> {
  const { maxCellLength, workbookChunks } = await import("../../cli/files/workbook.ts");
  function* sheet(): Generator<SheetCell[]> {
    yield header.map((text) => ({ text, as: "heading" }));
    for (const cells of toCells(report, texts))
      yield cells.map((cell) => ({ text: String(cell ?? "").slice(0, maxCellLength) }));
  }
  const widths = header.map((name) => (/^(?:error|meaning|replies)$/.test(name) ? 48 : 22));
  return workbookChunks(sheet(), widths);
}
