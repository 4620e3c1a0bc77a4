import { createHash } from "node:crypto";
import { isLoopback } from "../contract/addresses.ts";
import { finds, listed, type Sql } from "./engine.ts";
import { pseudonymMark, toPseudonym } from "./pseudonyms.ts";

export interface BranchKey {
  address: string;
  world: string | undefined;
  apiKey: string;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const short = (hash: string): string => hash.slice(0, 32);

/** A branch is its key, whatever the address is called; on loopback the port counts too, and for a mock its world and not the address. */
export function branchId({ address, world, apiKey }: BranchKey): string {
  const key = sha256(apiKey);
  if (world !== undefined) return short(sha256(`mock:${world}\n${key}`));
  const { protocol, hostname, port } = new URL(address);
  if (!isLoopback(hostname)) return short(key);
  return short(sha256(`loopback:${port || (protocol === "https:" ? 443 : 80)}\n${key}`));
}

function spellings(address: string): string[] {
  const { hostname, port, pathname } = new URL(address);
  const hosts = isLoopback(hostname) ? ["127.0.0.1", "localhost", "[::1]", hostname] : [hostname];
  const origins = ["http", "https"].flatMap((scheme) =>
    hosts.map((host) => new URL(`${scheme}://${host}${port && `:${port}`}`).origin),
  );
  const path = pathname.replace(/\/+$/, "");
  const base = path.replace(/\/+messaging$/, "");
  const paths = [path, base, `${base}/messaging`, `${base}//messaging`];
  const single = paths.map((each) => each.replace(/\/{2,}/g, "/"));
  return origins.flatMap((origin) => [...paths, ...single].map((each) => origin + each));
}

/** The identities that 0.1 may have given this branch: it hashed the spelled address together with the key. */
export function earlierBranchIds(addresses: readonly string[], apiKey: string): string[] {
  const key = sha256(apiKey);
  return [...new Set(addresses.flatMap(spellings).map((address) => short(sha256(`${address}\n${key}`))))];
}

export async function holdsState(sql: Sql, branches: readonly string[]): Promise<boolean> {
  for (const table of ["push", "branch_stamp", "send", "watch", "catalog_kept"])
    if (await finds(sql, `SELECT 1 FROM ${table} WHERE branch IN ${listed}`, JSON.stringify(branches)))
      return true;
  return false;
}

type Renaming = Record<"to" | "earlier" | "all", string>;

async function renamePushes(sql: Sql, { to, earlier, all }: Renaming): Promise<void> {
  const { pushers } = await sql.one<{ pushers: number }>(
    `SELECT count(DISTINCT branch) AS pushers FROM push WHERE branch IN ${listed}`,
    all,
  );
  // Each knew nothing of what the other pushed: of no product is it certain which price came last.
  if (pushers > 1) await sql.run(`UPDATE catalog_item SET open = 1 WHERE branch IN ${listed}`, all);
  await sql.run(
    `INSERT INTO catalog_item (branch, code, item, active, open)
       SELECT ?, code, min(item), max(active), max(open) FROM catalog_item WHERE branch IN ${listed} GROUP BY code
       ON CONFLICT (branch, code) DO UPDATE SET
         active = CASE WHEN excluded.active > catalog_item.active THEN excluded.active ELSE catalog_item.active END, open = 1`,
    ...[to, earlier],
  );
  await sql.run(`DELETE FROM catalog_item WHERE branch IN ${listed}`, earlier);
  for (const [table, column] of Object.entries({ catalog_kept: "asked", branch_stamp: "stamp" })) {
    // In one step: somebody may be pushing under the new identity, whose stamp is later.
    await sql.run(
      `INSERT INTO ${table} (branch, ${column})
         SELECT ?, ${column} FROM ${table} WHERE branch IN ${listed} ORDER BY ${column} DESC LIMIT 1
         ON CONFLICT (branch) DO UPDATE SET ${column} = excluded.${column} WHERE excluded.${column} > ${table}.${column}`,
      ...[to, earlier],
    );
    await sql.run(`DELETE FROM ${table} WHERE branch IN ${listed}`, earlier);
  }
  await sql.run(`UPDATE push SET branch = ? WHERE branch IN ${listed}`, to, earlier);
}

type PersonRow = Record<"branch" | "ref" | "person" | "send_id" | "state", string> & { n: number };

/** People under one reference of two identities, those first who were surely messaged. */
function peopleTwice(sql: Sql, all: string): Promise<PersonRow[]> {
  return sql.all(
    `SELECT here.branch, here.ref, here.person, send_id, n, send_call.state
       FROM send_person AS here JOIN send_call USING (send_id, n) JOIN send USING (send_id)
       WHERE here.branch IN ${listed} AND EXISTS (
         SELECT 1 FROM send_person AS there
         WHERE there.branch IN ${listed} AND there.ref = here.ref AND there.person = here.person AND there.branch <> here.branch)
       ORDER BY CASE send_call.state WHEN 'sent' THEN 0 WHEN 'attempted' THEN 1 ELSE 2 END, seq`,
    ...[all, all],
  );
}

/** Takes a call back that never left; one that may have left only where it holds nobody else. */
async function dropRepeats(sql: Sql, { send_id: id, n, state }: PersonRow): Promise<void> {
  if (state === "sent") return;
  const ofCall = "send_person WHERE send_id = ? AND n = ?";
  if (state === "attempted" && (await finds(sql, `SELECT 1 FROM ${ofCall}`, id, n))) return;
  await sql.run(`DELETE FROM ${ofCall}`, id, n);
  await sql.run("DELETE FROM send_call WHERE send_id = ? AND n = ?", id, n);
  if (await finds(sql, "SELECT 1 FROM send_call WHERE send_id = ?", id)) return;
  for (const table of ["send_report", "send"]) await sql.run(`DELETE FROM ${table} WHERE send_id = ?`, id);
}

/** Who was pruned under one identity gets the pseudonym under the others, too: there it is the same person. */
async function alignPruned(sql: Sql, all: string): Promise<void> {
  const isPruned = `substr(person, 1, 1) = '${pseudonymMark}'`;
  const rows = await sql.all<Record<"branch" | "ref" | "person", string>>(
    `SELECT branch, ref, person FROM send_person WHERE branch IN ${listed} AND NOT ${isPruned}
       AND ref IN (SELECT ref FROM send_person WHERE branch IN ${listed} AND ${isPruned})`,
    ...[all, all],
  );
  await sql.many(
    `UPDATE send_person SET person = ?4 WHERE branch = ?1 AND ref = ?2 AND person = ?3 AND EXISTS (
       SELECT 1 FROM send_person AS there
       WHERE there.branch IN (SELECT value FROM json_each(?5)) AND there.ref = ?2 AND there.person = ?4)`,
    rows.map(({ branch, ref, person }) => [branch, ref, person, toPseudonym(person), all]),
  );
}

async function renameSends(sql: Sql, { to, earlier, all }: Renaming): Promise<void> {
  await alignPruned(sql, all);
  const seen = new Set<string>();
  const repeats = (await peopleTwice(sql, all)).filter(({ ref, person }) => {
    const name = JSON.stringify([ref, person]);
    const isRepeat = seen.has(name);
    seen.add(name);
    return isRepeat;
  });
  const dropped = repeats.map(({ branch, ref, person }) => [branch, ref, person]);
  await sql.many("DELETE FROM send_person WHERE branch = ? AND ref = ? AND person = ?", dropped);
  for (const repeat of repeats) await dropRepeats(sql, repeat);
  for (const table of ["send", "send_person"])
    await sql.run(`UPDATE ${table} SET branch = ? WHERE branch IN ${listed}`, to, earlier);
}

/** Makes two memories of one consumer one: what either delivered is delivered, what either found or skipped is known. */
async function mergeWatches(sql: Sql, kept: number, other: number): Promise<void> {
  const found = (watch: number): string =>
    `SELECT order_id FROM watch_order WHERE watch_id = ${watch} AND state = 'found'`;
  const isNew = (watch: number): string => `watch_event WHERE watch_id = ${watch} AND from_status IS NULL`;
  const pending = (watch: number): string => `SELECT order_id FROM ${isNew(watch)}`;
  const drop = (watch: number, orders: string): string[] => {
    const events = `${isNew(watch)} AND order_id IN (${orders})`;
    const deliveries = `watch_delivery WHERE event IN (SELECT event FROM ${events})`;
    return [`DELETE FROM ${deliveries}`, `DELETE FROM ${events}`];
  };
  const steps = [
    ...drop(kept, `${found(other)} EXCEPT ${pending(other)}`),
    ...drop(other, `${found(kept)} EXCEPT ${pending(kept)}`),
    `INSERT INTO watch_delivery (watch_id, event, output, state)
       SELECT mine.watch_id, mine.event, output, state
       FROM watch_delivery JOIN watch_event AS theirs USING (event) JOIN watch_event AS mine USING (order_id)
       WHERE theirs.watch_id = ${other} AND theirs.from_status IS NULL
         AND mine.watch_id = ${kept} AND mine.from_status IS NULL
       ON CONFLICT (event, output) DO UPDATE SET state = excluded.state
         WHERE excluded.state = 'done' OR watch_delivery.state = 'open'`,
    ...drop(other, pending(kept)),
    `UPDATE watch_order SET state = 'found' WHERE watch_id = ${kept} AND order_id IN (${found(other)})`,
    `UPDATE watch_order SET watch_id = ${kept} WHERE watch_id = ${other} AND order_id NOT IN (
       SELECT order_id FROM watch_order WHERE watch_id = ${kept})`,
    `DELETE FROM watch_order WHERE watch_id = ${other}`,
    ...["watch_event", "watch_delivery"].map(
      (table) => `UPDATE ${table} SET watch_id = ${kept} WHERE watch_id = ${other}`,
    ),
    `INSERT INTO watch_output SELECT ${kept}, output, changes FROM watch_output WHERE watch_id = ${other}
       ON CONFLICT (watch_id, output) DO NOTHING`,
    `DELETE FROM watch_output WHERE watch_id = ${other}`,
    `UPDATE watch SET (began_at, first_run, since_floor) = (
         SELECT min(began_at), min(first_run), min(since_floor) FROM watch WHERE watch_id IN (${kept}, ${other}))
       WHERE watch_id = ${kept}`,
    `DELETE FROM watch WHERE watch_id = ${other}`,
  ];
  for (const step of steps) await sql.run(step);
}

async function renameWatches(sql: Sql, { to, earlier, all }: Renaming): Promise<void> {
  const watches = await sql.all<{ watch_id: number; consumer: string }>(
    `SELECT watch_id, consumer FROM watch WHERE branch IN ${listed} ORDER BY branch <> ?, watch_id`,
    ...[all, to],
  );
  const kept = new Map<string, number>();
  for (const { watch_id: watchId, consumer } of watches) {
    const first = kept.get(consumer);
    if (first === undefined) kept.set(consumer, watchId);
    else await mergeWatches(sql, first, watchId);
  }
  await sql.run(`UPDATE watch SET branch = ? WHERE branch IN ${listed}`, to, earlier);
}

/** Nobody is messaged again, no order is delivered again or lost, the latest stamp counts; another process may have done so already. */
export async function renameBranches(sql: Sql, to: string, earlier: readonly string[]): Promise<void> {
  if (!(await holdsState(sql, earlier))) return;
  await sql.transaction(async (tx) => {
    const lists = { to, earlier: JSON.stringify(earlier), all: JSON.stringify([to, ...earlier]) };
    for (const rename of [renamePushes, renameSends, renameWatches]) await rename(tx, lists);
    await tx.many(
      `UPDATE claim SET name = replace(name, ?1, ?2) WHERE replace(name, ?1, '') <> name
         AND replace(name, ?1, ?2) NOT IN (SELECT name FROM claim)`,
      earlier.map((id) => [id, to]),
    );
  });
}
