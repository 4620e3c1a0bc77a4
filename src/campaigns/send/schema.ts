import * as z from "zod";

const countOrNull = z.int().nullable();
const rows = z.array(z.object({ line: z.int().nullable(), phone: z.string().nullable(), error: z.string() }));

const report = {
  send_id: z.string(),
  template: z.string(),
  external_ref: z.string(),
  recipients: z.object({
    read: countOrNull,
    planned: z.int(),
    added: z.int(),
    duplicates: countOrNull,
    invalid: countOrNull,
    excluded: countOrNull,
    already_sent: countOrNull,
    errors: z.array(z.string()),
  }),
  campaigns: z.array(
    z.object({
      campaign_id: z.string().nullable(),
      idempotency_key: z.string(),
      status: z.string().nullable(),
      campaign_name: z.string().nullable(),
      replayed: z.boolean(),
      recipients: z.object({ added: z.int(), duplicates: z.int(), errors: z.array(z.string()) }),
    }),
  ),
  invalid: rows.nullable(),
  duplicate_rows: rows.nullable(),
  excluded_rows: rows.nullable(),
  outcome: z.enum(["sent", "replayed", "partial", "refused", "unknown", "nothing"]),
  dry_run: z.boolean(),
  test: z.literal(true).optional().describe("Only with --test-to."),
  errors_file: z.string().optional().describe("Only with --errors."),
};

export const document = z.object(report);

/** A send of the list; null is what nobody knows of a run that was killed. */
export const past = z.object({ ...report, at: z.string() });
