import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { isReason } from "../../src/errors.ts";
import { type Journal, openJournal } from "../../src/journal/journal.ts";
import { openPostgres } from "../../src/journal/locks/lock-rows.ts";
import { type Lock, lockName } from "../../src/journal/locks/locks.ts";
import { kitchen, lockedBy, locksContract, push } from "../../test/journal/contract/locks.ts";
import { errorOf, parse, people, recipientsFile, rows, send } from "../../test/support/campaigns.ts";
import { root, shell } from "../../test/support/run.ts";
import { service } from "../../test/support/service.ts";
import { type Database, database } from "../support/postgres.ts";

const holder = (pid: number, host = "caja-1") => ({ id: `process-${pid}`, pid, host });

async function journalOf({ url }: Database, pid: number, host?: string): Promise<Journal> {
  const journal = await openJournal(url, { holder: holder(pid, host), env: {} });
  onTestFinished(() => journal.close().catch(() => undefined));
  return journal;
}

async function locksOf({ url }: Database, pid: number, host?: string) {
  const { sql, locks } = await openPostgres(url, holder(pid, host), { env: {} });
  onTestFinished(async () => {
    await locks.release();
    await sql.close();
  });
  return locks;
}

/** Leaves what a process that was killed on another machine leaves, as soon as its time is over. */
async function leave({ psql }: Database, locks: readonly Lock[]): Promise<void> {
  await psql("INSERT INTO bpos.holder VALUES ('dead', 'caja-9', 99, now(), now()) ON CONFLICT DO NOTHING");
  for (const lock of locks) await psql(`INSERT INTO bpos.claim VALUES ('${lockName(lock)}', 'dead', 7)`);
}

const tokens = ({ psql }: Database) => psql("SELECT name, holder, token::int FROM bpos.claim ORDER BY name");

describe("on PostgreSQL", () => {
  locksContract(async () => {
    const shop = await database();
    await journalOf(shop, 1);
    return {
      start: (pid) => locksOf(shop, pid),
      dead: (...locks) => leave(shop, locks),
      names: async () => (await tokens(shop)).map(({ name }) => String(name)),
    };
  });

  it("one of two who take it at once has it, also when it was a dead one's", async () => {
    const shop = await database();
    const both = await Promise.all([locksOf(shop, 11), locksOf(shop, 22)]);
    for (const lock of [push, kitchen]) {
      if (lock === kitchen) await leave(shop, [kitchen]);
      const ends = await Promise.allSettled(both.map((each) => each.take(lock)));
      expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const refused = ends.find(({ status }) => status === "rejected") as PromiseRejectedResult;
      expect(isReason(refused.reason, "locked")).toBe(true);
    }
    const taken: unknown = expect.stringMatching(/^process-/);
    expect(await tokens(shop)).toEqual([
      { name: "push b1", holder: taken, token: 1 },
      { name: "watch b1 kitchen", holder: taken, token: 8 },
    ]);
  });

  it("names the machine of another process", async () => {
    const shop = await database();
    await (await locksOf(shop, 11, "caja-2")).take(push);
    const two = await locksOf(shop, 22);
    await expect(two.take(push)).rejects.toThrow(lockedBy({ pid: 11, host: "caja-2", work: "push" }));
  });
});

