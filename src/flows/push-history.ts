import type { Journal } from "../journal/open.ts";
import { eventsOf, type KeptPush, keptPushes } from "../journal/pushes.ts";
import { readBatchAnswer } from "./batch-answer.ts";
import { isoWithOffset } from "./instants.ts";

/** A push of the past: its report as `catalog push --json` printed it, when it began, and its file. */
export type PastPush = Record<string, unknown> & { push_id: string; at: string; file: string | null };

/** How far a push came whose process did not live to say so. */
function outcomeOf({ planned, sent, answered }: Record<"planned" | "sent" | "answered", number>): string {
  if (answered < sent) return "unknown";
  if (sent === 0) return "nothing";
  return sent < planned ? "partial" : "complete";
}

/** What can be told of a push that has no report: it is under way, or its process was killed. */
function unreported(journal: Journal, { push_id, action }: KeptPush): Record<string, unknown> {
  const events = eventsOf(journal, push_id);
  const sent = events.filter(({ state }) => state !== "planned");
  const answers = sent.flatMap(({ answer }) => (answer === null ? [] : [readBatchAnswer(answer)]));
  const sum = (of: (answer: (typeof answers)[number]) => number): number =>
    answers.reduce((total, answer) => total + of(answer), 0);
  return {
    push_id,
    action,
    occurred_at: events[0]?.occurred_at ?? null,
    sent: sent.reduce((rows, event) => rows + event.row_count, 0),
    batches: sent.length,
    accepted: sum(({ accepted }) => accepted),
    skipped_stale: sum(({ stale }) => stale),
    duplicate_batches: sum(({ duplicate }) => Number(duplicate)),
    rejected: answers.flatMap(({ rejected }) =>
      rejected.map((each) => ({ ...each, source: "service", line: null })),
    ),
    rejected_file: null,
    outcome: outcomeOf({ planned: events.length, sent: sent.length, answered: answers.length }),
    dry_run: false,
  };
}

/** The pushes that this machine made for a branch, newest first. */
export function pushHistory(journal: Journal, branch: string, limit: number): PastPush[] {
  return keptPushes(journal, branch, limit).map((push) => {
    const report =
      push.report === null ? unreported(journal, push) : (JSON.parse(push.report) as Record<string, unknown>);
    return { ...report, push_id: push.push_id, at: isoWithOffset(push.at), file: push.file };
  });
}
