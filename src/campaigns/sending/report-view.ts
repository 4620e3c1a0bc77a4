import { count, number, shown } from "../../cli/display/format.ts";
import { type Column, column, table } from "../../cli/display/table.ts";
import {
  heading,
  note,
  pad,
  paragraph,
  type ReportSource,
  reportTitle,
  textWidth,
} from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { shellWord } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import { leftOutTable, maxShown, notShown } from "../left-out-rows.ts";
import type { SendReport, SentCampaign } from "../send-report.ts";
import { statusName } from "../words.ts";
import { verdict } from "./outcome-view.ts";

/** Says how many recipients `--only-failed-of` keeps, and how many it leaves out for which reason. */
export function onlyFailedText({ only_failed_of: found }: SendReport, ui: Ui): string | undefined {
  if (found === undefined) return undefined;
  const { t } = ui.texts;
  const words = {
    not_failed: t("{count} did not fail", { count: count(found.not_failed, ui) }),
    not_final: t("{count} without a final status", { count: count(found.not_final, ui) }),
    not_listed: t("{count} not listed by the service", { count: count(found.not_listed, ui) }),
    not_in_send: t("{count} not in that send", { count: count(found.not_in_send, ui) }),
  };
  const reasons = ["not_failed", "not_final", "not_listed", "not_in_send"] as const;
  const out = reasons.flatMap((name) => (found[name] === 0 ? [] : words[name])).join(", ");
  const kept = { count: count(found.failed, ui), ref: shellWord(found.ref) };
  return out === ""
    ? t("{count, plural, one {# recipient} other {# recipients}} that failed under {ref}", kept)
    : t("{count, plural, one {# recipient} other {# recipients}} that failed under {ref}; left out: {out}", {
        ...kept,
        out,
      });
}

export type ErrorsFile = { name: string; exclude: readonly string[] };

export function facts(
  all: readonly (readonly [label: string, value: string | undefined])[],
  ui: Ui,
): string[] {
  const inset = Math.max(...all.map(([label]) => textWidth(label))) + 2;
  return all.flatMap(([label, value]) => {
    if (value === undefined) return [];
    const room = ui.width === undefined ? undefined : ui.width - inset;
    const [first = "", ...more] = paragraph(value, { width: room });
    return [ui.theme.dim(pad(label, inset)) + first, ...more.map((line) => " ".repeat(inset) + line)];
  });
}

type CountName = Exclude<keyof SendReport["recipients"], "errors"> | "service_duplicates";

export const countsBefore = [
  "read",
  "duplicates",
  "invalid",
  "excluded",
  "opted_out",
  "already_sent",
  "planned",
] as const;

/** Returns the headings of rows that are left out, by the reason. */
const leftOutWords = (t: T) => ({
  duplicates: t("Duplicate rows"),
  invalid: t("Invalid"),
  excluded: t("Excluded"),
});

export function countsTable(
  { recipients, campaigns, testTo }: SendReport,
  names: readonly CountName[],
  ui: Ui,
): string[] {
  if (testTo !== undefined) return [];
  const { t } = ui.texts;
  const words: Record<CountName, string> = {
    read: t("Rows read"),
    planned: t("Planned"),
    added: t("Messaged"),
    ...leftOutWords(t),
    opted_out: t("Opted out // a count"),
    already_sent: t("Sent before"),
    service_duplicates: t("Duplicates (service)"),
  };
  const repeated = campaigns.reduce((sum, call) => sum + call.recipients.duplicates, 0);
  const counts: Record<CountName, number> = { ...recipients, service_duplicates: repeated };
  const { good: added, bad: invalid } = ui.theme;
  const tones: { [N in CountName]?: (text: string) => string } = { added, invalid };
  const style = (text: string, name: CountName): string =>
    counts[name] === 0 ? text : (tones[name]?.(text) ?? text);
  const columns: Column<CountName>[] = [
    column("", 1, (name) => words[name], { shrinkTo: 8 }),
    column(t("Recipients"), 1, (name) => number(counts[name], ui), { align: "right", style }),
  ];
  const some = names.filter((name) => name !== "service_duplicates" || repeated > 0);
  return ["", table(columns, some, ui).trimEnd()];
}

