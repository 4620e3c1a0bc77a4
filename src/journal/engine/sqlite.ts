import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { BposError } from "../../errors.ts";
import { type Database, isSqliteError, openDatabase, type Statement } from "../../sqlite.ts";
import { JournalError, type Sql, schemaVersion, type Turn, takingTurns, type Value } from "./engine.ts";

/** A change of it needs a higher `schemaVersion`. */
const schema = `
  CREATE TABLE identity (id TEXT NOT NULL) STRICT;
  INSERT INTO identity VALUES (lower(hex(randomblob(16))));
  CREATE TABLE written (name TEXT PRIMARY KEY, steps INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE copied (target TEXT NOT NULL) STRICT;
  CREATE TABLE claim (
    name TEXT PRIMARY KEY, holder TEXT NOT NULL, pid INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE push (
    seq INTEGER PRIMARY KEY, push_id TEXT NOT NULL UNIQUE, branch TEXT NOT NULL, at INTEGER NOT NULL,
    action TEXT NOT NULL, content_hash TEXT NOT NULL, file TEXT, undo_of TEXT, part_of TEXT,
    parts INTEGER NOT NULL DEFAULT 1) STRICT;
  CREATE INDEX push_by_branch ON push (branch, seq);
  CREATE TABLE push_event (
    push_id TEXT NOT NULL REFERENCES push (push_id), first_row INTEGER NOT NULL, row_count INTEGER NOT NULL,
    event_id TEXT NOT NULL, stamp INTEGER NOT NULL, occurred_at TEXT NOT NULL, state TEXT NOT NULL, answer TEXT,
    PRIMARY KEY (push_id, first_row)) STRICT;
  CREATE TABLE push_change (
    push_id TEXT NOT NULL REFERENCES push (push_id), first_row INTEGER NOT NULL, changes TEXT NOT NULL,
    PRIMARY KEY (push_id, first_row)) STRICT;
  CREATE TABLE push_report (
    push_id TEXT PRIMARY KEY REFERENCES push (push_id), report TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE branch_stamp (branch TEXT PRIMARY KEY, stamp INTEGER NOT NULL) STRICT;
  CREATE TABLE catalog_kept (branch TEXT PRIMARY KEY, asked INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE catalog_item (
    branch TEXT NOT NULL, code TEXT NOT NULL, item TEXT NOT NULL, active INTEGER NOT NULL, open INTEGER NOT NULL,
    PRIMARY KEY (branch, code)) STRICT, WITHOUT ROWID;

  CREATE TABLE send (
    seq INTEGER PRIMARY KEY, send_id TEXT NOT NULL UNIQUE, branch TEXT NOT NULL, ref TEXT NOT NULL,
    template_name TEXT, template_id TEXT, template_language TEXT, template_text TEXT, param_names TEXT NOT NULL,
    at INTEGER NOT NULL, not_after INTEGER, is_test INTEGER NOT NULL DEFAULT 0,
    schedule TEXT, waits_until INTEGER, waits_for TEXT) STRICT;
  CREATE INDEX send_by_ref ON send (branch, ref);
  CREATE TABLE send_call (
    send_id TEXT NOT NULL REFERENCES send (send_id), n INTEGER NOT NULL, idempotency_key TEXT NOT NULL,
    people INTEGER NOT NULL, state TEXT NOT NULL, attempted_at INTEGER, ahead_ms INTEGER, after_seq INTEGER,
    campaign_id TEXT, answered_at INTEGER, is_canary INTEGER NOT NULL DEFAULT 0,
    -- Last, since SQLite reads a row up to the last column that is asked for.
    answer TEXT, lines TEXT, body TEXT NOT NULL,
    PRIMARY KEY (send_id, n)) STRICT;
  CREATE INDEX send_call_by_key ON send_call (idempotency_key);
  CREATE INDEX send_call_by_campaign ON send_call (campaign_id);
  CREATE INDEX send_call_by_after ON send_call (after_seq);
  -- A million of them in one send: numbers stand for its branch and reference, and for the send.
  CREATE TABLE send_person (
    person TEXT NOT NULL, scope INTEGER NOT NULL, send_seq INTEGER NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (person, scope)) STRICT, WITHOUT ROWID;
  CREATE INDEX send_person_by_call ON send_person (send_seq, n);
  CREATE TABLE send_report (
    send_id TEXT PRIMARY KEY REFERENCES send (send_id), report TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE send_left_out (
    branch TEXT NOT NULL, ref TEXT NOT NULL, person TEXT NOT NULL, reason TEXT NOT NULL, template TEXT NOT NULL,
    at INTEGER NOT NULL, PRIMARY KEY (branch, ref, person)) STRICT, WITHOUT ROWID;
  CREATE INDEX send_left_out_by_person ON send_left_out (person);
  CREATE TABLE opt_out (
    seq INTEGER PRIMARY KEY, person TEXT NOT NULL, phone TEXT, at INTEGER NOT NULL, source TEXT NOT NULL, text TEXT,
    state TEXT NOT NULL, settled_at INTEGER, reason TEXT) STRICT;
  CREATE INDEX opt_out_by_person ON opt_out (person);
  CREATE UNIQUE INDEX opt_out_active ON opt_out (person) WHERE state = 'active';

  CREATE TABLE watch (
    watch_id INTEGER PRIMARY KEY, branch TEXT NOT NULL, consumer TEXT NOT NULL,
    began_at INTEGER, first_run INTEGER NOT NULL DEFAULT 1, since_floor INTEGER, first_total INTEGER,
    first_page_end INTEGER, older_at INTEGER,
    name TEXT, state TEXT, state_since INTEGER, polled_at INTEGER,
    behind_since INTEGER, interval_ms INTEGER, every_ms INTEGER,
    UNIQUE (branch, consumer)) STRICT;
  CREATE TABLE watch_output (
    watch_id INTEGER NOT NULL REFERENCES watch (watch_id), output TEXT NOT NULL, changes TEXT NOT NULL,
    PRIMARY KEY (watch_id, output)) STRICT, WITHOUT ROWID;
  CREATE TABLE watch_order (
    watch_id INTEGER NOT NULL REFERENCES watch (watch_id), order_id TEXT NOT NULL, status TEXT NOT NULL,
    state TEXT NOT NULL, created_at TEXT, content TEXT, lookups INTEGER NOT NULL DEFAULT 0, lines TEXT,
    PRIMARY KEY (watch_id, order_id)) STRICT, WITHOUT ROWID;
  CREATE INDEX watch_order_pending ON watch_order (watch_id) WHERE lookups > 0;
  CREATE TABLE watch_event (
    event INTEGER PRIMARY KEY, watch_id INTEGER NOT NULL REFERENCES watch (watch_id), order_id TEXT NOT NULL,
    from_status TEXT, edited TEXT, at INTEGER NOT NULL, parts TEXT, body TEXT NOT NULL) STRICT;
  CREATE INDEX watch_event_by_watch ON watch_event (watch_id);
  CREATE INDEX watch_event_by_order ON watch_event (order_id);
  CREATE TABLE watch_delivery (
    watch_id INTEGER NOT NULL, event INTEGER NOT NULL REFERENCES watch_event (event), output TEXT NOT NULL,
    state TEXT NOT NULL, PRIMARY KEY (event, output)) STRICT, WITHOUT ROWID;
  CREATE INDEX watch_delivery_owed ON watch_delivery (watch_id, output, event) WHERE state <> 'done';
  CREATE TABLE order_file (
    folder TEXT NOT NULL, name TEXT NOT NULL, branch TEXT NOT NULL, order_id TEXT NOT NULL,
    PRIMARY KEY (folder, name)) STRICT, WITHOUT ROWID;
  CREATE INDEX order_file_by_order ON order_file (order_id, branch);

  CREATE TABLE reply (
    reply INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, body TEXT NOT NULL, person TEXT) STRICT;
  CREATE INDEX reply_by_person ON reply (person);
  CREATE TABLE reply_arrival (
    arrival INTEGER PRIMARY KEY, reply INTEGER NOT NULL REFERENCES reply (reply), at INTEGER NOT NULL,
    again INTEGER NOT NULL) STRICT;
  CREATE INDEX reply_arrival_by_reply ON reply_arrival (reply);
  CREATE TABLE reply_delivery (
    output TEXT NOT NULL, arrival INTEGER NOT NULL REFERENCES reply_arrival (arrival), state TEXT NOT NULL,
    PRIMARY KEY (output, arrival)) STRICT, WITHOUT ROWID;
  CREATE TABLE report_file (
    path TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (path, hash)) STRICT, WITHOUT ROWID;`;

