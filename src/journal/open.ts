import { createHash } from "node:crypto";
import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { BposError } from "../errors.ts";

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
];

/** Marks a file as a journal of ours ("bpos" in ASCII). */
const applicationId = 0x62706f73;

/** The version of a journal, 0 for an empty file. Throws `journal_unreadable` for what is not ours, or newer than we are. */
function versionOf(database: Journal, file: string): number {
  const { application_id: id } = database.prepare("PRAGMA application_id").get() as {
    application_id: number;
  };
  const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
  const { tables } = database.prepare("SELECT count(*) AS tables FROM sqlite_master").get() as {
    tables: number;
  };
  if (id !== applicationId && tables > 0) {
    throw new BposError("journal_unreadable", { file, detail: "it is a database of another program" });
  }
  if (version > migrations.length) {
    throw new BposError("journal_unreadable", { file, detail: "it was written by a newer bpos" });
  }
  return version;
}

function migrate(database: Journal, file: string): void {
  for (const script of migrations.slice(versionOf(database, file))) database.exec(script);
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`);
}

/**
 * Opens the journal, creating it and its folder (mode 0700) where they are missing.
 * `:memory:` gives one that ends with the process. Throws `journal_unreadable`.
 *
 * @example
 * const journal = openJournal("/home/ana/.local/state/bpos/journal.db");
 */
export function openJournal(file: string): Journal {
  try {
    if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const database = new Database(file, { timeout: 10_000 });
    // What is not ours is left as it is: all that follows writes.
    database.transaction(() => versionOf(database, file)).deferred();
    // The file holds phones of customers: it is for its owner only, whatever the umask says.
    if (file !== ":memory:") chmodSync(file, 0o600);
    // WAL lets other bpos processes read meanwhile; FULL makes every commit durable before the next step.
    database.exec("PRAGMA synchronous = FULL");
    try {
      database.exec("PRAGMA journal_mode = WAL");
    } catch (error) {
      // Another process is creating the file at this moment; SQLite's other mode is as durable, and the next start sets it.
      if ((error as { code?: string }).code !== "SQLITE_BUSY") throw error;
    }
    database.transaction(() => migrate(database, file)).exclusive();
    return database;
  } catch (error) {
    if (error instanceof BposError) throw error;
    throw new BposError("journal_unreadable", { file, detail: (error as Error).message }, { cause: error });
  }
}

/** Does `work` as one durable transaction that no other bpos process can interleave with. */
export function atomically<T>(journal: Journal, work: () => T): T {
  return journal.transaction(work).immediate();
}

/**
 * The identity under which a branch's state is kept: the address and a fingerprint of the key, so that two
 * profiles with one key share it and a new key starts afresh. The key cannot be told from it.
 */
export function branchId(address: string, apiKey: string): string {
  const fingerprint = createHash("sha256").update(apiKey).digest("hex");
  return createHash("sha256")
    .update(`${address.replace(/\/+$/, "")}\n${fingerprint}`)
    .digest("hex")
    .slice(0, 32);
}
