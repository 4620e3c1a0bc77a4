import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorOf, people, recipientsFile, rows, send } from "../../support/campaigns.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { askJournal } from "../../support/journal.ts";
import { listenIn, postReply } from "../../support/listen.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { service } from "../../support/service.ts";
import { statusOf } from "../../support/status.ts";
import { watchOnce, watchPolls } from "../../support/watch.ts";

const minute = 60_000;

/** A mock, and a shell of which all runs share a home and a clock. */
async function shop() {
  const { mock, env } = await service({ scenario: "empty" });
  const home = temporaryFolder();
  const clock = fakeClock();
  const world = { env: { ...env, BPOS_HOME: home, NO_COLOR: "1" }, clock };
  const write = (name: string, ...lines: string[]): string => {
    writeFileSync(join(home, name), `${lines.join("\n")}\n`);
    return join(home, name);
  };
  return { mock, home, clock, write, run: shell(world) };
}

describe("status of outputs", () => {
  it("counts what an output has not received, and names the command that delivers it", async () => {
    const { mock, clock, run } = await shop();
    await mock.control.placeOrders({ count: 3 });
    const fails = "exit 1";
    await watchOnce(run, "-q", "--exec", fails);
    const { ok, branches } = await statusOf(run);
    expect(ok).toBe(false);
    const oldest_at = expect.stringMatching(/^2026-01-01T/) as string;
    expect(branches[0]!.outputs).toEqual([{ output: "exec", undelivered: 3, oldest_at }]);
    const { stdout } = await run(["status"], { terminal: 200 });
    expect(stdout).toMatch(
      /3 orders wait for exec, .* A watch with --exec delivers them:\n {2}bpos orders watch --exec <command>\n/,
    );

    const during: boolean[] = [];
    let text = "";
    const look = async (): Promise<void> => {
      during.push((await statusOf(run)).ok);
      text = (await run(["status", "--lang", "es"], { terminal: 80 })).stdout;
    };
    await watchPolls(run, { polls: 3, clock, argv: ["-q", "--exec", fails], after: look });
    // Right after it was found it is being delivered; a minute later it waits.
    expect(during.at(-1)).toBe(false);
    expect(text).toMatch(/3 pedidos esperan a exec, el más viejo hace \d min\./);
    expect(text).toContain("\n  bpos doctor\n");
  });
});

describe("status of sends, pushes and replies", () => {
  it("names an unfinished send, and how many are left, until it is resumed", async () => {
    const { mock, run } = await shop();
    await run(send(people(2), "--yes", "--ref", "enero"));
    expect(await statusOf(run)).toMatchObject({ ok: true, branches: [{ unfinished_sends: [] }] });
    await mock.control.addFault("POST /campaigns status=502 times=1");
    const more = recipientsFile(rows(5, 2));
    await run([...send(more, "--yes", "--ref", "febrero it's"), "--retries", "0"]);

    const { ok, branches } = await statusOf(run);
    const [unfinished] = branches[0]!.unfinished_sends;
    expect(ok).toBe(false);
    expect(branches[0]!.unfinished_sends).toHaveLength(1);
    expect(unfinished).toMatchObject({ external_ref: "febrero it's", remaining: 3 });
    const { stdout } = await run(["status"], { terminal: 80 });
    expect(stdout).toContain(`\n  bpos campaign resume ${unfinished!.send_id}\n`);
    expect((await run(["campaign", "resume", unfinished!.send_id])).code).toBe(0);
    expect(await statusOf(run)).toMatchObject({ ok: true, branches: [{ unfinished_sends: [] }] });
  });

  it("has the counts of the last push, and names it while it is unfinished or had rejected rows", async () => {
    const { mock, home, write, run, clock } = await shop();
    const head = "codigo,nombre,precio";
    const good = write("good.csv", head, "A,Agua,1", "B,Pan,2");
    await run(["catalog", "push", good]);
    clock.advance(minute);
    const { ok, branches } = await statusOf(run);
    expect(ok).toBe(true);
    expect(branches[0]!.last_push).toEqual({
      push_id: expect.any(String) as string,
      // By the mock's clock, which is not this machine's.
      at: expect.stringContaining((await mock.control.world()).now.slice(0, 10)) as string,
      accepted: 2,
      rejected: 0,
    });

    const bad = write("new prices.csv", head, "A,Agua,1", "N,,2", "M,,3");
    await run(["catalog", "push", bad]);
    expect(await statusOf(run)).toMatchObject({
      ok: false,
      branches: [{ last_push: { accepted: 1, rejected: 2 } }],
    });
    const { stdout } = await run(["status"], { terminal: 120 });
    expect(stdout).toContain("The last push had 2 rejected rows.");
    expect(stdout).toContain(`\n  bpos catalog push '${bad}'\n`);
    // Neither stream is a terminal: the output is for the mail of cron.
    const mailed = await run(["status", "-q"]);
    expect(mailed.stderr).toContain(`bpos catalog push '${bad}'`);
    expect(mailed.stdout.trimEnd().split("\n")).toHaveLength(2);

    // As it was typed, its name holds in one folder only.
    await run(["catalog", "push", "new prices.csv"], { cwd: home });
    expect((await run(["status"], { terminal: 120 })).stdout).toContain(`\n  bpos catalog push '${bad}'\n`);

    await mock.control.addFault("POST /v1/catalog/items status=502 times=1");
    await run(["catalog", "push", write("other.csv", head, "A,Agua,7"), "--retries", "0"]);
    const pending = (await run(["status"], { terminal: 120 })).stdout;
    expect(pending).toContain("The last push is unfinished: some batches have no response.");

    await run(["catalog", "delete", "Z", "--retries", "0"]);
    await run(["catalog", "push", good]);
    expect((await statusOf(run)).ok).toBe(true);
  });

  it("counts the replies that wait for an output, by the branch whose send they answer", async () => {
    const { run } = await shop();
    const { stdout } = await run([...send(people(1), "--yes", "--ref", "enero"), "--json"]);
    const { campaigns } = JSON.parse(stdout) as { campaigns: { campaign_id: string }[] };
    const fails = "exit 1";
    const listener = await listenIn(run, ["-q", "--exec", fails]);
    await postReply(listener.url, {
      campaign_id: campaigns[0]!.campaign_id,
      phone: "+5491150000007",
      text: "sí",
    });
    // This one belongs to a send from elsewhere.
    await postReply(listener.url, { phone: "+5491150000017", text: "\u001b[31mhola" });
    await listener.stop();
    const { ok, branches } = await statusOf(run);
    expect([ok, branches.length]).toEqual([false, 1]);
    expect(branches[0]!.waiting_replies).toBe(2);
    const text = (await run(["status"], { terminal: 80 })).stdout;
    expect(text).toContain("2 replies wait for an output");
    expect(text).toContain("\n  bpos campaign listen\n");
    for (const personal of ["5491150000", "hola", "sí"]) expect(text).not.toContain(personal);
  });
});

