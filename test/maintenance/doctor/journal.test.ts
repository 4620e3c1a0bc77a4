import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { branchId } from "../../../src/journal/records/branches.ts";
import { openDatabase } from "../../../src/sqlite.ts";
import { rows as people, recipientsFile, send } from "../../support/campaigns.ts";
import { diagnosis } from "../../support/doctor.ts";
import { databaseIn, journalIn } from "../../support/journal.ts";
import { priceList } from "../../support/push.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { service } from "../../support/service.ts";

const doctor = ["doctor", "--json"];

describe("the journal", () => {
  const journalOf = (home: string): string => join(home, "state", "journal.db");
  const place = async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, "state"), { mode: 0o700 });
    const { env, mock } = await service();
    return { home, mock, run: shell({ env: { ...env, BPOS_HOME: home } }) };
  };

  it("that is damaged fails and stays where it is", async () => {
    const { home, run } = await place();
    writeFileSync(journalOf(home), "this is not a journal".repeat(300));
    const { code, failed, row, unchecked } = diagnosis(await run(doctor));
    expect({ code, failed, unchecked }).toEqual({ code: 9, failed: ["journal"], unchecked: ["unfinished"] });
    expect(row("journal").detail).toContain("damaged, or not a journal of bpos");
    expect(existsSync(journalOf(home))).toBe(true);
  });

  it("of which a page is overwritten fails the check of SQLite", async () => {
    const { home, run } = await place();
    const journal = databaseIn(journalOf(home));
    journal.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    journal.close();
    const bytes = readFileSync(journalOf(home));
    // The last page holds a table that nothing else here looks at.
    bytes.fill(0xff, bytes.length - 4096);
    writeFileSync(journalOf(home), bytes);
    expect(diagnosis(await run(doctor)).failed).toEqual(["journal"]);
  });

  it("of a newer bpos, of another program, or a folder, fails", async () => {
    const { home, run } = await place();
    databaseIn(journalOf(home)).close();
    const newer = openDatabase(journalOf(home));
    newer.exec("PRAGMA user_version = 99");
    newer.close();
    expect(diagnosis(await run(doctor)).row("journal").detail).toContain("newer bpos");
    const other = await place();
    const foreign = openDatabase(journalOf(other.home));
    foreign.exec("CREATE TABLE theirs (x)");
    foreign.close();
    expect(diagnosis(await other.run(doctor)).failed).toEqual(["journal"]);
    const folder = await place();
    mkdirSync(journalOf(folder.home));
    expect(diagnosis(await folder.run(doctor)).failed).toEqual(["journal"]);
  });

  it("tells what waits for somebody, with the command, and that nobody has to when it is under way", async () => {
    const { home, mock, run } = await place();
    await mock.control.addFault("POST /campaigns status=502 times=1");
    await mock.control.addFault("POST /v1/catalog/items status=502 times=1");
    const file = recipientsFile(people(2));
    const prices = priceList(3);
    expect((await run(send(file, "--ref", "el martes", "--yes", "--retries", "0"))).code).toBe(7);
    expect((await run(["catalog", "push", prices, "--retries", "0"])).code).toBe(7);
    const { ok, row } = diagnosis(await run(doctor));
    expect(ok).toBe(true);
    expect(row("unfinished")).toMatchObject({ status: "warn" });
    expect(row("unfinished").detail).toContain('"el martes" (2)');
    expect(row("unfinished").remedy).toContain(
      "`bpos campaign resume 'el martes'`, then `bpos catalog push ",
    );
    expect(row("unfinished").remedy).not.toContain("+54");
    // A process that is at it has it in its hands.
    const journal = journalIn(journalOf(home), 4712);
    const branch = branchId({
      address: mock.campaignsBaseUrl,
      world: (await mock.control.world()).world_id,
      apiKey: mock.keys[0]!.key,
    });
    await journal.under({ work: "send", branch });
    expect(diagnosis(await run(doctor)).row("unfinished")).toMatchObject({
      status: "pass",
      detail: "running in process 4712",
    });
    await journal.close();
    expect((await run(["campaign", "resume", "el martes"])).code).toBe(0);
    expect((await run(["catalog", "push", prices])).code).toBe(0);
    expect(diagnosis(await run(doctor)).row("unfinished")).toMatchObject({ status: "pass", detail: "none" });
  });

  it("is not made by looking at it, nor is its folder; a folder that cannot be made fails", async () => {
    const home = temporaryFolder();
    const { env } = await service();
    const { row } = diagnosis(await shell({ env: { ...env, BPOS_HOME: home } })(doctor));
    expect(row("disk").detail).toContain("created when needed");
    expect(existsSync(join(home, "state"))).toBe(false);
    writeFileSync(join(home, "state"), "in the way");
    const broken = diagnosis(await shell({ env: { ...env, BPOS_HOME: home } })(doctor));
    expect(broken.failed).toEqual(expect.arrayContaining(["disk"]));
    expect(broken.code).toBe(9);
  });
});
