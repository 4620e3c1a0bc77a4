import {
  type FieldsOf,
  fieldColumns,
  fieldsCsv,
  type UnknownField,
  unknownField,
  withFields,
} from "../../cli/chosen-fields.ts";
import type { Cell } from "../../cli/csv.ts";
import { isoTime, shown } from "../../cli/format.ts";
import { type Fields, fields, list, present } from "../../cli/order-fields.ts";
import { type Column, table } from "../../cli/table.ts";
import type { Ui } from "../../cli/ui.ts";
import type { CampaignStatus, RecipientStatus } from "../../contract/campaign.ts";
import { examples } from "../../contract/examples.ts";
import type { CampaignsStatus, KnownPeople, KnownPerson, StatusesFound } from "./read.ts";

/** A recipient of the status, with the campaign that it belongs to. */
interface Listed {
  campaign: Fields;
  recipient: Fields;
  /** Where this machine sent the message. */
  known: KnownPerson | undefined;
}

/** The colour of a status, or of a count, by its name. */
export function toneOf(name: unknown, ui: Ui): (text: string) => string {
  const { good, bad, dim } = ui.theme;
  if (name === "failed") return bad;
  if (name === "delivered" || name === "read" || name === "responded") return good;
  return name === "pending" ? dim : (text) => text;
}

/** A status of the service in the language of the screen, as the counts beside it are; one that nobody knows as it came. */
export function statusName(status: unknown, { texts }: Pick<Ui, "texts">): string {
  const names = new Map<unknown, string>(Object.entries(texts.campaign.names));
  return names.get(status)?.toLowerCase() ?? shown(status);
}

function isFailure({ recipient }: Listed): boolean {
  return recipient["status"] === "failed" || present(recipient["error_message"]);
}

function listedOf(campaigns: readonly CampaignStatus[], people: KnownPeople | undefined): Listed[] {
  return list(campaigns).flatMap((campaign) =>
    list(campaign["recipients"]).map((recipient) => ({
      campaign,
      recipient,
      known: people?.(campaign["campaign_id"], recipient["phone"]),
    })),
  );
}

/** The recipients as people look for them: failures first. */
export function failuresFirst(campaigns: readonly CampaignStatus[], people?: KnownPeople): Listed[] {
  const listed = listedOf(campaigns, people);
  return [...listed.filter(isFailure), ...listed.filter((row) => !isFailure(row))];
}

/**
 * The lines of a table of recipients, in the order given.
 *
 * @param look.several names the campaign of each.
 * @param look.flat cuts messages instead of wrapping them: a line a recipient.
 * @param look.chosen what --fields names.
 */
