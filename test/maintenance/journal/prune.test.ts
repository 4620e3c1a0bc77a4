import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toPseudonym } from "../../../src/journal/records/pseudonyms.ts";
import { errorOf, parse, people, phone, recipientsFile, rows, send } from "../../support/campaigns.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { askJournal } from "../../support/journal.ts";
import { journals } from "../../support/journals.ts";
import { listenIn, postReply } from "../../support/listen.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { service } from "../../support/service.ts";

const later = { clock: fakeClock(Date.now() + 100 * 86_400_000) };
const prune = (...more: string[]): string[] => ["journal", "prune", ...more];
const json = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

/** A desk that messaged three people, left one row out, and got a reply. */
async function desk() {
  const { mock, env } = await service();
  const home = temporaryFolder();
  const run = shell({ env: { ...env, BPOS_HOME: home, NO_COLOR: "1" } });
  const folder = temporaryFolder();
  const file = recipientsFile([...rows(3), "15,Zoe,9"], folder);
  const sent = parse((await run(send(file, "--yes", "--json", "--ref", "enero"))).stdout);
  const { url, stop, events } = await listenIn(run);
  const body = { campaign_id: sent.campaigns[0]?.campaign_id, phone: phone(1), text: "¿A qué hora?" };
  await postReply(url, body);
  await expect.poll(events).toHaveLength(1);
  await stop();
  return { mock, run, file, body, home };
}

const personal = ["send_call", "send_person", "send_report", "reply"];
const rowsOf = async (home: string): Promise<unknown[]> =>
  Promise.all(personal.map((table) => askJournal(home, `SELECT * FROM ${table}`)));

/** Returns the personal data in a journal, and on the disk where it is a file. */
async function textOf(home: string): Promise<string> {
  const file = join(home, "state", "journal.db");
  const files = [file, `${file}-wal`].filter((each) => existsSync(each));
  return [JSON.stringify(await rowsOf(home)), ...files.map((each) => readFileSync(each, "utf8"))].join("");
}