describe("the form of the status", () => {
  it("is one heading line and a row a branch in a pipe, CSV with flat columns, NDJSON, and takes --fields", async () => {
    const { run } = await shop();
    await watchOnce(run);
    expect((await run(["status"])).stdout.split("\n")).toEqual([
      expect.stringMatching(
        /^Branch +Watch +Last poll +Undelivered +Last push +Unfinished sends +Replies +Process +Since +Standing by$/,
      ),
      expect.stringMatching(/^\S+ +nobody +0 s +0 +— +0 +0 +— +— +—$/),
      "",
    ]);
    const [head, row] = (await run(["status", "-o", "csv"])).stdout.split("\r\n");
    expect(head).toBe(
      "branch,state,machine,pid,last_poll_at,age_s,undelivered,unfinished_sends,last_push_at,rejected,waiting_replies,ok",
    );
    expect(row).toMatch(/^[^,]+,none,,,2026-01-01T[^,]+,0,0,0,,,0,true$/);
    const [line] = (await run(["status", "-o", "ndjson"])).stdout.split("\n");
    expect(JSON.parse(line!)).toMatchObject({ watch: { state: "none", age_s: 0 } });
    const { stdout } = await run(["status", "--fields", "watch.state,outputs.output", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      branches: [{ watch: { state: "none" }, outputs: [{ output: "stdout" }] }],
    });
    expect((await run(["status", "--fields", "state,ok", "-o", "csv"])).stdout).toBe(
      "state,ok\r\nnone,true\r\n",
    );
    expect(errorOf((await run(["status", "--fields", "colour", "--json"])).stderr)).toMatchObject({
      reason: "usage_flag",
    });
  });

  it("fits the terminal, whatever a branch calls itself", async () => {
    const { home, run, clock } = await shop();
    await watchOnce(run);
    await askJournal(home, `UPDATE watch SET name = 'la sucursal\u001b[2J de la esquina ${"ñ".repeat(60)}'`);
    clock.advance(5 * minute);
    for (const lang of ["en", "es"])
      for (const terminal of [40, 80, 200]) {
        const { stdout } = await run(["status", "--lang", lang], { terminal });
        expect(stdout).not.toContain("\u001b[2J");
        const lines = stdout.split("\n").filter((line) => !line.startsWith("  bpos "));
        for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(terminal);
      }
  });

  it("refuses flags that do not go together, and values that are none", async () => {
    const { run } = await shop();
    const refused = [
      ["--max-age", "soon"],
      ["--max-age", "0"],
      ["--watch", "--json"],
      ["--watch", "--fields", "branch"],
    ];
    for (const argv of refused) {
      const { code, stdout, stderr } = await run(["status", ...argv]);
      expect([code, stdout], argv.join(" ")).toEqual([2, ""]);
      expect(stderr).toMatch(/Error:.*\n(?:\S+ )?(?:Why|Next):|"reason":"usage_flag"/);
    }
  });

  it("ends with 9 where the journal cannot be read", async () => {
    const { run } = await shop();
    for (const argv of [[], ["--watch"]]) {
      const { code, stdout, stderr } = await run(["status", ...argv], {
        env: { BPOS_JOURNAL: "postgres://bpos@127.0.0.1:1/bpos" },
      });
      expect([code, stdout]).toEqual([9, ""]);
      expect(stderr).toMatch(/^(?:\S+ )?Error: Journal 127.0.0.1:1\/bpos: /);
    }
  });
});
