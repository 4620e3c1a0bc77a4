import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import Database from "libsql";
import { describe, expect, it, onTestFinished } from "vitest";
import { knownRecipients } from "../../src/campaigns/status/read.ts";
import type { OwnDetail } from "../../src/errors/detail.ts";
import { isReason } from "../../src/errors.ts";
import { openClaims } from "../../src/journal/claims.ts";
import { moveAside } from "../../src/journal/move-aside.ts";
import { atomically, type Journal, openJournal } from "../../src/journal/open.ts";
import { realClock } from "../../src/system.ts";
import { runBinary, shell, temporaryFolder } from "../support/run.ts";
import { pointedAt, service } from "../support/service.ts";

function open(file: string): Journal {
  const journal = openJournal(file);
  onTestFinished(() => void journal.close());
  return journal;
}
const newFile = (): string => join(temporaryFolder(), "state", "journal.db");
/** All that a journal is made of, and its version. */
const shapeOf = (journal: Journal): unknown[] => [
  journal.prepare("PRAGMA user_version").raw().get(),
  (journal.prepare("SELECT sql FROM sqlite_master ORDER BY name").all() as { sql: string | null }[]).map(
    ({ sql }) => sql?.replace(/\s+/g, " "),
  ),
];
const refusal = (detail: RegExp | OwnDetail["kind"]) =>
  expect.toSatisfy((error) => {
    if (!isReason(error, "journal_unreadable")) return false;
    const said = error.facts.detail;
    if (typeof said === "string") return typeof detail !== "string" && detail.test(said);
    return said.kind === detail;
  }) as unknown as Error;

