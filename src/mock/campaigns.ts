import * as z from "zod";
import {
  type CampaignCreated,
  type CampaignStatus,
  campaignRequestSchema,
  recipientSchema,
} from "../contract/campaign.ts";
import { limits } from "../contract/limits.ts";
import { countsAt, recipientAt, repliedBy, type Timeline, timelineOf } from "./deliveries.ts";
import { headerProblem } from "./header-media.ts";
import { badInput } from "./refusal.ts";
import { render, type Template } from "./templates.ts";
import { formatInstant } from "./time.ts";

/** A recipient whose message went out. */
interface Reached {
  readonly phone: string;
  readonly params: readonly string[];
}

/** A campaign that was sent: plain JSON, and nothing that time changes. */
export interface Campaign {
  readonly campaign_id: string;
  readonly campaign_name: string;
  readonly external_ref: string;
  readonly branch: string;
  readonly key: string;
  readonly idempotency_key: string;
  readonly template: string;
  readonly template_language: string;
  /** The template's text at the time of the send. */
  readonly body: string;
  /** The world's age when it was sent, milliseconds. */
  readonly age: number;
  /** The date then, epoch milliseconds. */
  readonly createdAt: number;
  readonly recipients: readonly Reached[];
  readonly duplicates: number;
  readonly errors: readonly string[];
}

/** The body with its recipients unread: a bad recipient is listed, it does not refuse the send. */
export const sendSchema = z.object({
  ...campaignRequestSchema.shape,
  recipients: z.array(z.unknown()).min(1).max(limits.recipientsPerCampaign),
});

/** A send whose recipients are still unread. */
export type Send = z.infer<typeof sendSchema>;

/** The one field that decides whether a send is a repeat. */
export const sendKeySchema = z.object({ idempotency_key: campaignRequestSchema.shape.idempotency_key });

/** The template of a send and its language. Throws MockRefusal 400 in all the cases of `spec.md` 4.3 and 7. */
export function chooseTemplate(
  templates: Iterable<Template>,
  send: Send,
): { readonly template: Template; readonly language: string } {
  const { template_name: name, template_id: id, template_language: wanted } = send;
  if (name === undefined && id === undefined) throw badInput("template_name or template_id is required");
  const template = [...templates].find((one) => (name === undefined ? one.id === id : one.name === name));
  if (!template) throw badInput(`template not found: ${name ?? id ?? ""}`);
  if (id !== undefined && template.id !== id) throw badInput("template_name and template_id disagree");
  if (template.state !== "approved") throw badInput(`template not approved: ${template.name}`);
  const [only, ...others] = template.languages;
  const list = template.languages.join(", ");
  if (wanted === undefined && others.length > 0) {
    throw badInput(`template_language is required: ${template.name} exists in ${list}`);
  }
  const language = wanted ?? only ?? "";
  if (!template.languages.includes(language)) {
    throw badInput(`template ${template.name} does not exist in ${language}; it exists in ${list}`);
  }
  const problem = headerProblem(template.header, send.header_media_url);
  if (problem !== null) throw badInput(problem);
  return { template, language };
}

/** Who is reached, how many were listed twice, and what is wrong with each of the others. */
interface Sorted {
  readonly recipients: readonly Reached[];
  readonly duplicates: number;
  readonly errors: readonly string[];
}

const phoneOf = (value: unknown, position: number): string =>
  typeof value === "object" && value !== null && "phone" in value && typeof value.phone === "string"
    ? value.phone
    : `recipient ${position}`;

/** Sorts the recipients of a send. Throws MockRefusal 400 when nobody is left. */
export function sortRecipients(given: readonly unknown[], params: number): Sorted {
  const recipients: Reached[] = [];
  const seen = new Set<string>();
  const errors: string[] = [];
  let duplicates = 0;
  for (const [index, value] of given.entries()) {
    const parsed = recipientSchema.safeParse(value);
    if (!parsed.success) {
      const field = parsed.error.issues[0]?.path[0];
      const reason =
        field === "phone"
          ? "not a phone in international format with a leading plus"
          : field === "params"
            ? "params must be a list of texts"
            : "a recipient must be an object with phone and params";
      errors.push(`${phoneOf(value, index + 1)}: ${reason}`);
    } else if (parsed.data.params.length !== params) {
      errors.push(
        `${parsed.data.phone}: the template takes ${params} params, ${parsed.data.params.length} were given`,
      );
    } else if (seen.has(parsed.data.phone)) {
      duplicates++;
    } else {
      seen.add(parsed.data.phone);
      recipients.push(parsed.data);
    }
  }
  if (recipients.length === 0)
    throw badInput(`no recipient can be reached: ${errors.slice(0, 3).join("; ")}`);
  return { recipients, duplicates, errors };
}

