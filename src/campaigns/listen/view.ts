import { ABSENT, age, isoTime, shown, timeOfDay } from "../../cli/display/format.ts";
import { forScreen, note, paragraph, truncate, wrap } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { isFields } from "../../cli/display/values.ts";
import type { RepliedSend } from "../../journal/records/sends.ts";
import { isNumber, type ReplyFields } from "../replies.ts";
import type { ReplyJson } from "./schema.ts";

/** A reply as outputs get it: its JSON, and what a screen, a command and a URL need beside it. */
export interface ReplyEvent {
  event: ReplyJson;
  /** The text that the service posted. */
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
    : [...named, named.length === 0 ? t("no campaign given") : t("no send in this journal")];
  return parts.join(" · ");
}

const formatSender = ({ event: { name }, fields: { phone } }: ReplyEvent): string =>
  [phone, ...(name === null ? [] : [name])].map(shown).join(" · ");

/** Lines that a screen shows of one reply: a text may consist of line ends. */
const maxLines = 100;

export function replyText(given: ReplyEvent, ui: Ui): string {
  const { width, theme, badge, texts } = ui;
  const reply = forScreen(given, ui);
  const { event, fields } = reply;
  const repeated = event.repeated ? texts.t("REPEATED: possibly delivered before") : null;
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