describe("the journal", () => {
  it("is for its owner only, and every commit is on the disk before the next step", () => {
    const file = newFile();
    const journal = open(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
    expect(journal.prepare("PRAGMA synchronous").get()).toMatchObject({ synchronous: 2 });
    expect(journal.prepare("PRAGMA journal_mode").get()).toMatchObject({ journal_mode: "wal" });
  });

  it("takes back a step that failed halfway, and keeps other processes off meanwhile", () => {
    const file = newFile();
    const journal = open(file);
    const count = (): unknown => journal.prepare("SELECT count(*) AS n FROM branch_stamp").get();
    const work = (): void => {
      journal.prepare("INSERT INTO branch_stamp VALUES ('b', 1)").run();
      throw new Error("halfway");
    };
    expect(() => atomically(journal, work)).toThrow("halfway");
    expect(count()).toMatchObject({ n: 0 });
    const other = new Database(file, { timeout: 0 });
    onTestFinished(() => void other.close());
    atomically(journal, () => {
      expect(() => other.exec("BEGIN IMMEDIATE")).toThrow(/locked|busy/i);
    });
    other.exec("BEGIN IMMEDIATE; ROLLBACK");
  });

  it("of a newer bpos is refused and left untouched", () => {
    const file = newFile();
    const journal = openJournal(file);
    journal.exec("PRAGMA user_version = 99");
    journal.close();
    const before = readFileSync(file);
    expect(() => openJournal(file)).toThrow(refusal("journal_newer"));
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("says why a step failed, also when SQLite took it back by itself", () => {
    const journal = open(newFile());
    const { page_count: pages } = journal.prepare("PRAGMA page_count").get() as { page_count: number };
    journal.exec(`PRAGMA max_page_count = ${pages}`);
    const work = (): unknown =>
      journal.prepare("INSERT INTO branch_stamp VALUES (hex(zeroblob(99999)), 1)").run();
    expect(() => atomically(journal, work)).toThrow(/disk is full/);
    atomically(journal, () => journal.prepare("INSERT INTO branch_stamp VALUES ('b', 1)").run());
  });

  it("that cannot be opened for the folder's or the file's sake stays where it is", () => {
    const folder = temporaryFolder();
    const asFolder = join(folder, "journal.db");
    mkdirSync(asFolder);
    const inFile = join(folder, "file");
    writeFileSync(inFile, "");
    expect(() => openJournal(asFolder)).toThrow(refusal(/unable to open/i));
    expect(() => openJournal(join(inFile, "journal.db"))).toThrow(refusal(/EEXIST|ENOTDIR/));
    expect(readdirSync(folder).sort()).toEqual(["file", "journal.db"]);
  });

  it("of version 1 becomes one of this version, and keeps its rows", () => {
    const file = join(temporaryFolder(), "journal.db");
    const old = new Database(file);
    old.exec(`${readFileSync(join(import.meta.dirname, "version-1.sql"), "utf8")}
      INSERT INTO push (push_id, branch, at, action, content_hash) VALUES ('p1', 'b', 1, 'upsert', 'h');
      INSERT INTO push_event VALUES ('p1', 0, 1, 'e1', 5, '2026-01-01T12:00:00-03:00', 'answered', '{}');
      INSERT INTO branch_stamp VALUES ('b', 5);
      INSERT INTO send (send_id, branch, ref, at) VALUES ('s1', 'b', 'r', 1);
      INSERT INTO send_call VALUES ('s1', 0, 'k', '{"recipients":[{"phone":"+1","params":["Ana"]}]}', 1, 'sent', 1, 'c1', '{}', 2);
      INSERT INTO send_person VALUES ('b', 'r', '5491150000001', 's1', 0);`);
    const tables = ["push", "push_event", "branch_stamp", "send", "send_call", "send_person"];
    const columns = tables.map((table) => old.pragma(`table_info(${table})`) as { name: string }[]);
    const rows = (journal: Journal): unknown[] =>
      tables.map((table, n) => {
        const names = columns[n]!.map(({ name }) => name).join();
        return journal.prepare(`SELECT ${names} FROM ${table}`).raw().all();
      });
    const before = rows(old);
    expect(before.flat()).toHaveLength(tables.length);
    old.close();
    const journal = open(file);
    expect(rows(journal)).toEqual(before);
    expect(shapeOf(journal)).toEqual(shapeOf(open(newFile())));
    // The second time there is nothing left to do.
    expect(rows(open(file))).toEqual(before);
    // Whose lines were not kept is known all the same.
    const ana = knownRecipients(journal, "b", ["c1"])("c1", "+1");
    expect(ana).toStrictEqual({ line: undefined, variables: ["Ana"] });
  });

  it("is opened by eight processes at once where there was none", async () => {
    const env = { BPOS_HOME: temporaryFolder(), ...pointedAt("http://127.0.0.1:9") };
    const argv = ["campaign", "status", "--ref", "none", "--json"];
    const runs = await Promise.all(Array.from({ length: 8 }, () => runBinary(argv, { env })));
    for (const { stderr } of runs) expect(stderr).toContain('"reason":"send_not_found"');
    expect(shapeOf(open(join(env.BPOS_HOME, "state", "journal.db")))).toEqual(shapeOf(open(newFile())));
  }, 30_000);
});

const instant = Date.parse("2026-11-21T18:19:51.900Z");

/** A journal with something in it, closed, and all of it in the one file. */
function written(): string {
  const file = newFile();
  const journal = openJournal(file);
  journal.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
    INSERT INTO branch_stamp SELECT 'branch ' || i, i FROM n;
    PRAGMA journal_mode = DELETE`);
  journal.close();
  return file;
}

/** Every way in which a file is no journal, and what is said about it. */
const hopeless: [name: string, detail: RegExp, damage: (file: string) => void][] = [
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
  [
    "a journal of version 1 that has a table of version 2",
    /already exists/,
    (file) =>
      edited(file, "PRAGMA user_version = 1; PRAGMA journal_mode = WAL; PRAGMA wal_checkpoint (TRUNCATE)"),
  ],
];

function edited(file: string, sql: string): void {
  const database = new Database(file);
  database.exec(sql);
  database.close();
}

/** Another file with that name, as after a bad restore; what SQLite keeps beside a journal would restore it. */
function putInPlaceOf(file: string, content: string): void {
  for (const part of ["-wal", "-shm"]) rmSync(file + part, { force: true });
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}

const movedTo = (file: string, name: string): unknown =>
  expect.toSatisfy((error) => {
    expect(error).toMatchObject({ reason: "journal_moved", facts: { file, movedTo: name } });
    return true;
  });

describe.each(hopeless)("%s in the journal's place", (_name, detail, damage) => {
  it("is moved aside as it is, and the next command begins anew", () => {
    const file = written();
    damage(file);
    chmodSync(file, 0o640);
    const before = readFileSync(file);
    const aside = `${file}.moved-20261121-181951`;
    expect(() => openJournal(file, { now: instant })).toThrow(
      expect.toSatisfy((error) => {
        expect(error).toMatchObject({ reason: "journal_moved", facts: { file, movedTo: aside } });
        return isReason(error, "journal_moved") && detail.test(error.facts.detail);
      }) as unknown,
    );
    expect(existsSync(file)).toBe(false);
    expect(readFileSync(aside).equals(before)).toBe(true);
    expect(shapeOf(open(file))).toEqual(shapeOf(open(newFile())));
    expect(open(file).prepare("SELECT count(*) AS n FROM branch_stamp").get()).toMatchObject({ n: 0 });
  });
});

describe("a journal that is moved aside", () => {
  it("takes along what SQLite keeps beside it", () => {
    const file = join(temporaryFolder(), "journal.db");
    for (const part of ["", "-wal"]) writeFileSync(file + part, `junk${part} `.repeat(200));
    writeFileSync(`${file}-shm`, "");
    const aside = `${file}.moved-20261121-181951`;
    expect(() => openJournal(file, { now: instant })).toThrow(movedTo(file, aside));
    expect(readdirSync(dirname(file)).sort()).toEqual([
      ...["", "-shm", "-wal"].map((part) => basename(aside) + part),
      "locks",
    ]);
    expect(readFileSync(`${aside}-wal`, "utf8")).toBe("junk-wal ".repeat(200));
  });

  it("never takes the place of an earlier one, nor of a part of it", () => {
    const file = join(temporaryFolder(), "journal.db");
    const aside = `${file}.moved-20261121-181951`;
    writeFileSync(`${aside}-2-wal`, "of an earlier one");
    for (const [n, name] of [aside, `${aside}-3`, `${aside}-4`].entries()) {
      writeFileSync(file, `junk ${n}`);
      expect(() => openJournal(file, { now: instant })).toThrow(movedTo(file, name));
    }
    expect(readFileSync(aside, "utf8")).toBe("junk 0");
    expect(readFileSync(`${aside}-3`, "utf8")).toBe("junk 1");
    expect(readFileSync(`${aside}-2-wal`, "utf8")).toBe("of an earlier one");
  });

  it("stays as long as a process that works with it lives", () => {
    const file = written();
    const journal = openJournal(file);
    const claims = openClaims(journal, join(dirname(file), "locks"), { id: "watch", pid: 11 });
    claims.take({ work: "watch", branch: "b", consumer: "kitchen" });
    putInPlaceOf(file, "junk");
    expect(() => openJournal(file, { now: instant })).toThrow(refusal("journal_damaged_in_use"));
    expect(readFileSync(file, "utf8")).toBe("junk");
    expect(() => claims.close()).not.toThrow();
    journal.close();
    expect(() => openJournal(file, { now: instant })).toThrow(movedTo(file, `${file}.moved-20261121-181951`));
  });

  it("is not the good one that another process put in its place meanwhile", () => {
    const file = written();
    const before = readFileSync(file);
    const again = (): string => moveAside(file, { now: instant, isHopeless: () => false });
    expect(again).toThrow(refusal("journal_moved_meanwhile"));
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(dirname(file)).filter((name) => name.includes("moved"))).toEqual([]);
  });

  it("is moved once by eight processes that find it at once", async () => {
    const env = { BPOS_HOME: temporaryFolder(), ...pointedAt("http://127.0.0.1:9") };
    const state = join(env.BPOS_HOME, "state");
    mkdirSync(state);
    writeFileSync(join(state, "journal.db"), "junk");
    const argv = ["campaign", "status", "--ref", "none", "--json"];
    const runs = await Promise.all(Array.from({ length: 8 }, () => runBinary(argv, { env })));
    const errors = runs.map(({ stderr }) => (JSON.parse(stderr) as { error: Record<string, unknown> }).error);
    const moved = errors.filter(({ reason }) => reason === "journal_moved");
    expect(moved).toHaveLength(1);
    expect(readFileSync(String(moved[0]?.["moved_to"]), "utf8")).toBe("junk");
    expect(readdirSync(state).filter((name) => name.includes(".moved-"))).toHaveLength(1);
    // Whoever came late enough began with a new journal; all others were turned away.
    for (const { reason } of errors)
      expect(["journal_moved", "journal_unreadable", "send_not_found"]).toContain(reason);
    expect(shapeOf(open(join(state, "journal.db")))).toEqual(shapeOf(open(newFile())));
  }, 30_000);

  it.each([
    ["journal.db", []],
    ["mock-journal.db", ["--mock"]],
  ])("is told to the person, who can go on: %s", async (name, flags) => {
    const { env } = await service();
    const home = temporaryFolder();
    const run = shell({
      env: { BPOS_HOME: home, ...(flags.length === 0 && env) },
      clock: { ...realClock, now: () => instant },
    });
    const argv = ["campaign", "status", "--ref", "none", ...flags];
    const healthy = { code: 2, stderr: expect.stringContaining("There is no send") as string };
    expect(await run(argv)).toMatchObject(healthy);
    const file = join(home, "state", name);
    const aside = `${file}.moved-20261121-181951`;
    putInPlaceOf(file, "junk");
    const refused = await run(argv);
    expect(refused).toMatchObject({ code: 9, stdout: "" });
    for (const said of [file, aside, "Nothing was sent", "backup", "empty journal"])
      expect(refused.stderr).toContain(said);
    expect(readFileSync(aside, "utf8")).toBe("junk");
    expect(await run(argv)).toMatchObject(healthy);
  });
});
