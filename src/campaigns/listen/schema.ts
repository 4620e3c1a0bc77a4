import * as z from "zod";

const textOrNull = z.string().nullable();
const about = { at: z.string(), branch: z.string() };

export const line = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("reply"),
    at: z.string(),
    campaign_id: textOrNull,
    external_ref: textOrNull,
    send_id: textOrNull,
    name: textOrNull,
    repeated: z.boolean(),
    body: z.unknown().describe("As the service sent it."),
  }),
  z.object({ event: z.literal("watch.outage"), ...about, since: z.string(), reason: z.string() }),
  z.object({ event: z.literal("watch.recovered"), ...about, after_s: z.int() }),
]);
