import type { Journal } from "./open.ts";
import type { JournalCall } from "./sends.ts";

/** A send as the journal keeps it; `at` in epoch milliseconds. */
export interface KeptSend {
  send_id: string;
  ref: string;
  template_name: string | null;
  template_id: string | null;
  at: number;
  is_test: number;
  /** What `campaign send` reported at its end, JSON text; null when its process was killed before that. */
  report: string | null;
}

/** A call of a send without its body. */
export type KeptCall = Omit<JournalCall, "body">;

/** Keeps what a send reported at its end, as JSON text; nothing when it was never planned. */
export function recordReport(journal: Journal, sendId: string, report: string): void {
  journal
    .prepare("INSERT INTO send_report (send_id, report) SELECT send_id, ? FROM send WHERE send_id = ?")
    .run(report, sendId);
}

/** The newest sends of a branch, newest first. */
export function keptSends(journal: Journal, branch: string, limit: number): KeptSend[] {
  // The order of insertion decides: this machine's clock can go back.
  return journal
    .prepare(
      `SELECT send.send_id, ref, template_name, template_id, at, is_test, report
       FROM send LEFT JOIN send_report USING (send_id) WHERE branch = ? ORDER BY seq DESC LIMIT ?`,
    )
    .all(branch, limit) as KeptSend[];
}

/** The calls of a send, in the order in which they were planned. */
export function keptCalls(journal: Journal, sendId: string): KeptCall[] {
  return journal
    .prepare(
      `SELECT send_id, n, idempotency_key, people, state, campaign_id, answer, answered_at
       FROM send_call WHERE send_id = ? ORDER BY n`,
    )
    .all(sendId) as KeptCall[];
}

/** What was sent to the service for a campaign. */
interface SentBody {
  campaign_id: string;
  body: string;
  /** The line of each recipient in the file, a JSON list; null when it was not kept. */
  lines: string | null;
}

/** What was sent to the service for each of these campaigns, as far as this branch's sends from here made them. */
export function bodiesOf(journal: Journal, branch: string, campaignIds: readonly string[]): SentBody[] {
  return journal
    .prepare(
      `SELECT campaign_id, body, lines FROM send_call JOIN send USING (send_id)
       WHERE branch = ? AND campaign_id IN (SELECT value FROM json_each(?))`,
    )
    .all(branch, JSON.stringify(campaignIds)) as SentBody[];
}
