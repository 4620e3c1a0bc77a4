import { isLosslessNumber } from "lossless-json";
import { parseJson } from "../api/json.ts";
import { isFields } from "../cli/display/fields.ts";
import { ABSENT, age, isoTime, shown, timeOfDay } from "../cli/display/format.ts";
import { forScreen, note, paragraph, truncate, wrap } from "../cli/display/text.ts";
import type { Ui } from "../cli/display/ui.ts";
import type { RepliedSend } from "../journal/records/sends.ts";

/** How services call what is recognised in a reply; the earlier name wins. Only the first two may be relied on. */
const fieldNames = {
  campaign_id: ["campaign_id"],
  external_ref: ["external_ref"],
  phone: ["phone", "telefono", "phone_number", "wa_id", "from"],
  text: ["text", "texto", "message", "body"],
} as const;

type Field = keyof typeof fieldNames;
export type ReplyFields = Record<Field, string | null>;
type ReplyId = "campaign_id" | "external_ref" | "send_id";

const isNumber = (value: unknown): boolean =>
  typeof value === "number" || typeof value === "bigint" || isLosslessNumber(value);

/** The words on a button, or in a list, that was chosen: nothing else of such a reply is called a text. */
function pressedButton(part: object): string | null {
  const { button_reply: button, list_reply: row }: Record<string, unknown> = { ...part };
  const chosen = button ?? row;
  const isChosen = typeof chosen === "object" && chosen !== null && "title" in chosen;
  return isChosen && typeof chosen.title === "string" && chosen.title !== "" ? chosen.title : null;
}

function ownText(part: object, field: Field): string | null {
  for (const name of fieldNames[field]) {
    const value: unknown = Object.hasOwn(part, name) ? (part as Record<string, unknown>)[name] : undefined;
    if (isNumber(value) || (typeof value === "string" && value !== "")) return String(value);
  }
  return field === "text" ? pressedButton(part) : null;
}

/** What a reply is. Throws SyntaxError. */
export const parseBody = (text: string): unknown => parseJson(text.replace(/^\ufeff/, ""));

/** By `inLists`, also what the elements of lists say. */
export function replyFields(body: unknown, inLists = true): ReplyFields {
  const found: ReplyFields = { campaign_id: null, external_ref: null, phone: null, text: null };
  const isObject = (value: unknown): value is object =>
    typeof value === "object" && value !== null && (inLists || !Array.isArray(value));
  let level = [body].filter(isObject);
  for (let depth = 1; depth <= 6 && level.length > 0; depth++) {
    for (const part of level)
      for (const field of Object.keys(found) as Field[]) found[field] ??= ownText(part, field);
    level = level.flatMap((part) => Object.values(part) as unknown[]).filter(isObject);
  }
  return found;
}

export interface ReplyEvent {
  event: { event: "reply"; at: string; repeated: boolean; body: unknown } & Record<
    ReplyId | "name",
    string | null
  >;
  body: string;
  fields: ReplyFields;
  send: RepliedSend | undefined;
}

function rest({ event: { body }, fields }: ReplyEvent): string {
  if (!isFields(body)) return shown(body);
  const named: readonly unknown[] = Object.values(fields).filter((value) => value !== null);
  const isNamed = (value: unknown): boolean =>
    (typeof value === "string" || isNumber(value)) && named.includes(String(value));
  return Object.entries(body)
    .filter(([, value]) => !isNamed(value))
    .map(([name, value]) => `${shown(name)}: ${shown(value)}`)
    .join(" · ");
}

function belongsTo({ event, send }: ReplyEvent, ui: Ui): string {
  const { t } = ui.texts;
  const { campaign_id: id, external_ref: ref } = event;
  const campaign = id === null ? [] : [shown(id)];
  const named = [...(ref === null ? [] : [shown(ref)]), ...campaign];
  const parts = send
    ? [
        shown(send.ref),
        shown(send.template),
        ...campaign,
        t("sent {time} ago", { time: age(ui.now - send.at) }),
      ]
    : [...named, named.length === 0 ? t("names no campaign") : t("no send in this journal")];
  return parts.join(" · ");
}

const formatSender = ({ event: { name }, fields: { phone } }: ReplyEvent): string =>
  [phone, ...(name === null ? [] : [name])].map(shown).join(" · ");

/** Of a text of line ends alone a screen shows no more. */
const maxLines = 100;

export function replyText(given: ReplyEvent, ui: Ui): string {
  const { width, theme, badge, texts } = ui;
  const reply = forScreen(given, ui);
  const { event, fields } = reply;
  const repeated = event.repeated ? texts.t("REPEATED: may have been delivered before") : null;
  const others = rest(reply);
  if (width === undefined) {
    const parts = [badge, isoTime(event.at, ui), repeated, formatSender(reply), shown(fields.text)];
    const all = [...parts, belongsTo(reply, ui), others];
    return `${all.filter((part) => part !== null && part !== "").join("  ")}\n`;
  }
  const narrow = { ...ui, width: Math.max(1, width - 2) };
  const head = [badge, timeOfDay(event.at), formatSender(reply)].filter((part) => part !== null);
  const written = (fields.text ?? ABSENT).split("\n");
  const inset = [
    ...written.slice(0, maxLines).flatMap((line) => paragraph(line, narrow)),
    ...(written.length > maxLines ? [`…‹+${written.length - maxLines}⏎›`] : []),
    ...paragraph(belongsTo(reply, ui), narrow).map(reply.send === undefined ? theme.warn : theme.accent),
    ...(others === "" ? [] : note(truncate(others, 500), narrow)),
    ...(repeated === null ? [] : paragraph(repeated, narrow).map(theme.warn)),
  ];
  const lines = [...wrap(head.join("  "), width).map(theme.heading), ...inset.map((line) => `  ${line}`)];
  return `${lines.join("\n")}\n\n`;
}
