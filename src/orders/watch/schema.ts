import * as z from "zod";
import { orderSchema, wireInteger } from "../../contract/order.ts";

const about = { at: z.string(), branch: z.string() };
const failure = { reason: z.string(), status: z.int().optional() };
const standby = { ...about, holder: z.string().optional().describe("host:pid") };

const scheduled = { ...about, push_id: z.string(), scheduled_for: z.string() };

const line = z.discriminatedUnion("event", [
  z.object({ event: z.literal("order.new"), ...about, order: orderSchema, repeated: z.boolean() }),
  z.object({
    event: z.literal("order.changed"),
    ...about,
    order_id: wireInteger,
    from: z.string(),
    to: z.string(),
    changes: z.array(z.string()).optional().describe("The fields that were edited."),
    order: orderSchema.optional().describe("Only with changes."),
  }),
  z.object({ event: z.literal("watch.outage"), ...about, since: z.string(), ...failure }),
  z.object({ event: z.literal("watch.recovered"), ...about, after_s: z.int() }),
  z.object({ event: z.literal("watch.stopped"), ...about, since: z.string().optional(), ...failure }),
  z.object({
    event: z.literal("push.sent"),
    ...scheduled,
    outcome: z.string(),
    accepted: z.int(),
    rejected: z.int(),
    left_alone: z.array(z.string()).describe("Codes that were pushed since it was scheduled."),
    reason: z.string().optional().describe("What stopped it before its end."),
  }),
  z.object({ event: z.literal("push.refused"), ...scheduled, reason: z.string() }),
  z.object({ event: z.literal("push.missed"), ...scheduled }),
  z.object({ event: z.literal("push.delayed"), ...scheduled, reason: z.string() }),
  z.object({ event: z.literal("watch.standby"), ...standby }),
  z.object({ event: z.literal("watch.active"), ...standby }),
]);
export const forms = { line };
