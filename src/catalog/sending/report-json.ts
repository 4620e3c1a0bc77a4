import { JsonList, type Listed } from "../../cli/display/json.ts";
import { keepForHistory, type Output } from "../../cli/display/output.ts";
import { type RejectedProduct, rejection } from "../../cli/files/rejected-rows.ts";
import type { Journal } from "../../journal/journal.ts";
import { english } from "../../texts/texts.ts";
import { changesJson } from "../changes-view.ts";
import type { PushReport } from "./report.ts";
import type { PushDocument } from "./schema.ts";

const toRejected = (each: RejectedProduct): PushDocument["rejected"][number] => ({
  codigo: each.codigo,
  error: rejection(each, english),
  source: each.source,
  line: each.line,
});

/** Returns the `--json` output of a push. */
export function pushReportJson(report: PushReport): Listed<Omit<PushDocument, "deactivated">> {
  const { push_id, action, occurred_at, read, sent, batches, accepted, skipped_stale, planned } = report;
  const { undo, duplicate_batches, unchanged, rejected_file, outcome, dry_run, codes, prices, compared } =
    report;
  return {
    push_id,
    action,
    occurred_at,
    read,
    sent,
    batches,
    accepted,
    skipped_stale,
    duplicate_batches,
    unchanged,
    rejected: new JsonList(report.rejected, toRejected),
    rejected_file,
    outcome,
    dry_run,
    ...(prices && {
      without_price: prices.without,
      prices_to_zero: prices.toZero ?? { count: 0, first: [] },
    }),
    // A plan sends nothing, so its numbers are separate from the counts.
    ...(codes && { codes: new JsonList(codes, (code) => code) }),
    ...(planned && { planned: planned.wouldSend, planned_batches: planned.calls, first: planned.first }),
    ...(undo && { undo_of: undo.of, left_alone: new JsonList(undo.leftAlone, (each) => each) }),
    ...(compared && { diff: compared.counts }),
    // `catalog diff` lists those of a push.
    ...(compared && undo && { changes: changesJson(compared) }),
  };
}

/** The history keeps this many rejected products and codes of a delete; the file of `--rejected` has all of them. */
const maxKept = 10_000;

/** Returns a push as the history keeps it. */
function keptReportJson(report: PushReport): object {
  const { rejected, codes = [] } = report;
  const { undo } = report;
  const [rejectedLeft, codesLeft] = [rejected.length - maxKept, codes.length - maxKept];
  const kept = {
    ...report,
    ...(rejectedLeft > 0 && { rejected: rejected.slice(0, maxKept) }),
    ...(codesLeft > 0 && { codes: codes.slice(0, maxKept) }),
    ...(undo && { undo: { ...undo, leftAlone: undo.leftAlone.slice(0, maxKept) } }),
  };
  return {
    ...pushReportJson(kept),
    ...(rejectedLeft > 0 && { rejected_left_out: rejectedLeft }),
    ...(codesLeft > 0 && { codes_left_out: codesLeft }),
  };
}

/** Saves a report in the journal, for `catalog history`; a failure is a warning. */
export async function keepReport(output: Output, journal: Journal, report: PushReport): Promise<void> {
  const text = JSON.stringify(keptReportJson(report));
  await keepForHistory(output, () => journal.pushes.report(report.push_id, text));
}
