import { atomically, type Journal } from "./open.ts";

/** A list of identities as one parameter. */
const listed = "(SELECT value FROM json_each(?))";

/** Whether a journal holds state under any of these identities. */
export function holdsState(journal: Journal, branches: readonly string[]): boolean {
  const ids = JSON.stringify(branches);
  return ["push", "branch_stamp", "send", "watch", "catalog_kept"].some(
    (table) =>
      journal.prepare(`SELECT 1 FROM ${table} WHERE branch IN ${listed} LIMIT 1`).get(ids) !== undefined,
  );
}

/** The identities that become one: as lists for SQL. */
interface Renaming {
  to: string;
  earlier: string;
  /** `to` among them. */
  all: string;
}

function renamePushes(journal: Journal, { to, earlier, all }: Renaming): void {
  const { pushers } = journal
    .prepare(`SELECT count(DISTINCT branch) AS pushers FROM push WHERE branch IN ${listed}`)
    .get(all) as { pushers: number };
  // Each knew nothing of what the other pushed: of no product is it certain which price came last.
  if (pushers > 1) journal.prepare(`UPDATE catalog_item SET open = 1 WHERE branch IN ${listed}`).run(all);
  journal
    .prepare(
      `INSERT INTO catalog_item (branch, code, item, active, open)
       SELECT ?, code, item, active, open FROM catalog_item WHERE branch IN ${listed}
       ON CONFLICT DO UPDATE SET active = max(active, excluded.active), open = 1`,
    )
    .run(to, earlier);
  journal.prepare(`DELETE FROM catalog_item WHERE branch IN ${listed}`).run(earlier);
  for (const [table, column] of [
    ["catalog_kept", "asked"],
    ["branch_stamp", "stamp"],
  ] as const) {
    const { most } = journal
      .prepare(`SELECT max(${column}) AS most FROM ${table} WHERE branch IN ${listed}`)
      .get(all) as { most: number | null };
    journal.prepare(`DELETE FROM ${table} WHERE branch IN ${listed}`).run(all);
    if (most !== null)
      journal.prepare(`INSERT INTO ${table} (branch, ${column}) VALUES (?, ?)`).run(to, most);
  }
  journal.prepare(`UPDATE push SET branch = ? WHERE branch IN ${listed}`).run(to, earlier);
}

interface PersonRow {
  branch: string;
  ref: string;
  person: string;
  send_id: string;
  n: number;
  state: string;
}

/** People under one reference of two identities, those first who were surely messaged. */
function peopleTwice(journal: Journal, all: string): PersonRow[] {
  return journal
    .prepare(
      `SELECT here.branch, here.ref, here.person, send_id, n, send_call.state
       FROM send_person AS here JOIN send_call USING (send_id, n) JOIN send USING (send_id)
       WHERE here.branch IN ${listed} AND EXISTS (
         SELECT 1 FROM send_person AS there
         WHERE there.branch IN ${listed} AND there.ref = here.ref AND there.person = here.person AND there.branch <> here.branch)
       ORDER BY CASE send_call.state WHEN 'sent' THEN 0 WHEN 'attempted' THEN 1 ELSE 2 END, seq`,
    )
    .all(all, all) as PersonRow[];
}

/**
 * Takes a call back that would message people again whom another call has messaged, or may have. One that never left is planned
 * afresh with the next send; one that may have left goes only where it holds nobody else.
 */
function dropRepeats(journal: Journal, { send_id: id, n, state }: PersonRow): void {
  if (state === "sent") return;
  const left = journal.prepare("SELECT 1 FROM send_person WHERE send_id = ? AND n = ? LIMIT 1").get(id, n);
  if (state === "attempted" && left !== undefined) return;
  journal.prepare("DELETE FROM send_person WHERE send_id = ? AND n = ?").run(id, n);
  journal.prepare("DELETE FROM send_call WHERE send_id = ? AND n = ?").run(id, n);
  if (journal.prepare("SELECT 1 FROM send_call WHERE send_id = ? LIMIT 1").get(id) !== undefined) return;
  journal.prepare("DELETE FROM send_report WHERE send_id = ?").run(id);
  journal.prepare("DELETE FROM send WHERE send_id = ?").run(id);
}

