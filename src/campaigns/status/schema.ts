import * as z from "zod";
import { campaignStatusSchema, countsSchema } from "../../contract/campaign.ts";
import { document as found, line as foundLine } from "../person-schema.ts";

const several = z.object({
  campaigns: z.array(campaignStatusSchema),
  counts: countsSchema,
  recipients_hidden: z.int(),
  errors: z.array(z.object({ error_message: z.string().nullable(), recipients: z.int() })),
});

/** Of one campaign, of several ids or --ref, and of a phone. */
const document = z.union([several, found, campaignStatusSchema]);
const line = z.union([several, foundLine, campaignStatusSchema]);
export const forms = { document, line };
