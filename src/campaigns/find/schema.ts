import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const textOrNull = z.string().nullable();

export const line = z.object({
  ...keys(z.string(), "send_id", "at", "external_ref"),
  ...keys(textOrNull, "template", "campaign_id", "status", "error", "sent_at", "delivered_at", "read_at"),
  ...keys(textOrNull, "responded_at", "error_message", "message"),
  params: z.array(z.string()),
  replies: z.array(z.object({ at: z.string(), text: textOrNull, body: z.unknown() })),
});
const optOut = z.object({
  at: z.string(),
  source: z.enum(["reply", "added", "import"]),
  ...keys(textOrNull, "text", "removed_at", "reason"),
});
const leftOut = z.object({
  ...keys(z.string(), "at", "external_ref", "template"),
  reason: z.enum(["opted_out", "excluded"]),
});
export const document = z.object({
  phone: z.string(),
  opt_out: optOut.nullable().describe("The newest; removed_at is null while it holds."),
  left_out: z.array(leftOut).describe("Sends that named this person and did not message them."),
  sends: z.array(line),
});
export const forms = { document, line };
