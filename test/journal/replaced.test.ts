import { copyFileSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../src/sqlite.ts";
import { errorOf, poster, recipientsFile, rows, send, took } from "../support/campaigns.ts";
import { databaseIn, journalIn } from "../support/journal.ts";
import { listenIn, postReply } from "../support/listen.ts";
import { type Run, shell, temporaryFolder } from "../support/run.ts";
import type { Handler } from "../support/scripted-server.ts";
import { service } from "../support/service.ts";
import { eventsOf, newIds, watchOnce, watchPolls } from "../support/watch.ts";

const fileOf = (home: string): string => join(home, "state", "journal.db");

function removeJournal(home: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(fileOf(home) + end, { force: true });
}

function removeLocks(home: string): void {
  const folder = join(home, "state", "locks");
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
}

/** The file is as long, and as open, as before; its content is another. */
function emptyInPlace(home: string): void {
  const database = openDatabase(fileOf(home));
  database.exec("DELETE FROM claim");
  database.close();
}

function replaceJournal(home: string): void {
  const file = fileOf(home);
  copyFileSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);
}

const removals = { "journal.db": removeJournal, "locks/*": removeLocks };
const all = {
  ...removals,
  "journal.db-wal": (home: string) => rmSync(`${fileOf(home)}-wal`),
  "journal.db-shm": (home: string) => rmSync(`${fileOf(home)}-shm`),
  "journal.db, by a copy": replaceJournal,
  "its rows of locks": emptyInPlace,
};

const kitchen = { work: "watch", branch: "b1", consumer: "kitchen" } as const;

describe.each(Object.entries(all))("a process whose %s are gone", (_name, remove) => {
  it("has lost its locks: it writes nothing and nothing may leave", async () => {
    const home = temporaryFolder();
    const journal = journalIn(fileOf(home), 11);
    const own = await journal.under(kitchen);
    await own.check();
    await own.reports.add("a", "1");
    remove(home);
    const lost = { trouble: "lock_lost", facts: { work: "watch", consumer: "kitchen", pid: null } };
    await expect(own.check()).rejects.toMatchObject(lost);
    await expect(own.reports.add("b", "1")).rejects.toMatchObject(lost);
    await expect(own.step(() => Promise.resolve())).rejects.toMatchObject(lost);
  });
});

it("names the process that has the lock now", async () => {
  const file = fileOf(temporaryFolder());
  const own = await journalIn(file, 11).under(kitchen);
  databaseIn(file).exec("UPDATE claim SET holder = 'other', pid = 22");
  await expect(own.check()).rejects.toMatchObject({ facts: { pid: 22, file } });
});

it("a lock is not taken with a journal that is gone", async () => {
  const home = temporaryFolder();
  const journal = journalIn(fileOf(home), 11);
  removeJournal(home);
  await expect(journal.under(kitchen)).rejects.toMatchObject({ trouble: "lock_lost" });
});

describe.each(Object.entries(removals))("%s removed under a running watch", (name, remove) => {
  it("ends it before it delivers again, and a second watch delivers nothing twice unmarked", async () => {
    const { mock, env } = await service({ scenario: "empty" });
    const home = temporaryFolder();
    const run = shell({ env: { ...env, BPOS_HOME: home } });
    await mock.control.placeOrders({ count: 10 });
    let beside = { code: -1, stdout: "", stderr: "" };
    const first = await watchPolls(run, {
      polls: 3,
      after: async (poll) => {
        if (poll > 1) return;
        remove(home);
        await mock.control.placeOrders({ count: 8 });
        beside = await watchOnce(run);
      },
    });

    expect([first.code, errorOf(first.stderr)["reason"]]).toEqual([9, "lock_lost"]);
    expect(errorOf(first.stderr)["file"]).toContain(name === "locks/*" ? ".lock" : "journal.db");
    expect(newIds(first)).toHaveLength(10);
    expect(beside.code).toBe(0);
    const unmarked = eventsOf(beside).filter(({ repeated }) => repeated === false);
    const had = new Set(newIds(first));
    expect(unmarked.filter(({ order }) => had.has(order?.["order_id"]))).toEqual([]);
    expect(new Set([...newIds(first), ...newIds(beside)]).size).toBe(18);
  });

  it("between the poll and the delivery keeps what was found from its outputs", async () => {
    const { mock, env } = await service({ scenario: "empty" });
    const home = temporaryFolder();
    const run = shell({ env: { ...env, BPOS_HOME: home } });
    await mock.control.placeOrders({ count: 10 });
    let isGone = false;
    const first = await run(["orders", "watch", "--once", "-o", "ndjson"], {
      onOutput: () => {
        if (!isGone) remove(home);
        isGone = true;
      },
    });
    expect([first.code, errorOf(first.stderr)["reason"]]).toEqual([9, "lock_lost"]);
    expect(newIds(first)).toHaveLength(1);
  });

  it("with --standby ends it too: it could not tell who has the branch", async () => {
    const { env } = await service({ scenario: "empty" });
    const home = temporaryFolder();
    const run = shell({ env: { ...env, BPOS_HOME: home } });
    const first = await watchPolls(run, {
      polls: 9,
      argv: ["--standby"],
      after: (poll) => poll === 2 && remove(home),
    });
    expect([first.code, errorOf(first.stderr)["reason"]]).toEqual([9, "lock_lost"]);
  });

  it("or a running send ends it before its next call, and nobody is messaged twice", async () => {
    const home = temporaryFolder();
    const argv = send(recipientsFile(rows(1_500)), "--ref", "lunes", "--yes", "--json");
    let beside: Promise<Run> | undefined;
    const removing: Handler = (response, request) => {
      remove(home);
      beside = run(argv);
      void beside.then(() => took(response, request));
    };
    // The second send asks again, where the journal is there still, for the call whose answer nobody has, and sends the other.
    const others = name === "locks/*" ? [took, took] : [];
    const { server, run } = await poster([removing, ...others], { env: { BPOS_HOME: home } });

    const first = await run(argv);
    expect([first.code, errorOf(first.stderr)["reason"]]).toEqual([7, "journal_write_failed"]);
    expect(errorOf(first.stderr)["detail"]).toMatch(/was removed or replaced$/);
    expect((await beside!).code).toBe(name === "locks/*" ? 0 : 9);
    // The same body has the same key: the service answers it with what became of the first.
    const bodies = new Set(server.requests.map(({ body }) => body.toString()));
    const phones = [...bodies].flatMap((body) => body.match(/\+54911\d+/g));
    expect(phones).toHaveLength(new Set(phones).size);
  });
});

it("a listener answers no reply with 200 that nobody would find again, and ends", async () => {
  const home = temporaryFolder();
  const listener = await listenIn(shell({ env: { BPOS_HOME: home } }));
  expect((await postReply(listener.url, { phone: "+1" })).status).toBe(200);
  removeJournal(home);
  expect((await postReply(listener.url, { phone: "+2" })).status).toBe(503);
  const { code, stderr } = await listener.ended;
  expect([code, errorOf(stderr)["reason"]]).toEqual([9, "lock_lost"]);
});