/** A process of its own that holds the lock of pushes, and what it says to what it is told. */
async function holding({ url }: Database) {
  const argv = ["--import", "tsx", join(root, "e2e/support/holder.ts"), url, "theirs"];
  const child = spawn(process.execPath, argv, { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface(child.stdout);
  const said = async (): Promise<string> => ((await once(lines, "line")) as [string])[0];
  expect(await said()).toBe("held");
  return {
    pid: child.pid,
    child,
    tell: (text: string): Promise<string> => {
      child.stdin.write(`${text}\n`);
      return said();
    },
  };
}

const written = async ({ psql }: Database) =>
  (await psql("SELECT path FROM bpos.report_file")).map(({ path }) => path);

/** Takes the lock of pushes as soon as it has lapsed; how long that took, in milliseconds. */
async function takeOver(journal: Journal): Promise<{ own: Journal; ms: number }> {
  const began = performance.now();
  for (;;) {
    const own = await journal.under(push).catch((error: unknown) => {
      if (!isReason(error, "locked")) throw error;
    });
    if (own !== undefined) return { own, ms: performance.now() - began };
  }
}

describe("a process that is stopped longer than its lock lasts", () => {
  it("has it again when nobody took it meanwhile", async () => {
    const shop = await database();
    const theirs = await holding(shop);
    theirs.child.kill("SIGSTOP");
    const journal = await journalOf(shop, 22, "caja-2");
    await expect.poll(() => journal.held(), { timeout: 6_000 }).toEqual([]);
    theirs.child.kill("SIGCONT");
    expect(await theirs.tell("check")).toBe("done");
    expect(await theirs.tell("write a")).toBe("done");
    expect(await written(shop)).toEqual(["a"]);
  });

  it.each([
    ["between two steps", "write a"],
    ["in the middle of one", "begin a"],
  ])("%s writes nothing more once another process has it", async (_, first) => {
    const shop = await database();
    const theirs = await holding(shop);
    const isMidway = (await theirs.tell(first)) === "begun";
    theirs.child.kill("SIGSTOP");
    const { own, ms } = await takeOver(await journalOf(shop, 22, "caja-2"));
    expect(ms).toBeGreaterThan(2_500);
    expect(ms).toBeLessThan(5_000);
    await own.reports.add("b", "");
    theirs.child.kill("SIGCONT");
    if (isMidway) expect(await theirs.tell("end")).toBe("down");
    for (const work of ["write c", "check", "begin d"]) expect(await theirs.tell(work)).toBe("lock_lost");
    expect(await written(shop)).toEqual(isMidway ? ["b"] : ["a", "b"]);
    expect(await tokens(shop)).toEqual([{ name: "push b1", holder: "process-22", token: 2 }]);
    // It ends without taking anything from who has it now.
    theirs.child.stdin.end();
    expect(await once(theirs.child, "exit")).toEqual([0, null]);
    await own.reports.add("e", "");
  });
});

it("a step that is not finished holds off who would take the lock, and is written whole", async () => {
  const shop = await database();
  const one = await (await journalOf(shop, 11)).under(push);
  const two = await journalOf(shop, 22);
  let taking: Promise<unknown> | undefined;
  await one.transaction(async (tx) => {
    await tx.reports.add("a", "");
    // Its renewals come to nothing, as if they did not arrive.
    await shop.psql(
      `UPDATE bpos.holder SET expires_at = now();
       CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
       CREATE TRIGGER stall BEFORE UPDATE ON bpos.holder FOR EACH ROW WHEN (old.id = 'process-11')
         EXECUTE FUNCTION stall()`,
    );
    taking = two.under(push);
    expect(await Promise.race([taking, pause(1_000, "waits")])).toBe("waits");
    await tx.reports.add("b", "");
  });
  await expect(taking).resolves.toBeDefined();
  const facts = { pid: 22, host: "caja-1", work: "push" };
  const lost = { name: "JournalError", trouble: "lock_lost", facts };
  await expect(one.reports.add("c", "")).rejects.toMatchObject(lost);
  await expect(one.check()).rejects.toMatchObject({ facts });
  expect(await written(shop)).toEqual(["a", "b"]);
});

/** SQL with the effect of setting the server's clock back by an hour. */
const setBack = "UPDATE bpos.holder SET expires_at = expires_at + interval '1 hour'";

it("what a dead process left lapses in time though the server's clock was set back, whoever looks", async () => {
  const shop = await database();
  await journalOf(shop, 1);
  await leave(shop, [push, kitchen]);
  await shop.psql(setBack);
  const [one, two] = [await journalOf(shop, 11), await journalOf(shop, 22)];
  const began = performance.now();
  // One waits to see whether it lives, the other one looks who holds what until nobody does.
  const taken = one.under(push);
  const held = async () => (await two.held()).map(({ name }) => name);
  await expect.poll(held, { timeout: 6_000 }).not.toContain(lockName(kitchen));
  await two.under(kitchen);
  await taken;
  expect(performance.now() - began).toBeGreaterThan(3_000);
  expect(performance.now() - began).toBeLessThan(6_000);
  // A correction by another process is no sign of life.
  await shop.psql(
    "UPDATE bpos.holder SET expires_at = now() + interval '4 s'; UPDATE bpos.claim SET holder = 'dead'",
  );
  const three = (await journalOf(shop, 33)).under(push);
  await pause(1_000);
  await shop.psql("UPDATE bpos.holder SET expires_at = now() + interval '2 s' WHERE id = 'dead'");
  await expect(three).resolves.toBeDefined();
});

it("a process that could take no lock leaves no session behind, for which it would not end", async () => {
  const shop = await database();
  const journal = await journalOf(shop, 11);
  await shop.psql("REVOKE DELETE ON bpos.claim FROM bpos");
  await expect(journal.under(push)).rejects.toMatchObject({ trouble: "failed" });
  await journal.close();
  const sessions = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND usename = 'bpos'";
  await expect.poll(() => shop.psql(sessions)).toEqual([]);
});

it("a process that lives keeps its lock though the server's clock was set back", async () => {
  const shop = await database();
  const own = await (await journalOf(shop, 11)).under(push);
  await shop.psql(setBack);
  const two = await journalOf(shop, 22);
  await expect(two.under(push)).rejects.toThrow(lockedBy({ pid: 11, work: "push" }));
  await own.check();
  await own.reports.add("a", "");
});

it("a step that takes longer than a lock lasts loses it to nobody while its process lives", async () => {
  const shop = await database();
  const one = await (await journalOf(shop, 11)).under(push);
  const two = await journalOf(shop, 22);
  const step = one.transaction(async (tx) => {
    for (let n = 0; n < 6; n++) {
      await tx.reports.add(`${n}`, "");
      await pause(1_000);
    }
  });
  await expect
    .poll(() => shop.psql("SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction'"))
    .not.toEqual([]);
  await expect(two.under(push)).rejects.toThrow(lockedBy({ pid: 11, work: "push" }));
  await step;
  await one.check();
});

it("goes on with the same lock after its sessions were ended, with nothing half written", async () => {
  const shop = await database();
  const journal = await journalOf(shop, 11);
  const one = await journal.under(push);
  await one.reports.add("a", "");
  expect(await shop.terminateBackends()).toBeGreaterThan(0);
  await expect
    .poll(() =>
      one.check().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  const failed = one.transaction(async (tx) => {
    await tx.reports.add("b", "");
    await shop.terminateBackends();
    await tx.reports.add("c", "");
  });
  await expect(failed).rejects.toMatchObject({ trouble: "down" });
  await one.reports.add("d", "");
  expect(await written(shop)).toEqual(["a", "d"]);
  expect(await tokens(shop)).toEqual([{ name: "push b1", holder: "process-11", token: 1 }]);
});

it("sends of two machines at the same moment go out one after the other, or end with 9 at once where they may not wait", async () => {
  const shop = await database();
  const { mock, env } = await service();
  await mock.control.addFault("POST /campaigns delay=2500ms");
  const machine = () => shell({ env: { ...env, BPOS_JOURNAL: shop.url } });
  const files = [people(3), recipientsFile(rows(6, 3))];
  const ends = await Promise.all(files.map((file) => machine()(send(file, "--yes", "--json"))));
  expect(ends.map(({ code, stdout }) => [code, parse(stdout).recipients["added"]])).toEqual([
    [0, 3],
    [0, 3],
  ]);
  expect(ends.filter(({ stderr }) => stderr.includes("Waiting up to 60 s"))).toHaveLength(1);
  const more = [recipientsFile(rows(9, 6)), recipientsFile(rows(12, 9))];
  const argv = more.map((file) => send(file, "--yes", "--json", "--lock-wait", "0"));
  const apart = await Promise.all(argv.map((each) => machine()(each)));
  expect(apart.map(({ code }) => code).toSorted()).toEqual([0, 9]);
  const refused = apart.find(({ code }) => code === 9);
  expect(errorOf(refused?.stderr ?? "")).toMatchObject({ reason: "locked", work: "send", pid: 4711 });
  expect(await mock.control.messages()).toHaveLength(9);
});
