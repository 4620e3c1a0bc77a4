import { toCell } from "../../cli/display/csv.ts";
import { type FieldsOf, fieldColumns, nothingOf } from "../../cli/display/fields.ts";
import { count, dateTime, isoTime, shown } from "../../cli/display/format.ts";
import { type Column, column, type Listing, listing, table } from "../../cli/display/table.ts";
import { heading, note, paragraph, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { type Fields, present } from "../../cli/display/values.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { OptOut, RemovedOptOut } from "../../journal/records/opt-outs.ts";
import type { LeftOutSend, PersonCall } from "../../journal/records/sends.ts";
import { english, type T } from "../../texts/texts.ts";
import type { FoundSendJson, PersonJson } from "../person-schema.ts";
import { chooseTone, sourceWords, statusName } from "../words.ts";
import { fields } from "./command.ts";
import { type NoStatus, noStatusText, noStatusWord } from "./no-status.ts";

interface FoundReply {
  at: number;
  text: string | null;
  body: unknown;
}

export interface FoundSend {
  /** `send_id` is null of a send that left the person out. */
  call: Pick<PersonCall, "at" | "template" | "ref" | "isTest" | "state" | "campaign_id"> & {
    send_id: string | null;
  };
  leftOut?: LeftOutSend["reason"] | undefined;
  params: readonly string[];
  name: string | null;
  /** The service's word; null with the reason in `why`. */
  status: string | null;
  error: string | null;
  /** The recipient as the service lists it now; without fields where it does not list it. */
  recipient: Fields;
  /** The message, if the template's text was known; else null. */
  message: string | null;
  why?: NoStatus | undefined;
  replies: readonly FoundReply[];
}

const times = ["sent_at", "delivered_at", "read_at", "responded_at"] as const;
const told = [...times, "error_message"] as const;

const leftOutWords: Record<LeftOutSend["reason"], (t: T) => string> = {
  opted_out: (t) => t("opted out"),
  excluded: (t) => t("in --exclude"),
  not_failed: (t) => t("not failed (--only-failed-of)"),
  not_final: (t) => t("no final status (--only-failed-of)"),
  not_listed: (t) => t("not listed by the service (--only-failed-of)"),
  not_in_send: (t) => t("not in that send (--only-failed-of)"),
};

function describeReason(
  { error, why, leftOut }: Pick<FoundSend, "error" | "why" | "leftOut">,
  t: T,
): string | null {
  if (leftOut !== undefined) return leftOutWords[leftOut](t);
  return error ?? (why === undefined ? null : noStatusText(why, t));
}

type Told = (typeof told)[number];
/** The service's values are unchanged, whatever their type. */
type FoundRow = Omit<FoundSendJson, Told> & Record<Told, unknown>;

/** Returns a send as JSON and CSV have it, in English. */
const toObject = ({
  call,
  params,
  status,
  error,
  why,
  leftOut,
  replies,
  recipient,
  message,
}: FoundSend): FoundRow => ({
  send_id: call.send_id,
  at: isoWithOffset(call.at),
  template: call.template,
  external_ref: call.ref,
  campaign_id: call.campaign_id,
  status,
  error: describeReason({ error, why, leftOut }, english),
  ...(Object.fromEntries(told.map((name) => [name, recipient[name] ?? null])) as Record<Told, unknown>),
  params: [...params],
  message,
  replies: replies.map(({ at, text, body }) => ({ at: isoWithOffset(at), text, body })),
});

export const foundFields: FieldsOf<FoundSend> = {
  object: toObject,
  example: nothingOf(fields),
  columns: [
    ...(["send_id", "at", "template", "external_ref", "campaign_id", "status", "error"] as const).map(
      (name) => [name, (row: FoundSend) => toObject(row)[name]] as const,
    ),
    ...told.map((name) => [name, ({ recipient }: FoundSend) => toCell(recipient[name])] as const),
    ["message", ({ message }) => message],
    ["params", ({ params }) => params.join(" · ")],
    ["replies", ({ replies }) => replies.map(({ text }) => text ?? "").join(" · ")],
  ],
};

function defaultColumns(rows: readonly FoundSend[], ui: Ui): Column<FoundSend>[] {
  const { t } = ui.texts;
  const formatStatus = ({ status, why, leftOut }: FoundSend): string => {
    if (leftOut !== undefined) return t("left out");
    return why === undefined ? statusName(status, ui) : noStatusWord(why, t);
  };
  const addTone = (text: string, { status, why }: FoundSend): string =>
    (why ? ui.theme.warn : chooseTone(status, ui))(text);
  const formatError = (row: FoundSend): string => {
    const { why } = row;
    const local = why && "until" in why ? { ...why, until: isoTime(why.until, ui) } : why;
    return shown(describeReason({ ...row, why: local }, t));
  };
  const formatRef = ({ call }: FoundSend): string =>
    shown(call.isTest ? t("{ref} (test)", { ref: call.ref }) : call.ref);
  const time = (title: string, name: string, priority: number): Column<FoundSend>[] => {
    const own = column<FoundSend>(title, priority, ({ recipient }) => isoTime(recipient[name], ui));
    return rows.some(({ recipient }) => present(recipient[name])) ? [own] : [];
  };
  const hasErrors = rows.some((row) => describeReason(row, english) !== null);
  return [
    column(t("When"), 4, ({ call }) => dateTime(call.at, ui)),
    column(t("Template"), 4, ({ call }) => shown(call.template), { shrinkTo: 12 }),
    column(t("Reference"), 3, formatRef, { shrinkTo: 12 }),
    column(t("Status"), 1, formatStatus, {
      shrinkTo: 10,
      style: addTone,
    }),
    ...time(t("Sent"), "sent_at", 2),
    ...time(t("Delivered"), "delivered_at", 2),
    ...time(t("Read"), "read_at", 2),
    ...time(t("Responded"), "responded_at", 4),
    column(t("Replies"), 5, ({ replies }) => String(replies.length), { align: "right" }),
    column(t("Variables"), 5, ({ params }) => shown(params.join(" · ")), { shrinkTo: 12 }),
    column(t("Campaign"), 6, ({ call }) => shown(call.campaign_id), { shrinkTo: 12 }),
    ...(hasErrors ? [column<FoundSend>(t("Error"), 2, formatError, { shrinkTo: 20, wraps: true })] : []),
  ];
}

function repliesTable(rows: readonly FoundSend[], ui: Ui): string[] {
  const { t } = ui.texts;
  const all = rows
    .flatMap(({ call, replies }) => replies.map((reply) => ({ ...reply, ref: call.ref })))
    .sort((one, other) => one.at - other.at);
  if (all.length === 0)
    return note(t("No replies. bpos campaign listen records the replies that it receives."), ui);
  const columns = [
    column<(typeof all)[number]>(t("When"), 1, ({ at }) => dateTime(at, ui)),
    column<(typeof all)[number]>(t("Reference"), 2, ({ ref }) => shown(ref), { shrinkTo: 12 }),
    column<(typeof all)[number]>(t("Text"), 1, ({ text, body }) => shown(text ?? body), {
      shrinkTo: 20,
      wraps: true,
    }),
  ];
  return [...heading(t("Replies"), ui), table(columns, all, ui).trimEnd()];
}

function messagesTable(rows: readonly FoundSend[], ui: Ui): string[] {
  const { t } = ui.texts;
  const known = rows.filter(({ call, message }) => call.state !== "planned" && message !== null);
  if (known.length === 0) return [];
  const columns = [
    column<FoundSend>(t("Reference"), 2, ({ call }) => shown(call.ref), { shrinkTo: 12 }),
    column<FoundSend>(t("Text"), 1, ({ message }) => shown(message), { shrinkTo: 20, wraps: true }),
  ];
  return [...heading(t("Messages"), ui), table(columns, known, ui).trimEnd(), ""];
}

/** The opt-outs of a person, newest first, and the sends that named the person and left them out. */
export interface Refused {
  optOuts: readonly (OptOut & Partial<RemovedOptOut>)[];
  leftOut: readonly LeftOutSend[];
}

const isRemoved = ({ removed_at }: Refused["optOuts"][number]): boolean => removed_at != null;

export function refusedJson({
  optOuts: [newest],
  leftOut,
}: Refused): Pick<PersonJson, "opt_out" | "left_out"> {
  const optOut = newest && {
    at: isoWithOffset(newest.at),
    source: newest.source,
    text: newest.text,
    removed_at: newest.removed_at == null ? null : isoWithOffset(newest.removed_at),
    reason: newest.reason ?? null,
  };
  const sends = leftOut.map(({ at, ref, template, reason }) => ({
    at: isoWithOffset(at),
    external_ref: ref,
    template,
    reason,
  }));
  return { opt_out: optOut ?? null, left_out: sends };
}

function optOutLines({ optOuts }: Refused, ui: Ui): string[] {
  const { t } = ui.texts;
  return optOuts.flatMap((each) => {
    const facts = { at: dateTime(each.at, ui), source: sourceWords(each.source, t) };
    const said =
      each.text === null
        ? t("Opted out on {at} ({source}).", facts)
        : t('Opted out on {at} ({source}: "{text}").', { ...facts, text: each.text && shown(each.text) });
    if (!isRemoved(each)) return paragraph(said, ui).map(ui.theme.warn);
    const removed = t("Removed from the list on {at}: {reason}.", {
      at: dateTime(each.removed_at ?? 0, ui),
      reason: shown(each.reason),
    });
    return paragraph(`${said} ${removed}`, ui);
  });
}

function leftOutLines({ leftOut }: Refused, ui: Ui): string[] {
  if (leftOut.length === 0) return [];
  const { t } = ui.texts;
  const columns = [
    column<LeftOutSend>(t("When"), 1, ({ at }) => dateTime(at, ui)),
    column<LeftOutSend>(t("Template"), 3, ({ template }) => shown(template), { shrinkTo: 12 }),
    column<LeftOutSend>(t("Reference"), 2, ({ ref }) => shown(ref), { shrinkTo: 12 }),
    column<LeftOutSend>(t("Error"), 1, ({ reason }) => leftOutWords[reason](t), { shrinkTo: 16 }),
  ];
  return [...heading(t("Left out"), ui), table(columns, leftOut, ui).trimEnd(), ""];
}

/** Adds a row for each send that left the person out, for formats without a separate table. */
export function withLeftOut(rows: readonly FoundSend[], { leftOut }: Pick<Refused, "leftOut">): FoundSend[] {
  const left = leftOut.map(({ at, ref, template, reason }): FoundSend => {
    const call = {
      send_id: null,
      campaign_id: null,
      at,
      ref,
      template,
      isTest: false,
      state: "planned",
    } as const;
    const unknown = { params: [], name: null, status: null, error: null, recipient: {}, message: null };
    return { call, ...unknown, leftOut: reason, replies: [] };
  });
  return [...rows, ...left].sort((one, other) => other.call.at - one.call.at);
}

export function foundTable(
  phone: string,
  { rows, refused }: { rows: readonly FoundSend[]; refused: Refused },
  ui: Ui,
  chosen?: readonly string[],
): Listing {
  const { t } = ui.texts;
  const name = rows.find((row) => row.name !== null)?.name ?? null;
  const sends = rows.filter((row) => row.leftOut === undefined);
  const columns = chosen ? fieldColumns(foundFields, chosen, rows) : defaultColumns(rows, ui);
  const foot = [
    ...(chosen
      ? []
      : [...leftOutLines(refused, ui), ...messagesTable(rows, ui), ...repliesTable(rows, ui), ""]),
    ...note(t("{count, plural, one {# send.} other {# sends.}}", { count: count(sends.length, ui) }), ui),
  ];
  const who = name === null ? phone : `${phone} · ${name}`;
  const head = [...title(t("Sends to {who}", { who }), ui), ...optOutLines(refused, ui)];
  return listing(columns, rows, { head, foot }, ui);
}
