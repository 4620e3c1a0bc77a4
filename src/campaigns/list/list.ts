import { chosenObjects, type FieldsOf, fieldColumns, fields, fieldsCsv } from "../../cli/display/fields.ts";
import { age, count, isoTime, number, shown } from "../../cli/display/format.ts";
import { type Column, column, type Listing, listing } from "../../cli/display/table.ts";
import { note, paragraph, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session/session.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { KeptCall, KnownSend } from "../../journal/sends.ts";
import { templateLabel } from "../send/plan.ts";
import { findDoubts, type ReportJson, toCampaign, withoutPeople } from "../send/report.ts";

const killed = {
  recipients: { read: null, duplicates: null, invalid: null, excluded: null, already_sent: null },
  ...{ invalid: null, duplicate_rows: null, excluded_rows: null, errors_file: undefined },
};

export type PastSend = ReturnType<typeof pastSend>;

function pastSend(send: KnownSend & { calls: readonly KeptCall[] }) {
  const left = send.calls.filter(({ state }) => state !== "planned");
  const sent = left.filter(({ state }) => state === "sent").length;
  const calls = { all: send.calls.length, sent, unknown: left.length - sent };
  const campaigns = left.map((call) => toCampaign(call, call.answer));
  const isDoubtful = findDoubts(campaigns) !== undefined;
  const isWhole = sent === calls.all && !isDoubtful;
  const outcome = calls.unknown > 0 ? "unknown" : sent === 0 ? "nothing" : isWhole ? "sent" : "partial";
  const ofRun = send.report === null ? killed : (JSON.parse(send.report) as ReportJson);
  const { invalid, duplicate_rows, excluded_rows, errors_file } = ofRun;
  const report = {
    send_id: send.send_id,
    at: isoWithOffset(send.at),
    template: templateLabel(send.template),
    external_ref: send.ref,
    recipients: {
      ...ofRun.recipients,
      planned: send.calls.reduce((sum, { people }) => sum + people, 0),
      added: campaigns.reduce((sum, { recipients }) => sum + recipients.added, 0),
      errors: campaigns.flatMap(({ recipients }) => recipients.errors),
    },
    campaigns: campaigns.map(withoutPeople),
    ...{ invalid, duplicate_rows, excluded_rows, outcome, dry_run: false },
    ...(send.isTest && { test: true }),
    ...(errors_file !== undefined && { errors_file }),
  };
  const ids = campaigns.flatMap(({ campaign_id }) => campaign_id ?? []);
  return { report, calls, ids, isDoubtful };
}

function formatState({ calls, isDoubtful, report }: PastSend, ui: Ui): string {
  const words = ui.texts.follow.list;
  const [all, sent] = [count(calls.all, ui), count(calls.sent, ui)];
  let state = isDoubtful ? words.state.doubtful : words.state.sent;
  if (calls.sent < calls.all) state = calls.sent === 0 ? words.state.planned : words.state.part(sent, all);
  if (calls.unknown > 0) state = words.state.unknown(count(calls.unknown, ui), all);
  return report.test ? words.test(state) : state;
}

function defaultColumns(ui: Ui): Column<PastSend>[] {
  const { columns } = ui.texts.follow.list;
  const { good, warn, bad } = ui.theme;
  const addTone = (text: string, { calls, isDoubtful }: PastSend): string =>
    (calls.unknown > 0 ? bad : calls.sent === calls.all && !isDoubtful ? good : warn)(text);
  const amount = (name: string, priority: number, of: (send: PastSend) => number): Column<PastSend> =>
    column(name, priority, (send) => number(of(send), ui), { align: "right" });
  const formatAge = ({ report }: PastSend): string => age(ui.now - Date.parse(report.at));
  return [
    column(columns.at, 4, ({ report }) => isoTime(report.at, ui)),
    column(columns.age, 2, formatAge, { align: "right" }),
    column(columns.template, 3, ({ report }) => shown(report.template), { shrinkTo: 12 }),
    column(columns.ref, 1, ({ report }) => shown(report.external_ref), { shrinkTo: 12 }),
    column(columns.state, 1, (send) => formatState(send, ui), { style: addTone }),
    amount(columns.people, 2, ({ report }) => report.recipients.planned),
    amount(columns.calls, 6, ({ calls }) => calls.all),
    amount(columns.added, 3, ({ report }) => report.recipients.added),
    amount(columns.errors, 5, ({ report }) => report.recipients.errors.length),
    column(columns.campaigns, 7, ({ ids }) => shown(ids.join(", ")), { shrinkTo: 20 }),
  ];
}

export function sendList(
  sends: readonly PastSend[],
  more: boolean,
  ui: Ui,
  chosen?: readonly string[],
): Listing {
  const words = ui.texts.follow.list;
  const refsWhere = (isMeant: (send: PastSend) => boolean): string[] => [
    ...new Set(sends.filter(isMeant).map(({ report }) => report.external_ref)),
  ];
  const said = [
    ...refsWhere(({ calls }) => calls.sent < calls.all).map(words.resume),
    ...refsWhere(({ isDoubtful }) => isDoubtful).map(words.check),
  ];
  const steps = said.flatMap((step) => paragraph(step, ui).map(ui.theme.warn));
  const shownOf = (more ? words.newest : words.all)(count(sends.length, ui));
  const foot = sends.length === 0 ? note(words.none, ui) : [...steps, ...note(shownOf, ui)];
  const columns = chosen ? fieldColumns(sendFields, chosen, sends) : defaultColumns(ui);
  return listing(columns, sends, { head: title(words.title, ui), foot }, ui);
}

const sendFields: FieldsOf<PastSend> = {
  object: ({ report }) => fields(report),
  example: {
    ...{ ...killed, send_id: null, at: null, template: null, external_ref: null, outcome: null },
    ...{ campaigns: null, dry_run: null, test: null },
  },
  columns: [
    ...(["send_id", "at", "template", "external_ref", "outcome"] as const).map(
      (name) => [name, ({ report }: PastSend) => report[name]] as const,
    ),
    ["planned", ({ report }) => report.recipients.planned],
    ["calls", ({ calls }) => calls.all],
    ["added", ({ report }) => report.recipients.added],
    ["errors", ({ report }) => report.recipients.errors.length],
    ["campaign_ids", ({ ids }) => ids.join(" ")],
  ],
};

export async function list(runtime: Runtime, { limit = 20 }: { limit?: number | undefined }): Promise<void> {
  const needs = { address: "campaigns_base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async ({ output, openJournal }) => {
    const { journal, branch } = await openJournal();
    const found = await journal.sends.newest(branch, limit + 1);
    const sends = found.slice(0, limit).map(pastSend);
    const { format, ui } = output;
    const { fields: chosen } = runtime.flags;
    const reports = chosenObjects(sendFields, sends, { fields: chosen, format });
    if (format === "json") await output.document({ sends: reports });
    else if (format === "table") await output.list((at) => sendList(sends, found.length > limit, at, chosen));
    else if (format === "csv") await output.data(fieldsCsv(sendFields, chosen, sends, ui));
    else for (const report of reports) await output.document(report);
  });
}
