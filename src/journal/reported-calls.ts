import { Part, plainText } from "./engine.ts";
import type { KeptCall, KnownSend, PersonCall } from "./sends.ts";

/** A call with what a report says of its send. */
export type ReportedCall = KeptCall &
  Pick<PersonCall, "body" | "lines" | "param_names" | "template" | "ref" | "at"> &
  Pick<KnownSend, "report">;

export class ReportedCalls extends Part {
  /** The calls of a send, by its id or reference, or the one of a campaign; in the order of their planning. */
  named(branch: string, name: string): Promise<ReportedCall[]> {
    return this.sql.all(
      `SELECT send_call.*, send.ref AS ref, at, coalesce(template_name, template_id) AS template, param_names, report
       FROM send_call JOIN send USING (send_id) LEFT JOIN send_report USING (send_id)
       WHERE branch = ? AND ? IN (send.send_id, ref, campaign_id) ORDER BY send.seq, n`,
      ...[branch, plainText(name)],
    );
  }
}
