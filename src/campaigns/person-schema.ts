import * as z from "zod";
import { keys } from "../contract/json-schema.ts";
import { leftOutReasons } from "../journal/records/send-rows.ts";

const textOrNull = z.string().nullable();

export const optOut = z.object({
  phone: textOrNull.describe("Null if it was pruned."),
  at: z.string(),
  source: z.enum(["reply", "added", "import"]).describe("How the person got on the list."),
  text: textOrNull.describe("The reply."),
});

export const line = z.object({
  ...keys(z.string(), "send_id", "at", "external_ref"),
  ...keys(textOrNull, "template", "campaign_id"),
  status: textOrNull.describe("The current status; null if the service gives none."),
  error: textOrNull.describe("Why there is no status."),
  ...keys(
    textOrNull.describe("The service's value; null if it gives none."),
    ...(["sent_at", "delivered_at", "read_at", "responded_at", "error_message"] as const),
  ),
  message: textOrNull.describe("The message text; null if the template's text is unknown."),
  params: z.array(z.string()).describe("The template variables for this person."),
  replies: z
    .array(z.object({ at: z.string(), text: textOrNull, body: z.unknown() }))
    .describe("The person's replies; body is what the service sent."),
});
export type OptOutJson = z.infer<typeof optOut>;
const newestOptOut = optOut.omit({ phone: true }).extend({
  removed_at: textOrNull.describe("When the person was taken off the list."),
  reason: textOrNull.describe("Why the person was taken off the list."),
});
const leftOut = z.object({
  ...keys(z.string(), "at", "external_ref", "template"),
  reason: z.enum(leftOutReasons),
});
export const document = z.object({
  phone: z.string(),
  opt_out: newestOptOut.nullable().describe("The newest opt-out. It holds while removed_at is null."),
  left_out: z
    .array(leftOut)
    .describe("Sends whose file contains this person but that did not message them, newest first."),
  sends: z.array(line).describe("Newest first."),
});
/** Everything the journal and the service have about a person. */
export type PersonJson = z.infer<typeof document>;
const row = line.extend({
  send_id: textOrNull.describe("Null if a send left this person out; error has the reason."),
});
/** A send to a person, or one that left the person out. */
export type FoundSendJson = z.infer<typeof row>;
export const forms = { document, line: row };
