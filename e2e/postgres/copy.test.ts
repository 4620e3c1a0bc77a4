import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openJournal } from "../../src/journal/journal.ts";
import { tables } from "../../src/journal/upkeep/copy.ts";
import { openDatabase } from "../../src/sqlite.ts";
import { startBinary } from "../../test/support/binary.ts";
import { errorOf, parse, people, phone, recipientsFile, rows, send } from "../../test/support/campaigns.ts";
import { databaseIn, journalIn } from "../../test/support/journal.ts";
import { shell, temporaryFolder, type World } from "../../test/support/run.ts";
import { service } from "../../test/support/service.ts";
import { randomOf, sized } from "../../test/support/soak.ts";
import { database, type Database as Postgres } from "../support/postgres.ts";
import { refusingWay } from "../support/refusing-way.ts";

const copy = (to: Postgres, ...more: string[]): string[] => ["journal", "copy", "--to", to.url, ...more];

/** The copy of this machine: it knows its own by the host's name. */
const copyBinary = (home: string, to: Postgres) =>
  startBinary(copy(to, "--json"), { env: { BPOS_HOME: home } }).ended;

/** A shop that worked with a file, and the database that it is to go on with. */
async function shop() {
  const { mock, env } = await service();
  const home = temporaryFolder();
  const run = shell({ env: { ...env, BPOS_HOME: home, NO_COLOR: "1" } });
  const file = people(3);
  await run(send(file, "--yes", "--ref", "enero"));
  const journal = join(home, "state", "journal.db");
  const to = await database();
  const there: World = { env: { BPOS_JOURNAL: to.url } };
  return { mock, run, file, home, journal, to, there };
}

/** So many orders more, as a watch leaves them. */
function addOrders(file: string, count: number, from = 0): void {
  const journal = databaseIn(file);
  journal.exec(
    "INSERT INTO watch (watch_id, branch, consumer, began_at, first_run, since_floor) VALUES (7, 'b', 'default', 1, 0, 1) ON CONFLICT DO NOTHING",
  );
  journal
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)
       INSERT INTO watch_order (watch_id, order_id, status, state, created_at)
         SELECT 7, 'x' || i, 'ñandú \\ "' || char(9) || '{}', 'found', CASE i % 2 WHEN 0 THEN CAST(i AS TEXT) END FROM n`,
    )
    .run(from, from + count);
  journal.close();
}

/** So many answered calls more, of which a copy takes a hundred at once. */
function addCalls(file: string, count: number): void {
  databaseIn(file)
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO send_call (send_id, n, idempotency_key, people, state, body)
         SELECT send_id, i, 'key' || i, 1, 'sent', '{"recipients":[{"phone":"+5491155550101"}]}' FROM n, send`,
    )
    .run(count);
}

/** One record of each kind: whoever took half a journal for a whole one would message, deliver or forget again. */
const others: readonly string[][] = [
  ["orders", "watch", "--once"],
  ["orders", "forget", "--output", "stdout", "--yes"],
  ["catalog", "history"],
  ["campaign", "list"],
  ["campaign", "resume"],
  ["campaign", "optout", "list"],
  ["status"],
  ["journal", "status"],
  ["journal", "prune", "--yes"],
  ["journal", "accept-restore", "--yes"],
];

/** Every row of both, in one sequence. */
async function contentsOf(file: string, { psql }: Postgres) {
  const source = openDatabase(file);
  const sorted = (all: readonly object[]): string[] =>
    all
      .map((row) =>
        JSON.stringify(Object.values(row).map((value) => (value === null ? null : String(value)))),
      )
      .sort();
  const contents = { file: {} as Record<string, string[]>, database: {} as Record<string, string[]> };
  for (const table of tables) {
    const columns = (source.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[])
      .map(({ name }) => name)
      .join(", ");
    contents.file[table] = sorted(source.prepare(`SELECT ${columns} FROM ${table}`).all() as object[]);
    contents.database[table] = sorted(await psql(`SELECT ${columns} FROM bpos.${table}`));
  }
  source.close();
  return contents;
}

