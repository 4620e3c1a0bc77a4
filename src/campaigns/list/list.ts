import { type FieldsOf, fieldColumns, nothingOf, writeList } from "../../cli/display/fields.ts";
import { age, count, dateTime, isoTime, number, shown } from "../../cli/display/format.ts";
import { type Column, column, type Listing, listing } from "../../cli/display/table.ts";
import { note, paragraph, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { fields } from "../../cli/display/values.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session/session.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { KeptCall, KnownSend } from "../../journal/records/sends.ts";
import { shellWord } from "../../texts/phrases.ts";
import { sentTime } from "../machine-time.ts";
import { campaignJson, findDoubts, type SendReport, toCampaign, waitingJson } from "../send-report.ts";
import type { PastSendJson, SendJson } from "../send-schema.ts";
import { templateLabel } from "../template.ts";
import { type ListFlags, sendNames } from "./command.ts";

/** The values that only the report of a run has, for a run that ended before it wrote one. */
const unreported = {
  recipients: {
    read: null,
    duplicates: null,
    invalid: null,
    excluded: null,
    opted_out: null,
    already_sent: null,
  },
  invalid: null,
  duplicate_rows: null,
  excluded_rows: null,
  errors_file: undefined,
};

export type PastSend = ReturnType<typeof toPastSend>;

interface CallCounts {
  all: number;
  sent: number;
  unknown: number;
}

export async function list(runtime: Runtime, { limit = 20 }: ListFlags): Promise<void> {
  const needs = { address: "campaigns_base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async ({ output, openJournal, ...session }) => {
    const { journal, branch } = await openJournal();
    const found = await journal.sends.newest(branch, limit + 1);
    const sends = found.slice(0, limit).map((send) => toPastSend(send, runtime.system.clock.now(), session));

    const { fields } = runtime.flags;
    await writeList(output, sendFields, sends, {
      fields,
      document: (reports) => ({ sends: reports }),
      view: (ui) => sendList(sends, found.length > limit, ui, fields),
    });
  });
}

function decideOutcome({ all, sent, unknown }: CallCounts, isDoubtful: boolean): PastSendJson["outcome"] {
  if (unknown > 0) return "unknown";
  if (sent === 0) return "nothing";
  return sent === all && !isDoubtful ? "sent" : "partial";
}

/** Returns what the rest of a send waits for, by the journal; undefined where nothing waits. */
function findWait(
  { calls, waits_until: until, waits_for: reason }: KnownSend & { calls: readonly KeptCall[] },
  now: number,
): SendReport["waiting"] {
  const people = calls.reduce((sum, call) => sum + (call.state === "sent" ? 0 : call.people), 0);
  return until === null || reason === null || until <= now || people === 0
    ? undefined
    : { people, until, reason };
}

function toPastSend(
  send: KnownSend & { calls: readonly KeptCall[] },
  now: number,
  session: Parameters<typeof sentTime>[2],
) {
  const answered = send.calls.find(({ answered_at }) => answered_at !== null);
  const left = send.calls.filter(({ state }) => state !== "planned");
  const sent = left.filter(({ state }) => state === "sent").length;
  const calls: CallCounts = { all: send.calls.length, sent, unknown: left.length - sent };
  const campaigns = left.map((call) => toCampaign(call, call.answer));
  const isDoubtful = findDoubts(campaigns) !== undefined;

  const ofRun = send.report === null ? unreported : (JSON.parse(send.report) as SendJson);
  const { invalid, duplicate_rows, excluded_rows, errors_file } = ofRun;
  const waiting = findWait(send, now);
  const report: PastSendJson = {
    send_id: send.send_id,
    at: isoWithOffset(sentTime(send.at, answered, session)),
    template: templateLabel(send.template),
    external_ref: send.ref,
    recipients: {
      ...ofRun.recipients,
      planned: send.calls.reduce((sum, { people }) => sum + people, 0),
      added: campaigns.reduce((sum, { recipients }) => sum + recipients.added, 0),
      errors: campaigns.flatMap(({ recipients }) => recipients.errors),
    },
    campaigns: campaigns.map(campaignJson),
    invalid,
    duplicate_rows,
    excluded_rows,
    outcome: decideOutcome(calls, isDoubtful),
    dry_run: false,
    ...(waiting !== undefined && { waiting: waitingJson(waiting) }),
    ...(send.isTest && { test: true as const }),
    ...(errors_file !== undefined && { errors_file }),
  };
  const ids = campaigns.flatMap(({ campaign_id }) => campaign_id ?? []);
  return { report, calls, ids, isDoubtful, waitsUntil: waiting?.until };
}