const busyMs = 10_000;
const applicationId = 0x62706f73;

function trying<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    throw new JournalError(error.message, isSqliteError(error, "SQLITE_BUSY") ? "busy" : "failed", {
      cause: error,
    });
  }
}

type Guarded = { database: Database; guard: () => void };

async function inTransaction<T>({ database, guard }: Guarded, work: () => Promise<T>): Promise<T> {
  const exec = (text: string) => trying(() => database.exec(text));
  exec("BEGIN IMMEDIATE");
  try {
    trying(guard);
    const result = await work();
    exec("COMMIT");
    return result;
  } catch (error) {
    // A full disk, for one, makes SQLite roll back on its own; a second rollback would hide the reason.
    if (database.isInTransaction) exec("ROLLBACK");
    throw error;
  }
}

/** @param guarded with what each transaction begins with: it throws where nothing may be written. */
function sqlOn(guarded: Guarded): Sql {
  const { database } = guarded;
  const statements = new Map<string, Statement>();
  const statement = (text: string): Statement => {
    const made = statements.get(text) ?? database.prepare(text);
    statements.set(text, made);
    return made;
  };
  const sqlWith = (turn: Turn, within: Sql | undefined): Sql => {
    const using = <T>(text: string, work: (compiled: Statement) => T): Promise<T> =>
      turn(() => trying(() => work(statement(text))));
    const get = <Row>(text: string, ...values: readonly Value[]): Promise<Row | undefined> =>
      using(text, (compiled) => compiled.get(...values) as Row | undefined);
    return {
      get,
      one: <Row>(text: string, ...values: readonly Value[]) => get(text, ...values) as Promise<Row>,
      all: <Row>(text: string, ...values: readonly Value[]) =>
        using(text, (compiled) => compiled.all(...values) as Row[]),
      run: (text, ...values) => using(text, (compiled) => compiled.run(...values).changes),
      many(text, rows) {
        if (within !== undefined) return this.transaction((sql) => sql.many(text, rows));
        return using(text, (compiled) => {
          for (const values of rows) compiled.run(...values);
        });
      },
      transaction(work) {
        if (within === undefined) return work(this);
        return turn(() => inTransaction(guarded, () => work(within)));
      },
      close: () => turn(() => database.close()),
    };
  };
  // An error must reject, not be thrown at the caller.
  const atOnce: Turn = async (work) => await work();
  return sqlWith(takingTurns(), sqlWith(atOnce, undefined));
}

