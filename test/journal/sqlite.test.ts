import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { OwnDetail } from "../../src/errors/problems.ts";
import { isReason } from "../../src/errors.ts";
import { schemaVersion } from "../../src/journal/engine/engine.ts";
import { openSqlite } from "../../src/journal/engine/sqlite.ts";
import { type Database, openDatabase } from "../../src/sqlite.ts";
import { runBinary } from "../support/binary.ts";
import { databaseIn, journalIn } from "../support/journal.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { pointedAt, service } from "../support/service.ts";
import { sized } from "../support/soak.ts";

const newFile = (): string => join(temporaryFolder(), "state", "journal.db");
/** All that a journal is made of, and its version. */
const shapeOf = (database: Database): unknown[] => [
  Object.values(database.prepare("PRAGMA user_version").get() as object),
  (database.prepare("SELECT sql FROM sqlite_master ORDER BY name").all() as { sql: string | null }[]).map(
    ({ sql }) => sql?.replace(/\s+/g, " "),
  ),
];
const unreadable = (detail: RegExp | OwnDetail["kind"]) =>
  expect.toSatisfy((error) => {
    if (!isReason(error, "journal_unreadable")) return false;
    const said = error.facts.detail;
    if (typeof said === "string") return typeof detail !== "string" && detail.test(said);
    return said.kind === detail;
  }) as unknown as Error;
const stamp = "INSERT INTO branch_stamp VALUES (?, 1)";