function formatState({ calls, isDoubtful, report, waitsUntil }: PastSend, ui: Ui): string {
  const { t } = ui.texts;
  const all = count(calls.all, ui);
  let state = isDoubtful ? t("partly sent") : t("sent");
  if (calls.sent < calls.all)
    state = t("{count} of {all, plural, one {# call} other {# calls}} sent", {
      count: count(calls.sent, ui),
      all,
    });
  if (calls.sent === 0 && calls.all > 0) state = t("planned, not sent");
  if (waitsUntil !== undefined) state = t("waiting until {at}", { at: dateTime(waitsUntil, ui) });
  if (calls.unknown > 0)
    state = t("unknown: {count} of {all, plural, one {# call} other {# calls}}", {
      count: count(calls.unknown, ui),
      all,
    });
  return report.test ? t("test, {state}", { state }) : state;
}

function chooseTone({ calls, isDoubtful }: PastSend, { good, warn, bad }: Ui["theme"]) {
  if (calls.unknown > 0) return bad;
  return calls.sent === calls.all && !isDoubtful ? good : warn;
}

function defaultColumns(ui: Ui): Column<PastSend>[] {
  const { t } = ui.texts;
  const addTone = (text: string, send: PastSend): string => chooseTone(send, ui.theme)(text);
  const amount = (name: string, priority: number, countIn: (send: PastSend) => number): Column<PastSend> =>
    column(name, priority, (send) => number(countIn(send), ui), { align: "right" });
  const formatAge = ({ report }: PastSend): string => age(ui.now - Date.parse(report.at));
  return [
    column(t("When // a column of sends"), 4, ({ report }) => isoTime(report.at, ui)),
    column(t("Age"), 2, formatAge, { align: "right" }),
    column(t("Template"), 3, ({ report }) => shown(report.template), { shrinkTo: 12 }),
    column(t("Reference"), 1, ({ report }) => shown(report.external_ref), { shrinkTo: 12 }),
    column(t("State"), 1, (send) => formatState(send, ui), { style: addTone }),
    amount(t("Recipients"), 2, ({ report }) => report.recipients.planned),
    amount(t("Calls"), 6, ({ calls }) => calls.all),
    amount(t("Added"), 3, ({ report }) => report.recipients.added),
    amount(t("Errors"), 5, ({ report }) => report.recipients.errors.length),
    column(t("Campaigns"), 7, ({ ids }) => shown(ids.join(", ")), { shrinkTo: 20 }),
  ];
}

export function sendList(
  sends: readonly PastSend[],
  more: boolean,
  ui: Ui,
  chosen?: readonly string[],
): Listing {
  const { t } = ui.texts;
  const listRefs = (isMeant: (send: PastSend) => boolean): Set<string> =>
    new Set(sends.filter(isMeant).map(({ report }) => report.external_ref));
  const unfinished = listRefs(({ calls, waitsUntil }) => calls.sent < calls.all && waitsUntil === undefined);
  const doubtful = listRefs(({ isDoubtful }) => isDoubtful);
  const resume = (ref: string): string =>
    t("Not finished. Run bpos campaign resume {ref}: nobody is messaged twice.", { ref: shellWord(ref) });
  const check = (ref: string): string =>
    t(
      'Some recipients are unaccounted for, or a campaign is not "sent". Run bpos campaign status --ref {ref}',
      {
        ref: shellWord(ref),
      },
    );
  const advice = [...[...unfinished].map(resume), ...[...doubtful].map(check)];
  const steps = advice.flatMap((step) => paragraph(step, ui).map(ui.theme.warn));

  const listed = t(
    more
      ? "The newest {count, plural, one {# send} other {# sends}}; --limit N shows more."
      : "{count, plural, one {# send.} other {# sends.}}",
    { count: count(sends.length, ui) },
  );
  const none = t(
    "This machine's journal has no sends with this key. To see a campaign sent from another machine, run bpos campaign status ID.",
  );
  const foot = sends.length === 0 ? note(none, ui) : [...steps, ...note(listed, ui)];
  const columns = chosen ? fieldColumns(sendFields, chosen, sends) : defaultColumns(ui);
  return listing(columns, sends, { head: title(t("Sends in this journal"), ui), foot }, ui);
}

const sendFields: FieldsOf<PastSend> = {
  object: ({ report }) => fields(report),
  example: { ...nothingOf(sendNames), ...unreported },
  columns: [
    ...(["send_id", "at", "template", "external_ref", "outcome"] as const).map(
      (name) => [name, ({ report }: PastSend) => report[name]] as const,
    ),
    // Null, and an empty cell, where only the report of a run would know it.
    ...(["read", "invalid", "duplicates", "excluded", "opted_out", "already_sent", "planned"] as const).map(
      (name) => [name, ({ report }: PastSend) => report.recipients[name]] as const,
    ),
    ["calls", ({ calls }) => calls.all],
    ["added", ({ report }) => report.recipients.added],
    ["errors", ({ report }) => report.recipients.errors.length],
    ["campaign_ids", ({ ids }) => ids.join(" ")],
  ],
};