class NoJournal extends Error {}

/** Returns `journal_damaged` for a file that cannot be a journal of bpos. */
export function openFailure(file: string, error: unknown): BposError {
  if (error instanceof BposError) return error;
  const isHopeless = error instanceof NoJournal || isSqliteError(error, "SQLITE_NOTADB", "SQLITE_CORRUPT");
  const facts = { file, detail: (error as Error).message };
  return new BposError(isHopeless ? "journal_damaged" : "journal_unreadable", facts, { cause: error });
}

/** Returns whether a file holds a journal; false for an empty one. Throws NoJournal, and `journal_unreadable` for one of another version. */
export function holdsJournal(database: Database, file: string): boolean {
  const read = (sql: string): number => Number(Object.values(database.prepare(sql).get() as object)[0]);
  if (read("PRAGMA application_id") !== applicationId) {
    if (read("SELECT count(*) FROM sqlite_master") > 0)
      throw new NoJournal("it is another program's database");
    return false;
  }
  const version = read("PRAGMA user_version");
  if (version === schemaVersion) return true;
  const kind = version > schemaVersion ? "journal_newer" : "journal_outdated";
  throw new BposError("journal_unreadable", { file, detail: { kind } });
}

/** Throws `journal_unreadable` for a journal that continues in a database. */
export function refuseCopied(database: Database, file: string): void {
  const row = database.prepare("SELECT target FROM copied").get() as { target: string } | undefined;
  if (row !== undefined)
    throw new BposError("journal_unreadable", { file, detail: { kind: "journal_copied", to: row.target } });
}