describe("a journal in a file", () => {
  it("is for its owner only, and every commit is on the disk before the next step", async () => {
    const file = newFile();
    const sql = openSqlite(file);
    onTestFinished(() => sql.close());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
    expect(await sql.get("PRAGMA synchronous")).toMatchObject({ synchronous: 2 });
    expect(await sql.get("PRAGMA journal_mode")).toMatchObject({ journal_mode: "wal" });
  });

  it("keeps other processes off while a transaction is open, and makes the rest of this one wait", async () => {
    const file = newFile();
    const sql = openSqlite(file);
    const other = openDatabase(file);
    onTestFinished(() => other.close());
    const done: string[] = [];
    const first = sql.transaction(async (tx) => {
      await tx.run(stamp, "a");
      expect(() => other.exec("BEGIN IMMEDIATE")).toThrow(/locked|busy/i);
      await new Promise(setImmediate);
      // A transaction within one is a part of it.
      await tx.transaction((same) => same.run(stamp, "b"));
      await tx.many(stamp, [["c"], ["d"]]);
      done.push("transaction");
    });
    const second = sql.all("SELECT * FROM branch_stamp").then((rows) => done.push(`${rows.length}`));
    await Promise.all([first, second]);
    expect(done).toEqual(["transaction", "4"]);
    other.exec("BEGIN IMMEDIATE; ROLLBACK");
  });

  it("says why a step failed, also when SQLite took it back by itself", async () => {
    const sql = openSqlite(newFile());
    const { page_count: pages } = (await sql.get("PRAGMA page_count")) as { page_count: number };
    await sql.get(`PRAGMA max_page_count = ${pages}`);
    const large = "INSERT INTO branch_stamp VALUES (hex(zeroblob(99999)), 1)";
    const failed = { name: "JournalError", trouble: "failed", message: /disk is full/ };
    await expect(sql.transaction((tx) => tx.run(large))).rejects.toMatchObject({
      ...failed,
      message: expect.stringMatching(/disk is full/) as string,
    });
    await expect(sql.many(stamp, [["a"], ["a"]])).rejects.toMatchObject({ name: "JournalError" });
    await sql.transaction((tx) => tx.run(stamp, "b"));
    expect(await sql.all("SELECT branch FROM branch_stamp")).toEqual([{ branch: "b" }]);
  });

  it.each([
    ["a newer", 1, "Update bpos"],
    ["an older", -1, "move it away"],
  ])("of %s bpos is refused and left untouched", async (_age, difference, remedy) => {
    const home = temporaryFolder();
    const file = join(home, "state", "journal.db");
    const database = databaseIn(file);
    database.exec(`PRAGMA user_version = ${schemaVersion + difference}; PRAGMA wal_checkpoint(TRUNCATE)`);
    database.close();
    const before = readFileSync(file);
    const run = shell({ env: { BPOS_HOME: home, ...pointedAt("http://127.0.0.1:9") } });
    const refused = await run(["catalog", "history"]);
    expect(refused.code).toBe(9);
    for (const { stdout, stderr } of [refused, await run(["doctor"])])
      expect((stdout + stderr).replace(/\s+/g, " ")).toContain(remedy);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("that is copied to a database once it was opened gives no lock any more and is not written to", async () => {
    const file = newFile();
    const journal = journalIn(file);
    await journal.under({ work: "push", branch: "b1" });
    const beside = databaseIn(file);
    beside.exec("INSERT INTO copied VALUES ('postgres://db/bpos')");
    await expect(journal.under({ work: "send", branch: "b1" })).rejects.toThrow(unreadable("journal_copied"));
    const written = journal.transaction((tx) => tx.reports.add("a", ""));
    await expect(written).rejects.toThrow(unreadable("journal_copied"));
    expect(beside.prepare("SELECT * FROM report_file").all()).toEqual([]);
  });

  it("that cannot be opened for the folder's or the file's sake stays where it is", () => {
    const folder = temporaryFolder();
    const asFolder = join(folder, "journal.db");
    mkdirSync(asFolder);
    const inFile = join(folder, "file");
    writeFileSync(inFile, "");
    expect(() => openSqlite(asFolder)).toThrow(unreadable(/unable to open/i));
    expect(() => openSqlite(join(inFile, "journal.db"))).toThrow(unreadable(/EEXIST|ENOTDIR/));
    expect(readdirSync(folder).sort()).toEqual(["file", "journal.db"]);
  });

  it("is opened by several processes at once where there was none", async () => {
    const env = { BPOS_HOME: temporaryFolder(), ...pointedAt("http://127.0.0.1:9") };
    const argv = ["campaign", "status", "--ref", "none", "--json"];
    const runs = await Promise.all(Array.from({ length: sized(3, 8) }, () => runBinary(argv, { env })));
    for (const { stderr } of runs) expect(stderr).toContain('"reason":"send_not_found"');
    expect(shapeOf(databaseIn(join(env.BPOS_HOME, "state", "journal.db")))).toEqual(
      shapeOf(databaseIn(newFile())),
    );
  }, 30_000);
});

/** A journal with something in it, closed, and all of it in the one file. */
async function written(): Promise<string> {
  const file = newFile();
  const sql = openSqlite(file);
  await sql.run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
    INSERT INTO branch_stamp SELECT 'branch ' || i, i FROM n`);
  await sql.get("PRAGMA journal_mode = DELETE");
  await sql.close();
  return file;
}

function edited(file: string, sql: string): void {
  const database = openDatabase(file);
  database.exec(sql);
  database.close();
}

describe("what is no journal", () => {
  it.each<[name: string, detail: RegExp, damage: (file: string) => void]>([
    ["text", /not a database/, (file) => writeFileSync(file, "Not a database at all. ".repeat(100))],
    ["a few bytes", /not a database/, (file) => writeFileSync(file, "xy")],
    ["a journal cut short", /malformed/, (file) => truncateSync(file, 5000)],
    [
      "a journal whose first page was overwritten",
      /malformed/,
      (file) => writeFileSync(file, readFileSync(file).fill(0xff, 100, 4096)),
    ],
    [
      "another program's database",
      /another program/,
      (file) => edited(file, "CREATE TABLE notes (text TEXT); PRAGMA application_id = 7"),
    ],
  ])("is refused and left as it is: %s", async (_name, detail, damage) => {
    const file = await written();
    damage(file);
    chmodSync(file, 0o640);
    const before = readFileSync(file);
    expect(() => openSqlite(file)).toThrow(
      expect.toSatisfy(
        (error) => isReason(error, "journal_damaged") && detail.test(error.facts.detail),
      ) as unknown,
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.each([
    ["journal.db", []],
    ["mock-journal.db", ["--mock"]],
  ])("is told to the person, who can go on: %s", async (name, flags) => {
    const { env } = await service();
    const home = temporaryFolder();
    const run = shell({ env: { BPOS_HOME: home, ...(flags.length === 0 && env) } });
    const argv = ["campaign", "status", "--ref", "none", ...flags];
    const healthy = { code: 11, stderr: expect.stringMatching(/has no send ".*"\./) as string };
    expect(await run(argv)).toMatchObject(healthy);
    const file = join(home, "state", name);
    // Another file with that name, as after a bad restore; what SQLite keeps beside a journal would restore it.
    for (const part of ["-wal", "-shm"]) rmSync(file + part, { force: true });
    writeFileSync(file, "junk");
    for (const time of ["once", "again"]) {
      const refused = await run(argv);
      expect(refused, time).toMatchObject({ code: 9, stdout: "" });
      for (const said of [file, `mv ${file} ${file}.damaged`, "backup", "empty journal"])
        expect(refused.stderr.replace(/\n/g, " ")).toContain(said);
    }
    expect(readFileSync(file, "utf8")).toBe("junk");
    renameSync(file, `${file}.damaged`);
    expect(await run(argv)).toMatchObject(healthy);
  });
});
