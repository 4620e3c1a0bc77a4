import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { BposError } from "../errors.ts";
import { isSqliteError } from "./lock-file.ts";
import { moveAside } from "./move-aside.ts";

/** The journal: an SQLite database in which every step is written down before and after it is done. */
export type Journal = Database.Database;

/** One script a version; a journal of version N gets the scripts from N on. Never edit one that was released. */
const migrations = [
  `CREATE TABLE push (
     seq INTEGER PRIMARY KEY, push_id TEXT NOT NULL UNIQUE, branch TEXT NOT NULL, at INTEGER NOT NULL,
     action TEXT NOT NULL, content_hash TEXT NOT NULL, open INTEGER NOT NULL DEFAULT 1) STRICT;
   CREATE INDEX push_by_branch ON push (branch, seq);
   CREATE TABLE push_event (
     push_id TEXT NOT NULL REFERENCES push (push_id), first_row INTEGER NOT NULL, row_count INTEGER NOT NULL,
     event_id TEXT NOT NULL, stamp INTEGER NOT NULL, occurred_at TEXT NOT NULL, state TEXT NOT NULL, answer TEXT,
     PRIMARY KEY (push_id, first_row)) STRICT;
   CREATE TABLE branch_stamp (branch TEXT PRIMARY KEY, stamp INTEGER NOT NULL) STRICT;
   CREATE TABLE send (
     seq INTEGER PRIMARY KEY, send_id TEXT NOT NULL UNIQUE, branch TEXT NOT NULL, ref TEXT NOT NULL,
     template_name TEXT, template_id TEXT, template_language TEXT, at INTEGER NOT NULL) STRICT;
   CREATE INDEX send_by_ref ON send (branch, ref);
   CREATE TABLE send_call (
     send_id TEXT NOT NULL REFERENCES send (send_id), n INTEGER NOT NULL, idempotency_key TEXT NOT NULL,
     body TEXT NOT NULL, people INTEGER NOT NULL, state TEXT NOT NULL, attempted_at INTEGER,
     campaign_id TEXT, answer TEXT, answered_at INTEGER,
     PRIMARY KEY (send_id, n)) STRICT;
   CREATE TABLE send_person (
     branch TEXT NOT NULL, ref TEXT NOT NULL, person TEXT NOT NULL, send_id TEXT NOT NULL, n INTEGER NOT NULL,
     PRIMARY KEY (branch, ref, person)) STRICT, WITHOUT ROWID;
   CREATE INDEX send_person_by_call ON send_person (send_id, n);`,
  `CREATE TABLE watch (
     watch_id INTEGER PRIMARY KEY, branch TEXT NOT NULL, consumer TEXT NOT NULL,
     began_at INTEGER, first_run INTEGER NOT NULL DEFAULT 1, since_floor INTEGER,
     UNIQUE (branch, consumer)) STRICT;
   CREATE TABLE watch_order (
     watch_id INTEGER NOT NULL REFERENCES watch (watch_id), order_id TEXT NOT NULL,
     status TEXT NOT NULL, state TEXT NOT NULL, body TEXT,
     PRIMARY KEY (watch_id, order_id)) STRICT, WITHOUT ROWID;
   CREATE INDEX watch_order_open ON watch_order (watch_id) WHERE state = 'open';
   CREATE TABLE watch_delivery (
     watch_id INTEGER NOT NULL, order_id TEXT NOT NULL, output TEXT NOT NULL, state TEXT NOT NULL,
     PRIMARY KEY (watch_id, order_id, output),
     FOREIGN KEY (watch_id, order_id) REFERENCES watch_order (watch_id, order_id)) STRICT, WITHOUT ROWID;
   CREATE TABLE claim (
     name TEXT PRIMARY KEY, holder TEXT NOT NULL, pid INTEGER NOT NULL) STRICT, WITHOUT ROWID;`,
  `CREATE TABLE catalog_kept (branch TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
   CREATE TABLE catalog_item (
     branch TEXT NOT NULL, code TEXT NOT NULL, item TEXT NOT NULL, active INTEGER NOT NULL, open INTEGER NOT NULL,
     PRIMARY KEY (branch, code)) STRICT, WITHOUT ROWID;
   CREATE TABLE push_report (
     push_id TEXT PRIMARY KEY REFERENCES push (push_id), file TEXT, report TEXT NOT NULL) STRICT, WITHOUT ROWID;`,
  `CREATE TABLE reply (reply INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;
   CREATE TABLE reply_arrival (
     arrival INTEGER PRIMARY KEY, reply INTEGER NOT NULL REFERENCES reply (reply), at INTEGER NOT NULL,
     again INTEGER NOT NULL) STRICT;
   CREATE TABLE reply_delivery (
     output TEXT NOT NULL, arrival INTEGER NOT NULL REFERENCES reply_arrival (arrival), state TEXT NOT NULL,
     PRIMARY KEY (output, arrival)) STRICT, WITHOUT ROWID;
   CREATE INDEX send_call_by_campaign ON send_call (campaign_id);`,
  `ALTER TABLE push ADD COLUMN file TEXT;
   ALTER TABLE send ADD COLUMN not_after INTEGER;
   ALTER TABLE send ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE send_call ADD COLUMN lines TEXT;
   CREATE TABLE send_report (
     send_id TEXT PRIMARY KEY REFERENCES send (send_id), report TEXT NOT NULL) STRICT, WITHOUT ROWID;`,
  "ALTER TABLE catalog_kept ADD COLUMN asked INTEGER NOT NULL DEFAULT 1;",
  `CREATE TABLE report_file (
     path TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (path, hash)) STRICT, WITHOUT ROWID;`,
  `ALTER TABLE watch_order ADD COLUMN created_at TEXT;
   ALTER TABLE watch ADD COLUMN first_total INTEGER;
   ALTER TABLE watch ADD COLUMN first_page_end INTEGER;`,
  `CREATE TABLE watch_event (
     event INTEGER PRIMARY KEY, watch_id INTEGER NOT NULL REFERENCES watch (watch_id), order_id TEXT NOT NULL,
     from_status TEXT, body TEXT NOT NULL) STRICT;
   CREATE INDEX watch_event_by_watch ON watch_event (watch_id);
   CREATE INDEX watch_event_by_order ON watch_event (order_id);
   INSERT INTO watch_event (watch_id, order_id, body)
     SELECT watch_id, order_id, body FROM watch_order WHERE state = 'open' ORDER BY watch_id, length(order_id), order_id;
   ALTER TABLE watch_delivery RENAME TO watch_delivery_before;
   CREATE TABLE watch_delivery (
     event INTEGER NOT NULL REFERENCES watch_event (event), output TEXT NOT NULL, state TEXT NOT NULL,
     PRIMARY KEY (event, output)) STRICT, WITHOUT ROWID;
   INSERT INTO watch_delivery
     SELECT event, output, state FROM watch_delivery_before JOIN watch_event USING (watch_id, order_id);
   DROP TABLE watch_delivery_before;
   DROP INDEX watch_order_open;
   UPDATE watch_order SET state = 'found' WHERE state <> 'skipped';
   ALTER TABLE watch_order DROP COLUMN body;`,
  "ALTER TABLE send_call ADD COLUMN ahead_ms INTEGER;",
];

