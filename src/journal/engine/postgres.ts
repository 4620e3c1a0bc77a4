import { databaseName } from "../../contract/addresses.ts";
import { BposError } from "../../errors.ts";
import { Connection, type Needs } from "./connection.ts";
import { JournalError, type Sql, schemaVersion } from "./engine.ts";
import type { How } from "./postgres-login.ts";
import { schema } from "./postgres-schema.ts";
import { foreignTrouble, inspectServer, type Server, serverTrouble } from "./postgres-server.ts";
import { inTransaction, sqlOn } from "./postgres-sql.ts";

/** The advisory lock of whoever creates the schema: "bpos". */
const making = 0x62706f73;

/** The longest that another process can keep a row locked, in milliseconds. A process that stops during a transaction is ended before its lock lapses. */
const settings = {
  // Temporary tables would come first otherwise.
  search_path: "bpos,pg_temp",
  idle_in_transaction_session_timeout: 3_000,
  lock_timeout: 10_000,
};
const writing: Needs = { settings: { ...settings, synchronous_commit: "on" }, writes: true };

/** Sessions of a process with many locks: each writes to the disk for itself, and together they wait once. */
const laneCount = 4;

/** Throws `journal_unreadable` for a server that cannot hold the journal as it is, an unfinished copy apart where that is to be finished. */
function checkServer(server: Server, file: string, isCopy: boolean): void {
  const detail = serverTrouble(isCopy ? { ...server, isHalfCopied: 0 } : server);
  if (detail !== undefined) throw new BposError("journal_unreadable", { file, detail });
}

/** The first process creates the schema; the others wait for it. Returns how many copies into it were begun. */
async function ensureSchema(connection: Connection, file: string, isCopy: boolean): Promise<number> {
  const server = await inspectServer(sqlOn(connection));
  checkServer(server, file, isCopy);
  if (server.schema !== null) return server.copies;
  return inTransaction(connection, async (sql, session) => {
    await sql.run("SELECT pg_advisory_xact_lock(?)", making);
    const now = await inspectServer(sql);
    checkServer(now, file, isCopy);
    if (now.schema !== null) return now.copies;
    if (now.hasSchema === 0) await sql.run("CREATE SCHEMA bpos");
    await session.step((client) => client.query(schema));
    await sql.run("UPDATE bpos.version SET version = ?", schemaVersion);
    return now.copies;
  });
}

/** Returns a connection for reading, which creates and changes nothing. */
export function connectPostgres(url: string, how: How): Connection {
  return new Connection(url, how, { settings, writes: false });
}

/** Returns whether a database has a journal. Throws `journal_unreadable`. */
export async function isMade(url: string, how: How): Promise<boolean> {
  const connection = connectPostgres(url, how);
  try {
    const server = await inspectServer(sqlOn(connection));
    // Other trouble does not keep us from looking at its contents.
    const detail = foreignTrouble(server);
    if (detail !== undefined) throw new JournalError("a schema of somebody else's", "failed", { detail });
    return server.schema !== null;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    const file = databaseName(url, how.env);
    throw new BposError("journal_unreadable", { file, detail: error.detail }, { cause: error });
  } finally {
    await connection.close();
  }
}

/** Creates the schema `bpos` where there is none. Throws `journal_unreadable`. */
async function openSchema(url: string, how: How, isCopy = false) {
  const file = databaseName(url, how.env);
  const connection = new Connection(url, how, writing);
  try {
    return { connection, file, copies: await ensureSchema(connection, file, isCopy) };
  } catch (error) {
    await connection.close();
    if (!(error instanceof JournalError)) throw error;
    throw new BposError("journal_unreadable", { file, detail: error.detail }, { cause: error });
  }
}

/** Throws as `openDatabase`; for a database without a journal, or with an unfinished copy of one. */
export const openTarget = async (url: string, how: How): Promise<Sql> =>
  sqlOn((await openSchema(url, how, true)).connection);

/** The sessions in which locks are taken, renewed and used. */
export interface LockSessions {
  connection: Connection;
  /** Its own session: a renewal waits for no transaction. */
  beat: Connection;
  /** The sessions of a process with many locks, each opened when it is needed. */
  lanes: readonly Connection[];
}

/**
 * Creates the schema `bpos` where there is none. Returns its statements, the sessions of its locks, and `guard`, which throws in a
 * transaction that takes a lock once another journal was copied there. Throws `journal_unreadable`.
 */
export async function openDatabase(url: string, how: How) {
  const { connection, file, copies } = await openSchema(url, how);
  // Another journal that was copied there makes earlier reads void, such as the identity that a branch is kept under.
  const ensureSame = async (tx: Sql, mode: "SHARE" | "UPDATE"): Promise<void> => {
    const row = await tx.get<Pick<Server, "copies">>(`SELECT copies FROM version FOR ${mode}`);
    const detail = { kind: "database", problem: { kind: "copied_into" } } as const;
    if (row?.copies !== copies) throw new BposError("journal_unreadable", { file, detail });
  };
  // Two that work without a lock take turns.
  const sql = sqlOn(connection, (tx) => ensureSame(tx, "UPDATE"));
  // A renewal that is lost with the server's power is followed by another.
  const beat = new Connection(url, how, { settings, wishes: { synchronous_commit: "off" }, writes: true });
  const lanes = Array.from({ length: laneCount }, () => new Connection(url, how, writing));
  const sessions: LockSessions = { connection, beat, lanes };
  return { sql, sessions, guard: (tx: Sql) => ensureSame(tx, "SHARE") };
}
