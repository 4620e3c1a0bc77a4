import * as z from "zod";
import { headerUrlProblem } from "../../../contract/addresses.ts";
import {
  type CampaignCreated,
  type CampaignRequest,
  campaignRequestSchema,
  type countNames,
  type Recipient,
  type RecipientStatus,
  recipientSchema,
  templateLanguageSchema,
} from "../../../contract/campaign.ts";
import { headerTypes, limits } from "../../../contract/limits.ts";
import { formatInstant } from "../clock.ts";
import { draw, hash } from "../random.ts";
import { badInput, parseInput } from "../refusal.ts";

export const templateSchema = z.object({
  id: z.string().min(1),
  languages: z.array(templateLanguageSchema).min(1),
  header: z.enum(["none", "image", "video", "document"]),
  params: z.int().min(0).max(100),
  state: z.enum(["approved", "pending", "rejected"]),
  body: z.string(),
});

export type TemplateInput = z.infer<typeof templateSchema>;

export interface Template extends TemplateInput {
  readonly name: string;
}

const rows: readonly [name: string, header: TemplateInput["header"], params: number, body: string][] = [
  ["pedido_listo", "none", 2, "Hola {{1}}, tu pedido {{2}} está listo."],
  ["promo_semana", "image", 1, "Hola {{1}}, mirá la promo de esta semana."],
  ["menu_pdf", "document", 1, "Hola {{1}}, te mandamos el menú."],
  ["video_local", "video", 0, "Conocé nuestro local."],
  ["aviso_simple", "none", 0, "Hoy abrimos a las 20 h. ¡Te esperamos!"],
  ["encuesta", "none", 1, "Hola {{1}}, ¿cómo estuvo tu pedido?"],
];

export const startingTemplates: readonly Template[] = rows.map(([name, header, params, body], index) => {
  const languages = name === "promo_semana" ? ["es_AR", "pt_BR"] : ["es_AR"];
  const state = name === "encuesta" ? "pending" : "approved";
  return { name, id: `tpl_${index + 1}`, languages, header, params, state, body };
});

/** Throws MockRefusal 400 unless a header file's URL fits the template (`docs/reference/service.md` 4.3). Nothing is downloaded. */
function checkHeader(kind: TemplateInput["header"], given = ""): void {
  if (kind === "none") return;
  if (given === "") throw badInput(`header_media_url is required: the template has a header of kind ${kind}`);
  const problem = headerUrlProblem(given);
  if (problem !== null) throw badInput(`header_media_url ${problem}`);
  const extension = /\.([^./]+)$/.exec(new URL(given).pathname)?.[1]?.toLowerCase() ?? "";
  const types = Object.values(headerTypes).filter((type) => type.kind === kind);
  const allowed: string[] = types.flatMap((type) => type.extensions);
  if (allowed.includes(extension)) return;
  throw badInput(`header_media_url must end in .${allowed.join(" or .")} for a header of kind ${kind}`);
}

/** The template of a send and its language. Throws MockRefusal 400 in all the cases of `docs/reference/service.md` 4.3 and 7. */
function chooseTemplate(templates: Iterable<Template>, send: Omit<CampaignRequest, "recipients">) {
  const { template_name: name, template_id: id, template_language: wanted } = send;
  if (name === undefined && id === undefined) throw badInput("template_name or template_id is required");

  const template = [...templates].find((one) => (name === undefined ? one.id === id : one.name === name));
  if (!template) throw badInput(`template not found: ${name ?? id ?? ""}`);
  if (id !== undefined && template.id !== id) throw badInput("template_name and template_id disagree");
  if (template.state !== "approved") throw badInput(`template not approved: ${template.name}`);

  const [only, ...others] = template.languages;
  const list = template.languages.join(", ");
  if (wanted === undefined && others.length > 0)
    throw badInput(`template_language is required: ${template.name} exists in ${list}`);
  const language = wanted ?? only ?? "";
  if (!template.languages.includes(language))
    throw badInput(`template ${template.name} does not exist in ${language}; it exists in ${list}`);

  checkHeader(template.header, send.header_media_url);
  return { template, language };
}

export interface Campaign extends Readonly<ReturnType<typeof sortRecipients>> {
  readonly campaign_id: string;
  readonly campaign_name: string;
  readonly external_ref: string;
  readonly branch: string;
  readonly key: string;
  readonly idempotency_key: string;
  readonly template: string;
  readonly template_language: string;
  readonly body: string;
  /** Null of a template without a header. */
  readonly header_media_url: string | null;
  /** The world's age when it was sent, milliseconds. */
  readonly age: number;
  /** The date then, epoch milliseconds. */
  readonly createdAt: number;
}

/** The body with unparsed recipients: a bad recipient is listed, and does not refuse the send. */
const sendSchema = z.object({
  ...campaignRequestSchema.shape,
  recipients: z.array(z.unknown()).min(1).max(limits.recipientsPerCampaign),
});

