import * as z from "zod";
import { campaignStatusSchema, countsSchema } from "../contract/campaign.ts";
import { document as found, line as foundLine } from "./person-schema.ts";

const failureCount = z.object({
  error_message: z
    .string()
    .nullable()
    .describe("The service's message without phones; null if it gave none."),
  recipients: z.int().describe("How many recipients have it."),
});

/** A message of the service without the phones in it, and how many recipients have it; null where it gave none. */
export type FailureCount = z.infer<typeof failureCount>;

/** Several campaigns. `errors` are of the listed recipients, the most frequent first. */
export const severalSchema = z.object({
  campaigns: z.array(campaignStatusSchema).describe("As the service sent them."),
  counts: countsSchema.describe("The sums over these campaigns."),
  recipients_hidden: z.int().describe("Recipients that the service counts and does not list."),
  errors: z.array(failureCount).describe("The errors of the listed recipients, most frequent first."),
});

/** One campaign; several ids or `--ref`; the sends to a phone. */
const document = z.union([severalSchema, found, campaignStatusSchema]);
const line = z.union([severalSchema, foundLine, campaignStatusSchema]);
export const forms = { document, line };
