import * as z from "zod";
import { catalogActions, catalogItemSchema } from "../../contract/catalog.ts";
import { keys } from "../../contract/json-schema.ts";
import { change, counts } from "../changes-schema.ts";

const textOrNull = z.string().nullable();
const rejected = z.object({
  ...keys(textOrNull, "codigo", "error"),
  source: z.enum(["file", "service"]),
  line: z.int().nullable(),
});
const toZero = z.object({ count: z.int(), first: z.array(z.looseObject({ codigo: z.string() })) });

/** The keys of a push in a report and in the history, which may lack what nobody could record. */
export const report = {
  push_id: z.string(),
  action: z.enum(catalogActions),
  occurred_at: textOrNull,
  read: z.int().nullable(),
  ...keys(z.int(), "sent", "batches", "accepted", "skipped_stale", "duplicate_batches"),
  unchanged: z.int().nullable(),
  rejected: z.array(rejected),
  rejected_file: textOrNull,
  outcome: z.enum(["complete", "partial", "stale", "nothing", "refused", "unknown"]),
  dry_run: z.boolean(),
  without_price: z.int().optional().describe("Not of a delete."),
  prices_to_zero: toZero.optional().describe("Not of a delete."),
  undo_of: z.string().optional().describe("Only of an undo: the push that it undoes."),
  left_alone: z
    .array(z.object(keys(z.string(), "codigo", "reason")))
    .optional()
    .describe("Only of an undo."),
  codes: z.array(z.string()).optional().describe("Only of a delete."),
};
const planned = {
  diff: counts.optional().describe("Only with --dry-run."),
  changes: z.array(change).optional().describe("Only of an undo with --dry-run."),
  ...keys(z.int().optional().describe("Only with --dry-run."), "planned", "planned_batches"),
  first: z.array(catalogItemSchema).optional().describe("Only with --dry-run."),
};
const deactivated = z.object({ ...report, ...planned }).optional();

const document = z.object({
  ...report,
  ...planned,
  deactivated: deactivated.describe("Only with --deactivate-missing: the delete that followed."),
});

export const forms = { document };

export type PushDocument = z.infer<typeof document>;
