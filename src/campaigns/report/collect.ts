import { toNumber, toText } from "../../api/json.ts";
import { list } from "../../cli/display/fields.ts";
import type { CampaignRequest, Counts } from "../../contract/campaign.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { nameColumn } from "../../input/columns.ts";
import { toPerson } from "../../input/phone.ts";
import { plainText } from "../../journal/engine.ts";
import type { Journal } from "../../journal/journal.ts";
import type { OptOuts } from "../../journal/opt-outs.ts";
import type { ReportedCall } from "../../journal/sends.ts";
import type { RateCard } from "../../settings/rates.ts";
import { type Home, personFinder, readReply } from "../find/person.ts";
import { type Cost, computeCost, phoneCountry } from "../send/prices.ts";
import { leftOutByPhone, type ReportJson, toCampaign } from "../send/report.ts";
import {
  type CampaignsStatus,
  classifyFailure,
  digits,
  type FailureKind,
  withoutPhones,
} from "../status/read.ts";

/** The times that the service says of a recipient, in the order in which they come. */
export const steps = ["sent", "delivered", "read", "responded"] as const;
export type Step = (typeof steps)[number];

/** A recipient, by the journal and by what the service lists now. */
interface ReportRow extends Record<`${Step}_at`, string | null> {
  phone: string;
  name: string | null;
  country: string | null;
  line: number | null;
  campaign_id: string | null;
  /** Null where the service does not list them. */
  status: string | null;
  error: string | null;
  /** In a call that the service answered, and not left out of it. */
  isAccepted: boolean;
  replies: string[];
}

export interface ReportReply {
  at: string;
  phone: string | null;
  name: string | null;
  text: string;
  /** What the journal took it for. */
  opt_out: "opted_out" | "doubtful" | null;
}

export type TimeRow = { at: string } & Record<Step, number>;

export interface CampaignReport {
  external_ref: string | null;
  template: string | null;
  campaign_ids: string[];
  /** When it was planned; null of a campaign that is not in the journal. */
  at: string | null;
  read_at: string;
  calls: { all: number; answered: number };
  /** Rows of the file that were left out, by the reason, as the last run reported them; null where none did. */
  left_out: Record<(typeof leftOutNames)[number], number | null>;
  funnel: { stage: "planned" | "accepted" | Step; recipients: number }[];
  counts: Counts;
  recipients_listed: number;
  recipients_hidden: number;
  hours: TimeRow[];
  errors: { error: string; kind: FailureKind; recipients: number }[];
  countries: ({ country: string | null; recipients: number; failed: number } & Record<Step, number>)[];
  cost: Cost | null;
  replies: ReportReply[];
  rows: ReportRow[];
}

const noTimes = { sent_at: null, delivered_at: null, read_at: null, responded_at: null };

type Listed = ReturnType<typeof list>[number];

const fromService = (listed: Listed | undefined) => ({
  status: toText(listed?.["status"]),
  error: toText(listed?.["error_message"]) || null,
  ...(Object.fromEntries(
    steps.map((step) => [`${step}_at`, toText(listed?.[`${step}_at`]) || null]),
  ) as Record<`${Step}_at`, string | null>),
});

/** Everybody whom a call has, with their status; what the service left out of it has its reason as error. */
function callRows(call: ReportedCall, listed: Map<string, Listed>): ReportRow[] {
  const { recipients = [] } = JSON.parse(call.body) as Partial<CampaignRequest>;
  const lines = JSON.parse(call.lines ?? "[]") as number[];
  const nameAt = nameColumn(JSON.parse(call.param_names) as string[]);
  const leftOutOf = leftOutByPhone(toCampaign(call, call.answer).recipients.errors);
  return recipients.map(({ phone, params }, at) => {
    const found = listed.get(digits(phone));
    listed.delete(digits(phone));
    const leftOut = found ? undefined : leftOutOf.get(digits(phone));
    const { error, ...told } = fromService(found);
    return {
      phone,
      name: params[nameAt] ?? null,
      country: phoneCountry(phone),
      line: lines[at] ?? null,
      campaign_id: call.campaign_id,
      ...told,
      error: error ?? leftOut ?? null,
      isAccepted: call.campaign_id !== null && leftOut === undefined,
      replies: [],
    };
  });
}

