import { listed, type Sql } from "../engine/engine.ts";
import { lockName } from "../locks/locks.ts";

/** The interface that the queries of `inspect.ts` and `inspect-postgres.ts` need; it is read-only. */
export type Reader = Pick<Sql, "all">;

export interface PendingWork {
  sends: readonly { ref: string; people: number }[];
  /** The newest push where it has batches without an answer; `file` is null where it has no name. */
  push: { file: string | null } | null;
  /** The process that works on it; `host` is set if it runs on another machine. */
  processes: readonly { pid: number; host?: string }[];
}

export const noWork: PendingWork = { sends: [], push: null, processes: [] };

/** Returns the sends and the push of a branch that are not finished. */
export async function pendingWork(
  reader: Reader,
  branches: readonly string[],
): Promise<Pick<PendingWork, "sends" | "push">> {
  const ids = JSON.stringify(branches);
  const sends = await reader.all<PendingWork["sends"][number]>(
    `SELECT ref, sum(people) AS people FROM send JOIN send_call USING (send_id)
       WHERE branch IN ${listed} AND state <> 'sent' GROUP BY ref ORDER BY max(seq) DESC`,
    ids,
  );
  const [newest] = await reader.all<{ waits: number; file: string | null }>(
    `SELECT file, EXISTS (
         SELECT 1 FROM push_event WHERE push_event.push_id = push.push_id AND state <> 'answered') AS waits
       FROM push WHERE branch IN ${listed} ORDER BY seq DESC LIMIT 1`,
    ids,
  );
  return { sends, push: newest?.waits === 1 ? { file: newest.file } : null };
}

/** The names of the locks of whoever pushes or sends, as the JSON of a list. */
export const locksOfWork = (branches: readonly string[]): string =>
  JSON.stringify(
    branches.flatMap((branch) => (["push", "send"] as const).map((work) => lockName({ work, branch }))),
  );

const newestOf = (column: string): string =>
  `SELECT ${column} AS value, NULL AS note FROM send GROUP BY 1 ORDER BY max(seq) DESC`;
const queries = {
  ref: `SELECT ref AS value, template_name AS note FROM send
    WHERE seq IN (SELECT max(seq) FROM send GROUP BY ref) ORDER BY seq DESC`,
  template: newestOf("template_name"),
  template_id: newestOf("template_id"),
  language: newestOf("template_language"),
  campaign: `SELECT campaign_id AS value, ref AS note FROM send_call JOIN send USING (send_id)
    ORDER BY send.seq DESC, n DESC`,
  push: "SELECT push_id AS value, file AS note FROM push WHERE part_of IS NULL ORDER BY seq DESC",
  consumer: "SELECT consumer AS value, NULL AS note FROM watch GROUP BY 1 ORDER BY 1",
};

export type Remembered = keyof typeof queries;
export type RememberedValue = { value: string | null; note: string | null };

/** The newest values over all branches. */
export const newestValues = (reader: Reader, what: Remembered, limit: number): Promise<RememberedValue[]> =>
  reader.all(`${queries[what]} LIMIT ?`, limit);
