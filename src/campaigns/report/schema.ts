import * as z from "zod";
import { countsSchema } from "../../contract/campaign.ts";
import { keys } from "../../contract/json-schema.ts";
import { cost } from "../send/schema.ts";
import { leftOutNames, steps } from "./collect.ts";

const textOrNull = z.string().nullable();
const reached = keys(z.int(), ...steps);

const document = z.object({
  ...keys(textOrNull, "external_ref", "template", "at"),
  read_at: z.string(),
  campaign_ids: z.array(z.string()),
  calls: z.object(keys(z.int(), "all", "answered")),
  left_out: z.object(keys(z.int().nullable(), ...leftOutNames)),
  funnel: z.array(z.object({ stage: z.enum(["planned", "accepted", ...steps]), recipients: z.int() })),
  counts: countsSchema,
  ...keys(z.int(), "recipients_listed", "recipients_hidden"),
  hours: z.array(z.object({ at: z.string(), ...reached })),
  errors: z.array(z.object({ ...keys(z.string(), "error", "meaning", "advice"), recipients: z.int() })),
  countries: z.array(z.object({ country: textOrNull, ...keys(z.int(), "recipients", "failed"), ...reached })),
  cost: cost.nullable().describe("Null without a rate card."),
  replies: z.array(
    z.object({
      ...keys(z.string(), "at", "text"),
      ...keys(textOrNull, "phone", "name"),
      opt_out: z.enum(["opted_out", "doubtful"]).nullable(),
    }),
  ),
  files: z.array(z.string()),
});
export const forms = { document };
