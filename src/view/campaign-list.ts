import type { KnownSend } from "../flows/campaign-history.ts";
import { toCsv } from "./csv.ts";
import { age, count, isoTime, number, shown } from "./format.ts";
import { note, paragraph, table, title } from "./table.ts";
import type { Ui } from "./ui.ts";

/** How far a send came, in plain words. */
function stateOf({ calls }: KnownSend, ui: Ui): string {
  const words = ui.texts.follow.list.state;
  const all = count(calls.all, ui);
  if (calls.attempted > 0) return words.unknown(count(calls.attempted, ui), all);
  if (calls.sent === calls.all) return words.sent;
  return calls.sent === 0 ? words.planned : words.part(count(calls.sent, ui), all);
}

const idsOf = ({ report }: KnownSend): string[] =>
  report.campaigns.map(({ campaign_id }) => campaign_id).filter((id) => id !== null);

/** The sends that were made from this machine, newest first; `more` when there are others. */
export function sendList(sends: readonly KnownSend[], more: boolean, ui: Ui): string {
  const words = ui.texts.follow.list;
  if (sends.length === 0) return `${[...title(words.title, ui), ...note(words.none, ui)].join("\n")}\n`;
  const { columns } = words;
  const { good, warn, bad } = ui.theme;
  const tone = ({ calls }: KnownSend): ((text: string) => string) =>
    calls.attempted > 0 ? bad : calls.sent === calls.all ? good : warn;
  const amount = (name: string, priority: number, of: (send: KnownSend) => number) =>
    ({ title: name, cell: (send: KnownSend) => number(of(send), ui), align: "right", priority }) as const;
  const text = table<KnownSend>(
    [
      { title: columns.at, cell: ({ report }) => isoTime(report.at), priority: 4 },
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
        ...{ priority: 1, style: (cell: string, send: KnownSend) => tone(send)(cell) },
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
    ],
    sends,
    ui,
  );
  const open = new Set(
    sends.filter(({ calls }) => calls.sent < calls.all).map(({ report }) => report.external_ref),
  );
  const steps = [...open].flatMap((ref) => paragraph(words.resume(ref), ui).map(warn));
  const shownOf = (more ? words.newest : words.all)(count(sends.length, ui));
  return `${[...title(words.title, ui), text.trimEnd(), "", ...steps, ...note(shownOf, ui)].join("\n")}\n`;
}

const csvColumns = [
  ...["send_id", "at", "template", "external_ref", "outcome", "planned", "calls", "added", "errors"],
  "campaign_ids",
];

/** The sends as a CSV under the names of the JSON; of calls and errors, how many. */
export function sendListCsv(sends: readonly KnownSend[], ui: Pick<Ui, "width">): string {
  const rows = sends.map((send) => {
    const { send_id, at, template, external_ref, outcome, recipients } = send.report;
    const { planned, added, errors } = recipients;
    const counts = [planned, send.calls.all, added, errors.length];
    return [send_id, at, template, external_ref, outcome, ...counts, idsOf(send).join(" ")];
  });
  return toCsv(csvColumns, rows, { terminal: ui.width !== undefined });
}
