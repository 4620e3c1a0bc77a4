import { isLosslessNumber } from "lossless-json";
import { isFields } from "../../cli/fields.ts";
import { ABSENT, age, isoTime, shown, timeOfDay } from "../../cli/format.ts";
import type { Ui } from "../../cli/output.ts";
import { note, paragraph, truncate, wrap } from "../../cli/text.ts";
import type { ReplyEvent } from "./deliver.ts";

/** Of what nobody recognised a screen shows so many characters; a pipe gets all of it. */
const LONGEST_REST = 500;
const INSET = "  ";

const isPlain = (value: unknown): boolean =>
  ["string", "number", "bigint"].includes(typeof value) || isLosslessNumber(value);

/** What the body holds beside the fields that are shown by name, as it came. */
function rest({ event: { body }, fields }: ReplyEvent): string {
  if (!isFields(body)) return shown(body);
  const named = new Set(Object.values(fields).filter((value) => value !== null));
  return Object.entries(body)
    .filter(([, value]) => !isPlain(value) || !named.has(String(value)))
    .map(([name, value]) => `${shown(name)}: ${shown(value)}`)
    .join(" · ");
}

/** The send that the reply answers, and the campaign and reference that it names. */
function belongsTo({ event, send }: ReplyEvent, ui: Ui): string {
  const words = ui.texts.listen;
  const { campaign_id: id, external_ref: ref } = event;
  const campaign = id === null ? [] : [shown(id)];
  if (send === undefined) {
    const named = [...(ref === null ? [] : [shown(ref)]), ...campaign];
    return [...named, named.length === 0 ? words.namesNoCampaign : words.unknownSend].join(" · ");
  }
  const sent = words.sent(age(ui.now - send.at));
  return [shown(send.ref), shown(send.template), ...campaign, sent].join(" · ");
}

function replyLine(reply: ReplyEvent, ui: Ui): string {
  const { event, fields } = reply;
  const head = [ui.badge, isoTime(event.at, ui), event.repeated ? ui.texts.listen.repeated : null];
  return [...head, shown(fields.phone), shown(fields.text), belongsTo(reply, ui), rest(reply)]
    .filter((part) => part !== null && part !== "")
    .join("  ");
}

/**
 * A reply for people: on a terminal a block with the send that it belongs to, in a pipe one line. It never fails, whatever
 * the reply holds.
 */
export function replyText(reply: ReplyEvent, ui: Ui): string {
  const { width, theme, badge, texts } = ui;
  if (width === undefined) return `${replyLine(reply, ui)}\n`;
  const { event, fields } = reply;
  const inset = (lines: readonly string[]): string[] => lines.map((line) => INSET + line);
  const narrow = { ...ui, width: Math.max(1, width - INSET.length) };
  const head = [badge, timeOfDay(event.at), shown(fields.phone)].filter((part) => part !== null);
  const said = (fields.text ?? ABSENT).split("\n").flatMap((line) => paragraph(line, narrow));
  const others = rest(reply);
  return `${[
    ...wrap(head.join("  "), width).map(theme.heading),
    ...inset(said),
    ...inset(
      paragraph(belongsTo(reply, ui), narrow).map(reply.send === undefined ? theme.warn : theme.accent),
    ),
    ...(others === "" ? [] : inset(note(truncate(others, LONGEST_REST), narrow))),
    ...(event.repeated ? inset(paragraph(texts.listen.repeated, narrow).map(theme.warn)) : []),
  ].join("\n")}\n\n`;
}
