import { openReadOnly } from "./sqlite.ts";

/** What of past sends a person may want to name again. */
export type Remembered = "ref" | "template" | "template_id" | "language" | "campaign" | "consumer";

/** Each with the text that explains a value: newest first. */
const queries: Readonly<Record<Remembered, string>> = {
  ref: "SELECT ref AS value, template_name AS note FROM send GROUP BY ref ORDER BY max(seq) DESC",
  template: "SELECT template_name AS value, NULL AS note FROM send GROUP BY 1 ORDER BY max(seq) DESC",
  template_id: "SELECT template_id AS value, NULL AS note FROM send GROUP BY 1 ORDER BY max(seq) DESC",
  language: "SELECT template_language AS value, NULL AS note FROM send GROUP BY 1 ORDER BY max(seq) DESC",
  campaign: `SELECT campaign_id AS value, ref AS note FROM send_call JOIN send USING (send_id)
    ORDER BY send.seq DESC, n DESC`,
  consumer: "SELECT consumer AS value, NULL AS note FROM watch GROUP BY 1 ORDER BY 1",
};

/**
 * What a journal holds of that kind, over all branches, at most `limit` values. Changes nothing in the file, nor makes
 * one, and does not wait for a process that is writing. Throws what `openReadOnly` throws.
 */
export function remembered(
  file: string,
  what: Remembered,
  limit: number,
): { value: string | null; note: string | null }[] {
  const database = openReadOnly(file, 100);
  try {
    return database.prepare(`${queries[what]} LIMIT ?`).all(limit) as ReturnType<typeof remembered>;
  } finally {
    database.close();
  }
}
