import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../support/fake-clock.ts";
import { type Run, shell, temporaryFolder, type World } from "../../support/run.ts";
import { service } from "../../support/service.ts";
import type { BranchRow } from "../../support/status.ts";
import { watchOnce } from "../../support/watch.ts";

const minute = 60_000;

async function shop() {
  const { mock, env } = await service({ scenario: "empty" });
  const clock = fakeClock();
  return { mock, clock, run: shell({ env: { ...env, NO_COLOR: "1" }, clock }) };
}

/** Watches the status on a clock that moves by its pauses; `after` is called in the nth pause, the last stops it. */
async function follow(
  run: (argv: string[], world?: World) => Promise<Run>,
  clock: ReturnType<typeof fakeClock>,
  { argv = [], after, ...world }: World & { argv?: string[]; after: (() => unknown)[] },
): Promise<Run> {
  let stop = (): void => undefined;
  const steps = [...after];
  return run(["status", "--watch", ...argv], {
    ...world,
    clock: {
      now: () => clock.now(),
      async sleep(ms, signal) {
        await steps.shift()?.();
        if (steps.length === 0) stop();
        await clock.sleep(ms, signal);
      },
    },
    onStart: (means) => {
      stop = means;
    },
  });
}

describe("status --watch", () => {
  it("prints a line of each branch that changes, and nothing while only time passes", async () => {
    const { clock, run } = await shop();
    const { code, stdout } = await follow(run, clock, {
      after: [
        () => undefined,
        () => watchOnce(run),
        () => undefined,
        () => clock.advance(4 * minute),
        () => undefined,
      ],
    });
    expect(code).toBe(130);
    const lines = stdout.split("\n").slice(0, -1);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^2026-01-01 \d\d:\d\d:\d\d {2}127\.0\.0\.1:\d+: nobody · well$/);
    expect(lines[1]).toMatch(
      /nobody · No process watches it\. .* 4 min ago\. Start its watch again as it was: bpos orders watch$/,
    );
  });

  it("shows a profile that comes, and goes on while the file of profiles cannot be read", async () => {
    const home = temporaryFolder();
    const file = join(home, "config.json");
    const write = (text: string): void => writeFileSync(file, text, { mode: 0o600 });
    const profiles = (...names: string[]): string => {
      const entries = names.map((name) => [
        name,
        { base_url: "https://api.example", api_key: `key-${name}` },
      ]);
      return JSON.stringify({ profiles: Object.fromEntries(entries) as object });
    };
    const clock = fakeClock();
    const run = shell({ env: { BPOS_HOME: home, NO_COLOR: "1" }, clock });
    write(profiles("centro"));
    const { env } = await service({ scenario: "empty" });
    await run(["orders", "watch", "--once", "-q"], { env });
    const { code, stdout } = await follow(run, clock, {
      after: [() => write("{"), () => write(profiles("centro", "norte")), () => undefined],
    });
    expect(code).toBe(130);
    const named = stdout.split("\n").map((line) => line.split(" ")[3]);
    expect(named.filter((name) => /^(centro|norte):/.test(name ?? ""))).toEqual(["centro:", "norte:"]);
  });

  it("prints the branch as NDJSON with -o ndjson", async () => {
    const { clock, run } = await shop();
    await watchOnce(run);
    const { stdout } = await follow(run, clock, {
      argv: ["-o", "ndjson"],
      after: [() => undefined, () => watchOnce(run)],
    });
    const rows = stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as BranchRow);
    expect(rows).toMatchObject([{ watch: { state: "none" }, outputs: [{ output: "stdout" }] }]);
  });

  it("draws one picture again and again on a terminal, never higher than it is", async () => {
    const { clock, run } = await shop();
    await watchOnce(run);
    const { stdout } = await follow(run, clock, {
      after: [() => undefined, () => clock.advance(4 * minute), () => undefined],
      terminal: 80,
      rows: 12,
    });
    const frames = stdout.split("\u001b[J");
    expect(frames[0]).toContain("All is well: 1 branch.");
    expect(frames[0]).toContain("As of 2026-01-01");
    expect(frames.at(-2)).toContain("No process watches it");
    for (const frame of frames) expect(frame.split("\n").length).toBeLessThanOrEqual(12);
  });

  it("on a small screen keeps what is not well with its commands, and counts what it leaves out", async () => {
    const { mock, clock, run } = await shop();
    await watchOnce(run);
    await watchOnce(run, "-q", "--consumer", "kitchen");
    await mock.control.placeOrders({ count: 2 });
    await watchOnce(run, "-q", "--exec", "exit 1");
    clock.advance(20 * minute);
    const draw = async (rows: number) => {
      const after = [() => undefined, () => undefined];
      const { stdout } = await follow(run, clock, { after, terminal: 100, rows });
      return (stdout.split("\u001b[J").at(-2) ?? "")
        .replaceAll("\u001b[2K", "")
        .replace(/^.*\u001b\[\d+A/s, "");
    };
    expect(await draw(40)).toContain("Last poll");
    const frame = await draw(9);
    expect(frame.trimEnd().split("\n").length).toBeLessThan(9);
    expect(frame).toMatch(/No process watches it\..*\n.*\n? {2}bpos orders watch\b/);
    expect(frame).not.toContain("Last poll ");
    expect(frame).toMatch(/\d more problems?: `bpos status -p <profile>`/);
    expect(await draw(2)).toMatch(/3 more problems|As of/);
  });
});