export function recipientsTable(
  listed: readonly Listed[],
  {
    several,
    flat = false,
    chosen,
  }: { several: boolean; flat?: boolean; chosen?: readonly string[] | undefined },
  ui: Ui,
): string[] {
  if (chosen !== undefined)
    return table(fieldColumns(recipientFields(listed), chosen, listed), listed, ui)
      .trimEnd()
      .split("\n");
  const { columns } = ui.texts.campaign;
  const time = (title: string, name: string, priority: number): Column<Listed>[] => {
    // On a terminal an empty column takes the room of the names.
    const wanted = ui.width === undefined || listed.some(({ recipient }) => present(recipient[name]));
    return wanted ? [{ title, cell: (row) => isoTime(row.recipient[name], ui), priority }] : [];
  };
  const line: Column<Listed> = {
    title: columns.line,
    cell: (row) => shown(row.known?.line),
    ...{ align: "right", priority: 2 },
  };
  const status: Column<Listed> = {
    title: columns.status,
    cell: (row) => statusName(row.recipient["status"], ui),
    ...{ priority: 1, shrinkTo: 10 },
    style: (text, row) => toneOf(row.recipient["status"], ui)(text),
  };
  const variables: Column<Listed> = {
    title: ui.texts.follow.variables,
    cell: (row) => shown(row.known?.variables.join(" · ")),
    ...{ priority: 3, shrinkTo: 12 },
  };
  const campaign: Column<Listed> = {
    title: columns.campaign,
    cell: (row) => shown(row.campaign["campaign_id"]),
    ...{ priority: 6, shrinkTo: 10 },
  };
  const message: Column<Listed> = {
    title: columns.message,
    cell: (row) => shown(row.recipient["error_message"]),
    ...{ priority: 2, shrinkTo: 24, wraps: !flat, style: ui.theme.bad },
  };
  const all: Column<Listed>[] = [
    { title: columns.phone, cell: (row) => shown(row.recipient["phone"]), priority: 1 },
    ...(listed.some(({ known }) => known?.line !== undefined) ? [line] : []),
    status,
    ...(listed.some(({ known }) => (known?.variables ?? []).length > 0) ? [variables] : []),
    ...time(columns.sent, "sent_at", 5),
    ...time(columns.delivered, "delivered_at", 3),
    ...time(columns.read, "read_at", 3),
    ...time(columns.responded, "responded_at", 4),
    ...(several ? [campaign] : []),
    ...(listed.some(isFailure) ? [message] : []),
  ];
  return table(all, listed, ui).trimEnd().split("\n");
}

/** What --only did not find, in a sentence; nothing when all of it is there. */
export function notFound(found: StatusesFound | undefined, { texts }: Pick<Ui, "texts">): string[] {
  if (found === undefined || found.absent.length === 0) return [];
  const there = found.present.length === 0 ? null : found.present.join(", ");
  return [texts.follow.nobody(found.absent.join(", "), there)];
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

function csvCell(value: unknown): Cell {
  if (!present(value)) return null;
  return typeof value === "string" ? value : shown(value);
}

/** What there is to choose of recipients: their own fields, their campaign, and last what is known of each here. */
function recipientFields(listed: readonly Listed[]): FieldsOf<Listed> {
  const most = listed.reduce((widest, row) => Math.max(widest, row.known?.variables.length ?? 0), 0);
  const params = Array.from({ length: most }, (_, at) => at);
  return {
    object: ({ recipient }) => recipient,
    example: fields(list(examples.readCampaign.response.recipients)[0]),
    columns: [
      ["campaign_id", (row) => csvCell(row.campaign["campaign_id"])],
      ["external_ref", (row) => csvCell(row.campaign["external_ref"])],
      ...csvColumns.map((name) => [name, (row: Listed) => csvCell(row.recipient[name])] as const),
      ["line", (row) => row.known?.line],
      ...params.map((at) => [`param_${at + 1}`, (row: Listed) => row.known?.variables[at]] as const),
    ],
  };
}

/** What nobody knows of the fields that are chosen of recipients. */
export function unknownRecipientField(
  { campaigns }: CampaignsStatus,
  chosen: readonly string[],
  { flat, people }: { flat: boolean; people?: KnownPeople },
): UnknownField | undefined {
  const rows = listedOf(campaigns, people);
  return unknownField(recipientFields(rows), chosen, { rows, flat });
}

/** A campaign as the service sent it, of its recipients only the fields that are chosen. */
export function withRecipientFields(campaign: CampaignStatus, chosen: readonly string[]): CampaignStatus {
  const { recipients } = campaign;
  if (!Array.isArray(recipients)) return campaign;
  return { ...campaign, recipients: recipients.map((each) => withFields(each, chosen) as RecipientStatus) };
}

/** The recipients of one or more campaigns as CSV, one row each, in the service's order. */
export function recipientsCsv(
  { campaigns }: CampaignsStatus,
  ui: Pick<Ui, "width">,
  people?: KnownPeople,
  chosen?: readonly string[],
): string {
  const listed = listedOf(campaigns, people);
  return fieldsCsv(recipientFields(listed), chosen, listed, ui);
}
