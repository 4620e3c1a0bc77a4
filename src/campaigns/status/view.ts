import { toText } from "../../api/json.ts";
import { toCell } from "../../cli/display/csv.ts";
import {
  type FieldsOf,
  fieldColumns,
  fieldsChunks,
  refuseUnknown,
  withFields,
} from "../../cli/display/fields.ts";
import { ABSENT, age, count, isoTime, number, percent, shown } from "../../cli/display/format.ts";
import type { Format } from "../../cli/display/formats.ts";
import { bar } from "../../cli/display/progress.ts";
import { type Column, column, table } from "../../cli/display/table.ts";
import { note, paragraph, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { type Fields, fields, list, present } from "../../cli/display/values.ts";
import { type CampaignStatus, countNames, type RecipientStatus } from "../../contract/campaign.ts";
import { examples } from "../../contract/examples.ts";
import { failureAdvice } from "../../errors/words/campaigns.ts";
import type { T } from "../../texts/texts.ts";
import { classifyFailure } from "../failures.ts";
import { digits } from "../person.ts";
import type { CampaignsStatus } from "../read-campaigns.ts";
import type { FailureCount } from "../status-schema.ts";
import { chooseTone, countName, statusName } from "../words.ts";
import type { RecipientChange } from "./changes.ts";
import type { KnownRecipient, KnownRecipients } from "./known-recipients.ts";
import type { StatusesFound } from "./only-statuses.ts";

type Listed = { campaign: Fields; recipient: Fields; known: KnownRecipient | undefined };

const isFailure = ({ recipient }: Listed): boolean =>
  recipient["status"] === "failed" || present(recipient["error_message"]);

const knownOf = (campaign: Fields, known: KnownRecipients | undefined) =>
  known?.get(toText(campaign["campaign_id"]) ?? "");

function listRecipients({ campaigns }: CampaignsStatus, known?: KnownRecipients): Listed[] {
  return list(campaigns).flatMap((campaign) => {
    const own = knownOf(campaign, known);
    return list(campaign["recipients"]).map((recipient) => ({
      campaign,
      recipient,
      known: own?.get(digits(recipient["phone"])),
    }));
  });
}

/** The recipients that the journal knows and the service does not list, without a status. */
function listUnlisted({ campaigns }: CampaignsStatus, known: KnownRecipients): Listed[] {
  return list(campaigns).flatMap((campaign) => {
    const listed = new Set(list(campaign["recipients"]).map(({ phone }) => digits(phone)));
    return [...(knownOf(campaign, known) ?? [])].flatMap(([number, each]) =>
      listed.has(number) ? [] : { campaign, recipient: { phone: `+${number}` }, known: each },
    );
  });
}

function defaultColumns(rows: readonly Listed[], several: boolean, flat: boolean, ui: Ui): Column<Listed>[] {
  const { t } = ui.texts;
  const time = (name: string, heading: string, priority: number): Column<Listed> =>
    column(heading, priority, ({ recipient }) => isoTime(recipient[name], ui));
  const times = [
    time("sent_at", t("Sent"), 5),
    time("delivered_at", t("Delivered"), 3),
    time("read_at", t("Read"), 3),
    time("responded_at", t("Responded"), 4),
  ];
  const line = column<Listed>(t("Line"), 2, ({ known }) => shown(known?.line), { align: "right" });
  const formatVariables = ({ known }: Listed): string => shown(known?.variables.join(" · "));
  const variables = column(t("Variables"), 3, formatVariables, { shrinkTo: 12 });
  const formatCampaign = ({ campaign }: Listed): string => shown(campaign["campaign_id"]);
  const message = column<Listed>(t("Error"), 2, ({ recipient }) => shown(recipient["error_message"]), {
    shrinkTo: 24,
    wraps: !flat,
    style: ui.theme.bad,
  });
  const onlyFilled = (...some: Column<Listed>[]): Column<Listed>[] =>
    some.filter(({ cell }) => rows.some((row) => cell(row) !== ABSENT));
  return [
    column(t("Phone"), 1, ({ recipient }) => shown(recipient["phone"])),
    ...onlyFilled(line),
    column(t("Status"), 1, ({ recipient }) => statusName(recipient["status"], ui), {
      shrinkTo: 10,
      style: (text, { recipient }) => chooseTone(recipient["status"], ui)(text),
    }),
    ...onlyFilled(variables),
    ...(ui.width === undefined ? times : onlyFilled(...times)),
    ...(several ? [column(t("Campaign"), 6, formatCampaign, { shrinkTo: 10 })] : []),
    ...onlyFilled(message),
  ];
}

const toLines = <Row>(columns: readonly Column<Row>[], rows: readonly Row[], ui: Ui): string[] =>
  table(columns, rows, ui).trimEnd().split("\n");

export function notFound(found: StatusesFound | undefined, ui: Pick<Ui, "texts">): string[] {
  if (found === undefined || found.absent.length === 0) return [];
  const listNames = (statuses: readonly string[]): string =>
    statuses.map((status) => statusName(status, ui)).join(", ");
  const { t } = ui.texts;
  const statuses = listNames(found.absent);
  return [
    found.present.length === 0
      ? t("No listed recipient has the status {statuses}.", { statuses })
      : t("No listed recipient has the status {statuses}. Listed statuses: {present}.", {
          statuses,
          present: listNames(found.present),
        }),
  ];
}

function listNames(counts: Fields): string[] {
  const known: readonly string[] = countNames;
  return [...known, ...Object.keys(counts).filter((name) => !known.includes(name))];
}

const noCountsText = (t: T): string => t("The service returned no counts.");

/** Counts of people, each with its share of all and a bar of it. */
function countsTable(counts: Fields, ui: Ui): string[] {
  const { t } = ui.texts;
  if (!Object.values(counts).some(present)) return paragraph(noCountsText(t), ui);
  const all = counts["total_recipients"];
  const drawBar = (name: string): string =>
    name === "total_recipients" || percent(counts[name], all) === ""
      ? ""
      : bar(Number(counts[name]) / Number(all), 24);
  const columns: Column<string>[] = [
    column(t("Count"), 1, (name) => countName(name, ui), { shrinkTo: 8 }),
    column(t("Recipients"), 1, (name) => number(counts[name], ui), { align: "right" }),
    column(t("Share"), 2, (name) => percent(counts[name], all), { align: "right" }),
  ];
  const style = (text: string, name: string): string =>
    counts[name] === 0 ? ui.theme.dim(text) : chooseTone(name, ui)(text);
  if (ui.width === undefined) return toLines(columns, listNames(counts), ui);

  columns.push(column("", 3, drawBar, { style }));
  // What goes well first, in the order in which it happens, as the console shows it.
  const ends = ["pending", "failed"];
  const names = listNames(counts).toSorted((a, b) => ends.indexOf(a) - ends.indexOf(b));
  return toLines(columns, names, ui);
}

const maxErrors = 10;
/** More recipients than this would scroll the counts off a screen; those that failed come first. */
const maxListed = 20;

/** The listed recipients' errors by reason, each with what to do. */
function errorLines(errors: readonly FailureCount[], ui: Ui): string[] {
  if (errors.length === 0) return [];
  const { t } = ui.texts;
  const { bad } = ui.theme;
  const formatError = ({ error_message: text }: FailureCount): string =>
    shown(text ?? t("The service gave no reason."));
  const advise = ({ error_message: text }: FailureCount): string =>
    failureAdvice(classifyFailure(text ?? ""), t);
  const all: Column<FailureCount>[] = [
    column(t("Recipients"), 1, ({ recipients }) => number(recipients, ui), { align: "right" }),
    column(t("Error"), 1, formatError, { shrinkTo: 24, wraps: true, style: bad }),
    column(t("What to do"), 2, advise, { shrinkTo: 24, wraps: true }),
  ];
  const seen = errors.slice(0, maxErrors);
  const left = errors.length - seen.length;
  const more = t(
    "{count, plural, one {# more error} other {# more errors}}; -o csv lists the error of each recipient.",
    { count: count(left, ui) },
  );
  return ["", ...toLines(all, seen, ui), ...(left > 0 ? note(more, ui) : [])];
}

function oneHead(campaign: Fields, ui: Ui): string[] {
  const { t } = ui.texts;
  const { status, campaign_name: name, external_ref: ref } = campaign;
  return [
    ...(present(status) ? [`${t("Status")}: ${statusName(status, ui)}`] : []),
    ...(present(name) ? [`${t("Name")}: ${shown(name)}`] : []),
    ...(present(ref) ? [`${t("Reference")}: ${shown(ref)}`] : []),
  ].flatMap((text) => paragraph(text, ui));
}

function campaignsTable(campaigns: readonly Fields[], ui: Ui): string[] {
  const { t } = ui.texts;
  const order = { total_recipients: 1, failed: 2, sent: 3, delivered: 4, read: 5, responded: 6, pending: 7 };
  const all: Column<Fields>[] = [
    column(t("Campaign"), 1, (row) => shown(row["campaign_id"]), { style: ui.theme.strong }),
    column(t("Status"), 3, (row) => statusName(row["status"], ui), { shrinkTo: 8 }),
    ...countNames.map((name) => {
      const cell = (row: Fields): string => number(fields(row["counts"])[name], ui);
      return column(countName(name, ui), order[name], cell, { align: "right" });
    }),
    column(t("Name"), 8, (row) => shown(row["campaign_name"]), { shrinkTo: 12 }),
  ];
  return toLines(all, campaigns, ui);
}

const findOnlyOne = ({ campaigns }: CampaignsStatus): Fields | undefined =>
  campaigns.length === 1 ? list(campaigns)[0] : undefined;

const readCounts = (status: CampaignsStatus): Fields =>
  fields(findOnlyOne(status)?.["counts"] ?? status.counts);

interface Beside {
  known?: KnownRecipients | undefined;
  found?: StatusesFound | undefined;
  chosen?: readonly string[] | undefined;
  watch?: { head: readonly string[]; fitting: number };
}

function statusLines(status: CampaignsStatus, ui: Ui, { known, found, chosen, watch }: Beside): string[] {
  const { t } = ui.texts;
  const one = findOnlyOne(status);
  const several = t("{count, plural, one {# campaign} other {# campaigns}}", {
    count: count(status.campaigns.length, ui),
  });
  const titleText = one ? t("Campaign {id}", { id: shown(one["campaign_id"]) }) : several;
  const listed = listRecipients(status, known).sort((a, b) => Number(isFailure(b)) - Number(isFailure(a)));
  const isWhole = ui.width === undefined || found !== undefined || chosen !== undefined;
  const seen = listed.slice(0, watch?.fitting ?? (isWhole ? listed.length : maxListed));
  const left = listed.length - seen.length;
  const more = { count: count(left, ui) };
  const notSeen = watch
    ? t(
        "{count, plural, one {# more recipient does} other {# more recipients do}} not fit on the screen.",
        more,
      )
    : t("{count, plural, one {# more is not shown} other {# more are not shown}}; {lists}", {
        ...more,
        lists: t("-o csv and --json list all of them."),
      });
  const absent = notFound(found, ui).flatMap((text) => ["", ...paragraph(text, ui)]);
  const columns = chosen
    ? fieldColumns(recipientFields(listed), chosen, listed)
    : defaultColumns(seen, one === undefined, watch !== undefined, ui);
  return [
    ...title(titleText, ui),
    ...(watch?.head ?? (one ? oneHead(one, ui) : [])),
    "",
    ...countsTable(readCounts(status), ui),
    ...(one || watch ? [] : ["", ...campaignsTable(list(status.campaigns), ui)]),
    ...(watch ? [] : errorLines(status.errors, ui)),
    ...absent,
    ...(seen.length > 0 ? ["", ...toLines(columns, seen, ui)] : []),
    ...(listed.length + absent.length === 0 && !watch
      ? ["", ...paragraph(t("No recipients to show."), ui)]
      : []),
    ...(left > 0 ? note(notSeen, ui) : []),
    ...(status.recipients_hidden > 0 ? note(hiddenText(status.recipients_hidden, ui), ui) : []),
  ];
}

/** Says how many recipients the service counts but does not list. */
export const hiddenText = (hidden: number, ui: Ui): string =>
  ui.texts.t(
    "{count, plural, one {# recipient is} other {# recipients are}} counted but not listed. Send with --track-all to list all.",
    { count: count(hidden, ui) },
  );

export const campaignStatus = (status: CampaignsStatus, ui: Ui, beside: Beside = {}): string =>
  `${statusLines(status, ui, beside).join("\n")}\n`;

export const campaignsStatusJson = (
  { campaigns, counts, recipients_hidden, errors }: CampaignsStatus,
  several: boolean,
): object => (several ? { campaigns, counts, recipients_hidden, errors } : (campaigns[0] ?? {}));

export interface WatchFrame extends Pick<Beside, "known" | "found"> {
  status?: CampaignsStatus;
  polledAt?: number;
  nextAt: number | undefined;
  trouble?: string | undefined;
  remarks: readonly string[];
}

export const noAnswerText = (why: string, t: T): string => t("No answer, retrying. {why}", { why });

function stateLines({ polledAt, nextAt, trouble, remarks }: WatchFrame, ui: Ui): string[] {
  const { t } = ui.texts;
  const next =
    nextAt !== undefined && nextAt > ui.now
      ? t("next in {time}", { time: age(nextAt - ui.now + 999) })
      : t("reading now …");
  const polled = polledAt === undefined ? [] : [t("Updated {time} ago", { time: age(ui.now - polledAt) })];
  return [
    ...(nextAt === undefined ? [] : note([...polled, next, t("Ctrl-C stops")].join(" · "), ui)),
    ...(trouble === undefined ? [] : paragraph(noAnswerText(trouble, t), ui).map(ui.theme.bad)),
    ...remarks.flatMap((remark) => paragraph(remark, ui)).map(ui.theme.strong),
  ];
}

/** The current screen of a watch, never higher than `rows`: recipients that do not fit are counted. */
export function watchFrame(frame: WatchFrame, ui: Ui, rows: number): string {
  const { status } = frame;
  const head = stateLines(frame, ui);
  const linesWith = (fitting: number): string[] =>
    status ? statusLines(status, ui, { ...frame, watch: { head, fitting } }) : head;
  let fitting = rows;
  let lines = linesWith(fitting);
  while (lines.length > rows && fitting > 0) {
    fitting = Math.max(0, fitting - (lines.length - rows));
    lines = linesWith(fitting);
  }
  return `${lines.slice(0, rows).join("\n")}\n`;
}

export function countsLine(status: CampaignsStatus, ui: Ui): string {
  const counts = readCounts(status);
  const parts = listNames(counts)
    .filter((name) => present(counts[name]))
    .map((name) => `${shown(countName(name, ui))} ${number(counts[name], ui)}`);
  return parts.length === 0 ? noCountsText(ui.texts.t) : parts.join(" · ");
}

export function changeLine({ campaign, phone, from, to, message }: RecipientChange): string {
  const moved = from === null ? shown(to) : `${shown(from)} → ${shown(to)}`;
  return [shown(campaign), shown(phone), moved, ...(message === null ? [] : [shown(message)])].join("  ");
}

const csvColumns = ["phone", "status", "sent_at", "delivered_at", "read_at", "responded_at", "error_message"];

function recipientFields(listed: readonly Listed[]): FieldsOf<Listed> {
  const most = listed.reduce((widest, row) => Math.max(widest, row.known?.variables.length ?? 0), 0);
  const params = Array.from({ length: most }, (_, at) => at);
  return {
    object: ({ recipient }) => recipient,
    example: fields(list(examples.readCampaign.response.recipients)[0]),
    columns: [
      ["campaign_id", ({ campaign }) => toCell(campaign["campaign_id"])],
      ["external_ref", ({ campaign }) => toCell(campaign["external_ref"])],
      ...csvColumns.map((name) => [name, ({ recipient }: Listed) => toCell(recipient[name])] as const),
      ["line", ({ known }) => known?.line],
      ...params.map((at) => [`param_${at + 1}`, ({ known }: Listed) => known?.variables[at]] as const),
    ],
  };
}

export function chosenRecipients(
  status: CampaignsStatus,
  chosen: readonly string[],
  format: Format,
  known: KnownRecipients,
): CampaignStatus[] {
  const rows = listRecipients(status, known);
  refuseUnknown(recipientFields(rows), chosen, { rows, format });
  return status.campaigns.map((campaign) => {
    const { recipients } = campaign;
    if (!Array.isArray(recipients)) return campaign;
    return { ...campaign, recipients: recipients.map((each) => withFields(each, chosen) as RecipientStatus) };
  });
}

/** A line for each recipient, and how many are counted and not in it. With `found`, without those of no known status. */
export function recipientsCsv(
  status: CampaignsStatus,
  ui: Pick<Ui, "width">,
  { known = new Map(), found, chosen }: Beside = {},
): { text: Iterable<string>; missing: number } {
  const unlisted = listUnlisted(status, known);
  const rows = [...listRecipients(status, known), ...(found === undefined ? unlisted : [])];
  return {
    text: fieldsChunks(recipientFields(rows), chosen, rows, ui),
    missing: Math.max(0, status.recipients_hidden - (found === undefined ? unlisted.length : 0)),
  };
}
