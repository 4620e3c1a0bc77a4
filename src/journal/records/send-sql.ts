import { createHash } from "node:crypto";
import type { SendScope } from "./send-rows.ts";

export const templateColumns = "template_name AS name, template_id AS id, template_language AS language";
export const selectSends = `SELECT seq, send.send_id, branch, ref, ${templateColumns}, at, is_test, report, waits_until, waits_for
  FROM send LEFT JOIN send_report USING (send_id)`;
export const selectCalls = `SELECT send_id, n, idempotency_key, people, state, attempted_at, campaign_id, answered_at, ahead_ms, is_canary, answer,
    '' AS body, NULL AS lines, not_after, schedule
  FROM send_call JOIN send USING (send_id)`;

/** Returns a number for a branch and a reference, under which a person stands once. Two of a thousand share one with a chance of one in ten billions. */
export const scopeOf = ({ branch, ref }: SendScope): number =>
  Number.parseInt(createHash("sha256").update(`${branch}\n${ref}`).digest("hex").slice(0, 13), 16);

/** Selects the people of a call by its send's id and its number. */
export const inCall = "send_seq = (SELECT seq FROM send WHERE send_id = ?) AND n = ?";
export const joinSends = "JOIN send ON send.seq = send_seq";
export const joinCalls = `${joinSends} JOIN send_call ON send_call.send_id = send.send_id AND send_call.n = send_person.n`;

export const selectPersonCalls = `SELECT send.send_id AS send_id, send_call.n AS n, send.ref AS ref, coalesce(template_name, template_id) AS template,
    template_text, at, is_test, param_names, state, people, campaign_id, answer, answered_at, ahead_ms, body, lines
  FROM send_person ${joinCalls}`;