describe("journal prune", () => {
  it("leaves nothing of the people in the file, and nobody is messaged twice afterwards", async () => {
    const { mock, run, file, body, home } = await desk();
    // A reply in the journal is known by its person once somebody asked.
    await run(["campaign", "find", phone(1)]);
    const would = await run(prune("--dry-run", "--json"), later);
    expect(json(would.stdout)).toMatchObject({
      sends: 1,
      calls: 1,
      recipients: 3,
      replies: 1,
      dry_run: true,
    });
    expect(await textOf(home)).toContain(phone(0));

    const done = await run(prune("--older-than", "90d", "--yes"), later);
    expect(done.stdout).toContain("1 send (3 recipients) and 1 reply");
    const text = await textOf(home);
    for (const word of [phone(0).slice(1), phone(1).slice(1), "Ana 1", "Zoe", "A qué hora"])
      expect(text).not.toContain(word);
    expect((await run(prune("--yes"), later)).stdout).toContain("Nothing to remove");

    const again = parse((await run(send(file, "--yes", "--json", "--ref", "enero"))).stdout);
    expect(again).toMatchObject({ recipients: { planned: 0, already_sent: 3 } });
    // The clocks of the journal and of this machine may have differed: the guard still knows them.
    const other = await run(send(people(4), "--yes", "--json", "--ref", "febrero"));
    expect(errorOf(other.stderr)).toMatchObject({ reason: "repeat_within_day", people: 3, ref: "enero" });
    expect((await run(["campaign", "resume"])).stderr).toContain("Nothing to resume");
    expect((await run(["campaign", "resume", "enero", "--json"])).code).toBe(0);
    expect(await mock.control.messages()).toHaveLength(3);

    const status = await run(["campaign", "status", "--ref", "enero", "--json"]);
    expect(json(status.stdout)["counts"]).toMatchObject({ total_recipients: 3 });
    const [listed] = json((await run(["campaign", "list", "--json"])).stdout)["sends"] as object[];
    expect(listed).toMatchObject({ outcome: "sent", recipients: { read: 4, invalid: 1, added: 3 } });
    const found = await run(["campaign", "find", phone(1), "--json"]);
    expect(json(found.stdout)["sends"]).toMatchObject([{ external_ref: "enero", params: [], replies: [] }]);

    const { url, stop, events } = await listenIn(run);
    await postReply(url, body);
    await expect.poll(events).toHaveLength(1);
    expect(events()[0]).toMatchObject({ external_ref: null, name: null, repeated: true, body });
    await stop();
    const replied = json((await run(["campaign", "find", phone(1), "--json"])).stdout)["sends"];
    expect(replied).toMatchObject([{ replies: [{ text: "¿A qué hora?" }] }]);
  });

  it.skipIf(journals.ask !== undefined)("shrinks the file while another bpos works with it", async () => {
    const { run, home } = await desk();
    const numbers = "WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 500)";
    const body = `'${"x".repeat(20_000)}'`;
    await askJournal(
      home,
      `${numbers} INSERT INTO reply (reply, hash, body) SELECT i, 'h' || i, ${body} FROM n`,
    );
    await askJournal(home, `${numbers} INSERT INTO reply_arrival (reply, at, again) SELECT i, 1, 0 FROM n`);
    const { stop } = await listenIn(run);
    const file = join(home, "state", "journal.db");
    const before = statSync(file).size;
    const { stdout } = await run(prune("--yes"), later);
    expect(stdout).toContain("492 replies");
    expect(statSync(file).size).toBeLessThan(before / 3);
    await stop();
  });

  it("gives everybody in a large call a pseudonym, also where it was killed among them", async () => {
    const { env } = await service();
    const home = temporaryFolder();
    const run = shell({ env: { ...env, BPOS_HOME: home } });
    const file = people(600);
    await run(send(file, "--yes", "--ref", "enero"));
    const first = toPseudonym(phone(0));
    await askJournal(home, `UPDATE send_person SET person = '${first}' WHERE person = '${phone(0)}'`);
    const done = json((await run(prune("--yes", "--json"), later)).stdout);
    expect(done).toMatchObject({ sends: 1, recipients: 600 });
    expect(await askJournal(home, "SELECT 1 FROM send_person WHERE person LIKE '+%'")).toEqual([]);
    const again = parse((await run(send(file, "--yes", "--json", "--ref", "enero"))).stdout);
    expect(again.recipients).toMatchObject({ planned: 0, already_sent: 600 });
  });

  it("touches nothing that is not finished, however old, nor what is newer", async () => {
    const { run, home } = await desk();
    const before = await rowsOf(home);
    expect((await run(prune("--yes"))).stdout).toContain("Nothing to remove");
    for (const [broken, whole] of [
      [
        "UPDATE send_call SET state = 'attempted'; INSERT INTO reply_delivery VALUES ('x', 1, 'open')",
        "UPDATE send_call SET state = 'sent'; DELETE FROM reply_delivery",
      ],
      [
        "UPDATE send_call SET state = 'planned'; UPDATE reply_arrival SET at = at + 9000000000",
        "UPDATE send_call SET state = 'sent'; UPDATE reply_arrival SET at = at - 9000000000",
      ],
    ] as const) {
      await askJournal(home, broken);
      expect((await run(prune("--yes"), later)).stdout).toContain("Nothing to remove");
      await askJournal(home, whole);
      expect(await rowsOf(home)).toEqual(before);
    }
    expect((await run(prune("--yes"), later)).stdout).toContain("1 send");
  });

  it("asks first, and needs no journal", async () => {
    const { run, home } = await desk();
    const before = await rowsOf(home);
    const refused = await run(prune(), { ...later, terminal: 80, answers: [false] });
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect((await run(prune(), later)).stderr).toContain("--yes");
    expect(await rowsOf(home)).toEqual(before);
    expect((await run(prune(), { ...later, terminal: 80, answers: [true] })).stdout).toContain("1 send");
    expect((await run(prune("--older-than", "1d"))).stderr).toContain("2d");
    expect((await shell()(prune("--yes"))).stdout).toContain("Nothing to remove");
  });
});