/** The visible name of a send without one of its own (`spec.md` 4.3). */
export function defaultName(template: string, externalRef: string): string {
  return externalRef === "" ? `API - ${template}` : `API - ${template} - ${externalRef}`;
}

/** The answer to the call that created the campaign, and to every repeat of it. */
export function creationAnswer(campaign: Campaign, replayed: boolean): CampaignCreated {
  const { campaign_id, campaign_name, external_ref, recipients, duplicates, errors } = campaign;
  return {
    campaign_id,
    status: "sent",
    campaign_name,
    external_ref,
    recipients: { added: recipients.length, duplicates, errors: [...errors] },
    replayed,
  };
}

/** By phone: milliseconds from the send to the first reply that a person gave; absent when nobody gave any. */
type FirstReplies = ReadonlyMap<string, number> | undefined;

const timelinesOf = (campaign: Campaign, seed: number, replies: FirstReplies): Timeline[] =>
  campaign.recipients.map(({ phone }) => {
    const timeline = timelineOf(seed, campaign.campaign_id, phone);
    const replied = replies?.get(phone);
    return replied === undefined ? timeline : repliedBy(timeline, replied);
  });

/** The status of a campaign (`spec.md` 4.4) when the world is `age` milliseconds old. */
export function campaignAt(
  campaign: Campaign,
  seed: number,
  age: number,
  replies: FirstReplies,
): CampaignStatus {
  const elapsed = age - campaign.age;
  const timelines = timelinesOf(campaign, seed, replies);
  const { campaign_id, campaign_name, external_ref } = campaign;
  return {
    campaign_id,
    status: "sent",
    campaign_name,
    external_ref,
    counts: countsAt(timelines, elapsed),
    recipients: timelines
      .slice(0, limits.recipientsReturned)
      .map((timeline, index) =>
        recipientAt(campaign.recipients[index]?.phone ?? "", timeline, campaign.createdAt, elapsed),
      ),
  };
}

/** A row of `GET /_mock/campaigns`. */
export interface CampaignRow extends Omit<CampaignStatus, "recipients"> {
  branch: string;
  template: string;
  template_language: string;
  idempotency_key: string;
  at: string;
}

/** The campaign as the control API lists it: its status without the recipients, and how it was sent. */
export function campaignRow(
  campaign: Campaign,
  seed: number,
  age: number,
  replies: FirstReplies,
): CampaignRow {
  const { campaign_id, campaign_name, external_ref, branch, template, template_language } = campaign;
  return {
    campaign_id,
    status: "sent",
    campaign_name,
    external_ref,
    counts: countsAt(timelinesOf(campaign, seed, replies), age - campaign.age),
    branch,
    template,
    template_language,
    idempotency_key: campaign.idempotency_key,
    at: formatInstant(campaign.createdAt),
  };
}

/** A message that went out: a row of `GET /_mock/messages`. */
export interface MessageRow {
  phone: string;
  template: string;
  template_language: string;
  params: readonly string[];
  campaign_id: string;
  external_ref: string;
  branch: string;
  at: string;
  text: string;
}

/** The messages of a campaign, one row each, in the order of its recipients. */
export function messagesOf(campaign: Campaign): MessageRow[] {
  const { template, template_language, campaign_id, external_ref, branch } = campaign;
  const at = formatInstant(campaign.createdAt);
  return campaign.recipients.map(({ phone, params }) => ({
    phone,
    template,
    template_language,
    params,
    campaign_id,
    external_ref,
    branch,
    at,
    text: render(campaign.body, params),
  }));
}
