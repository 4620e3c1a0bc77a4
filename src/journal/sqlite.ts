import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import Database from "libsql";
import { BposError } from "../errors.ts";
import { JournalError } from "./journal-failure.ts";
import { isSqliteError } from "./lock-file.ts";
import { migrations } from "./migrations.ts";
import type { Sql, Value } from "./sql.ts";

/** How long a process that holds the journal is waited for. */
const busyMs = 10_000;
/** Marks a file as a journal of ours ("bpos" in ASCII). */
const applicationId = 0x62706f73;

/** Statements of one connection, each compiled once for all its uses. */
class Connection {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** Does it; what SQLite has against it is a JournalError. */
  try<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      throw new JournalError(error.message, isSqliteError(error, "SQLITE_BUSY"), { cause: error });
    }
  }

  statement(text: string): Database.Statement {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#database.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  exec(text: string): void {
    this.try(() => this.#database.exec(text));
  }

  async transaction<T>(work: () => Promise<T> | T): Promise<T> {
    this.exec("BEGIN IMMEDIATE");
    try {
      const result = await work();
      this.exec("COMMIT");
      return result;
    } catch (error) {
      // A full disk, for one, makes SQLite roll back by itself; to do it again would hide why.
      if (this.#database.inTransaction) this.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }
}

type Turn = <T>(work: () => Promise<T> | T) => Promise<T>;

/** Statements on a connection: each in its turn, or within a transaction at once. */
class SqliteSql implements Sql {
  readonly #connection: Connection;
  readonly #turn: Turn;
  readonly #within: Sql | undefined;

  /** @param within the Sql of a transaction; undefined for that itself. */
  constructor(connection: Connection, turn: Turn, within: Sql | undefined) {
    this.#connection = connection;
    this.#turn = turn;
    this.#within = within;
  }

  #do<T>(text: string, work: (statement: Database.Statement) => T): Promise<T> {
    const connection = this.#connection;
    return this.#turn(() => connection.try(() => work(connection.statement(text))));
  }

  get(text: string, ...values: readonly Value[]): Promise<unknown> {
    return this.#do(text, (statement) => {
      const row = statement.get(...values) as { _metadata?: unknown } | undefined;
      // The library puts it into each row.
      if (row !== undefined) delete row._metadata;
      return row;
    });
  }

  all(text: string, ...values: readonly Value[]): Promise<unknown[]> {
    return this.#do(text, (statement) => statement.all(...values));
  }

  run(text: string, ...values: readonly Value[]): Promise<number> {
    return this.#do(text, (statement) => statement.run(...values).changes);
  }

  many(text: string, rows: readonly (readonly Value[])[]): Promise<void> {
    if (this.#within !== undefined) return this.transaction((sql) => sql.many(text, rows));
    return this.#do(text, (statement) => {
      for (const values of rows) statement.run(...values);
    });
  }

  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const within = this.#within;
    if (within === undefined) return work(this);
    return this.#turn(() => this.#connection.transaction(() => work(within)));
  }

  close(): Promise<void> {
    return this.#turn(() => this.#connection.close());
  }
}

/** Lets one after the other work, in the sequence of the calls: a connection has one transaction at a time. */
function takingTurns(): Turn {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  return async (work) => {
    if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
    isTaken = true;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) isTaken = false;
      else next();
    }
  };
}

export function sqlOn(database: Database.Database): Sql {
  const connection = new Connection(database);
  // An error must reject, not be thrown at the caller.
  const atOnce: Turn = async (work) => await work();
  return new SqliteSql(connection, takingTurns(), new SqliteSql(connection, atOnce, undefined));
}

/** Why a file can be no journal of ours, however often it is opened. */
class NoJournal extends Error {}

/** True when a file can be no journal of ours, whatever is done about it. */
export const isHopeless = (error: unknown): boolean =>
  error instanceof NoJournal || isSqliteError(error, "SQLITE_NOTADB", "SQLITE_CORRUPT");

