import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const textOrNull = z.string().nullable();
const countOrNull = z.int().nullable();

const watch = z.object({
  state: z
    .enum(["ok", "outage", "stopped", "standby", "none"])
    .describe("standby: nobody polls, and a process waits to take over. none: nobody watches."),
  ...keys(textOrNull.describe("Of the process that watches; null without one."), "machine", "since"),
  last_poll_at: textOrNull.describe("The last complete poll."),
  pid: countOrNull,
  age_s: countOrNull.describe("The age of the last complete poll in seconds."),
  standby: z
    .array(z.object({ ...keys(z.string(), "machine", "since"), pid: z.int() }))
    .describe("Processes that take over when the watch ends."),
  behind: z
    .object({
      since: z.string(),
      interval_s: z.int().describe("The interval that was asked for."),
      every_s: z.int().describe("About how often the branch is polled."),
    })
    .nullable()
    .describe("Set if the branch is polled less often than its interval."),
});
const output = z.object({
  output: z.string().describe("The output's flag, with its consumer if there are several."),
  undelivered: z.int().describe("Orders and changes that it has not received."),
  oldest_at: textOrNull.describe("Since when the oldest of them waits."),
});
const send = z.object({
  ...keys(z.string(), "send_id", "external_ref"),
  remaining: z.int().describe("Recipients not messaged yet."),
});
const push = z.object({ ...keys(z.string(), "push_id", "at"), ...keys(countOrNull, "accepted", "rejected") });

const line = z.object({
  branch: z.string(),
  watch,
  outputs: z.array(output),
  unfinished_sends: z.array(send).describe("Sends that `bpos campaign resume` continues."),
  last_push: push.nullable(),
  waiting_replies: z.int().describe("Replies that an output has not received."),
});

/** A branch of `bpos status`, as JSON has it. */
export type BranchReport = z.infer<typeof line>;

const journal = z.object({
  engine: z.enum(["sqlite", "postgres"]),
  place: z.string().describe("The file, or the database without user and password."),
});
const document = z.object({
  ok: z.boolean().describe("Whether all is well."),
  journal,
  branches: z.array(line),
});
export const forms = { document, line };
