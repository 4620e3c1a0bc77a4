import { databaseName } from "../contract/addresses.ts";
import type { Detail } from "../errors/problems.ts";
import { BposError } from "../errors.ts";
import { Connection, type How } from "./connection.ts";
import { JournalError, type Sql } from "./engine.ts";
import { RowLocks } from "./lock-rows.ts";
import type { Holder } from "./locks.ts";
import { databaseTrouble } from "./postgres-errors.ts";
import { migrations } from "./postgres-schema.ts";
import { inTransaction, sqlOn } from "./postgres-sql.ts";

/** The oldest that is supported by its makers, as `server_version_num` has it. */
export const oldestServer = 140_000;

/** Of an advisory lock: "bpos". */
const migrating = 0x62706f73;

/** How long another process may keep a row, in milliseconds; one that stops in the middle of a transaction is ended sooner than its lock lapses. */
const session = {
  search_path: "bpos",
  synchronous_commit: "on",
  idle_in_transaction_session_timeout: 3_000,
  lock_timeout: 10_000,
};

export interface Server {
  /** As `server_version_num` has it. */
  version: number;
  encoding: string;
  /** It takes no writes. */
  isReplica: 0 | 1;
  /** Of our schema; null where there is none. */
  schema: number | null;
}

export async function inspectServer(sql: Sql): Promise<Server> {
  const { made, ...server } = await sql.one<Omit<Server, "schema"> & { made: number }>(
    `SELECT current_setting('server_version_num')::bigint AS version, current_setting('server_encoding') AS encoding,
            pg_is_in_recovery() AS "isReplica", to_regclass('bpos.version') IS NOT NULL AS made`,
  );
  if (made === 0) return { ...server, schema: null };
  const { version } = await sql.one<{ version: number }>("SELECT version FROM bpos.version");
  return { ...server, schema: version };
}

/** Throws `journal_unreadable` for a server that cannot hold the journal as it is. */
function checkServer({ version, encoding, isReplica, schema }: Server, file: string): void {
  const unusable = (detail: Detail) => new BposError("journal_unreadable", { file, detail });
  if (version < oldestServer) throw unusable(`PostgreSQL ${Math.floor(version / 10_000)} is too old`);
  if (encoding !== "UTF8") throw unusable(`its encoding is ${encoding}`);
  if ((schema ?? 0) > migrations.length) throw unusable({ kind: "journal_newer" });
  if (isReplica === 1) throw unusable("it is a read-only replica");
}

/** The first process creates or upgrades the schema; the others wait for it. */
async function migrate(connection: Connection, file: string): Promise<void> {
  const server = await inspectServer(sqlOn(connection));
  checkServer(server, file);
  if (server.schema === migrations.length) return;
  await inTransaction(connection, async (sql, session) => {
    await sql.run("SELECT pg_advisory_xact_lock(?)", migrating);
    const { schema } = await inspectServer(sql);
    checkServer({ ...server, schema }, file);
    for (const script of migrations.slice(schema ?? 0)) await session.step((client) => client.query(script));
    await sql.run("UPDATE bpos.version SET version = ?", migrations.length);
  });
}

/** For reading; it makes and changes nothing. */
export function connectPostgres(url: string, how: How): Connection {
  return new Connection(url, how, { ...session, default_transaction_read_only: "on" });
}

/** Creates and upgrades the schema `bpos` where needed. Throws `journal_unreadable`. */
export async function openPostgres(url: string, holder: Holder, how: How) {
  const file = databaseName(url, how.env);
  const connection = new Connection(url, how, session);
  try {
    await migrate(connection, file);
  } catch (error) {
    await connection.close();
    if (!(error instanceof JournalError)) throw error;
    const detail = databaseTrouble(error.cause);
    throw new BposError("journal_unreadable", { file, detail }, { cause: error });
  }
  // Two that work without a lock take turns.
  const sql = sqlOn(connection, async (tx) => {
    await tx.get("SELECT version FROM version FOR UPDATE");
  });
  const beat = new Connection(url, how, { ...session, synchronous_commit: "off" });
  return { sql, locks: new RowLocks(connection, beat, holder) };
}
