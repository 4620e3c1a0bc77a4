import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const about = keys(z.string(), "at", "branch");

const reply = z.object({
  event: z.literal("reply"),
  at: z.string(),
  ...keys(z.string().nullable(), "campaign_id", "external_ref"),
  send_id: z.string().nullable().describe("The send that it answers; null if the journal does not know it."),
  name: z.string().nullable().describe("The person's name, from the variables of the send."),
  repeated: z.boolean().describe("Whether this output may have received the reply before."),
  body: z.unknown().describe("The webhook's body as the service sent it."),
});
export type ReplyJson = z.infer<typeof reply>;

const line = z.discriminatedUnion("event", [
  reply,
  z.object({
    event: z.literal("watch.outage"),
    ...about,
    since: z.string().describe("When the outage began."),
    reason: z.string(),
  }),
  z.object({
    event: z.literal("watch.recovered"),
    ...about,
    after_s: z.int().describe("How long the outage took, in seconds."),
  }),
]);
export const forms = { line };
