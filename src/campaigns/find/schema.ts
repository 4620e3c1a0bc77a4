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
export const document = z.object({ phone: z.string(), sends: z.array(line) });
export const forms = { document, line };