/** Marks a file as a journal of ours ("bpos" in ASCII). */
const applicationId = 0x62706f73;

/** Why a file can be no journal of ours, however often it is opened. */
class NoJournal extends Error {}

/** The version of a journal, 0 for an empty file. Throws NoJournal, and `journal_unreadable` for what is newer than we are. */
export function versionOf(database: Journal, file: string): number {
  const { application_id: id } = database.prepare("PRAGMA application_id").get() as {
    application_id: number;
  };
  const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
  const { tables } = database.prepare("SELECT count(*) AS tables FROM sqlite_master").get() as {
    tables: number;
  };
  if (id !== applicationId) {
    if (tables > 0) throw new NoJournal("it is a database of another program");
    return 0;
  }
  if (version > migrations.length) {
    throw new BposError("journal_unreadable", { file, detail: { kind: "journal_newer" } });
  }
  return version;
}

/** Does `work` in a transaction of its own. What goes wrong is thrown as it is, with all of it taken back. */
function transact<T>(database: Journal, mode: "DEFERRED" | "IMMEDIATE" | "EXCLUSIVE", work: () => T): T {
  database.exec(`BEGIN ${mode}`);
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // A full disk, for one, makes SQLite roll back by itself; to do it again would hide why.
    if (database.inTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** Brings a journal up to date; within a transaction. */
function migrate(database: Journal, file: string): void {
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
}

/** Opens a journal as it is. Throws SQLite's errors, NoJournal and `journal_unreadable`; then the file is closed again. */
function openAsIs(file: string): Journal {
  const database = new Database(file, { timeout: 10_000 });
  try {
    // What is not ours is left as it is: all that follows writes.
    const version = transact(database, "DEFERRED", () => versionOf(database, file));
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
    // Another process may be at it as well: who comes second finds nothing left to do.
    if (version < migrations.length) transact(database, "EXCLUSIVE", () => migrate(database, file));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** True when a file can be no journal of ours, whatever is done about it. */
export const isHopeless = (error: unknown): boolean =>
  error instanceof NoJournal || isSqliteError(error, "SQLITE_NOTADB", "SQLITE_CORRUPT");

/** True when the file still cannot be a journal; false also when it is gone. */
function isStillHopeless(file: string): boolean {
  // Opening would create it.
  if (!existsSync(file)) return false;
  try {
    openAsIs(file).close();
    return false;
  } catch (error) {
    if (isHopeless(error)) return true;
    throw error;
  }
}

/**
 * Opens the journal, creating it and its folder (mode 0700) where they are missing. What is damaged or of another
 * program is moved aside, and nothing else is done this time. `:memory:` gives one that ends with the process.
 * Throws `journal_moved` and `journal_unreadable`.
 *
 * @param now names a file that is moved aside, epoch milliseconds.
 *
 * @example
 * const journal = openJournal("/home/ana/.local/state/bpos/journal.db", { now: clock.now() });
 */
export function openJournal(file: string, { now = 0 }: { now?: number } = {}): Journal {
  try {
    if (file === ":memory:") return openAsIs(file);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    try {
      return openAsIs(file);
    } catch (error) {
      if (!isHopeless(error)) throw error;
      const { message: detail } = error as Error;
      const movedTo = moveAside(file, { now, isHopeless: () => isStillHopeless(file) });
      throw new BposError("journal_moved", { file, movedTo, detail }, { cause: error });
    }
  } catch (error) {
    if (error instanceof BposError) throw error;
    throw new BposError("journal_unreadable", { file, detail: (error as Error).message }, { cause: error });
  }
}

const statements = new WeakMap<Journal, Map<string, Database.Statement>>();

/** A statement of a journal, compiled once for all its uses. */
export function prepared(journal: Journal, sql: string): Database.Statement {
  const own = statements.get(journal) ?? new Map<string, Database.Statement>();
  statements.set(journal, own);
  const statement = own.get(sql) ?? journal.prepare(sql);
  own.set(sql, statement);
  return statement;
}

/** Does `work` as one durable transaction that no other bpos process can interleave with. */
export function atomically<T>(journal: Journal, work: () => T): T {
  return transact(journal, "IMMEDIATE", work);
}
