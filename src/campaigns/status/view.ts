import { count, number, percent, shown } from "../../cli/format.ts";
import { type Fields, fields, list, present } from "../../cli/order-fields.ts";
import { note, paragraph, title } from "../../cli/paragraph.ts";
import { bar } from "../../cli/progress-bar.ts";
import { type Column, table } from "../../cli/table.ts";
import type { Ui } from "../../cli/ui.ts";
import { countNames } from "../../contract/campaign.ts";
import type { CampaignsStatus, KnownPeople, StatusesFound } from "./read.ts";
import { failuresFirst, notFound, recipientsTable, statusName, toneOf } from "./recipients-view.ts";

const BAR = 24;

/** What is known beside the service's answer. */
export interface Beside {
  people?: KnownPeople | undefined;
  /** What came of --only. */
  found?: StatusesFound | undefined;
  /** What --fields names of the recipients. */
  chosen?: readonly string[] | undefined;
}

/** The known counts in the order of the specification, then any others that the service gave. */
export function namesOf(counts: Fields): string[] {
  const known: readonly string[] = countNames;
  return [...known, ...Object.keys(counts).filter((name) => !known.includes(name))];
}

/** Each count as the service gave it; none is added up or inferred from another. */
export function countsTable(counts: Fields, ui: Ui): string[] {
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
  return table(columns, namesOf(counts), ui).trimEnd().split("\n");
}

function oneHead(campaign: Fields, ui: Ui): string[] {
  const { labels } = ui.texts.campaign;
  const pairs = [
    [labels.status, present(campaign["status"]) ? statusName(campaign["status"], ui) : undefined],
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
      { title: columns.status, cell: (row) => statusName(row["status"], ui), priority: 3, shrinkTo: 8 },
      ...counts,
      { title: columns.name, cell: (row) => shown(row["campaign_name"]), priority: 8, shrinkTo: 12 },
    ],
    campaigns,
    ui,
  );
  return [text.trimEnd()];
}

/** What a status is about: one campaign by its id, or how many. */
export function statusTitle(campaigns: readonly Fields[], ui: Ui): string[] {
  const words = ui.texts.campaign;
  const [only, ...others] = campaigns;
  const one = only !== undefined && others.length === 0;
  return title(
    one ? words.title(shown(only["campaign_id"])) : words.several(count(campaigns.length, ui)),
    ui,
  );
}

/** The counts that stand for a status: of one campaign all that the service gave, of several their sums. */
export function countsOf({ campaigns, counts }: CampaignsStatus): Fields {
  const [only, ...others] = list(campaigns);
  return fields(only !== undefined && others.length === 0 ? only["counts"] : counts);
}

/** The live status of one or more campaigns: counts with bars, then recipients, failures first (`spec.md` 4.4). */
export function campaignStatus(
  status: CampaignsStatus,
  ui: Ui,
  { people, found, chosen }: Beside = {},
): string {
  const words = ui.texts.campaign;
  const campaigns = list(status.campaigns);
  const several = campaigns.length !== 1;
  const [only = {}] = campaigns;
  const hidden = status.recipients_hidden;
  const listed = failuresFirst(status.campaigns, people);
  const absent = notFound(found, ui).flatMap((text) => paragraph(text, ui));
  return `${[
    ...statusTitle(campaigns, ui),
    ...(several ? [] : oneHead(only, ui)),
    "",
    ...countsTable(countsOf(status), ui),
    "",
    ...(several && campaigns.length > 0 ? [...campaignsTable(campaigns, ui), ""] : []),
    ...absent,
    ...(listed.length > 0 ? recipientsTable(listed, { several, chosen }, ui) : []),
    ...(listed.length === 0 && absent.length === 0 ? paragraph(words.noRecipients, ui) : []),
    ...(hidden > 0 ? ["", ...note(words.hidden(count(hidden, ui)), ui)] : []),
  ].join("\n")}\n`;
}

/** One campaign, asked for by its id: the service's document unchanged. Else all of them, their counts and what is hidden. */
export function campaignsStatusJson(
  { campaigns, counts, recipients_hidden }: CampaignsStatus,
  { several }: { several: boolean },
): object {
  return several ? { campaigns, counts, recipients_hidden } : (campaigns[0] ?? {});
}