describe("journal copy", () => {
  it("goes on in the database as if it had always been there, and the file is used no more", async () => {
    const { mock, run, file, journal, to, there } = await shop();
    addOrders(journal, 12);
    const copied = await run(copy(to));
    expect([copied.code, copied.stderr]).toEqual([0, ""]);
    expect(copied.stdout).toContain(`Set BPOS_JOURNAL=postgres://bpos@127.0.0.1:`);
    const { file: before, database: after } = await contentsOf(journal, to);
    expect(after).toEqual(before);

    const again = parse((await run(send(file, "--yes", "--json", "--ref", "enero"), there)).stdout);
    expect(again.recipients).toMatchObject({ planned: 0, already_sent: 3 });
    const more = recipientsFile(rows(4, 3));
    const fresh = await run(send(more, "--yes", "--json", "--ref", "enero"), there);
    expect(parse(fresh.stdout)).toMatchObject({ outcome: "sent", recipients: { added: 1 } });
    expect(await mock.control.messages()).toHaveLength(4);
    const sends = JSON.parse((await run(["campaign", "list", "--json"], there)).stdout) as {
      sends: unknown[];
    };
    expect(sends.sends).toHaveLength(2);

    const stale = await run(send(file, "--yes", "--json", "--ref", "febrero", "--allow-repeat"));
    expect(stale.code).toBe(9);
    expect(errorOf(stale.stderr)["message"]).toContain("copied to postgres://bpos@127.0.0.1:");
    expect((await run(["journal", "status"])).code).toBe(9);
    expect((await run(["journal", "status"], there)).stdout).toContain("PostgreSQL");
    expect(errorOf((await run(copy(to, "--json"))).stderr)).toMatchObject({ reason: "copy_refused" });
    expect(errorOf((await run(copy(await database(), "--json"))).stderr)["message"]).toContain(
      "another database",
    );
  });

  it("of a file that was restored brings along who opted out since; one that does not know what was sent is refused", async () => {
    const { run, journal, to, there } = await shop();
    await run(["campaign", "optout", "add", phone(1)]);
    const file = databaseIn(journal);
    file.exec("DELETE FROM opt_out");
    const { steps } = file.prepare("SELECT max(steps) AS steps FROM written").get() as { steps: number };
    file.exec("UPDATE written SET steps = 0");
    const refused = await run(copy(to, "--json"));
    expect([refused.code, errorOf(refused.stderr)["reason"]]).toEqual([9, "journal_older"]);
    file.exec(`UPDATE written SET steps = ${steps}`);
    file.close();
    expect((await run(["journal", "accept-restore", "--yes"])).code).toBe(0);
    expect((await run(copy(to))).code).toBe(0);
    const { stdout } = await run(["campaign", "optout", "list", "--json"], there);
    expect(JSON.parse(stdout)).toMatchObject({ opt_outs: [{ source: "added" }] });
  });

  it("that was killed goes on where it was, and keeps everybody else out of the database meanwhile", async () => {
    const { run, home, journal, to, there } = await shop();
    const total = sized(60_000, 1_000_000);
    addOrders(journal, total);
    const copied = () =>
      to.psql("SELECT coalesce(sum(rows), 0)::int AS rows FROM bpos.copying").then(
        ([row]) => Number(row?.["rows"]),
        () => 0,
      );
    for (const least of [1, total / 2]) {
      const { stop } = startBinary(copy(to), { env: { BPOS_HOME: home } });
      await vi.waitFor(async () => expect(await copied()).toBeGreaterThanOrEqual(least), {
        timeout: 30_000,
        interval: 5,
      });
      await stop("SIGKILL");
    }
    const kept = await copied();
    expect(kept).toBeLessThan(total);
    const early = await run(["campaign", "list", "--json"], there);
    expect(early.code).toBe(9);
    expect(errorOf(early.stderr)["message"]).toContain("unfinished copy");
    // The file is used in between: what stands behind what was copied is added, what stands before it is copied anew.
    addOrders(journal, 500, total);
    const report = JSON.parse((await copyBinary(home, to)).stdout) as { rows: number; resumed: number };
    expect(report.resumed).toBeGreaterThanOrEqual(kept);
    const { file, database: there2 } = await contentsOf(journal, to);
    expect(there2).toEqual(file);
  });

  it(
    "goes on from wherever it was stopped, in whatever way, and nobody takes half a journal for a whole one",
    async () => {
      const { run, home, journal, to, there } = await shop();
      const [orders, stops] = sized([60_000, 5], [300_000, 40]);
      addOrders(journal, orders);
      addCalls(journal, 350);
      const random = randomOf("journal copy");
      const copied = async (): Promise<number> => {
        const rows = await to.psql("SELECT sum(rows)::int AS rows FROM bpos.copying").catch(() => []);
        return Number(rows[0]?.["rows"] ?? 0);
      };
      const ways = ["SIGKILL", "SIGINT", "SIGTERM", "its sessions end"] as const;
      const moments: string[] = [];
      let kept = 0;
      for (let n = 0; n < stops; n += 1) {
        const way = ways[Math.floor(random() * ways.length)] ?? "SIGKILL";
        const least = kept + Math.floor((random() * (orders - kept)) / (stops - n)) + 1;
        const running = startBinary(copy(to), { env: { BPOS_HOME: home } });
        await vi.waitFor(async () => expect(await copied()).toBeGreaterThanOrEqual(least), {
          timeout: 30_000,
          interval: 5,
        });
        if (way === "its sessions end") await to.terminateBackends();
        else running.child.kill(way);
        const { code, stderr } = await running.ended;
        moments.push(`${way} at ${least}: ${await running.exited}`);
        // It opens another session where no step was under way.
        if (code === 0) break;
        if (way.startsWith("SIG") && way !== "SIGKILL")
          expect(stderr, moments.join("\n")).toContain("Run the same command again to continue.");
        const now = await copied();
        expect(now, moments.join("\n")).toBeGreaterThanOrEqual(Math.max(kept, least));
        kept = now;
        for (const argv of sized(n === 0, true) ? others : []) {
          const refused = await run(argv, there);
          expect([refused.code, refused.stdout], argv.join(" ")).toEqual([9, ""]);
          expect(refused.stderr).toContain("unfinished copy");
          expect(refused.stderr).toContain("`bpos journal copy` again");
        }
      }
      if (await copied()) {
        const { rows, resumed } = JSON.parse((await copyBinary(home, to)).stdout) as Record<string, number>;
        // Work that was under way when it was killed may have ended since.
        expect(resumed, moments.join("\n")).toBeGreaterThanOrEqual(kept);
        expect(rows).toBeGreaterThanOrEqual(resumed!);
      }
      const { file, database: there2 } = await contentsOf(journal, to);
      expect(there2, moments.join("\n")).toEqual(file);
    },
    sized(60_000, 1_200_000),
  );

  it("that ended between the two databases keeps everybody out of both, and the next one ends it", async () => {
    const { run, journal, to, there } = await shop();
    addOrders(journal, 12);
    const way = await refusingWay(to.url);
    const last = { of: "DROP TABLE copying", code: "XX001", times: 1 };
    way.refuse(last);
    expect((await run(["journal", "copy", "--to", way.url])).code).toBe(9);
    expect((await run(["campaign", "list"])).stderr).toContain("copied to postgres://bpos@127.0.0.1:");
    expect((await run(["campaign", "list"], there)).stderr).toContain("unfinished copy");
    const { stdout } = await run(["journal", "copy", "--to", way.url, "--json"]);
    const { rows, resumed } = JSON.parse(stdout) as Record<string, number>;
    expect(resumed).toBe(rows);
    expect((await run(["campaign", "list"], there)).code).toBe(0);
    const { file, database: there2 } = await contentsOf(journal, to);
    expect(there2).toEqual(file);
  });

  it("is known to a send that had planned with the file, or with the empty database, before: it messages nobody", async () => {
    const { mock, run, file, to, there } = await shop();
    const during = (work: () => Promise<unknown>): World => ({
      terminal: 100,
      prompts: { confirm: () => work().then(() => true) },
    });
    const febrero = send(file, "--json", "--ref", "febrero", "--allow-repeat");
    const enero = send(file, "--json", "--ref", "enero");
    // The send on the database plans first, and asks; then the one on the file; then the journal is copied.
    let fromFile: Awaited<ReturnType<typeof run>> | undefined;
    const copying = async () => expect((await run(copy(to))).code).toBe(0);
    const fromDatabase = await run(enero, {
      env: there.env!,
      ...during(async () => {
        fromFile = await run(febrero, during(copying));
      }),
    });
    expect(fromFile?.code).toBe(9);
    expect(errorOf(fromFile?.stderr ?? "")["message"]).toContain("copied to postgres://bpos@127.0.0.1:");
    expect(fromDatabase.code).toBe(9);
    expect(errorOf(fromDatabase.stderr)["message"]).toContain("copied into it");
    expect(await mock.control.messages()).toHaveLength(3);
  });

  it("is not written to by a process that had opened the empty database, nor by one that was stopped with a lock of it", async () => {
    const { run, journal, to } = await shop();
    addOrders(journal, 12);
    const holder = (pid: number) => ({ id: `process-${pid}`, pid, host: "caja-2" });
    const way = await refusingWay(to.url);
    const open = async (pid: number, url = to.url) => {
      const opened = await openJournal(url, { holder: holder(pid), env: {} });
      onTestFinished(() => opened.close().catch(() => undefined));
      return opened;
    };
    const [early, stopped] = [await open(1), await open(2, way.url)];
    const own = await stopped.under({ work: "push", branch: "b" });
    expect((await run(copy(to))).stderr).toContain("process 2 on caja-2");
    await own.check();
    // Its renewals come to nothing while it is stopped.
    const renewals = { of: "INSERT INTO holder", code: "XX001", times: Number.POSITIVE_INFINITY };
    way.refuse(renewals);
    await to.psql("UPDATE bpos.holder SET expires_at = now()");
    expect((await run(copy(to))).code).toBe(0);
    renewals.times = 0;
    await expect(own.reports.add("a", "")).rejects.toMatchObject({ trouble: "lock_lost" });
    await expect(own.check()).rejects.toMatchObject({ trouble: "lock_lost" });
    const refused = { reason: "journal_unreadable", facts: { detail: { problem: { kind: "copied_into" } } } };
    for (const each of [early, stopped]) {
      await expect(each.under({ work: "send", branch: "b" })).rejects.toMatchObject(refused);
      await expect(each.reports.add("b", "")).rejects.toMatchObject(refused);
    }
    const { file, database: there } = await contentsOf(journal, to);
    expect(there).toEqual(file);
  });

  it("of a file that changed where it was copied already is the file as it is now", async () => {
    const { home, journal, to } = await shop();
    addOrders(journal, 60_000);
    const { stop } = startBinary(copy(to), { env: { BPOS_HOME: home } });
    const copied = () => to.psql("SELECT 1 FROM bpos.copying WHERE name = 'watch_order' AND rows > 0");
    await vi.waitFor(async () => expect(await copied()).toHaveLength(1), { timeout: 30_000, interval: 5 });
    await stop("SIGKILL");
    databaseIn(journal).exec(
      "UPDATE watch_order SET status = 'cancelado' WHERE order_id = 'x0'; UPDATE send_call SET lines = '[9]'",
    );
    expect((await copyBinary(home, to)).code).toBe(0);
    const { file, database: there } = await contentsOf(journal, to);
    expect(there).toEqual(file);
  });

  it("refuses a journal that somebody works with, a database in use, and one that holds something else", async () => {
    const { run, journal, to, there } = await shop();
    const at = journalIn(journal, process.pid);
    await at.under({ work: "watch", branch: "b", consumer: "c" });
    const busy = await run(copy(to, "--json"));
    expect(errorOf(busy.stderr)).toMatchObject({ reason: "copy_refused" });
    expect(errorOf(busy.stderr)["message"]).toContain(`process ${process.pid} on caja-1`);
    await at.close();
    await run(["catalog", "history"], there);
    await to.psql("INSERT INTO bpos.catalog_kept VALUES ('b', 1)");
    const full = await run(copy(to, "--json"));
    expect([full.code, errorOf(full.stderr)["message"]]).toEqual([
      9,
      expect.stringContaining("already holds a journal"),
    ]);
    await to.psql("DELETE FROM bpos.catalog_kept");
    await to.psql("CREATE TABLE bpos.copying (source text, name text, rows bigint, digest text)");
    await to.psql("ALTER TABLE bpos.copying OWNER TO bpos");
    await to.psql("INSERT INTO bpos.copying VALUES ('caja-2:/srv/journal.db', 'push', 1, '')");
    expect((await run(copy(to))).stderr).toContain("unfinished copy of caja-2:/srv/journal.db");
    for (const argv of [
      ["journal", "copy"],
      ["--mock", ...copy(to)],
    ])
      expect((await run(argv)).code).toBe(2);
    expect((await run(["journal", "copy", "--to", "https://example.com"])).code).toBe(9);
    expect((await run(["campaign", "list"])).code).toBe(0);
  });
});
