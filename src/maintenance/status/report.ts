import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const textOrNull = z.string().nullable();
const countOrNull = z.int().nullable();

const watch = z.object({
  /** `standby`: nobody polls it, and a process waits to take over; `none`: nobody watches it. */
  state: z.enum(["ok", "outage", "stopped", "standby", "none"]),
  ...keys(textOrNull, "machine", "since", "last_poll_at"),
  /** `machine` and `pid` are those of the process that watches it; `standby` those that take over when it ends. */
  ...keys(countOrNull, "pid", "age_s"),
  standby: z.array(z.object({ ...keys(z.string(), "machine", "since"), pid: z.int() })),
  /** Set if it is polled less often than the interval says. */
  behind: z.object({ since: z.string(), ...keys(z.int(), "interval_s", "every_s") }).nullable(),
});
const output = z.object({ output: z.string(), undelivered: z.int(), oldest_at: textOrNull });
const send = z.object({ ...keys(z.string(), "send_id", "external_ref"), remaining: z.int() });
const push = z.object({ ...keys(z.string(), "push_id", "at"), ...keys(countOrNull, "accepted", "rejected") });

const line = z.object({
  branch: z.string(),
  watch,
  outputs: z.array(output),
  unfinished_sends: z.array(send),
  last_push: push.nullable(),
  waiting_replies: z.int(),
});

/** A branch of `bpos status`, as JSON has it. */
export type BranchReport = z.infer<typeof line>;

const journal = z.object({ engine: z.enum(["sqlite", "postgres"]), place: z.string() });
const document = z.object({ ok: z.boolean(), journal, branches: z.array(line) });
export const forms = { document, line };
