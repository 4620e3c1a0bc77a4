import * as z from "zod";
import { headerUrlProblem } from "./addresses.ts";
import { limits, templateLanguage } from "./limits.ts";

/** A recipient of a campaign (`docs/reference/service.md` 4.3). */
export const recipientSchema = z
  .object({
    phone: z
      .string()
      .regex(/^\+[1-9]\d{5,14}$/)
      .describe("International format with a leading plus."),
    params: z.array(z.string()).describe("The template's variables, in order."),
  })
  .meta({ id: "Recipient", description: "A recipient of a campaign." });
export type Recipient = z.infer<typeof recipientSchema>;

export const templateLanguageSchema = z
  .string()
  .regex(templateLanguage, "language_COUNTRY is required, such as es_AR");

/** The body of POST /campaigns (`docs/reference/service.md` 4.3), without the header media field, whose name is not shown. */
export const campaignRequestSchema = z
  .object({
    idempotency_key: z.string().min(1).max(limits.idempotencyKeyLength).describe("Unique per send."),
    recipients: z
      .array(recipientSchema)
      .min(1)
      .max(limits.recipientsPerCampaign)
      .describe("Who gets the message."),
    template_name: z.string().min(1).optional().describe("Exact name of an approved template."),
    template_id: z.string().min(1).optional().describe("Alternative to template_name."),
    template_language: templateLanguageSchema
      .optional()
      .describe("language_COUNTRY, such as es_AR; needed when the template has several."),
    external_ref: z.string().optional().describe("The client's own reference; the reply webhook carries it."),
    campaign_name: z.string().optional().describe("Default: API - {template} - {external_ref}."),
    header_media_url: z
      .string()
      .optional()
      .meta({ format: "uri", pattern: "^https://", examples: ["https://cdn.example.com/promo.jpg"] })
      .describe(
        "Public https URL of the header file, for a template with such a header: an image (JPEG or PNG, at most 5 MB), " +
          "a video (MP4, 16 MB) or a document (PDF, 100 MB, named as in the URL). It must be there without sign-in; " +
          "Base64 is not taken. The specification does not show this field's name.",
      ),
  })
  .superRefine(({ template_name, template_id, header_media_url: url }, context) => {
    const refuse = (field: string, message: string): void =>
      context.addIssue({ code: "custom", path: [field], message });
    if ((template_name === undefined) === (template_id === undefined))
      refuse("template_name", "exactly one of template_name and template_id is required");
    const problem = url === undefined ? null : headerUrlProblem(url);
    if (problem !== null) refuse("header_media_url", problem);
  })
  .meta({
    id: "CampaignRequest",
    description: "Creates a campaign, loads its recipients and sends it.",
    oneOf: [{ required: ["template_name"] }, { required: ["template_id"] }],
  });
export type CampaignRequest = z.infer<typeof campaignRequestSchema>;

const campaignId = z
  .string()
  .describe("Identifies the send. Keep it: the reply webhook carries it.")
  .meta({ examples: ["cmp_1"] });
const campaignName = z.string().nullish().describe("Visible name on the platform.");
const externalRef = z.string().nullish().describe("The client's own reference.");

/** The answer to POST /campaigns (`docs/reference/service.md` 4.3). */
export const campaignCreatedSchema = z
  .looseObject({
    campaign_id: campaignId,
    status: z
      .string()
      .nullish()
      .describe("Always sent.")
      .meta({ enum: ["sent"] }),
    campaign_name: campaignName,
    external_ref: externalRef,
    recipients: z
      .looseObject({
        added: z.int().nullish().describe("Recipients that the campaign has."),
        duplicates: z.int().nullish().describe("Recipients that were given more than once."),
        errors: z.array(z.string()).nullish().describe("What was wrong with the others, for people."),
      })
      .nullish()
      .describe("What became of the recipients that were given."),
    replayed: z.boolean().nullish().describe("True when an earlier send with this key is answered again."),
  })
  .meta({ id: "CampaignCreated", description: "A send, as it began." });
export type CampaignCreated = z.infer<typeof campaignCreatedSchema>;

/** The minimum for a usable answer to a send. */
export const usableCampaignSchema = z.looseObject({ campaign_id: z.string().min(1) });

const count = z.int().nullish();

/** The names of a campaign's counts, in the order of `docs/reference/service.md` 4.4. */
export const countNames = [
  "total_recipients",
  "pending",
  "sent",
  "failed",
  "delivered",
  "read",
  "responded",
] as const;

/** A campaign's live counts (`docs/reference/service.md` 4.4). */
export const countsSchema = z
  .looseObject({
    total_recipients: count,
    pending: count,
    sent: count,
    failed: count,
    delivered: count,
    read: count,
    responded: count,
  })
  .meta({ id: "Counts", description: "A campaign's live counts." });
export type Counts = z.infer<typeof countsSchema>;

const time = z.string().nullish().describe("A time; empty when not reached.");

/** A recipient in the status of a campaign (`docs/reference/service.md` 4.4). */
export const recipientStatusSchema = z
  .looseObject({
    phone: z.string().describe("As in the send."),
    status: z.string().nullish().describe("Its values are not shown."),
    sent_at: time,
    delivered_at: time,
    read_at: time,
    responded_at: time,
    error_message: z.string().nullish().describe("Why it failed; empty when it did not."),
  })
  .meta({ id: "RecipientStatus", description: "A recipient in the status of a campaign." });
export type RecipientStatus = z.infer<typeof recipientStatusSchema>;

/** The answer to GET /campaigns/{campaign_id} (`docs/reference/service.md` 4.4). */
export const campaignStatusSchema = z
  .looseObject({
    campaign_id: campaignId,
    status: z.string().nullish().describe("Its values on this read are not shown."),
    campaign_name: campaignName,
    external_ref: externalRef,
    counts: countsSchema.nullish().describe("Recipients by what is known of their message."),
    recipients: z.array(recipientStatusSchema).nullish().describe("At most 100."),
  })
  .meta({ id: "CampaignStatus", description: "Live status of a campaign and of each recipient." });
export type CampaignStatus = z.infer<typeof campaignStatusSchema>;

/** The minimum for a usable campaign status. */
export const usableStatusSchema = z.looseObject({ campaign_id: z.string() });

/** The reply of a recipient, as the webhook carries it (`docs/reference/service.md` 6): its other fields are not shown. */
export const replySchema = z
  .looseObject({ campaign_id: campaignId, external_ref: externalRef })
  .meta({ id: "Reply", description: "The reply of a recipient. Only these two fields may be relied on." });