function toRows(calls: readonly ReportedCall[], { campaigns }: CampaignsStatus): ReportRow[] {
  const listed = new Map(
    campaigns.map((campaign) => [
      campaign.campaign_id,
      new Map(list(campaign.recipients).map((each) => [digits(each["phone"]), each])),
    ]),
  );
  const known = calls.flatMap((call) =>
    callRows(call, listed.get(call.campaign_id ?? "") ?? new Map<string, Listed>()),
  );
  // Of a campaign that was sent elsewhere, or whose people were pruned, the service alone knows them.
  const others = [...listed].flatMap(([campaign_id, left]) =>
    [...left].flatMap(([number, each]): ReportRow | [] => {
      if (number === "") return [];
      const phone = `+${number}`;
      const unknown = { name: null, line: null, country: phoneCountry(phone), isAccepted: true, replies: [] };
      return { phone, campaign_id, ...unknown, ...noTimes, ...fromService(each) };
    }),
  );
  // In the order of the file: a call has them in that of their phones.
  return [...known.sort((one, other) => (one.line ?? 0) - (other.line ?? 0)), ...others];
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** When each step of each row was, epoch milliseconds; a mistaken time, years away, would leave no room for the others. */
export function listTimes({ rows, read_at }: Pick<CampaignReport, "rows" | "read_at">) {
  const now = Date.parse(read_at);
  return rows.flatMap((row) =>
    steps.flatMap((step) => {
      const time = Date.parse(row[`${step}_at`] ?? "");
      return Math.abs(time - now) < 730 * dayMs ? [{ step, time }] : [];
    }),
  );
}

/** Counts times by spans of this many milliseconds, which begin on the full hour or day of this machine's zone. */
export function countTimes(times: ReturnType<typeof listTimes>, spanMs: number): Map<number, TimeRow> {
  const counted = new Map<number, TimeRow>();
  for (const { step, time } of times) {
    const zoneMs = new Date(time).getTimezoneOffset() * minuteMs;
    const begin = Math.floor((time - zoneMs) / spanMs) * spanMs + zoneMs;
    const row = counted.get(begin) ?? {
      at: isoWithOffset(begin),
      sent: 0,
      delivered: 0,
      read: 0,
      responded: 0,
    };
    row[step] += 1;
    counted.set(begin, row);
  }
  return new Map([...counted].sort(([one], [other]) => one - other));
}

function groupErrors(rows: readonly ReportRow[]): CampaignReport["errors"] {
  const people = new Map<string, number>();
  for (const { error, status } of rows) {
    if (error === null && status !== "failed") continue;
    const text = withoutPhones(error ?? "");
    people.set(text, (people.get(text) ?? 0) + 1);
  }
  const groups = [...people].map(([error, recipients]) => ({
    error,
    kind: classifyFailure(error),
    recipients,
  }));
  return groups.sort((one, other) => other.recipients - one.recipients);
}

/** Who got at least so far, by the status that the service lists. */
const reached: Readonly<Record<string, readonly Step[]>> = {
  sent: ["sent"],
  delivered: ["sent", "delivered"],
  read: ["sent", "delivered", "read"],
  responded: ["sent", "delivered", "read", "responded"],
};

function groupCountries(rows: readonly ReportRow[]): CampaignReport["countries"] {
  const found = new Map<string | null, CampaignReport["countries"][number]>();
  for (const { country, status } of rows) {
    const none = { country, recipients: 0, failed: 0, sent: 0, delivered: 0, read: 0, responded: 0 };
    const row = found.get(country) ?? none;
    row.recipients += 1;
    if (status === "failed") row.failed += 1;
    for (const step of reached[status ?? ""] ?? []) row[step] += 1;
    found.set(country, row);
  }
  return [...found.values()].sort((one, other) => other.recipients - one.recipients);
}

/** As the list of opt-outs keeps a reply. */
const replyKey = (phone: string | null, text: string | null): string =>
  `${phone}\n${text && plainText(text.slice(0, 1_000))}`;

async function readOptOuts(optOuts: OptOuts): Promise<Map<string, ReportReply["opt_out"]>> {
  const doubts = (await optOuts.doubts()).map(
    ({ phone, text }) => [replyKey(phone, text), "doubtful"] as const,
  );
  const list = (await optOuts.list()).map(({ phone, text }) => [replyKey(phone, text), "opted_out"] as const);
  return new Map([...doubts, ...list]);
}

/** The replies that name one of those campaigns, or none and their reference. */
async function readReplies(
  { replies, optOuts }: Pick<Journal, "replies" | "optOuts">,
  { external_ref: ref, campaign_ids: ids, at, rows }: Omit<CampaignReport, "replies">,
  home: Home,
): Promise<ReportReply[]> {
  const campaigns = new Set(ids);
  const findRow = personFinder(rows, (row) => row.phone);
  const marks = await readOptOuts(optOuts);
  // Another machine that receives them may be behind with its clock.
  const found = await replies.since(at === null ? 0 : Date.parse(at) - dayMs);
  return found.flatMap(({ body, at }) => {
    const { campaign_id: id, external_ref, phone, text } = readReply(body);
    const isMeant = id === null ? ref !== null && external_ref === ref : campaigns.has(id);
    if (!isMeant) return [];
    const person = toPerson(phone ?? "", home);
    const row = person === undefined ? undefined : findRow(person);
    if (text !== null) row?.replies.push(text);
    const opt_out = marks.get(replyKey(person ?? null, text)) ?? null;
    const { phone: known = phone, name = null } = row ?? {};
    return { at: isoWithOffset(at), phone: known, name, text: text ?? "", opt_out };
  });
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

export const leftOutNames = ["invalid", "duplicates", "excluded", "opted_out"] as const;

/** What the last run that reported left out of its file, by the reason. */
async function readLeftOut(
  calls: readonly ReportedCall[],
  { sends }: Journal,
): Promise<CampaignReport["left_out"]> {
  const text = await sends.lastReport([...new Set(calls.map(({ send_id: id }) => id))]);
  const counts = text === undefined ? {} : (JSON.parse(text) as ReportJson).recipients;
  return Object.fromEntries(
    leftOutNames.map((name) => [name, (counts as Partial<ReportJson["recipients"]>)[name] ?? null]),
  ) as CampaignReport["left_out"];
}

/** How many the service took, by its answers. */
function countAccepted(calls: readonly ReportedCall[]): number {
  const answered = calls.filter(({ campaign_id: id }) => id !== null);
  return sum(answered.map((call) => toCampaign(call, call.answer).recipients.added));
}

function toFunnel(calls: readonly ReportedCall[], counts: Counts): CampaignReport["funnel"] {
  const planned = sum(calls.map(({ people }) => people));
  const accepted = countAccepted(calls);
  const own =
    calls.length === 0
      ? []
      : ([
          ["planned", planned],
          ["accepted", accepted],
        ] as const);
  const all = [...own, ...steps.map((step) => [step, toNumber(counts[step])] as const)];
  return all.flatMap(([stage, recipients]) => (recipients === undefined ? [] : { stage, recipients }));
}

/** Puts together what the journal and the service know of these calls. */
export async function collectReport(
  calls: readonly ReportedCall[],
  status: CampaignsStatus,
  { journal, rates, home, now }: { journal: Journal; rates: RateCard | undefined; home: Home; now: number },
): Promise<CampaignReport> {
  const rows = toRows(calls, status);
  const [first] = calls;
  const [only] = status.campaigns;
  const about = {
    external_ref: first?.ref ?? toText(only?.external_ref),
    template: first?.template ?? null,
    campaign_ids: status.campaigns.map(({ campaign_id: id }) => id),
    at: first === undefined ? null : isoWithOffset(first.at),
    read_at: isoWithOffset(now),
  };
  const accepted = rows.filter(({ isAccepted }) => isAccepted).map(({ phone }) => phone);
  const taken =
    calls.length === 0 ? (toNumber(status.counts["total_recipients"]) ?? 0) : countAccepted(calls);
  const report = {
    ...about,
    calls: { all: calls.length, answered: calls.filter(({ campaign_id: id }) => id !== null).length },
    left_out: await readLeftOut(calls, journal),
    funnel: toFunnel(calls, status.counts),
    counts: status.counts,
    recipients_listed: rows.filter((row) => row.status !== null).length,
    recipients_hidden: status.recipients_hidden,
    hours: [...countTimes(listTimes({ rows, ...about }), hourMs).values()],
    errors: groupErrors(rows),
    countries: groupCountries(rows),
    // Of people who were pruned nobody knows the country.
    cost: rates === undefined || accepted.length < taken ? null : computeCost(accepted, rates),
    rows,
  };
  return { ...report, replies: await readReplies(journal, report, home) };
}
