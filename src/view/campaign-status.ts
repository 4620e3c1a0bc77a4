import { type CampaignStatus, countNames, type RecipientStatus } from "../contract/campaign.ts";
import type { CampaignsStatus } from "../flows/follow-campaign.ts";
import { type Cell, toCsv } from "./csv.ts";
import { count, isoTime, number, percent, shown } from "./format.ts";
import { type Fields, fields, list, present } from "./order-fields.ts";
import { bar } from "./progress.ts";
import { type Column, note, paragraph, table, title } from "./table.ts";
import type { Ui } from "./ui.ts";

const BAR = 24;

/** A recipient of the status, with the campaign that it belongs to. */
interface Listed {
  campaign: string;
  recipient: Fields;
}

function isFailure(recipient: Fields): boolean {
  return recipient["status"] === "failed" || present(recipient["error_message"]);
}

function toneOf(name: unknown, ui: Ui): (text: string) => string {
  const { good, bad, dim } = ui.theme;
  if (name === "failed") return bad;
  if (name === "delivered" || name === "read" || name === "responded") return good;
  return name === "pending" ? dim : (text) => text;
}

/** The known counts in the order of the specification, then any others that the service gave. */
function namesOf(counts: Fields): string[] {
  const known: readonly string[] = countNames;
  return [...known, ...Object.keys(counts).filter((name) => !known.includes(name))];
}

/** Each count as the service gave it; none is added up or inferred from another. */
function countsTable(counts: Fields, ui: Ui): string[] {
  const words = ui.texts.campaign;
  const all = counts["total_recipients"];
  if (!Object.values(counts).some(present)) return paragraph(words.noCounts, ui);
  // A Map, since the service may name a count `__proto__` or `constructor`.
  const names = new Map(Object.entries(words.names));
  const share = (name: string): number => {
    const value = counts[name];
    return typeof value === "number" && typeof all === "number" && all > 0 ? value / all : 0;
  };
  const columns: Column<string>[] = [
    { title: words.counts.what, cell: (name) => names.get(name) ?? name, priority: 1, shrinkTo: 8 },
    { title: words.counts.people, cell: (name) => number(counts[name], ui), align: "right", priority: 1 },
    { title: words.counts.share, cell: (name) => percent(counts[name], all), align: "right", priority: 2 },
  ];
  if (ui.width !== undefined) {
    columns.push({
      title: words.counts.bar,
      cell: (name) => (percent(counts[name], all) === "" ? "" : bar(share(name), BAR)),
      priority: 3,
      style: (text, name) => toneOf(name, ui)(text),
    });
  }
  return [table(columns, namesOf(counts), ui).trimEnd()];
}

function recipientsTable(listed: readonly Listed[], several: boolean, ui: Ui): string[] {
  const words = ui.texts.campaign;
  if (listed.length === 0) return paragraph(words.noRecipients, ui);
  const { columns } = words;
  const time = (name: string) => (row: Listed) => isoTime(row.recipient[name]);
  const style = (text: string, row: Listed): string => toneOf(row.recipient["status"], ui)(text);
  const failed = listed.filter(({ recipient }) => isFailure(recipient));
  const all: Column<Listed>[] = [
    { title: columns.phone, cell: (row) => shown(row.recipient["phone"]), priority: 1 },
    {
      title: columns.status,
      cell: (row) => shown(row.recipient["status"]),
      priority: 1,
      shrinkTo: 10,
      style,
    },
    { title: columns.sent, cell: time("sent_at"), priority: 5 },
    { title: columns.delivered, cell: time("delivered_at"), priority: 3 },
    { title: columns.read, cell: time("read_at"), priority: 3 },
    { title: columns.responded, cell: time("responded_at"), priority: 4 },
  ];
  if (several) {
    all.push({ title: columns.campaign, cell: (row) => shown(row.campaign), priority: 6, shrinkTo: 10 });
  }
  if (failed.length > 0) {
    const message = (row: Listed): string => shown(row.recipient["error_message"]);
    all.push({
      title: columns.message,
      cell: message,
      priority: 2,
      shrinkTo: 24,
      wraps: true,
      style: ui.theme.bad,
    });
  }
  const rest = listed.filter(({ recipient }) => !isFailure(recipient));
  return [table(all, [...failed, ...rest], ui).trimEnd()];
}