export function leftOutLines(
  report: SendReport,
  file: ErrorsFile | null,
  isShown: boolean,
  ui: Ui,
): string[] {
  const { t } = ui.texts;
  const { invalid, duplicates, excluded, external_ref: ref } = report;
  const rows = invalid.length + duplicates.length + excluded.length;
  if (rows === 0) return [];
  const where = file === null ? [] : note(fileText(file, ref, t), ui);
  if (isShown) {
    const above = t(
      "{count, plural, one {# row was} other {# rows were}} left out, as shown above. --json lists all of them.",
      { count: count(rows, ui) },
    );
    return ["", ...note(above, ui), ...where];
  }

  const noFile = t("To correct and send them, write them to a file with --errors FILE.");
  const hint = file === null && invalid.length > 0 ? note(noFile, ui) : where;
  const words = leftOutWords(t);
  return [
    ...leftOutTable(words.invalid, invalid, ui),
    ...leftOutTable(words.duplicates, duplicates, ui),
    ...leftOutTable(words.excluded, excluded, ui),
    ...(hint.length === 0 ? [] : ["", ...hint]),
  ];
}

/** Which file holds the rows left out, and how to send it once it is corrected. */
function fileText({ name, exclude }: ErrorsFile, ref: string, t: T): string {
  const flags = [`--ref ${shellWord(ref)}`, ...exclude.map((file) => `--exclude ${shellWord(file)}`)];
  return t("All rows left out are in {file}. Correct that file and send it with {flags}.", {
    file: name,
    flags: flags.join(" "),
  });
}

export function formatTitle(
  { testTo, dry_run: dryRun }: SendReport,
  { texts: { t } }: Ui,
  isResumed = false,
): string {
  const marks = [...(testTo === undefined ? [] : [t("test")]), ...(dryRun ? [t("dry run")] : [])];
  return [isResumed ? t("Campaign resume") : t("Campaign send"), ...marks].join(" · ");
}

export const testText = (phone: string, t: T): string => t("one message to {phone}", { phone });

function callsTable(campaigns: readonly SentCampaign[], ui: Ui): string[] {
  if (campaigns.length === 0) return [];
  const { t } = ui.texts;
  const [yes, no] = [t("yes"), t("no")];
  const { bad, strong, warn } = ui.theme;
  const amount = (heading: string, priority: number, of: (call: SentCampaign) => number) =>
    column<SentCampaign>(heading, priority, (call) => number(of(call), ui), { align: "right" });
  const isPartial = campaigns.some(({ people, recipients }) => people !== recipients.added);
  const columns: (Column<SentCampaign> | false)[] = [
    column(t("Campaign"), 1, (call) => shown(call.campaign_id), { style: strong }),
    column(t("Status"), 2, (call) => statusName(call.status, ui), {
      style: (text, call) => (call.campaign_id === null ? bad(text) : text),
    }),
    isPartial && amount(t("Recipients"), 3, ({ people }) => people),
    amount(t("Added"), 1, ({ recipients }) => recipients.added),
    amount(t("Duplicates"), 4, ({ recipients }) => recipients.duplicates),
    amount(t("Errors"), 3, ({ recipients }) => recipients.errors.length),
    column(t("Replayed"), 2, (call) => (call.replayed ? yes : no), {
      style: (text, call) => (call.replayed ? warn(text) : text),
    }),
    column(t("Name"), 5, (call) => shown(call.campaign_name), { shrinkTo: 16 }),
  ];
  return ["", table(columns, campaigns, ui).trimEnd()];
}

function serviceErrorLines(errors: readonly string[], ui: Ui): string[] {
  if (errors.length === 0) return [];
  const lines = errors.slice(0, maxShown).flatMap((error) => paragraph(error, ui));
  return ["", ...heading(ui.texts.t("The service left out"), ui), ...lines, ...notShown(errors, ui)];
}

export function statusHint(report: SendReport, t: T): string {
  const [id, ...others] = report.campaigns.flatMap(({ campaign_id }) => campaign_id ?? []);
  if (id === undefined) return "";
  return others.length === 0
    ? t("bpos campaign status {id} shows its status.", { id: shellWord(id) })
    : t("bpos campaign status --ref {ref} shows its status.", { ref: shellWord(report.external_ref) });
}

export interface SendReportContext extends ReportSource {
  sentAt?: number | undefined;
  leftOutShown?: boolean;
  errorsFile?: ErrorsFile | null;
  isResumed?: boolean;
}

export function sendReport(report: SendReport, ui: Ui, context: SendReportContext): string {
  const { t } = ui.texts;
  const { sentAt, leftOutShown = false, errorsFile = null, isResumed } = context;
  // A person who sees both streams has just read them.
  const isShown = leftOutShown && ui.width !== undefined;
  const about = [
    [t("Test"), report.testTo && testText(report.testTo, t)],
    [t("Template"), report.template],
    [t("Reference"), report.external_ref],
    [t("Send"), report.send_id],
    [t("Only failed"), onlyFailedText(report, ui)],
  ] as const;
  const hint = statusHint(report, t);
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
