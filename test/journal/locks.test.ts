import { existsSync, linkSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isReason } from "../../src/errors.ts";
import { FileLocks, isHeld } from "../../src/journal/lock-files.ts";
import type { Lock, Locks } from "../../src/journal/locks.ts";
import { openSqlite } from "../../src/journal/sqlite.ts";
import { databaseIn } from "../support/journal.ts";
import { temporaryFolder } from "../support/run.ts";

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
      const own = new FileLocks(sql, { id: `process-${pid}`, pid, host: "caja-1" }, locks);
      onTestFinished(async () => {
        await own.release();
        await sql.close();
      });
      return own;
    },
    /** What a process that was killed leaves in the journal. */
    dead: (names: readonly string[], id = "dead"): void => {
      for (const name of names) database.prepare("INSERT INTO claim VALUES (?, ?, 99)").run(name, id);
    },
    database,
  };
}

const push: Lock = { work: "push", branch: "b1" };
const kitchen: Lock = { work: "watch", branch: "b1", consumer: "kitchen" };
const lockedBy = (facts: object): unknown =>
  expect.toSatisfy((error) => {
    expect(error).toMatchObject({ reason: "locked" });
    expect((error as { facts: object }).facts).toEqual(facts);
    return true;
  });

it("a lock is one process's at a time, and free again when that one closes", async () => {
  const { start, files, names } = state();
  const [one, two] = [start(11), start(22)];
  await one.take(push);
  await one.take(kitchen);
  await expect(two.take(push)).rejects.toThrow(lockedBy({ pid: 11, work: "push" }));
  await expect(two.take(kitchen)).rejects.toThrow(lockedBy({ pid: 11, work: "watch", consumer: "kitchen" }));
  // To have been asked does not end it.
  await expect(two.take(push)).rejects.toThrow(lockedBy({ pid: 11, work: "push" }));
  await one.release();
  await two.take(push);
  await expect(one.take(push)).rejects.toThrow(lockedBy({ pid: 22, work: "push" }));
  await one.release();
  await two.release();
  expect(names()).toEqual([]);
  expect(files()).toEqual([]);
});

it("holds apart only the same work of the same branch and consumer", async () => {
  const { start } = state();
  const [one, two] = [start(11), start(22)];
  await one.take(push);
  await one.take(kitchen);
  await two.take({ work: "send", branch: "b1" });
  await two.take({ work: "push", branch: "b2" });
  await two.take({ ...kitchen, consumer: "printer" });
  await two.take({ ...kitchen, branch: "b2" });
  await two.take({ work: "watch", branch: "b1" });
  await two.take({ ...kitchen, consumer: "" });
});

it("holds apart two works of one process as well", async () => {
  const { start } = state();
  const own = start(11);
  await own.take(push);
  await expect(own.take(push)).rejects.toThrow(lockedBy({ pid: 11, work: "push" }));
});

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
  // Of another dead process even the lock file is gone; to look for it does not bring it back.
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
