import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { realClock } from "../../../src/system.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { accepted, batches, event, fileOf, parse, priceList } from "../../support/push.ts";
import { type Run, shell, temporaryFolder } from "../../support/run.ts";
import { type Handler, reply, type ScriptedServer, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt, service } from "../../support/service.ts";

/** A first push that waits for its answer, and what gives it. */
async function busy(...more: Handler[]): Promise<{
  run: ReturnType<typeof shell>;
  server: ScriptedServer;
  first: Promise<Run>;
  release: () => void;
}> {
  let release = (): void => undefined;
  let arrived = (): void => undefined;
  const out = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const server = await scriptedServer(
    ...batches(
      (response, request) => {
        release = () => reply(accepted(1))(response, request);
        arrived();
      },
      ...more,
    ),
  );
  const run = shell({ env: { ...pointedAt(server.url), BPOS_HOME: temporaryFolder() } });
  const first = run(["catalog", "push", priceList(1), "--json"]);
  await out;
  return { run, server, first, release: () => release() };
}

describe("two pushes of one branch at once", () => {
  it("the second waits as long as --lock-wait says, and no longer", async () => {
    const { run, first, release } = await busy();
    const clock = fakeClock(Date.now());
    const second = await run(["catalog", "delete", "A", "--lock-wait", "2s"], { clock });
    expect(second.code).toBe(9);
    expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBe(2000);
    release();
    await first;
  });

  it("the second goes on when the first ends meanwhile", async () => {
    const { run, first, release } = await busy(reply(accepted(1)));
    let waits = 0;
    const clock = {
      now: () => realClock.now(),
      sleep: async () => {
        waits += 1;
        release();
        await first;
      },
    };
    const argv = ["catalog", "push", priceList(1, 5), "--lock-wait", "2s", "--json"];
    const second = await run(argv, { clock });
    expect(second.code).toBe(0);
    expect(waits).toBe(1);
    expect(parse(second.stdout)).toMatchObject({ accepted: 1, outcome: "complete" });
  });

  it("the second waits for 60 s where nothing else is said, and not at all with 0", async () => {
    const { run, first, release } = await busy();
    for (const [flags, ms] of [
      [[], 60_000],
      [["--lock-wait", "0"], 0],
    ] as const) {
      const clock = fakeClock(Date.now());
      const { code, stderr } = await run(["catalog", "delete", "A", ...flags], { clock });
      expect(code).toBe(9);
      expect(stderr).toContain("Process 4711 is still running.");
      expect(clock.slept.reduce((sum, slept) => sum + slept, 0)).toBe(ms);
    }
    release();
    await first;
  });

  it.each([true, false])(
    "the second sends the file as it is when its turn comes: strict %s",
    async (strict) => {
      const { run, server, first, release } = await busy(...(strict ? [] : [reply(accepted(2))]));
      const file = priceList(2, 5);
      const clock = {
        now: () => realClock.now(),
        sleep: async () => {
          writeFileSync(file, `codigo,nombre,precio\nA,Agua,${strict ? "x" : "7.25"}\nB,Bife,8.25\n`);
          release();
          await first;
        },
      };
      const argv = ["catalog", "push", file, "--json", ...(strict ? ["--strict"] : [])];
      const { code, stdout, stderr } = await run(argv, { clock });
      expect(stderr).toContain(`${file} has changed`);
      const sent = server.requests
        .filter(({ method }) => method === "POST")
        .slice(1)
        .map(event);
      if (strict) expect({ code, sent }).toEqual({ code: 2, sent: [] });
      else {
        expect([code, parse(stdout)]).toMatchObject([0, { accepted: 2 }]);
        expect(sent.map(({ items }) => items)).toMatchObject([[{ precio: 7.25 }, { precio: 8.25 }]]);
      }
    },
  );

  it("whoever waits sees once for whom, in a pipe as well, and with -q nothing", async () => {
    const { run, first, release } = await busy();
    const argv = ["catalog", "delete", "A", "--lock-wait", "90s"];
    const waiting = "Process 4711 is pushing to this branch's catalog. Waiting up to 90 s …";
    const said = async (more: string[], terminal?: number): Promise<number> => {
      const world = { clock: fakeClock(Date.now()), ...(terminal !== undefined && { terminal }) };
      const { code, stderr } = await run([...argv, ...more], world);
      expect(code).toBe(9);
      return stderr.replace(/\s+/g, " ").split(waiting).length - 1;
    };
    expect([await said([], 80), await said([]), await said(["-q"], 80)]).toEqual([1, 1, 0]);
    release();
    await first;
  });

  it("Ctrl-C while it waits says that nothing was sent", async () => {
    const { run, first, release } = await busy();
    let stop = (): void => undefined;
    const clock = {
      now: () => realClock.now(),
      sleep: () => {
        stop();
        return Promise.resolve();
      },
    };
    const onStart = (stopper: () => void): void => {
      stop = stopper;
    };
    const { code, stdout, stderr } = await run(["catalog", "delete", "A", "--lock-wait", "5m"], {
      clock,
      onStart,
    });
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).toMatch(/Stopped by Ctrl-C[\s\S]*Nothing was sent\./);
    expect(stderr).not.toContain("until then");
    release();
    await first;
  });
});

const good = ["codigo,nombre,precio", "A,Agua,1.50", "A,Agua,1.50", "B,Bife,2.50"];

it("with -q nothing is said at all when all went well, not even in notices", async () => {
  const { env } = await service({ scenario: "empty" });
  const run = shell({ env });
  const silent = { code: 0, stdout: "", stderr: "" };
  const argv = ["catalog", "push", fileOf(...good), "-q"];
  for (const world of [{}, { terminal: 80 }]) {
    expect(await run(argv, world)).toEqual(silent);
    expect(await run([...argv, "--changed-only", "--deactivate-missing"], world)).toEqual(silent);
  }
  expect(await run(["catalog", "delete", "A", "-q"])).toEqual(silent);
});
