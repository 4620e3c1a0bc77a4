import * as z from "zod";
import { keys } from "../contract/json-schema.ts";

const textOrNull = z.string().nullable();
const errors = z.array(z.string());
const rows = z.array(z.object({ line: z.int().nullable(), phone: textOrNull, error: z.string() })).nullable();
const campaign = z.object({
  campaign_id: textOrNull,
  idempotency_key: z.string(),
  ...keys(textOrNull, "status", "campaign_name"),
  replayed: z.boolean(),
  recipients: z.object({ ...keys(z.int(), "added", "duplicates"), errors }),
});

/** The time until which the rest of a send waits, and the reason. */
const waiting = z.object({
  recipients: z.int(),
  until: z.string(),
  for: z.enum(["at", "hours", "pace", "canary"]),
});

const onlyFailed = z.object({
  ref: z.string(),
  ...keys(z.int(), "failed", "not_failed", "not_final", "not_listed", "not_in_send"),
});

const report = {
  ...keys(z.string(), "send_id", "template", "external_ref"),
  recipients: z.object({
    ...keys(z.int(), "planned", "added"),
    ...keys(z.int().nullable(), "read", "duplicates", "invalid", "excluded", "opted_out", "already_sent"),
    errors,
  }),
  campaigns: z.array(campaign),
  ...keys(rows, "invalid", "duplicate_rows", "excluded_rows"),
  outcome: z.enum(["sent", "replayed", "partial", "refused", "unknown", "nothing"]),
  dry_run: z.boolean(),
  waiting: waiting.optional().describe("Only if recipients wait for a time, or for the canary."),
  test: z.literal(true).optional().describe("Only with --test-to."),
  errors_file: z.string().optional().describe("Only with --errors."),
  only_failed_of: onlyFailed.optional().describe("Only with --only-failed-of."),
};

const document = z.object(report);
export type SendJson = z.infer<typeof document>;

/** A send of the list; null where only the report of the run would tell, and the run was killed. */
const past = z.object({ ...report, at: z.string() });
export type PastSendJson = z.infer<typeof past>;
/** A line of -o ndjson, each time that the rest begins to wait. */
const event = waiting.extend({
  event: z.literal("send.waiting"),
  ...keys(z.string(), "send_id", "external_ref"),
});
const line = z.union([event, document]);
export const forms = { document, line };
export const resumeForms = { document: z.union([document, z.object({ sends: z.array(document) })]), line };
export const listForms = { document: z.object({ sends: z.array(past) }), line: past };
