import { describe, expect, it, onTestFinished } from "vitest";
import { renameBranches } from "../../src/journal/branches.ts";
import { openJournal } from "../../src/journal/journal.ts";
import { openPostgres } from "../../src/journal/postgres.ts";
import { journalContract } from "../../test/journal/contract/journal.ts";
import { database } from "../support/postgres.ts";

const collations: [name: string, how: { locale?: string }][] = [
  ["by bytes", {}],
  ["as in Spanish", { locale: "es" }],
];

describe.each(collations)("the journal on PostgreSQL that sorts %s", (_name, how) => {
  journalContract(async () => {
    const { url } = await database(how);
    const holder = { id: crypto.randomUUID(), pid: 4711, host: "caja-1" };
    const journal = await openJournal(url, { holder, env: {} });
    onTestFinished(() => journal.close().catch(() => undefined));
    return journal;
  });
});

describe("the stamps of a branch that one process pushes to while another renames it do not go back", () => {
  const holder = (pid: number) => ({ id: `process-${pid}`, pid, host: "caja-1" });
  const event = (stamp: number) => [
    { first_row: 0, row_count: 4, event_id: `e${stamp}`, occurred_at: `${stamp}`, stamp },
  ];
  const push = (at: number) => ({
    ...({
      push_id: `p${at}`,
      branch: "now",
      action: "upsert",
      file: null,
      contentHash: `${at}`,
      at,
    } as const),
  });

  async function shop() {
    const { url, psql } = await database();
    const journal = await openJournal(url, { holder: holder(1), env: {} });
    const { sql, locks } = await openPostgres(url, holder(2), { env: {} });
    onTestFinished(async () => {
      await journal.close();
      await locks.release();
      await sql.close();
    });
    const pushing = await journal.under({ work: "push", branch: "now" });
    const waits =
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    const someoneWaits = () => expect.poll(() => psql(waits)).toHaveLength(1);
    return { pushing, sql, psql, someoneWaits };
  }

  it("where the push is written first", async () => {
    const { pushing, sql, psql, someoneWaits } = await shop();
    await psql("INSERT INTO bpos.branch_stamp VALUES ('now', 100), ('http', 50)");
    let renaming: Promise<void> | undefined;
    await pushing.transaction(async (tx) => {
      await tx.pushes.begin(push(9_000), event);
      renaming = renameBranches(sql, "now", ["http"]);
      await someoneWaits();
    });
    await renaming;
    expect(await psql("SELECT branch, stamp::int FROM bpos.branch_stamp")).toEqual([
      { branch: "now", stamp: 9_000 },
    ]);
  });

  it("where the renaming is written first", async () => {
    const { pushing, sql, psql, someoneWaits } = await shop();
    await psql("INSERT INTO bpos.branch_stamp VALUES ('now', 100), ('http', 50000)");
    let begun: Promise<string> | undefined;
    await sql.transaction(async (tx) => {
      await renameBranches(tx, "now", ["http"]);
      begun = pushing.pushes.begin(push(9_000), event);
      await someoneWaits();
    });
    expect((await pushing.pushes.events((await begun)!)).map(({ stamp }) => stamp)).toEqual([50_001]);
    expect(await pushing.pushes.lastStamp("now")).toBe(50_001);
  });
});
