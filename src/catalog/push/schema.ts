import * as z from "zod";
import { catalogActions, catalogItemSchema } from "../../contract/catalog.ts";

const report = {
  push_id: z.string(),
  action: z.enum(catalogActions),
  occurred_at: z.string().nullable(),
  read: z.int().nullable(),
  sent: z.int(),
  batches: z.int(),
  accepted: z.int(),
  skipped_stale: z.int(),
  duplicate_batches: z.int(),
  unchanged: z.int().nullable(),
  rejected: z.array(
    z.object({
      codigo: z.string().nullable(),
      error: z.string().nullable(),
      source: z.enum(["file", "service"]),
      line: z.int().nullable(),
    }),
  ),
  rejected_file: z.string().nullable(),
  outcome: z.enum(["complete", "partial", "stale", "nothing", "refused", "unknown"]),
  dry_run: z.boolean(),
  without_price: z.int().optional().describe("Not of a delete."),
  prices_to_zero: z
    .object({ count: z.int(), first: z.array(z.looseObject({ codigo: z.string() })) })
    .optional()
    .describe("Not of a delete."),
  codes: z.array(z.string()).optional().describe("Only of a delete."),
};

const planned = {
  planned: z.int().optional().describe("Only with --dry-run."),
  planned_batches: z.int().optional().describe("Only with --dry-run."),
  first: z.array(catalogItemSchema).optional().describe("Only with --dry-run."),
};

export const document = z.object({
  ...report,
  ...planned,
  deactivated: z
    .object({ ...report, ...planned })
    .optional()
    .describe("Only with --deactivate-missing: the delete that followed."),
});

/** A push of the history. */
export const past = z.object({
  ...report,
  at: z.string(),
  file: z.string().nullable(),
  rejected_left_out: z.int().optional().describe("How many of rejected the history does not keep."),
  codes_left_out: z.int().optional().describe("How many of codes the history does not keep."),
});
