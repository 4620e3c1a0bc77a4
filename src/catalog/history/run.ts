import { chosenObjects } from "../../cli/fields.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { Journal } from "../../journal/journal.ts";
import type { KeptPush, PushEvent } from "../../journal/pushes.ts";
import { countsOf, outcomeOf } from "../push/report.ts";
import { pushFields, pushHistoryCsv, pushHistoryTable } from "./view.ts";

/** A push of the past: its report as `catalog push --json` printed it, when it began, and its file. */
export type PastPush = Record<string, unknown> & { push_id: string; at: string; file: string | null };

/** What can be told of a push that has no report: it is under way, or its process was killed. */
function unreported({ push_id, action }: KeptPush, events: readonly PushEvent[]): Record<string, unknown> {
  const counts = countsOf(events);
  const { sent, batches, accepted, skipped_stale, duplicate_batches } = counts;
  const rejected = counts.rejected.flatMap(({ products }) => products);
  const stoppedBy = batches < events.length ? "unanswered" : undefined;
  return {
    ...{ push_id, action, occurred_at: events[0]?.occurred_at ?? null },
    ...{ sent, batches, accepted, skipped_stale, duplicate_batches },
    rejected: rejected.map(({ codigo, error }) => ({ codigo, error, source: "service", line: null })),
    rejected_file: null,
    outcome: outcomeOf(counts, rejected.length, stoppedBy),
    dry_run: false,
  };
}

/** The pushes that this machine made for a branch, newest first, and the ids of those that did not come to their end. */
async function pushHistory(
  journal: Journal,
  branch: string,
  limit: number,
): Promise<{ pushes: PastPush[]; unfinished: Set<string> }> {
  const unfinished = new Set<string>();
  const pushes: PastPush[] = [];
  for (const push of await journal.pushes.newest(branch, limit)) {
    const report =
      push.report === null
        ? unreported(push, await journal.pushes.events(push.push_id))
        : (JSON.parse(push.report) as Record<string, unknown>);
    // What was refused would be refused again.
    if (push.pending && report["outcome"] !== "refused") unfinished.add(push.push_id);
    pushes.push({ ...report, push_id: push.push_id, at: isoWithOffset(push.at), file: push.file });
  }
  return { pushes, unfinished };
}

const defaultLimit = 20;

/** Runs `bpos catalog history`. */
export async function history(runtime: Runtime, limit = defaultLimit): Promise<void> {
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async ({ output, openJournal }) => {
    const { journal, branch } = await openJournal();
    const { pushes: found, unfinished } = await pushHistory(journal, branch, limit + 1);
    const pushes = found.slice(0, limit);
    const more = found.length > limit;
    const { format } = output;
    const { fields } = runtime.flags;
    const objects = chosenObjects(pushFields, pushes, { fields, format });
    if (format === "json") await output.document({ pushes: objects });
    else if (format === "table")
      await output.data(pushHistoryTable(pushes, { more, unfinished }, output.ui, fields));
    else if (format === "csv") await output.data(pushHistoryCsv(pushes, output.ui, fields));
    else for (const push of objects) await output.document(push);
  });
}
