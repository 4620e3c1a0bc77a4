import { describe, expect, it } from "vitest";
import { realClock } from "../../../src/system.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { accepted, batches, fileOf, parse, priceList } from "../../support/push.ts";
import { type Run, shell, temporaryFolder } from "../../support/run.ts";
import { type Handler, reply, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt, service } from "../../support/service.ts";

/** A first push that waits for its answer, and what gives it. */
async function busy(...more: Handler[]): Promise<{
  run: ReturnType<typeof shell>;
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
  return { run, first, release: () => release() };
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

  it("a person sees once what the second waits for; a script and -q see nothing", async () => {
    const { run, first, release } = await busy();
    const argv = ["catalog", "delete", "A", "--lock-wait", "90s"];
    const waiting = "Process 4711 is pushing to this branch's catalog. Waiting up to 90 s …";
    const said = async (more: string[], terminal?: number): Promise<number> => {
      const world = { clock: fakeClock(Date.now()), ...(terminal !== undefined && { terminal }) };
      const { code, stderr } = await run([...argv, ...more], world);
      expect(code).toBe(9);
      return stderr.replace(/\s+/g, " ").split(waiting).length - 1;
    };
    expect([await said([], 80), await said([]), await said(["-q"], 80)]).toEqual([1, 0, 0]);
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
