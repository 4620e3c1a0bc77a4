import { existsSync, linkSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isReason } from "../../src/errors.ts";
import { type Claim, type Claims, openClaims } from "../../src/journal/claims.ts";
import { isHeld } from "../../src/journal/lock-file.ts";
import { type Journal, openJournal } from "../../src/journal/open.ts";
import { temporaryFolder } from "../support/run.ts";

/** A state folder, what is in its folder of locks, and processes that claim in it, each with its own pid. */
function state(): {
  locks: string;
  files: () => string[];
  names: () => unknown[];
  start: (pid: number) => { claims: Claims; journal: Journal };
} {
  const folder = temporaryFolder();
  const locks = join(folder, "locks");
  const start = (pid: number): { claims: Claims; journal: Journal } => {
    const journal = openJournal(join(folder, "journal.db"));
    const claims = openClaims(journal, locks, { id: `process-${pid}`, pid });
    onTestFinished(() => {
      claims.close();
      journal.close();
    });
    return { claims, journal };
  };
  const { journal } = start(1);
  return {
    locks,
    files: () => (existsSync(locks) ? readdirSync(locks) : []),
    names: () =>
      (journal.prepare("SELECT name FROM claim ORDER BY name").all() as { name: string }[]).map(
        ({ name }) => name,
      ),
    start,
  };
}

const push: Claim = { work: "push", branch: "b1" };
const kitchen: Claim = { work: "watch", branch: "b1", consumer: "kitchen" };
const lockedBy = (facts: object): unknown =>
  expect.toSatisfy((error) => {
    expect(error).toMatchObject({ reason: "locked" });
    expect((error as { facts: object }).facts).toEqual(facts);
    return true;
  });

/** What a process that was killed leaves in the journal, and its lock file, held by nobody. */
function dead(journal: Journal, claims: readonly string[], id = "dead"): void {
  for (const name of claims) journal.prepare("INSERT INTO claim VALUES (?, ?, 99)").run(name, id);
}

it("a claim is one process's at a time, and free again when that one closes", () => {
  const { start, files, names } = state();
  const [one, two] = [start(11), start(22)];
  one.claims.take(push);
  one.claims.take(kitchen);
  expect(() => two.claims.take(push)).toThrow(lockedBy({ pid: 11, work: "push" }));
  expect(() => two.claims.take(kitchen)).toThrow(lockedBy({ pid: 11, work: "watch", consumer: "kitchen" }));
  // To have been asked does not end it.
  expect(() => two.claims.take(push)).toThrow(lockedBy({ pid: 11, work: "push" }));
  one.claims.close();
  two.claims.take(push);
  expect(() => one.claims.take(push)).toThrow(lockedBy({ pid: 22, work: "push" }));
  one.claims.close();
  two.claims.close();
  expect(names()).toEqual([]);
  expect(files()).toEqual([]);
});

it("holds apart only the same work of the same branch and consumer", () => {
  const { start } = state();
  const [one, two] = [start(11), start(22)];
  one.claims.take(push);
  one.claims.take(kitchen);
  two.claims.take({ work: "send", branch: "b1" });
  two.claims.take({ work: "push", branch: "b2" });
  two.claims.take({ ...kitchen, consumer: "printer" });
  two.claims.take({ ...kitchen, branch: "b2" });
  two.claims.take({ work: "watch", branch: "b1" });
  two.claims.take({ ...kitchen, consumer: "" });
});

it("holds apart two works of one process as well", () => {
  const { start } = state();
  const { claims } = start(11);
  claims.take(push);
  expect(() => claims.take(push)).toThrow(lockedBy({ pid: 11, work: "push" }));
});

it("costs one lock file, however many claims a process has, and none without any", () => {
  const { start, locks, files, names } = state();
  const { claims } = start(11);
  expect(files()).toEqual([]);
  for (let n = 0; n < 100; n += 1) claims.take({ ...kitchen, branch: `b${n}` });
  expect(files()).toEqual(["process-11.lock"]);
  expect(names()).toHaveLength(100);
  // A second name by which the file can be asked for when it is gone.
  const link = join(locks, "..", "link");
  linkSync(join(locks, "process-11.lock"), link);
  expect(isHeld(link)).toBe(true);
  claims.close();
  expect(isHeld(link)).toBe(false);
  expect(names()).toEqual([]);
  expect(files()).toEqual([]);
});

it("takes over what a dead process had, and tidies up behind it", () => {
  const { start, locks, files, names } = state();
  const { claims, journal } = start(11);
  claims.take({ work: "send", branch: "b1" });
  dead(journal, ["push b1", "watch b2 kitchen"]);
  writeFileSync(join(locks, "dead.lock"), "");
  // Of another dead process even the lock file is gone; to look for it does not bring it back.
  dead(journal, ["watch b1 kitchen"], "gone");
  claims.take(push);
  expect(files()).toEqual(["process-11.lock"]);
  expect(names()).toEqual(["push b1", "send b1", "watch b1 kitchen"]);
  claims.take(kitchen);
  expect(files()).toEqual(["process-11.lock"]);
  expect(() => start(22).claims.take(kitchen)).toThrow(
    lockedBy({ pid: 11, work: "watch", consumer: "kitchen" }),
  );
});

it("leaves the lock file of a process that lives where it is, also after the claims of a third one ended", () => {
  const { start, files } = state();
  const [one, two] = [start(11), start(22)];
  one.claims.take(push);
  two.claims.take(kitchen);
  expect(() => two.claims.take(push)).toThrow(lockedBy({ pid: 11, work: "push" }));
  two.claims.close();
  expect(files()).toEqual(["process-11.lock"]);
  expect(() => two.claims.take(push)).toThrow(lockedBy({ pid: 11, work: "push" }));
});

it("frees its lock file even when the journal cannot be written any more", () => {
  const { start, files } = state();
  const { claims, journal } = start(11);
  claims.take(push);
  journal.exec("PRAGMA query_only = 1");
  expect(() => claims.close()).toThrow(/readonly/);
  expect(files()).toEqual([]);
  // The row that stays names a lock file that nobody has.
  start(22).claims.take(push);
});

it("that cannot be held for the folder's sake is an error of the machine", () => {
  const { start, locks } = state();
  const { claims } = start(11);
  writeFileSync(locks, "in the way");
  expect(() => claims.take(push)).toThrow(
    expect.toSatisfy((error) => isReason(error, "journal_unreadable")) as unknown,
  );
  rmSync(locks);
  claims.take(push);
});