/** The version of a journal, 0 for an empty file. Throws NoJournal, and `journal_unreadable` for what is newer than we are. */
export function versionOf(database: Database.Database, file: string): number {
  const only = (sql: string): number => Number(Object.values(database.prepare(sql).get() as object)[0]);
  const version = only("PRAGMA user_version");
  if (only("PRAGMA application_id") !== applicationId) {
    if (only("SELECT count(*) FROM sqlite_master") > 0)
      throw new NoJournal("it is a database of another program");
    return 0;
  }
  if (version > migrations.length)
    throw new BposError("journal_unreadable", { file, detail: { kind: "journal_newer" } });
  return version;
}

/** Brings a journal up to date, whoever else does so at the same time. */
function migrate(database: Database.Database, file: string): void {
  database.exec("BEGIN EXCLUSIVE");
  try {
    for (const script of migrations.slice(versionOf(database, file))) {
      try {
        database.exec(script);
      } catch (error) {
        // The script is good: what is there already does not fit it. All other codes speak of the disk or of SQLite.
        if ((error as { code?: string }).code !== "SQLITE_ERROR") throw error;
        throw new NoJournal((error as Error).message, { cause: error });
      }
    }
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.inTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** Opens a journal as it is. Throws SQLite's errors, NoJournal and `journal_unreadable`; then the file is closed again. */
function openAsIs(file: string): Database.Database {
  const database = new Database(file, { timeout: busyMs });
  try {
    // What is not ours is left as it is: all that follows writes. One transaction: another process may be creating it.
    database.exec("BEGIN");
    const version = versionOf(database, file);
    database.exec("COMMIT");
    // The file holds phones of customers: it is for its owner only, whatever the umask says.
    if (file !== ":memory:") chmodSync(file, 0o600);
    // WAL lets other bpos processes read meanwhile; FULL makes every commit durable before the next step.
    database.exec("PRAGMA synchronous = FULL");
    try {
      database.exec("PRAGMA journal_mode = WAL");
    } catch (error) {
      // Another process is creating the file at this moment; SQLite's other mode is as durable, and the next start sets it.
      if (!isSqliteError(error, "SQLITE_BUSY")) throw error;
    }
    if (version < migrations.length) migrate(database, file);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens the journal in a file, creating it and its folder (mode 0700) where they are missing. `:memory:` gives one that ends with the
 * process. Throws `journal_damaged` for what is no journal and is left as it is, and `journal_unreadable`.
 */
export function openSqlite(file: string): Database.Database {
  try {
    if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return openAsIs(file);
  } catch (error) {
    if (error instanceof BposError) throw error;
    const facts = { file, detail: (error as Error).message };
    throw new BposError(isHopeless(error) ? "journal_damaged" : "journal_unreadable", facts, {
      cause: error,
    });
  }
}

/** Where SQLite's header says how a file has to be read, and what stands there for WAL. */
const readVersionAt = 18;
const wal = 2;

/** Whether nobody works with a journal: whoever does has the file of its WAL open beside it. */
function isAtRest(file: string): boolean {
  if (existsSync(`${file}-wal`)) return false;
  const header = Buffer.alloc(readVersionAt + 1);
  const handle = openSync(file, "r");
  try {
    readSync(handle, header, 0, header.length, 0);
  } finally {
    closeSync(handle);
  }
  return header[readVersionAt] === wal;
}

/**
 * Opens a journal to look at it: nothing in it is changed, and no file is made beside it. What another process begins to
 * write meanwhile may look like damage. Throws SQLite's errors and those of the system.
 *
 * @param timeout how long a process that holds it is waited for, in milliseconds.
 */
export function openReadOnly(file: string, timeout: number): Database.Database {
  // To read one at rest SQLite would make the files of the WAL, and could not take them away again.
  const rest = isAtRest(file) ? "&immutable=1" : "";
  // The library does not heed its own option for this.
  return new Database(`${pathToFileURL(file).href}?mode=ro${rest}`, { timeout });
}
