import { existsSync, linkSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isReason } from "../../src/errors.ts";
import { openSqlite } from "../../src/journal/engine/sqlite.ts";
import { FileLocks, isHeld } from "../../src/journal/locks/lock-files.ts";
import { type Locks, lockName } from "../../src/journal/locks/locks.ts";
import { databaseIn } from "../support/journal.ts";
import { temporaryFolder } from "../support/run.ts";
import { kitchen, lockedBy, locksContract, push } from "./contract/locks.ts";

/** A state folder, what is in its folder of locks, and processes that take locks in it, each with its own pid. */
function state() {
  const folder = temporaryFolder();
  const file = join(folder, "journal.db");
  const locks = join(folder, "locks");
  const database = databaseIn(file);
  return {
    locks,
    files: () => (existsSync(locks) ? readdirSync(locks) : []),
    names: () =>
      (database.prepare("SELECT name FROM claim ORDER BY name").all() as { name: string }[]).map(
        ({ name }) => name,
      ),
    start: (pid: number): Locks => {
      const sql = openSqlite(file);
      const own = new FileLocks(sql, { id: `process-${pid}`, pid, host: "caja-1" }, file);
      onTestFinished(async () => {
        await own.release();
        await sql.close();
      });
      return own;
    },
    /** Writes what a process that was killed leaves in the journal. */
    dead: (names: readonly string[], id = "dead"): void => {
      for (const name of names) database.prepare("INSERT INTO claim VALUES (?, ?, 99)").run(name, id);
    },
    database,
  };
}

describe("on SQLite", () =>
  locksContract(() => {
    const { start, dead, names } = state();
    return Promise.resolve({
      start: (pid) => Promise.resolve(start(pid)),
      dead: (...locks) => Promise.resolve().then(() => dead(locks.map(lockName))),
      names: () => Promise.resolve(names()),
    });
  }));

it("costs one lock file, however many locks a process has, and none without any", async () => {
  const { start, locks, files, names } = state();
  const own = start(11);
  expect(files()).toEqual([]);
  for (let n = 0; n < 100; n += 1) await own.take({ ...kitchen, branch: `b${n}` });
  expect(files()).toEqual(["process-11.lock"]);
  expect(names()).toHaveLength(100);
  // A second name by which the file can be asked for when it is gone.
  const link = join(locks, "..", "link");
  linkSync(join(locks, "process-11.lock"), link);
  expect(isHeld(link)).toBe(true);
  await own.release();
  expect(isHeld(link)).toBe(false);
  expect(names()).toEqual([]);
  expect(files()).toEqual([]);
});

it("takes over what a dead process had, and tidies up behind it", async () => {
  const { start, locks, files, names, dead } = state();
  const own = start(11);
  await own.take({ work: "send", branch: "b1" });
  dead(["push b1", "watch b2 kitchen"]);
  writeFileSync(join(locks, "dead.lock"), "");
  // Another dead process has lost even its lock file; looking for it does not bring it back.
  dead(["watch b1 kitchen"], "gone");
  await own.take(push);
  expect(files()).toEqual(["process-11.lock"]);
  expect(names()).toEqual(["push b1", "send b1", "watch b1 kitchen"]);
  await own.take(kitchen);
  expect(files()).toEqual(["process-11.lock"]);
  await expect(start(22).take(kitchen)).rejects.toThrow(
    lockedBy({ pid: 11, work: "watch", consumer: "kitchen" }),
  );
});

it("removes what processes left that were killed while they waited, and not of who lives", async () => {
  const { start, locks, files, names, dead } = state();
  const [one, two] = [start(11), start(22)];
  await one.standBy([push]);
  writeFileSync(join(locks, "dead.lock"), "");
  dead(["standby dead push b1", "push b1"]);
  await two.standBy([kitchen]);
  expect(files().sort()).toEqual(["process-11.lock", "process-22.lock"]);
  expect(names()).toEqual(["push b1", "standby process-11 push b1", "standby process-22 watch b1 kitchen"]);
});

it("leaves the lock file of a process that lives where it is, also after the locks of a third one ended", async () => {
  const { start, files } = state();
  const [one, two] = [start(11), start(22)];
  await one.take(push);
  await two.take(kitchen);
  await expect(two.take(push)).rejects.toThrow(lockedBy({ pid: 11, work: "push" }));
  await two.release();
  expect(files()).toEqual(["process-11.lock"]);
  await expect(two.take(push)).rejects.toThrow(lockedBy({ pid: 11, work: "push" }));
});

it("frees its lock file even when the journal cannot be written any more", async () => {
  const { start, files, database } = state();
  const own = start(11);
  await own.take(push);
  database.exec("CREATE TRIGGER full BEFORE DELETE ON claim BEGIN SELECT RAISE(ABORT, 'no room'); END");
  await expect(own.release()).rejects.toThrow("no room");
  expect(files()).toEqual([]);
  database.exec("DROP TRIGGER full");
  // The row that stays names a lock file that nobody has.
  await start(22).take(push);
});

it("that cannot be held for the folder's sake is an error of the machine", async () => {
  const { start, locks } = state();
  const own = start(11);
  writeFileSync(locks, "in the way");
  await expect(own.take(push)).rejects.toThrow(
    expect.toSatisfy((error) => isReason(error, "journal_unreadable")) as unknown,
  );
  rmSync(locks);
  await own.take(push);
});