export const sendKeySchema = z.object({ idempotency_key: campaignRequestSchema.shape.idempotency_key });

const recipientErrors: Readonly<Record<string, string | undefined>> = {
  phone: "not a phone in international format with a leading plus",
  params: "params must be a list of texts",
};

/** Why a value is no recipient; `field` is what is wrong in it. */
function describeBroken(value: unknown, index: number, field: string): string {
  const { phone } = Object(value) as { phone?: unknown };
  const who = typeof phone === "string" ? phone : `recipient ${index + 1}`;
  return `${who}: ${recipientErrors[field] ?? "a recipient must be an object with phone and params"}`;
}

function sortRecipients(given: readonly unknown[], params: number) {
  const recipients: Recipient[] = [];
  const seen = new Set<string>();
  const errors: string[] = [];
  let duplicates = 0;

  for (const [index, value] of given.entries()) {
    const parsed = recipientSchema.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      errors.push(describeBroken(value, index, String(issue?.path[0])));
    } else if (parsed.data.params.length !== params) {
      const { phone, params: given } = parsed.data;
      errors.push(`${phone}: the template takes ${params} params, ${given.length} were given`);
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

/** What a campaign is made in. */
type Sending = Readonly<{
  campaigns: ReadonlyMap<string, Campaign>;
  templates: ReadonlyMap<string, Template>;
  seed: number;
  numbering: number;
}>;

// The number makes it unique in its world (and is what a campaign's course is drawn by), the hash among all worlds.
function makeCampaignId({ campaigns, seed, numbering }: Sending, age: number): string {
  const sent = [...campaigns.values()].filter((earlier) => earlier.age >= 0).length;
  // The first that somebody sends is number 1, whatever was sent before the world began.
  const number = age < 0 ? 0 : sent + 1;
  const digits = (value: number): string => value.toString(16).padStart(8, "0");
  return `cmp_${digits(hash(seed + numbering, "campaign", number))}${digits(number)}`;
}

const makeCampaignName = (template: string, external_ref: string): string =>
  ["API", template, external_ref].filter(Boolean).join(" - ");

/** Returns the campaign of a send. Throws MockRefusal 400. */
export function makeCampaign(
  world: Sending,
  { branch, key }: Pick<Campaign, "branch" | "key">,
  body: unknown,
  when: Pick<Campaign, "age" | "createdAt">,
): Campaign {
  const send = parseInput(sendSchema, body);
  const { template, language } = chooseTemplate(world.templates.values(), send);
  const external_ref = send.external_ref ?? "";
  return {
    campaign_id: makeCampaignId(world, when.age),
    campaign_name: send.campaign_name || makeCampaignName(template.name, external_ref),
    external_ref,
    branch,
    key,
    idempotency_key: send.idempotency_key,
    template: template.name,
    template_language: language,
    body: template.body,
    header_media_url: template.header === "none" ? null : (send.header_media_url ?? null),
    ...when,
    ...sortRecipients(send.recipients, template.params),
  };
}

const toIdentity = ({ campaign_id, campaign_name, external_ref }: Campaign) => ({
  campaign_id,
  status: "sent",
  campaign_name,
  external_ref,
});

export function toCreated(campaign: Campaign, replayed: boolean): CampaignCreated {
  const { recipients, duplicates, errors } = campaign;
  const result = { added: recipients.length, duplicates, errors: [...errors] };
  return { ...toIdentity(campaign), recipients: result, replayed };
}

const never = Infinity;

/** When a message reaches each state, in milliseconds after the creation of its campaign; Infinity is never. */
const onItsWay = { sent: never, delivered: never, read: never, responded: never, failed: never, error: "" };
type Timeline = Readonly<typeof onItsWay>;

/** The last four digits of phones that decide the fate of a message, to rehearse rare cases. */
const magic: Readonly<Record<string, Timeline>> = {
  "0000": { ...onItsWay, failed: 1_000, error: "This phone is not on the messaging platform." },
  "0001": onItsWay,
  "0002": { ...onItsWay, sent: 1_000, delivered: 3_000 },
  "0003": { ...onItsWay, sent: 500, delivered: 1_000, read: 2_000, responded: 4_000 },
  "0004": { ...onItsWay, sent: 1_000, failed: 15_000, error: "The message could not be delivered." },
  "0005": { ...onItsWay, sent: 500, delivered: 1_000, read: 2_000, responded: 4_000 },
};

/** Replies in the customer's own words. */
export const magicReplies: Readonly<Record<string, string>> = { "0005": "BAJA" };

/** Which campaign of its world it is, the end of its id: the rest of it hangs on the world's beginning. */
export const readNumber = (campaignId: string): string => campaignId.slice(-8);

export function drawTimeline(seed: number, campaignId: string, phone: string): Timeline {
  const known = magic[phone.slice(-4)];
  if (known) return known;

  const from = draw(seed, "delivery", readNumber(campaignId), phone);
  const fate = from.fraction();
  const sent = from.int(500, 3_000);
  if (fate < 0.02) return { ...onItsWay, failed: sent, error: "The platform refused the message." };

  const delivered = sent + from.int(500, 8_000);
  const read = delivered + from.int(5_000, 240_000);
  const responded = fate < 0.12 ? read + from.int(5_000, 300_000) : never;
  return { ...onItsWay, sent, delivered, read, responded };
}

/** The timeline of somebody who replied `elapsed` ms after the send: all was reached by then, and nothing fails later. */
function capTimeline({ sent, delivered, read, responded }: Timeline, elapsed: number): Timeline {
  return {
    ...onItsWay,
    sent: Math.min(sent, elapsed),
    delivered: Math.min(delivered, elapsed),
    read: Math.min(read, elapsed),
    responded: Math.min(responded, elapsed),
  };
}

const states = ["sent", "delivered", "read", "responded"] as const;

function findState(timeline: Timeline, elapsed: number) {
  if (timeline.failed <= elapsed) return "failed";
  return states.findLast((state) => timeline[state] <= elapsed) ?? "pending";
}

export type RecipientState = ReturnType<typeof findState>;
export type Counts = Record<(typeof countNames)[number], number>;

/** Counts by state: sent, delivered, read and responded include everyone who reached it and did not fail later. */
function countStates(states: readonly RecipientState[]): Counts {
  const reached = { pending: 0, sent: 0, failed: 0, delivered: 0, read: 0, responded: 0 };
  for (const state of states) reached[state]++;
  const { pending, failed, responded } = reached;
  const read = reached.read + responded;
  const delivered = reached.delivered + read;
  const sent = reached.sent + delivered;
  return { total_recipients: states.length, pending, sent, failed, delivered, read, responded };
}

type Replied = Readonly<{ seed: number; replies: { firstGiven: Map<string, Map<string, number>> } }>;

/** Drawn once: the page asks for them several times a second. */
const drawn = new WeakMap<Campaign, readonly Timeline[]>();

function drawTimelines(campaign: Campaign, { seed, replies }: Replied): readonly Timeline[] {
  const { campaign_id, recipients } = campaign;
  const timelines =
    drawn.get(campaign) ?? recipients.map(({ phone }) => drawTimeline(seed, campaign_id, phone));
  drawn.set(campaign, timelines);

  const given = replies.firstGiven.get(campaign_id);
  if (!given) return timelines;

  return timelines.map((timeline, index) => {
    const replied = given.get(recipients[index]?.phone ?? "");
    return replied === undefined ? timeline : capTimeline(timeline, replied);
  });
}

/** How far each recipient of a campaign is at an age of the world, by their position. */
export function computeProgress(campaign: Campaign, world: Replied, age: number) {
  const elapsed = age - campaign.age;
  const timelines = drawTimelines(campaign, world);
  const states = timelines.map((timeline) => findState(timeline, elapsed));
  const formatReached = (after: number): string =>
    after <= elapsed ? formatInstant(campaign.createdAt + after) : "";

  const toStatus = ({ phone }: Recipient, index: number): RecipientStatus => {
    const timeline = timelines[index] ?? onItsWay;
    return {
      phone,
      status: states[index] ?? "pending",
      sent_at: formatReached(timeline.sent),
      delivered_at: formatReached(timeline.delivered),
      read_at: formatReached(timeline.read),
      responded_at: formatReached(timeline.responded),
      error_message: timeline.failed <= elapsed ? timeline.error : "",
    };
  };
  return { states, counts: countStates(states), toStatus };
}

export function computeStatus(campaign: Campaign, world: Replied, age: number) {
  const { counts, toStatus } = computeProgress(campaign, world, age);
  const recipients = campaign.recipients.slice(0, limits.recipientsReturned).map(toStatus);
  return { ...toIdentity(campaign), counts, recipients };
}

export function toCampaignRow(campaign: Campaign, world: Replied, age: number) {
  const { recipients: _, ...status } = computeStatus(campaign, world, age);
  return {
    ...status,
    branch: campaign.branch,
    template: campaign.template,
    template_language: campaign.template_language,
    header_media_url: campaign.header_media_url,
    idempotency_key: campaign.idempotency_key,
    at: formatInstant(campaign.createdAt),
  };
}

/** The text that a recipient reads. */
export const formatMessage = ({ body }: Campaign, { params }: Recipient): string =>
  body.replace(/\{\{(\d+)\}\}/g, (mark, position) => params[Number(position) - 1] ?? mark);

export function listMessages(campaign: Campaign, world: Replied, age: number) {
  const { states } = computeProgress(campaign, world, age);
  const { template, template_language, header_media_url, campaign_id, external_ref, branch } = campaign;
  return campaign.recipients.map((recipient, index) => ({
    phone: recipient.phone,
    status: states[index] ?? "pending",
    template,
    template_language,
    params: recipient.params,
    campaign_id,
    external_ref,
    branch,
    at: formatInstant(campaign.createdAt),
    header_media_url,
    text: formatMessage(campaign, recipient),
  }));
}