/** Unless another process has made it meanwhile. */
function makeJournal(database: Database, file: string): void {
  database.exec("BEGIN EXCLUSIVE");
  try {
    if (!holdsJournal(database, file)) {
      database.exec(schema);
      database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`);
    }
    database.exec("COMMIT");
  } catch (error) {
    if (database.isInTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** WAL lets other bpos processes read meanwhile; FULL makes every commit durable before the next step. */
function makeDurable(database: Database): void {
  database.exec("PRAGMA synchronous = FULL");
  try {
    database.exec("PRAGMA journal_mode = WAL");
  } catch (error) {
    // Another process is creating the file at this moment; SQLite's other mode is as durable, and the next start sets it.
    if (!isSqliteError(error, "SQLITE_BUSY")) throw error;
  }
}

function openAsIs(file: string): Database {
  const database = openDatabase(file, { timeout: busyMs });
  try {
    // A file that is not a journal of bpos is left unchanged: everything below writes. One transaction: another process may be creating it.
    database.exec("BEGIN");
    const isThere = holdsJournal(database, file);
    database.exec("COMMIT");
    // The file holds phones of customers: it is for its owner only, whatever the umask says.
    if (file !== ":memory:") chmodSync(file, 0o600);
    // Before anything is in it: its free pages can go back to the disk a few at a time, where VACUUM keeps every writer out.
    if (!isThere) database.exec("PRAGMA auto_vacuum = INCREMENTAL");
    makeDurable(database);
    if (!isThere) makeJournal(database, file);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Creates the file and its folder (mode 0700). Throws `journal_damaged`, leaving what is no journal as it is, and `journal_unreadable`. */
export function openSqlite(file: string, { isCopiedFine } = { isCopiedFine: false }): Sql {
  try {
    if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const database = openAsIs(file);
    // Not only now: it may be copied before this process takes a lock.
    const guard = (): void => (isCopiedFine ? undefined : refuseCopied(database, file));
    try {
      guard();
    } catch (error) {
      database.close();
      throw error;
    }
    return sqlOn({ database, guard });
  } catch (error) {
    throw openFailure(file, error);
  }
}

/** A file beside the journal; `schema` makes the tables that are missing. Throws as `openSqlite` does. */
export function openBeside(file: string, schema: string): Sql {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const database = openDatabase(file, { timeout: busyMs });
    try {
      chmodSync(file, 0o600);
      makeDurable(database);
      database.exec(schema);
    } catch (error) {
      database.close();
      throw error;
    }
    return sqlOn({ database, guard: () => undefined });
  } catch (error) {
    throw openFailure(file, error);
  }
}

/** Returns whether nobody works with a journal: whoever does has the file of its WAL open beside it. */
function isAtRest(file: string): boolean {
  if (existsSync(`${file}-wal`)) return false;
  // Byte 18 of SQLite's header says how the file has to be read: 2 is with a WAL.
  const byte = Buffer.alloc(1);
  const handle = openSync(file, "r");
  try {
    readSync(handle, byte, 0, 1, 18);
  } finally {
    closeSync(handle);
  }
  return byte[0] === 2;
}

/** Changes nothing and makes no file; waits `timeout` milliseconds. What another process writes meanwhile may look like damage. */
export function openReadOnly(file: string, timeout: number): Database {
  // SQLite would create the files of the WAL to read a closed journal, and could not remove them again.
  const rest = isAtRest(file) ? "&immutable=1" : "";
  return openDatabase(`${pathToFileURL(file).href}?mode=ro${rest}`, { timeout });
}
