import { closeSync, fstatSync, mkdirSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { WorldProblem } from "../../../errors/problems.ts";
import { type Database, isSqliteError, openDatabase, type Statement } from "../../../sqlite.ts";
import { MockDataError } from "../refusal.ts";
import { type EventLog, LiveWorld, type WorldStart, type WorldStarted } from "./live-world.ts";
import type { Scenario } from "./scenarios.ts";
import type { WorldEvent } from "./world.ts";

/** Marks a file as a bpos world ("bpmk" in ASCII). */
const applicationId = 0x62706d6b;
/** Increases with every change of the event format: files of other versions are refused. */
const version = 2;

const refuse = (file: string, problem: WorldProblem, why: string, options?: ErrorOptions): MockDataError =>
  new MockDataError(file, problem, `${file} is not used: ${why}`, options);

/** Reads the header by itself, because SQLite may write to what it opens. A missing file is created readable only by its owner: it contains phones. */
function checkHeader(file: string): void {
  const header = Buffer.alloc(100);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const descriptor = openSync(file, "a+", 0o600);
  try {
    if (!fstatSync(descriptor).isFile())
      throw refuse(file, { kind: "not_a_file" }, "it is not a regular file");
    if (readSync(descriptor, header, 0, header.length, 0) === 0) return;
  } finally {
    closeSync(descriptor);
  }

  if (header.toString("latin1", 0, 16) !== "SQLite format 3\0")
    throw refuse(file, { kind: "not_sqlite" }, "it is not an SQLite file");
  if (header.readUInt32BE(68) !== applicationId)
    throw refuse(file, { kind: "other_program" }, "it is another program's database");

  const written = header.readUInt32BE(60);
  if (written > version) throw refuse(file, { kind: "newer" }, "it was written by a newer bpos");
  if (written < version) throw refuse(file, { kind: "outdated" }, "it was written by an older bpos");
}

function explainFailure(file: string, error: unknown): Error {
  if (error instanceof MockDataError) return error;
  const { code = "", message: said } = error as NodeJS.ErrnoException;
  if (isSqliteError(error, "SQLITE_BUSY"))
    return refuse(file, { kind: "busy" }, "another process has been writing to it for 10 s");
  if (/^(E[A-Z]+$|SQLITE_(READONLY|CANTOPEN|FULL|IOERR|PERM))/.test(code))
    return new MockDataError(file, { kind: "unwritable", said }, `${file} cannot be written: ${said}`);
  return refuse(file, { kind: "damaged", said }, `it is damaged (${said})`, { cause: error });
}

class Store implements EventLog {
  readonly #database: Database;
  readonly #select: Statement;
  readonly #insert: Statement;
  #seen = 0;

  constructor(file: string) {
    const database = openDatabase(file, { timeout: 10_000 });
    this.#database = database;
    database.exec("PRAGMA synchronous = FULL");

    const created = this.transact(() => {
      if (database.prepare("SELECT 1 FROM sqlite_master").get() !== undefined) return false;
      database.exec(
        `CREATE TABLE event (seq INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL) STRICT;
         CREATE TABLE world (id TEXT NOT NULL) STRICT;
         INSERT INTO world VALUES ('');
         PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`,
      );
      return true;
    });
    // Only now, so that the header of the file itself, which is checked above, holds the marks from the start.
    if (created) this.#useWal();
    this.#select = database.prepare("SELECT seq, event FROM event WHERE seq > ? ORDER BY seq");
    this.#insert = database.prepare("INSERT INTO event (event) VALUES (?)");
  }

  #useWal(): void {
    try {
      this.#database.exec("PRAGMA journal_mode = WAL");
    } catch (error) {
      // Another process has just opened the file and does the same. It is safe either way, and WAL is faster.
      if (!isSqliteError(error, "SQLITE_BUSY")) throw error;
    }
  }

  transact<T>(work: () => T): T {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#database.isInTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  record(event: WorldEvent): void {
    this.#seen = this.#insert.run(JSON.stringify(event)).lastInsertRowid;
    if (event.type !== "world_started") return;

    this.#database.prepare("DELETE FROM event WHERE seq < ?").run(this.#seen);
    this.#database.exec("UPDATE world SET id = lower(hex(randomblob(16)))");
  }

  news(): WorldEvent[] {
    const rows = this.#select.all(this.#seen) as { seq: number; event: string }[];
    const events = rows.map(({ event }) => JSON.parse(event) as WorldEvent);
    this.#seen = rows.at(-1)?.seq ?? this.#seen;
    return events;
  }

  events(maxBytes: number): WorldEvent[] | null {
    const sum = "SELECT total(length(CAST(event AS BLOB))) AS size FROM event";
    const { size } = this.#database.prepare(sum).get() as { size: number };
    if (size > maxBytes) return null;

    const rows = this.#select.all(0) as { event: string }[];
    return rows.map(({ event }) => JSON.parse(event) as WorldEvent);
  }

  rewind(): void {
    this.#seen = 0;
  }

  worldId(): string {
    return (this.#database.prepare("SELECT id FROM world").get() as { id: string }).id;
  }

  close(): void {
    try {
      // Then a copy of this file alone is complete.
      this.#database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    } catch {
      // SQLite's log beside it has everything too.
    }
    this.#database.close();
  }
}

type Asked = { readonly [K in "scenario" | "seed" | "speed"]?: WorldStart[K] | undefined };

function listDifferences(started: WorldStarted, asked: Asked, frozenAt: number | null): string[] {
  const { scenario, seed, clock } = started;
  // The user's own scenario was read from JSON, where nothing is undefined.
  const plain = (value: Scenario): unknown => JSON.parse(JSON.stringify(value)) as unknown;
  const isOther = {
    scenario: asked.scenario !== undefined && !isDeepStrictEqual(plain(asked.scenario), plain(scenario)),
    seed: asked.seed !== undefined && asked.seed !== seed,
    clock: frozenAt !== null && (clock.speed !== 0 || clock.origin !== frozenAt),
    speed: frozenAt === null && asked.speed !== undefined && asked.speed !== clock.speed,
  };
  return Object.entries(isOther).flatMap(([name, other]) => (other ? [name] : []));
}

export function openKeptWorld(file: string, start: WorldStart, asked: Asked) {
  let store: Store | undefined;
  try {
    checkHeader(file);
    const log = new Store(file);
    store = log;
    const live = new LiveWorld({ ...start, log });
    const of = live.started ? listDifferences(live.started, asked, start.frozenAt) : [];
    if (of.length === 0) return { live, close: () => log.close() };

    const message = `${file} holds a world of another ${of.join(" and ")}: omit that option, empty the world with \`bpos mock reset\`, or use another file`;
    throw new MockDataError(file, { kind: "other_world", of }, message);
  } catch (error) {
    store?.close();
    throw explainFailure(file, error);
  }
}
