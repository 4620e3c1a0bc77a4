import { databaseName } from "../contract/addresses.ts";
import type { DatabaseProblem, Detail } from "../errors/problems.ts";
import { BposError } from "../errors.ts";
import { Connection, type Needs } from "./connection.ts";
import { JournalError, type Sql } from "./engine.ts";
import { RowLocks } from "./lock-rows.ts";
import type { Holder } from "./locks.ts";
import type { How } from "./postgres-login.ts";
import { migrations } from "./postgres-schema.ts";
import { inTransaction, sqlOn } from "./postgres-sql.ts";

/** The oldest PostgreSQL that its makers support. */
const oldest = 14;

/** The version of the schema that this bpos makes. */
export const newestSchema = migrations.length;

/** Of an advisory lock: "bpos". */
const migrating = 0x62706f73;

/** How long another process may keep a row, in milliseconds; one that stops in the middle of a transaction is ended sooner than its lock lapses. */
const settings = {
  // Else what is temporary would come first.
  search_path: "bpos,pg_temp",
  idle_in_transaction_session_timeout: 3_000,
  lock_timeout: 10_000,
};
const writing: Needs = { settings: { ...settings, synchronous_commit: "on" }, writes: true };

export interface Server {
  /** As people say it, and as a number. */
  version: string;
  number: number;
  encoding: string;
  /** It takes no writes, as a replica does. */
  isReadOnly: 0 | 1;
  user: string;
  database: string;
  /** May the user create a schema there, and work with ours? */
  mayCreate: 0 | 1;
  mayWrite: 0 | 1;
  /** The version of our schema; null where there is none. */
  schema: number | null;
  /** It holds an unfinished copy of another journal; how many were begun. */
  isHalfCopied: 0 | 1;
  copies: number;
}

const selectServer = `SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
    current_setting('server_version_num')::bigint AS number, current_setting('server_encoding') AS encoding,
    current_setting('transaction_read_only') = 'on' AS "isReadOnly", current_user::text AS "user", current_database()::text AS database,
    has_database_privilege(current_database(), 'CREATE') AS "mayCreate",
    coalesce(bool_and(has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
      AND has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE')
      AND has_table_privilege(c.oid, 'DELETE')), true) AS "mayWrite",
    count(c.oid) > 0 AS made
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = 'bpos' AND c.relkind = 'r'`;

export async function inspectServer(sql: Sql): Promise<Server> {
  type Ours = Pick<Server, "schema" | "isHalfCopied" | "copies">;
  const { made, ...server } = await sql.one<Omit<Server, keyof Ours> & { made: 0 | 1 }>(selectServer);
  if (made === 0 || server.mayWrite === 0) return { ...server, schema: null, isHalfCopied: 0, copies: 0 };
  // Both as of one instant.
  const ours = await sql.one<Ours>(
    `SELECT version AS schema, coalesce((to_jsonb(v) ->> 'copies')::bigint, 0) AS copies, EXISTS (
       SELECT 1 FROM pg_tables WHERE schemaname = 'bpos' AND tablename = 'copying') AS "isHalfCopied" FROM bpos.version AS v`,
  );
  return { ...server, ...ours };
}

/** Why a server cannot hold the journal as it is, if it cannot. */
export function serverTrouble(server: Server): Detail | undefined {
  const { version, encoding, database, user, schema } = server;
  const trouble = (problem: DatabaseProblem): Detail => ({ kind: "database", problem });
  if (server.number < oldest * 10_000) return trouble({ kind: "too_old", version, oldest });
  if (encoding !== "UTF8") return trouble({ kind: "other_encoding", encoding });
  if (server.mayWrite === 0) return trouble({ kind: "no_table_rights", user });
  if ((schema ?? 0) > newestSchema) return { kind: "journal_newer" };
  if (server.isReadOnly === 1) return trouble({ kind: "read_only" });
  if (server.isHalfCopied === 1) return trouble({ kind: "half_copied" });
  if (schema === null && server.mayCreate === 0) return trouble({ kind: "no_schema_rights", database, user });
  return undefined;
}

/** Throws `journal_unreadable` for a server that cannot hold the journal as it is, an unfinished copy apart where that is to be finished. */
function checkServer(server: Server, file: string, isCopy: boolean): void {
  const detail = serverTrouble(isCopy ? { ...server, isHalfCopied: 0 } : server);
  if (detail !== undefined) throw new BposError("journal_unreadable", { file, detail });
}

/** The first process creates or upgrades the schema; the others wait for it. Returns how many copies into it were begun. */
async function migrate(connection: Connection, file: string, isCopy: boolean): Promise<number> {
  const server = await inspectServer(sqlOn(connection));
  checkServer(server, file, isCopy);
  if (server.schema === newestSchema) return server.copies;
  return inTransaction(connection, async (sql, session) => {
    await sql.run("SELECT pg_advisory_xact_lock(?)", migrating);
    const { schema, isHalfCopied, copies } = await inspectServer(sql);
    checkServer({ ...server, schema, isHalfCopied }, file, isCopy);
    for (const script of migrations.slice(schema ?? 0)) await session.step((client) => client.query(script));
    await sql.run("UPDATE bpos.version SET version = ?", newestSchema);
    return copies;
  });
}

/** For reading; it makes and changes nothing. */
export function connectPostgres(url: string, how: How): Connection {
  return new Connection(url, how, { settings, writes: false });
}

/** Whether there is a journal in a database. Throws `journal_unreadable`. */
export async function isMade(url: string, how: How): Promise<boolean> {
  const connection = connectPostgres(url, how);
  try {
    return (await inspectServer(sqlOn(connection))).schema !== null;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    const file = databaseName(url, how.env);
    throw new BposError("journal_unreadable", { file, detail: error.detail }, { cause: error });
  } finally {
    await connection.close();
  }
}

/** Creates and upgrades the schema `bpos` where needed. Throws `journal_unreadable`. */
async function openSchema(url: string, how: How, isCopy = false) {
  const file = databaseName(url, how.env);
  const connection = new Connection(url, how, writing);
  try {
    return { connection, file, copies: await migrate(connection, file, isCopy) };
  } catch (error) {
    await connection.close();
    if (!(error instanceof JournalError)) throw error;
    throw new BposError("journal_unreadable", { file, detail: error.detail }, { cause: error });
  }
}

/** Throws as `openPostgres`; for a database without a journal, or with an unfinished copy of one. */
export const openTarget = async (url: string, how: How): Promise<Sql> =>
  sqlOn((await openSchema(url, how, true)).connection);

/** Creates and upgrades the schema `bpos` where needed. Throws `journal_unreadable`. */
export async function openPostgres(url: string, holder: Holder, how: How) {
  const { connection, file, copies } = await openSchema(url, how);
  // What was read before a journal was copied there, such as under which identity a branch is kept, may not hold any more.
  const ensureSame = async (tx: Sql, mode: "SHARE" | "UPDATE"): Promise<void> => {
    const row = await tx.get<Pick<Server, "copies">>(`SELECT copies FROM version FOR ${mode}`);
    const detail = { kind: "database", problem: { kind: "copied_into" } } as const;
    if (row?.copies !== copies) throw new BposError("journal_unreadable", { file, detail });
  };
  // Two that work without a lock take turns.
  const sql = sqlOn(connection, (tx) => ensureSame(tx, "UPDATE"));
  // A renewal that is lost with the server's power is followed by another.
  const beat = new Connection(url, how, { settings, wishes: { synchronous_commit: "off" }, writes: true });
  return { sql, locks: new RowLocks(connection, beat, holder, (tx) => ensureSame(tx, "SHARE")) };
}
