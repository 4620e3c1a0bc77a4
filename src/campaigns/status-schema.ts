import * as z from "zod";
import { campaignStatusSchema, countsSchema } from "../contract/campaign.ts";
import { document as found, line as foundLine } from "./person-schema.ts";

const failureCount = z.object({ error_message: z.string().nullable(), recipients: z.int() });

/** A message of the service without the phones in it, and how many recipients have it; null where it gave none. */
export type FailureCount = z.infer<typeof failureCount>;

/** Several campaigns. `errors` are of the listed recipients, the most frequent first. */
export const severalSchema = z.object({
  campaigns: z.array(campaignStatusSchema),
  counts: countsSchema,
  recipients_hidden: z.int(),
  errors: z.array(failureCount),
});

/** One campaign; several ids or `--ref`; the sends to a phone. */
const document = z.union([severalSchema, found, campaignStatusSchema]);
const line = z.union([severalSchema, foundLine, campaignStatusSchema]);
export const forms = { document, line };
