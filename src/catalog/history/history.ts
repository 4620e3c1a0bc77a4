import { isoWithOffset } from "../../contract/instants.ts";
import type { Journal } from "../../journal/open.ts";
import { eventsOf, type KeptPush, keptPushes } from "../../journal/pushes.ts";
import { countsOf, outcomeOf } from "../push/report.ts";

/** A push of the past: its report as `catalog push --json` printed it, when it began, and its file. */
export type PastPush = Record<string, unknown> & { push_id: string; at: string; file: string | null };

/** What can be told of a push that has no report: it is under way, or its process was killed. */
function unreported(journal: Journal, { push_id, action }: KeptPush): Record<string, unknown> {
  const events = eventsOf(journal, push_id);
  const counts = countsOf(events);
  const { sent, batches, accepted, skipped_stale, duplicate_batches, rejected } = counts;
  const stoppedBy = batches < events.length ? "unanswered" : undefined;
  return {
    push_id,
    action,
    occurred_at: events[0]?.occurred_at ?? null,
    ...{ sent, batches, accepted, skipped_stale, duplicate_batches },
    rejected: rejected.map(({ codigo, error }) => ({ codigo, error, source: "service", line: null })),
    rejected_file: null,
    outcome: outcomeOf(counts, rejected.length, stoppedBy),
    dry_run: false,
  };
}

/** The pushes that this machine made for a branch, newest first, and the ids of those that did not come to their end. */
export function pushHistory(
  journal: Journal,
  branch: string,
  limit: number,
): { pushes: PastPush[]; unfinished: Set<string> } {
  const unfinished = new Set<string>();
  const pushes = keptPushes(journal, branch, limit).map((push) => {
    const report =
      push.report === null ? unreported(journal, push) : (JSON.parse(push.report) as Record<string, unknown>);
    // What was refused would be refused again.
    if (push.open === 1 && report["outcome"] !== "refused") unfinished.add(push.push_id);
    return { ...report, push_id: push.push_id, at: isoWithOffset(push.at), file: push.file };
  });
  return { pushes, unfinished };
}
