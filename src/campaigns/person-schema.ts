import * as z from "zod";
import { keys } from "../contract/json-schema.ts";
import { leftOutReasons } from "../journal/records/send-rows.ts";

const textOrNull = z.string().nullable();

export const optOut = z.object({
  phone: textOrNull.describe("Null once it was pruned."),
  at: z.string(),
  source: z.enum(["reply", "added", "import"]),
  text: textOrNull,
});

export const line = z.object({
  ...keys(z.string(), "send_id", "at", "external_ref"),
  ...keys(textOrNull, "template", "campaign_id", "status", "error", "sent_at", "delivered_at", "read_at"),
  ...keys(textOrNull, "responded_at", "error_message", "message"),
  params: z.array(z.string()),
  replies: z.array(z.object({ at: z.string(), text: textOrNull, body: z.unknown() })),
});
export type OptOutJson = z.infer<typeof optOut>;
const newestOptOut = optOut.omit({ phone: true }).extend(keys(textOrNull, "removed_at", "reason"));
const leftOut = z.object({
  ...keys(z.string(), "at", "external_ref", "template"),
  reason: z.enum(leftOutReasons),
});
export const document = z.object({
  phone: z.string(),
  opt_out: newestOptOut.nullable().describe("The newest; removed_at is null while it holds."),
  left_out: z.array(leftOut).describe("Sends that named this person and did not message them."),
  sends: z.array(line),
});
/** All that the journal and the service tell of a person. */
export type PersonJson = z.infer<typeof document>;
const row = line.extend({
  send_id: textOrNull.describe("Null where a send left this person out: error says why."),
});
/** A send to a person, or one that left the person out. */
export type FoundSendJson = z.infer<typeof row>;
export const forms = { document, line: row };
