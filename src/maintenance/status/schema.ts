import * as z from "zod";

const textOrNull = z.string().nullable();
const countOrNull = z.int().nullable();

export const line = z.object({
  branch: z.string(),
  watch: z.object({
    state: z.enum(["ok", "outage", "stopped", "none"]),
    machine: textOrNull,
    pid: countOrNull,
    since: textOrNull,
    last_poll_at: textOrNull,
    age_s: countOrNull,
  }),
  outputs: z.array(z.object({ output: z.string(), undelivered: z.int(), oldest_at: textOrNull })),
  unfinished_sends: z.array(z.object({ send_id: z.string(), external_ref: z.string(), remaining: z.int() })),
  last_push: z
    .object({ push_id: z.string(), at: z.string(), accepted: countOrNull, rejected: countOrNull })
    .nullable(),
  waiting_replies: z.int(),
});
export const document = z.object({
  ok: z.boolean(),
  journal: z.object({ engine: z.enum(["sqlite", "postgres"]), place: z.string() }),
  branches: z.array(line),
});
