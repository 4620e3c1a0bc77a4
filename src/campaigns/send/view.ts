import { age, count, dateTime, shown } from "../../cli/display/format.ts";
import { type Column, column, table } from "../../cli/display/table.ts";
import { heading, note, paragraph, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { Hours } from "../../cli/line/hours-flags.ts";
import type { Recipient } from "../../contract/campaign.ts";
import type { T } from "../../texts/texts.ts";
import type { SendReport } from "../send-report.ts";
import {
  countsBefore,
  countsTable,
  type ErrorsFile,
  facts,
  formatTitle,
  leftOutLines,
  onlyFailedText,
  testText,
} from "../sending/report-view.ts";
import { countOf, type Schedule, type Waiting } from "../sending/schedule.ts";
import type { SendRequest } from "./plan.ts";

export interface SendPreview {
  branch: string;
  request: Pick<SendRequest, "headerUrl" | "template" | "schedule"> & {
    reading: { paramNames: readonly string[] };
  };
  calls: number;
  first: readonly Recipient[];
  /** The message to the first of them, if the template's text is known. */
  message?: string | undefined;
  file: ErrorsFile | null;
  waiting: readonly Waiting[];
  canary: number;
  planned: number;
  /** Whether the service confirmed that it has the template. */
  isTemplateChecked: boolean;
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

function canaryText(canary: number, { maxFailed, waitMs }: NonNullable<Schedule["canary"]>, ui: Ui): string {
  const limit = count(countOf(maxFailed, canary), ui);
  const facts = { count: count(canary, ui), time: age(waitMs) };
  return limit.n === 0
    ? ui.texts.t(
        "{count, plural, one {# recipient} other {# recipients}} first, then the rest if none of them fails within {time}",
        facts,
      )
    : ui.texts.t(
        "{count, plural, one {# recipient} other {# recipients}} first, then the rest if at most {limit} of them fail within {time}",
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
    ? t("{between}, local time in each recipient's country", { between: between.text })
    : t("{between}, {days}, local time in each recipient's country", {
        between: between.text,
        days: days.text,
      });
}

/** Returns the lines of a preview that say when the calls would leave. */
function scheduleFacts({ request: { schedule }, waiting, canary, planned }: SendPreview, ui: Ui) {
  const { t } = ui.texts;
  const { startAt, hours, pace, canary: terms } = schedule;
  const paceText =
    pace &&
    t("{pace}, about {time}", {
      pace: pace.text,
      time: age((planned * pace.perMs) / pace.people),
    });
  return [
    [t("Start"), startAt === undefined ? undefined : dateTime(startAt, ui)],
    [t("Hours"), hours && hoursText(hours, t)],
    ...(hours === undefined ? [] : waiting.map((group) => ["", groupText(group, ui)] as const)),
    [t("Pace"), paceText],
    [t("Canary"), terms && canaryText(canary, terms, ui)],
  ] as const;
}

/** Returns the first lines of a preview: what would be sent. */
function previewFacts(report: SendReport, preview: SendPreview, ui: Ui) {
  const { t } = ui.texts;
  const { testTo, external_ref: ref } = report;
  const { template, headerUrl, reading } = preview.request;
  // Each variable of the template with the column that fills it.
  const params = reading.paramNames.map((name, at) => `{{${at + 1}}} ${name}`).join(" · ");
  return [
    [t("Test"), testTo && testText(testTo, t)],
    [t("Mode"), ui.badge ?? t("LIVE")],
    [t("Branch"), preview.branch],
    [t("Template"), report.template],
    [t("Language"), template.language ?? t("the template's only language")],
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
    ...(preview.isTemplateChecked ? [] : note(uncheckedTemplateText(t), ui)),
    ...(report.dry_run ? paragraph(t("Nothing was sent."), ui) : []),
  ].join("\n")}\n`;
}

/** Says that the service does not list its templates. */
export const uncheckedTemplateText = (t: T): string =>
  t("The template's name and language are checked only when you send.");