function renameSends(journal: Journal, { to, earlier, all }: Renaming): void {
  const seen = new Set<string>();
  const drop = journal.prepare("DELETE FROM send_person WHERE branch = ? AND ref = ? AND person = ?");
  const calls = new Map<string, PersonRow>();
  for (const row of peopleTwice(journal, all)) {
    const name = JSON.stringify([row.ref, row.person]);
    if (seen.has(name)) {
      drop.run(row.branch, row.ref, row.person);
      calls.set(`${row.send_id} ${row.n}`, row);
    }
    seen.add(name);
  }
  for (const call of calls.values()) dropRepeats(journal, call);
  for (const table of ["send", "send_person"])
    journal.prepare(`UPDATE ${table} SET branch = ? WHERE branch IN ${listed}`).run(to, earlier);
}

/** Makes two memories of one consumer one: what either delivered is delivered, what either found or skipped is known. */
function mergeWatches(journal: Journal, kept: number, other: number): void {
  const found = (watch: number): string =>
    `SELECT order_id FROM watch_order WHERE watch_id = ${watch} AND state = 'found'`;
  const pending = (watch: number): string =>
    `SELECT order_id FROM watch_event WHERE watch_id = ${watch} AND from_status IS NULL`;
  const drop = (watch: number, orders: string): string => {
    const events = `watch_event WHERE watch_id = ${watch} AND from_status IS NULL AND order_id IN (${orders})`;
    return `DELETE FROM watch_delivery WHERE event IN (SELECT event FROM ${events}); DELETE FROM ${events};`;
  };
  journal.exec(
    `${drop(kept, `${found(other)} EXCEPT ${pending(other)}`)}
     ${drop(other, `${found(kept)} EXCEPT ${pending(kept)}`)}
     INSERT INTO watch_delivery (event, output, state)
       SELECT mine.event, output, state
       FROM watch_delivery JOIN watch_event AS theirs USING (event) JOIN watch_event AS mine USING (order_id)
       WHERE theirs.watch_id = ${other} AND theirs.from_status IS NULL
         AND mine.watch_id = ${kept} AND mine.from_status IS NULL
       ON CONFLICT DO UPDATE SET state = excluded.state WHERE excluded.state = 'done';
     ${drop(other, pending(kept))}
     UPDATE watch_order SET state = 'found' WHERE watch_id = ${kept} AND order_id IN (${found(other)});
     UPDATE OR IGNORE watch_order SET watch_id = ${kept} WHERE watch_id = ${other};
     DELETE FROM watch_order WHERE watch_id = ${other};
     UPDATE watch_event SET watch_id = ${kept} WHERE watch_id = ${other};
     UPDATE watch SET (began_at, first_run, since_floor) = (
         SELECT min(began_at), min(first_run), min(since_floor) FROM watch WHERE watch_id IN (${kept}, ${other}))
       WHERE watch_id = ${kept};
     DELETE FROM watch WHERE watch_id = ${other};`,
  );
}

function renameWatches(journal: Journal, { to, earlier, all }: Renaming): void {
  const watches = journal
    .prepare(`SELECT watch_id, consumer FROM watch WHERE branch IN ${listed} ORDER BY branch <> ?, watch_id`)
    .all(all, to) as { watch_id: number; consumer: string }[];
  const kept = new Map<string, number>();
  for (const { watch_id: watchId, consumer } of watches) {
    const first = kept.get(consumer);
    if (first === undefined) kept.set(consumer, watchId);
    else mergeWatches(journal, first, watchId);
  }
  journal.prepare(`UPDATE watch SET branch = ? WHERE branch IN ${listed}`).run(to, earlier);
}

/**
 * Gives the state that is kept under `earlier` identities to `to`, in one step. Where both know of the same thing, nobody is messaged
 * again, no order is delivered again or lost, and the latest stamp counts. Another process may have done so already.
 */
export function renameBranches(journal: Journal, to: string, earlier: readonly string[]): void {
  if (!holdsState(journal, earlier)) return;
  atomically(journal, () => {
    const renaming = { to, earlier: JSON.stringify(earlier), all: JSON.stringify([to, ...earlier]) };
    renamePushes(journal, renaming);
    renameSends(journal, renaming);
    renameWatches(journal, renaming);
    // A process of 0.1 may still be at work.
    for (const id of earlier)
      journal
        .prepare("UPDATE OR IGNORE claim SET name = replace(name, ?, ?) WHERE instr(name, ?) > 0")
        .run(id, to, id);
  });
}
