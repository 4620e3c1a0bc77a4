import * as z from "zod";

const about = { at: z.string(), branch: z.string(), push_id: z.string(), scheduled_for: z.string() };

/** Lines of `-o ndjson` of any watch, of pushes that waited for their time. */
export const scheduledEvents = [
  z.object({
    event: z.literal("push.sent"),
    ...about,
    outcome: z.string(),
    accepted: z.int(),
    rejected: z.int(),
    left_alone: z.array(z.string()).describe("Codes that were pushed since it was scheduled."),
    reason: z.string().optional().describe("What stopped it before its end."),
  }),
  z.object({ event: z.literal("push.refused"), ...about, reason: z.string() }),
  z.object({ event: z.literal("push.missed"), ...about }),
  z.object({ event: z.literal("push.delayed"), ...about, reason: z.string() }),
] as const;
