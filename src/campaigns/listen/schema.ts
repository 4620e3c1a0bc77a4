import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const about = keys(z.string(), "at", "branch");

const reply = z.object({
  event: z.literal("reply"),
  at: z.string(),
  ...keys(z.string().nullable(), "campaign_id", "external_ref", "send_id", "name"),
  repeated: z.boolean(),
  body: z.unknown().describe("As the service sent it."),
});
export type ReplyJson = z.infer<typeof reply>;

const line = z.discriminatedUnion("event", [
  reply,
  z.object({ event: z.literal("watch.outage"), ...about, since: z.string(), reason: z.string() }),
  z.object({ event: z.literal("watch.recovered"), ...about, after_s: z.int() }),
]);
export const forms = { line };
