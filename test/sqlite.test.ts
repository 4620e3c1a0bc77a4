import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Database, type Driver, findDriver, isSqliteError, openDatabase } from "../src/sqlite.ts";
import { temporaryFolder } from "./support/run.ts";

const [major, minor] = process.versions.node.split(".").map(Number);
const isNew = major! > 24 || (major === 24 && minor! >= 7);

it("is Node's own from Node 24.7 on, and libsql before", () => {
  expect(findDriver()).toBe(isNew ? "node:sqlite" : "libsql");
});

const drivers: readonly Driver[] = isNew ? ["node:sqlite", "libsql"] : ["libsql"];

describe.each(drivers)("%s", (driver) => {
  const open = (file: string, timeout = 0): Database => {
    const database = openDatabase(file, { timeout, driver });
    onTestFinished(() => database.close());
    return database;
  };
  const newFile = (): string => join(temporaryFolder(), "a folder with 100% and #.db");
  /** With two rows in a WAL. */
  const filled = (): { file: string; database: Database } => {
    const file = newFile();
    const database = open(file);
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT) STRICT");
    database.exec("INSERT INTO t VALUES (1, 'one'), (2, NULL)");
    return { file, database };
  };
  const thrownBy = (work: () => unknown): unknown => {
    try {
      work();
    } catch (error) {
      return error;
    }
    throw new Error("nothing was thrown");
  };

  it("gives rows with their columns alone, and says what a statement changed", () => {
    const { database } = filled();
    const select = database.prepare("SELECT * FROM t WHERE id >= ? ORDER BY id");
    expect(Object.entries(select.get(1) as object)).toEqual([
      ["id", 1],
      ["text", "one"],
    ]);
    expect(select.all(1)).toEqual([
      { id: 1, text: "one" },
      { id: 2, text: null },
    ]);
    expect(select.get(3)).toBeUndefined();
    expect(database.prepare("SELECT ? IS NULL AS yes").get(null)).toEqual({ yes: 1 });
    const added = database.prepare("INSERT INTO t (text) VALUES (?)").run(null);
    expect(added).toEqual({ changes: 1, lastInsertRowid: 3 });
    expect(database.prepare("UPDATE t SET text = 'x' WHERE id > ?").run(1)).toMatchObject({ changes: 2 });
    const add = database.prepare("INSERT INTO t (text) VALUES (?)");
    add.run("run");
    add.get("get");
    add.all("all");
    add.get("get again");
    expect(database.prepare("SELECT text FROM t WHERE id > 3").all()).toEqual(
      ["run", "get", "all", "get again"].map((text) => ({ text })),
    );
    const numbered = database.prepare("SELECT ?2 AS second, ?1 AS first, ?2 AS again");
    expect(numbered.get("a", "b")).toEqual({ first: "a", second: "b", again: "b" });
    const largest = database.prepare("SELECT ? AS n").get(Number.MAX_SAFE_INTEGER);
    expect(largest).toEqual({ n: Number.MAX_SAFE_INTEGER });
  });

  it("refuses or rounds an integer that a number cannot hold", () => {
    const select = open(newFile()).prepare("SELECT 9007199254740993 AS n");
    if (driver === "libsql") expect(select.get()).toEqual({ n: 2 ** 53 });
    else
      expect(
        isSqliteError(
          thrownBy(() => select.get()),
          "SQLITE_MISMATCH",
        ),
      ).toBe(true);
  });

  it("enforces foreign keys, takes double quotes for names only, and sets nothing aside on the disk", () => {
    const { database } = filled();
    database.exec("CREATE TABLE child (id INTEGER NOT NULL REFERENCES t (id)) STRICT");
    expect(() => database.prepare("INSERT INTO child VALUES (?)").run(7)).toThrow(/FOREIGN KEY/);
    expect(() => database.prepare('SELECT "nothing"')).toThrow(/no such column/);
    const inMemory = database.prepare("PRAGMA compile_options").all() as { compile_options: string }[];
    const byDefault = inMemory.some((row) => row.compile_options === "TEMP_STORE=2");
    expect(database.prepare("PRAGMA temp_store").get()).toEqual({ temp_store: byDefault ? 0 : 2 });
  });

  it("says that a file is busy once its time is over, also where the reason is an extended code", () => {
    const { file, database } = filled();
    const other = open(file, 20);
    other.exec("BEGIN IMMEDIATE");
    const busy = thrownBy(() => database.exec("BEGIN IMMEDIATE"));
    expect(isSqliteError(busy, "SQLITE_BUSY")).toBe(true);
    expect(busy).toMatchObject({ name: "SqliteError", code: "SQLITE_BUSY", message: /locked/ });
    other.exec("ROLLBACK");
    // SQLITE_BUSY_SNAPSHOT: what was read is not the newest any more.
    database.exec("BEGIN");
    database.prepare("SELECT * FROM t").all();
    other.exec("DELETE FROM t WHERE id = 2");
    const stale = thrownBy(() => database.exec("DELETE FROM t WHERE id = 1"));
    expect(isSqliteError(stale, "SQLITE_BUSY")).toBe(true);
    expect(database.isInTransaction).toBe(true);
    database.exec("ROLLBACK");
    database.exec("BEGIN IMMEDIATE");
    const begin = performance.now();
    expect(
      isSqliteError(
        thrownBy(() => other.exec("BEGIN IMMEDIATE")),
        "SQLITE_BUSY",
      ),
    ).toBe(true);
    expect(performance.now() - begin).toBeGreaterThan(15);
  });

  it("names the same reasons, whichever of its steps fails", () => {
    const { file, database } = filled();
    const none = pathToFileURL(join(dirname(file), "none.db")).href;
    const folder = temporaryFolder();
    for (const address of [`${none}?mode=rw`, `${none}?mode=ro`, folder, join(file, "below.db")]) {
      const error = thrownBy(() => open(address).exec("BEGIN IMMEDIATE"));
      expect(isSqliteError(error, "SQLITE_CANTOPEN")).toBe(true);
      expect(error).toMatchObject({ message: "unable to open database file" });
    }
    const text = join(folder, "text");
    writeFileSync(text, "not a database ".repeat(100));
    for (const step of [
      () => open(text).exec("BEGIN IMMEDIATE"),
      () => open(text).prepare("SELECT * FROM sqlite_master").get(),
    ])
      expect(isSqliteError(thrownBy(step), "SQLITE_NOTADB")).toBe(true);
    expect(thrownBy(() => database.exec("INSERT INTO t VALUES (1, '')"))).toMatchObject({
      code: "SQLITE_ERROR",
      message: /UNIQUE/,
    });
    expect(isSqliteError(thrownBy(() => database.prepare("nonsense")))).toBe(true);
    const pages = (database.prepare("PRAGMA page_count").get() as { page_count: number }).page_count;
    database.exec(`PRAGMA max_page_count = ${pages}`);
    const full = thrownBy(() => database.exec("INSERT INTO t VALUES (9, hex(zeroblob(99999)))"));
    expect(isSqliteError(full, "SQLITE_FULL")).toBe(true);
    expect(isSqliteError(new Error("SQLITE_BUSY"), "SQLITE_BUSY")).toBe(false);
  });

  it("reads without writing by address, and makes no file for a database at rest", () => {
    const { file, database } = filled();
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const atRest = newFile();
    writeFileSync(atRest, readFileSync(file));
    const reader = open(`${pathToFileURL(atRest).href}?mode=ro&immutable=1`);
    expect(reader.prepare("SELECT count(*) AS n FROM t").get()).toEqual({ n: 2 });
    const refused = thrownBy(() => reader.prepare("DELETE FROM t").run());
    expect(isSqliteError(refused, "SQLITE_READONLY")).toBe(true);
    expect(readdirSync(dirname(atRest))).toHaveLength(1);
  });

  it("gives the files of its WAL the mode of the database", () => {
    const file = newFile();
    writeFileSync(file, "");
    chmodSync(file, 0o600);
    const database = open(file);
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER)");
    for (const ending of ["", "-wal", "-shm"]) expect(statSync(file + ending).mode & 0o777).toBe(0o600);
  });

  it("rolls back what is under way when it closes, and closes once", () => {
    const { file, database } = filled();
    expect(database.isInTransaction).toBe(false);
    database.exec("BEGIN IMMEDIATE; DELETE FROM t");
    expect(database.isInTransaction).toBe(true);
    database.close();
    database.close();
    expect(open(file).prepare("SELECT count(*) AS n FROM t").get()).toEqual({ n: 2 });
  });
});
