import { type FieldsOf, fieldColumns } from "../../cli/fields.ts";
import { age, count, isoTime, number, shown } from "../../cli/format.ts";
import { fields } from "../../cli/order-fields.ts";
import type { Ui } from "../../cli/output.ts";
import { type Column, table } from "../../cli/table.ts";
import { note, paragraph, title } from "../../cli/text.ts";
import type { PastSend } from "../send/report.ts";

/** How far a send came, in plain words. */
function stateOf({ calls, isDoubtful }: PastSend, ui: Ui): string {
  const words = ui.texts.follow.list.state;
  const all = count(calls.all, ui);
  if (calls.unknown > 0) return words.unknown(count(calls.unknown, ui), all);
  if (calls.sent === calls.all) return isDoubtful ? words.doubtful : words.sent;
  return calls.sent === 0 ? words.planned : words.part(count(calls.sent, ui), all);
}

const idsOf = ({ report }: PastSend): string[] =>
  report.campaigns.map(({ campaign_id }) => campaign_id).filter((id) => id !== null);

function usualColumns(ui: Ui): Column<PastSend>[] {
  const words = ui.texts.follow.list;
  const { columns } = words;
  const { good, warn, bad } = ui.theme;
  const tone = ({ calls, isDoubtful }: PastSend): ((text: string) => string) =>
    calls.unknown > 0 ? bad : calls.sent === calls.all && !isDoubtful ? good : warn;
  const amount = (name: string, priority: number, of: (send: PastSend) => number) =>
    ({ title: name, cell: (send: PastSend) => number(of(send), ui), align: "right", priority }) as const;
  return [
    { title: columns.at, cell: ({ report }) => isoTime(report.at, ui), priority: 4 },
    {
      title: columns.age,
      cell: ({ report }) => age(ui.now - Date.parse(report.at)),
      ...{ align: "right", priority: 2 },
    },
    { title: columns.template, cell: ({ report }) => shown(report.template), priority: 3, shrinkTo: 12 },
    { title: columns.ref, cell: ({ report }) => shown(report.external_ref), priority: 1, shrinkTo: 12 },
    {
      title: columns.state,
      cell: (send) => (send.report.test ? words.test(stateOf(send, ui)) : stateOf(send, ui)),
      ...{ priority: 1, style: (cell: string, send: PastSend) => tone(send)(cell) },
    },
    amount(columns.people, 2, ({ report }) => report.recipients.planned),
    amount(columns.calls, 6, ({ calls }) => calls.all),
    amount(columns.added, 3, ({ report }) => report.recipients.added),
    amount(columns.errors, 5, ({ report }) => report.recipients.errors.length),
    {
      title: columns.campaigns,
      cell: (send) => shown(idsOf(send).join(", ")),
      ...{ priority: 7, shrinkTo: 20 },
    },
  ];
}

/** The sends that were made from this machine, newest first; `more` when there are others. */
export function sendList(
  sends: readonly PastSend[],
  more: boolean,
  ui: Ui,
  chosen?: readonly string[],
): string {
  const words = ui.texts.follow.list;
  if (sends.length === 0) return `${[...title(words.title, ui), ...note(words.none, ui)].join("\n")}\n`;
  const text = table(chosen ? fieldColumns(sendFields, chosen, sends) : usualColumns(ui), sends, ui);
  const refsWhere = (isMeant: (send: PastSend) => boolean): string[] => [
    ...new Set(sends.filter(isMeant).map(({ report }) => report.external_ref)),
  ];
  const said = [
    ...refsWhere(({ calls }) => calls.sent < calls.all).map(words.resume),
    ...refsWhere(({ isDoubtful }) => isDoubtful).map(words.check),
  ];
  const steps = said.flatMap((text) => paragraph(text, ui).map(ui.theme.warn));
  const shownOf = (more ? words.newest : words.all)(count(sends.length, ui));
  return `${[...title(words.title, ui), text.trimEnd(), "", ...steps, ...note(shownOf, ui)].join("\n")}\n`;
}

/** What there is to choose of a send; of calls and errors the CSV says how many. */
export const sendFields: FieldsOf<PastSend> = {
  object: ({ report }) => fields(report),
  example: Object.fromEntries(
    [
      ...["send_id", "at", "template", "external_ref", "outcome", "recipients", "campaigns"],
      ...["invalid", "duplicates", "excluded", "dry_run", "test"],
    ].map((name) => [name, null]),
  ),
  columns: [
    ["send_id", ({ report }) => report.send_id],
    ["at", ({ report }) => report.at],
    ["template", ({ report }) => report.template],
    ["external_ref", ({ report }) => report.external_ref],
    ["outcome", ({ report }) => report.outcome],
    ["planned", ({ report }) => report.recipients.planned],
    ["calls", ({ calls }) => calls.all],
    ["added", ({ report }) => report.recipients.added],
    ["errors", ({ report }) => report.recipients.errors.length],
    ["campaign_ids", (send) => idsOf(send).join(" ")],
  ],
};