function listedOf(campaigns: readonly CampaignStatus[]): Listed[] {
  return list(campaigns).flatMap((campaign) =>
    list(campaign["recipients"]).map((recipient) => ({
      campaign: shown(campaign["campaign_id"]),
      recipient,
    })),
  );
}

function oneHead(campaign: Fields, ui: Ui): string[] {
  const { labels } = ui.texts.campaign;
  const pairs = [
    [labels.status, campaign["status"]],
    [labels.name, campaign["campaign_name"]],
    [labels.ref, campaign["external_ref"]],
  ] as const;
  return pairs
    .filter(([, value]) => present(value))
    .flatMap(([label, value]) => paragraph(`${label}: ${shown(value)}`, ui));
}

function campaignsTable(campaigns: readonly Fields[], ui: Ui): string[] {
  const { list: columns, names } = ui.texts.campaign;
  const counted = (name: string) => (row: Fields) => number(fields(row["counts"])[name], ui);
  const order = { total_recipients: 1, failed: 2, sent: 3, delivered: 4, read: 5, responded: 6, pending: 7 };
  const counts = countNames.map(
    (name): Column<Fields> => ({
      title: names[name],
      cell: counted(name),
      align: "right",
      priority: order[name],
    }),
  );
  const text = table<Fields>(
    [
      { title: columns.id, cell: (row) => shown(row["campaign_id"]), priority: 1, style: ui.theme.strong },
      { title: columns.status, cell: (row) => shown(row["status"]), priority: 3, shrinkTo: 8 },
      ...counts,
      { title: columns.name, cell: (row) => shown(row["campaign_name"]), priority: 8, shrinkTo: 12 },
    ],
    campaigns,
    ui,
  );
  return [text.trimEnd()];
}

/** The live status of one or more campaigns: counts with bars, then recipients, failures first (`spec.md` 4.4). */
export function campaignStatus(status: CampaignsStatus, ui: Ui): string {
  const words = ui.texts.campaign;
  const campaigns = list(status.campaigns);
  const several = campaigns.length !== 1;
  const [only = {}] = campaigns;
  const name = several ? words.several(count(campaigns.length, ui)) : words.title(shown(only["campaign_id"]));
  const counts = fields(several ? status.counts : only["counts"]);
  const hidden = status.recipients_hidden;
  return `${[
    ...title(name, ui),
    ...(several ? [] : oneHead(only, ui)),
    "",
    ...countsTable(counts, ui),
    "",
    ...(several && campaigns.length > 0 ? [...campaignsTable(campaigns, ui), ""] : []),
    ...recipientsTable(listedOf(status.campaigns), several, ui),
    ...(hidden > 0 ? ["", ...note(words.hidden(count(hidden, ui)), ui)] : []),
  ].join("\n")}\n`;
}

/** One campaign: the service's document unchanged. Several: all of them, their counts and what is hidden. */
export function campaignsStatusJson({ campaigns, counts, recipients_hidden }: CampaignsStatus): object {
  const [only, ...others] = campaigns;
  return only !== undefined && others.length === 0 ? only : { campaigns, counts, recipients_hidden };
}

const csvColumns = [
  "phone",
  "status",
  "sent_at",
  "delivered_at",
  "read_at",
  "responded_at",
  "error_message",
] as const satisfies readonly (keyof RecipientStatus)[];

/** The recipients of one or more campaigns as CSV, one row each, in the service's order. */
export function recipientsCsv({ campaigns }: CampaignsStatus, ui: Pick<Ui, "width">): string {
  const rows = listedOf(campaigns).map(({ campaign, recipient }) => [
    campaign,
    ...csvColumns.map((name): Cell => (present(recipient[name]) ? shown(recipient[name]) : null)),
  ]);
  return toCsv(["campaign_id", ...csvColumns], rows, { terminal: ui.width !== undefined });
}
