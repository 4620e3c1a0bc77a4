import * as z from "zod";
import { keys } from "../contract/json-schema.ts";

const textOrNull = z.string().nullable();
const errors = z.array(z.string());
const count = z.int().nullable();
const rows = z.array(z.object({ line: z.int().nullable(), phone: textOrNull, error: z.string() })).nullable();
const campaign = z.object({
  campaign_id: textOrNull.describe("Null if there was no answer."),
  idempotency_key: z.string().describe("The key of the call."),
  ...keys(textOrNull, "status", "campaign_name"),
  replayed: z.boolean().describe("Whether the service had answered this key before."),
  recipients: z
    .object({ ...keys(z.int(), "added", "duplicates"), errors })
    .describe("As the service counted them."),
});

/** The time until which the rest of a send waits, and the reason. */
const waiting = z.object({
  recipients: z.int().describe("Recipients that wait."),
  until: z.string().describe("The earliest time at which they are messaged."),
  for: z.enum(["at", "hours", "pace", "canary"]),
});

const onlyFailed = z.object({
  ref: z.string(),
  failed: z.int().describe("Recipients that failed under this reference and are kept."),
  not_failed: z.int().describe("Left out: the message arrived."),
  not_final: z.int().describe("Left out: the message can still arrive."),
  not_listed: z.int().describe("Left out: the service does not list them."),
  not_in_send: z.int().describe("Left out: they were not in that send."),
});

const report = {
  send_id: z.string().describe("Identifies this send in the journal."),
  ...keys(z.string(), "template", "external_ref"),
  recipients: z.object({
    planned: z.int().describe("Recipients to message in this run."),
    added: z.int().describe("Recipients that the service accepted."),
    read: count.describe("Rows read from the file."),
    duplicates: count.describe("Rows of a person who is in an earlier row."),
    invalid: count.describe("Rows that cannot be sent."),
    excluded: count.describe("Recipients in --exclude."),
    opted_out: count.describe("Recipients who opted out."),
    already_sent: count.describe("Recipients that an earlier run of this send messaged."),
    errors: errors.describe("The service's errors for recipients that it did not accept."),
  }),
  campaigns: z.array(campaign).describe("One for each call."),
  invalid: rows.describe("Rows that cannot be sent."),
  duplicate_rows: rows.describe("Rows of a person who is in an earlier row."),
  excluded_rows: rows.describe("Rows of recipients in --exclude."),
  outcome: z.enum(["sent", "replayed", "partial", "refused", "unknown", "nothing"]),
  dry_run: z.boolean(),
  waiting: waiting.optional().describe("Only if recipients wait for a time or for the canary."),
  test: z.literal(true).optional().describe("Only with --test-to."),
  errors_file: z.string().optional().describe("The file that --errors wrote; only with --errors."),
  only_failed_of: onlyFailed.optional().describe("Only with --only-failed-of."),
};

const document = z.object(report);
export type SendJson = z.infer<typeof document>;

/** A send of the list; null where only the report of the run would tell, and the run was killed. */
const past = z.object({ ...report, at: z.string().describe("When the send began.") });
export type PastSendJson = z.infer<typeof past>;
/** A line of -o ndjson, each time that the rest begins to wait. */
const event = waiting.extend({
  event: z.literal("send.waiting"),
  ...keys(z.string(), "send_id", "external_ref"),
});
const line = z.union([event, document]);
export const forms = { document, line };
export const resumeForms = { document: z.union([document, z.object({ sends: z.array(document) })]), line };
export const listForms = {
  document: z.object({ sends: z.array(past).describe("Newest first.") }),
  line: past,
};
