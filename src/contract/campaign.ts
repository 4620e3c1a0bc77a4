import * as z from "zod";
import { headerUrlProblem } from "./addresses.ts";
import { limits, templateLanguage } from "./limits.ts";

/** A recipient of a campaign (`docs/service.md` 4.3). */
export const recipientSchema = z
  .object({
    phone: z
      .string()
      .regex(/^\+[1-9]\d{5,14}$/)
      .describe("International format with a leading plus."),
    params: z.array(z.string()).describe("The template's variables, in order."),
  })
  .meta({ id: "Recipient" });
export type Recipient = z.infer<typeof recipientSchema>;

export const templateLanguageSchema = z
  .string()
  .regex(templateLanguage, "language_COUNTRY is required, such as es_AR");

/** The body of POST /campaigns (`docs/service.md` 4.3), without the header media field, whose name is not shown. */
export const campaignRequestSchema = z
  .object({
    idempotency_key: z.string().min(1).max(limits.idempotencyKeyLength).describe("Unique per send."),
    recipients: z.array(recipientSchema).min(1).max(limits.recipientsPerCampaign),
    template_name: z.string().min(1).optional().describe("Exact name of an approved template."),
    template_id: z.string().min(1).optional().describe("Alternative to template_name."),
    template_language: templateLanguageSchema
      .optional()
      .describe("language_COUNTRY; needed when the template has several."),
    external_ref: z.string().optional().describe("The client's own reference."),
    campaign_name: z.string().optional().describe("Default: API - {template} - {external_ref}."),
    header_media_url: z
      .string()
      .optional()
      .describe("Public https URL of the header file. The specification does not show this field's name."),
  })
  .superRefine(({ template_name, template_id, header_media_url: url }, context) => {
    const refuse = (field: string, message: string): void =>
      context.addIssue({ code: "custom", path: [field], message });
    if ((template_name === undefined) === (template_id === undefined))
      refuse("template_name", "exactly one of template_name and template_id is required");
    const problem = url === undefined ? null : headerUrlProblem(url);
    if (problem !== null) refuse("header_media_url", problem);
  })
  .meta({ id: "CampaignRequest", description: "Creates a campaign, loads its recipients and sends it." });
export type CampaignRequest = z.infer<typeof campaignRequestSchema>;

/** The answer to POST /campaigns (`docs/service.md` 4.3). */
export const campaignCreatedSchema = z
  .looseObject({
    campaign_id: z.string().describe("Keep it: it arrives in the reply webhook."),
    status: z.string().nullish().describe("sent."),
    campaign_name: z.string().nullish(),
    external_ref: z.string().nullish(),
    recipients: z
      .looseObject({
        added: z.int().nullish(),
        duplicates: z.int().nullish(),
        errors: z.array(z.string()).nullish(),
      })
      .nullish(),
    replayed: z.boolean().nullish().describe("True when an earlier send with this key is answered again."),
  })
  .meta({ id: "CampaignCreated" });
export type CampaignCreated = z.infer<typeof campaignCreatedSchema>;

const count = z.int().nullish();

/** The names of a campaign's counts, in the order of `docs/service.md` 4.4. */
export const countNames = [
  "total_recipients",
  "pending",
  "sent",
  "failed",
  "delivered",
  "read",
  "responded",
] as const;

/** A campaign's live counts (`docs/service.md` 4.4). */
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
  .meta({ id: "Counts" });
export type Counts = z.infer<typeof countsSchema>;

const time = z.string().nullish().describe("A time, or empty, null or absent when not reached.");

/** A recipient in the status of a campaign (`docs/service.md` 4.4). */
export const recipientStatusSchema = z
  .looseObject({
    phone: z.string(),
    status: z.string().nullish().describe("Its values are not shown."),
    sent_at: time,
    delivered_at: time,
    read_at: time,
    responded_at: time,
    error_message: z.string().nullish(),
  })
  .meta({ id: "RecipientStatus" });
export type RecipientStatus = z.infer<typeof recipientStatusSchema>;

/** The answer to GET /campaigns/{campaign_id} (`docs/service.md` 4.4). */
export const campaignStatusSchema = z
  .looseObject({
    campaign_id: z.string(),
    status: z.string().nullish().describe("Its values on this read are not shown."),
    campaign_name: z.string().nullish(),
    external_ref: z.string().nullish(),
    counts: countsSchema.nullish(),
    recipients: z.array(recipientStatusSchema).nullish().describe("At most 100."),
  })
  .meta({ id: "CampaignStatus", description: "Live status of a campaign and of each recipient." });
export type CampaignStatus = z.infer<typeof campaignStatusSchema>;
