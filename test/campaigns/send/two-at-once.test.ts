import { describe, expect, it } from "vitest";
import { realClock } from "../../../src/system.ts";
import { errorOf, parse, people, recipientsFile, rows, send, took } from "../../support/campaigns.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { type Run, shell } from "../../support/run.ts";
import { type Handler, on, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt, service } from "../../support/service.ts";

const slow = "POST /campaigns delay=200ms";

describe("two sends of one branch at the same moment", () => {
  it("both go out, one after the other", async () => {
    const { mock, env } = await service();
    await mock.control.addFault(slow);
    const run = shell({ env });
    const files = [people(3), recipientsFile(rows(6, 3))];
    const ends = await Promise.all(files.map((file) => run(send(file, "--yes", "--json"))));
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(ends.map(({ stdout }) => parse(stdout).recipients)).toMatchObject([{ added: 3 }, { added: 3 }]);
    expect(await mock.control.messages()).toHaveLength(6);
    const said = "Process 4711 is sending a campaign for this branch. Waiting up to 60 s";
    expect(ends.filter(({ stderr }) => stderr.includes(said))).toHaveLength(1);
  });

  it("message nobody twice where they send one file", async () => {
    const { mock, env } = await service();
    await mock.control.addFault(slow);
    const run = shell({ env });
    const argv = send(people(3), "--yes", "--json");
    const ends = await Promise.all([run(argv), run(argv)]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(ends.map(({ stdout }) => parse(stdout).outcome).toSorted()).toEqual(["replayed", "sent"]);
    expect(await mock.control.messages()).toHaveLength(3);
  });
});

describe("while a send waits for its answer", () => {
  /** A first send whose answer comes with `release`, and its shell. */
  async function busy(...more: Handler[]) {
    let release = (): void => undefined;
    let arrived = (): void => undefined;
    const out = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const first: Handler = (response, request) => {
      release = () => took(response, request);
      arrived();
    };
    const service = await scriptedServer(...[first, ...more].map((each) => on("POST /campaigns", each)));
    const run = shell({ env: pointedAt(service.url) });
    const ended = run(send(people(2), "--yes", "--json"));
    await out;
    const end = (): Promise<Run> => {
      release();
      return ended;
    };
    return { run, end };
  }

  it.each([
    ["60 s", [], 60_000],
    ["as long as --lock-wait says", ["--lock-wait", "5s"], 5_000],
    ["not at all with 0", ["--lock-wait", "0"], 0],
  ])("others wait for it, and end with 9 naming it: %s", async (_, flags, ms) => {
    const { run, end } = await busy();
    const other = send(recipientsFile(rows(6, 3)), "--yes");
    for (const argv of [other, ["campaign", "resume"]]) {
      const clock = fakeClock(Date.now());
      const { code, stdout, stderr } = await run([...argv, ...flags, "--json"], { clock });
      expect({ code, stdout }).toEqual({ code: 9, stdout: "" });
      expect(errorOf(stderr)).toMatchObject({ reason: "locked", pid: 4711, work: "send" });
      expect(clock.slept.reduce((sum, slept) => sum + slept, 0)).toBe(ms);
    }
    expect((await end()).code).toBe(0);
  });

  it("a resume goes on when it has ended", async () => {
    const { run, end } = await busy();
    const clock = { now: () => realClock.now(), sleep: () => end().then(() => undefined) };
    const { code, stderr } = await run(["campaign", "resume"], { clock });
    expect(code).toBe(0);
    expect(stderr).toContain("Waiting up to 60 s");
  });

  it("Ctrl-C ends the wait at once, and nothing is sent", async () => {
    const { run, end } = await busy();
    let stop = (): void => undefined;
    const clock = { now: () => realClock.now(), sleep: () => Promise.resolve().then(() => stop()) };
    const onStart = (stopper: () => void): void => {
      stop = stopper;
    };
    const { code, stdout, stderr } = await run(send(recipientsFile(rows(6, 3)), "--yes"), { clock, onStart });
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).toContain("Nothing was sent.");
    await end();
  });
});
