import * as z from "zod";
import { catalogActions, catalogItemSchema } from "../../contract/catalog.ts";
import { keys } from "../../contract/json-schema.ts";
import { change, counts } from "../changes-schema.ts";

const textOrNull = z.string().nullable();
const rejected = z.object({
  ...keys(textOrNull, "codigo", "error"),
  source: z.enum(["file", "service"]).describe("file: bpos refused the row. service: the service did."),
  line: z.int().nullable().describe("The line of the file; null if unknown."),
});
const toZero = z.object({ count: z.int(), first: z.array(z.looseObject({ codigo: z.string() })) });

/** The keys of a push in a report and in the history, which may lack what nobody could record. */
export const report = {
  push_id: z.string().describe("Identifies this push in the journal and in the history."),
  action: z.enum(catalogActions),
  occurred_at: textOrNull.describe("The timestamp of the first batch; null if there was nothing to send."),
  read: z.int().nullable().describe("Rows read from the file; null in the history if the push was killed."),
  sent: z.int().describe("Items sent."),
  batches: z.int().describe("Requests sent."),
  accepted: z.int().describe("Items that the service accepted."),
  skipped_stale: z.int().describe("Items older than what the service has."),
  duplicate_batches: z.int().describe("Batches that the service had received in an earlier attempt."),
  unchanged: z
    .int()
    .nullable()
    .describe("Rows that --changed-only left out; null in the history if the push was killed."),
  rejected: z.array(rejected).describe("Rows and items that bpos or the service refused."),
  rejected_file: textOrNull.describe("The file that --rejected wrote."),
  outcome: z.enum(["complete", "partial", "stale", "nothing", "refused", "unknown"]),
  dry_run: z.boolean(),
  without_price: z.int().optional().describe("Products without a price; not for a delete."),
  prices_to_zero: toZero.optional().describe("Known prices above 0 that become 0; not for a delete."),
  undo_of: z.string().optional().describe("The push_id of the undone push; only for an undo."),
  left_alone: z
    .array(z.object(keys(z.string(), "codigo", "reason")))
    .optional()
    .describe("Products that an undo did not change, and the reason."),
  codes: z.array(z.string()).optional().describe("The deactivated codes; only for a delete."),
};
const planned = {
  diff: counts.optional().describe("Products by kind of change; only with --dry-run."),
  changes: z.array(change).optional().describe("Each change; only for an undo with --dry-run."),
  planned: z.int().optional().describe("Items that would be sent; only with --dry-run."),
  planned_batches: z.int().optional().describe("Requests that would be sent; only with --dry-run."),
  first: z
    .array(catalogItemSchema)
    .optional()
    .describe("The first items that would be sent; only with --dry-run."),
};
const deactivated = z.object({ ...report, ...planned }).optional();

const document = z.object({
  ...report,
  ...planned,
  deactivated: deactivated.describe(
    "The delete that followed: of --deactivate-missing, or of the products that an undo takes off sale.",
  ),
});

export const forms = { document };

export type PushDocument = z.infer<typeof document>;
