import * as z from "zod";
import { keys } from "../contract/json-schema.ts";
import { leftOutReasons } from "../journal/records/send-rows.ts";
import { optOut as listed } from "./optout/schema.ts";

const textOrNull = z.string().nullable();

export const line = z.object({
  ...keys(z.string(), "send_id", "at", "external_ref"),
  ...keys(textOrNull, "template", "campaign_id", "status", "error", "sent_at", "delivered_at", "read_at"),
  ...keys(textOrNull, "responded_at", "error_message", "message"),
  params: z.array(z.string()),
  replies: z.array(z.object({ at: z.string(), text: textOrNull, body: z.unknown() })),
});
const ended = keys(textOrNull, "removed_at", "reason");
const optOut = listed.omit({ phone: true }).extend(ended);
const leftOut = z.object({
  ...keys(z.string(), "at", "external_ref", "template"),
  reason: z.enum(leftOutReasons),
});
export const document = z.object({
  phone: z.string(),
  opt_out: optOut.nullable().describe("The newest; removed_at is null while it holds."),
  left_out: z.array(leftOut).describe("Sends that named this person and did not message them."),
  sends: z.array(line),
});
const row = line.extend({
  send_id: textOrNull.describe("Null where a send left this person out: error says why."),
});
export const forms = { document, line: row };
