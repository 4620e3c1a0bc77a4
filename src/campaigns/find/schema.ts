import * as z from "zod";

const textOrNull = z.string().nullable();

export const line = z.object({
  send_id: z.string(),
  at: z.string(),
  template: textOrNull,
  external_ref: z.string(),
  campaign_id: textOrNull,
  status: textOrNull,
  error: textOrNull,
  sent_at: textOrNull,
  delivered_at: textOrNull,
  read_at: textOrNull,
  responded_at: textOrNull,
  error_message: textOrNull,
  params: z.array(z.string()),
  message: textOrNull,
  replies: z.array(z.object({ at: z.string(), text: textOrNull, body: z.unknown() })),
});
export const document = z.object({ phone: z.string(), sends: z.array(line) });
