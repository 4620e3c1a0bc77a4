import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { accepted, batches, parse, priceList } from "../../support/push.ts";
import { fixture, type Run, shell, temporaryFolder } from "../../support/run.ts";
import { type Handler, reply, type ScriptedServer, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt } from "../../support/service.ts";

type Push = (...argv: string[]) => Promise<Run>;

/** Pushes to a service that gives these answers. */
async function stage(...answers: Handler[]): Promise<{ server: ScriptedServer; push: Push; home: string }> {
  const server = await scriptedServer(...batches(...answers));
  const home = temporaryFolder();
  const run = shell({ env: { ...pointedAt(server.url), BPOS_HOME: home } });
  return { server, home, push: (...argv) => run(["catalog", "push", ...argv]) };
}

describe("what the service refused without naming a product", () => {
  it.each([null, "not there"])("by %j is sent again with --changed-only", async (codigo) => {
    const answer = accepted(1, { rejected: [{ codigo, error: "no" }] });
    const { server, push } = await stage(reply(answer), reply(accepted(2)));
    const file = priceList(2);
    expect((await push(file, "--changed-only")).code).toBe(3);
    expect((await push(file, "--changed-only")).code).toBe(0);
    expect(server.requests).toHaveLength(2);
  });
});

it("rows that --on-duplicate leaves out are not said to repeat another one", async () => {
  const { push } = await stage();
  const { stderr } = await push(fixture("input/duplicates.csv"), "--on-duplicate", "last", "--dry-run");
  expect(stderr).toContain("1 row repeats an earlier one exactly");
  expect(stderr).toContain("1 row with a repeated code left out");
});

describe("sums that do not add up", () => {
  it("end with 3 and are said, with --quiet too", async () => {
    const { push } = await stage(reply(accepted(1)));
    const result = await push(priceList(2), "-q");
    expect(result.code).toBe(3);
    expect(result.stderr).toContain("do not add up");
  });

  it("of an answer that is repeated say nothing", async () => {
    const { push } = await stage(reply(accepted(0, { duplicate: true })));
    expect((await push(priceList(2))).code).toBe(0);
  });
});

it("a push whose process died after its last answer is finished: the same content is pushed anew", async () => {
  const { server, push, home } = await stage(reply(accepted(2)), reply(accepted(2)));
  const file = priceList(2);
  await push(file);
  const { openJournal } = await import("../../../src/journal/open.ts");
  const journal = openJournal(join(home, "state", "journal.db"));
  journal.exec("UPDATE push SET open = 1");
  journal.close();
  expect(parse((await push(file, "--json")).stdout)).toMatchObject({ accepted: 2, duplicate_batches: 0 });
  expect(server.requests).toHaveLength(2);
});

describe("--rejected", () => {
  it("leaves no file of an earlier push behind when no row is rejected", async () => {
    const { push, home } = await stage(reply(accepted(1)), reply(accepted(1)));
    const [bad, good, rejected] = ["bad.csv", "good.csv", "rej.csv"].map((name) => join(home, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(bad, "codigo,precio\nA,1\nB,consultar\n");
    writeFileSync(good, "codigo,precio\nA,2\n");
    expect((await push(bad, "--rejected", rejected)).code).toBe(3);
    expect(existsSync(rejected)).toBe(true);
    expect((await push(good, "--rejected", rejected)).code).toBe(0);
    expect(existsSync(rejected)).toBe(false);
  });

  it.each(["--strict", "--dry-run"])("is written with %s too", async (flag) => {
    const { push, home } = await stage();
    const file = join(home, "bad.csv");
    writeFileSync(file, "codigo,precio\nA,1\nB,consultar\n");
    await push(file, flag, "--rejected", join(home, "rej.csv"));
    expect(existsSync(join(home, "rej.csv"))).toBe(true);
  });
});
