import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RunningMock } from "../../src/mock/index.ts";
import { runAndKill, runBinary } from "../support/binary.ts";
import { send } from "../support/campaigns.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import { randomOf, sized } from "../support/soak.ts";

const people = 500;
const calls = 5;
const killsALane = sized(1, 50);
const faults = [
  "POST /campaigns commit-drop rate=0.15",
  "POST /campaigns status=502 rate=0.1",
  "POST /campaigns commit-status=502 rate=0.1",
  "POST /campaigns delay=2s rate=0.05",
];

/** Nobody of one file is in another one. */
const phonesOf = (file: number): string[] =>
  Array.from({ length: people }, (_, n) => `+54911${5_000_0005 + (file * people + n) * 10}`);

function writeRecipients(folder: string, file: number): string {
  const path = join(folder, `people-${file}.csv`);
  const rows = phonesOf(file).map((phone, n) => `${phone},Ana ${n},${n}`);
  writeFileSync(path, `telefono,nombre,pedido\n${rows.join("\n")}\n`);
  return path;
}

const flags = ["--json", "-q", "--timeout", "1s", "--retries"];
const sendOf = (path: string, retries: string): string[] => [
  ...send(path, "--track-all", "--yes", ...flags),
  retries,
];
const resumeOf = (retries: string): string[] => ["campaign", "resume", ...flags, retries];

/** Who got a message of this mock, each as often as it went out. */
const messaged = async (mock: RunningMock): Promise<string[]> =>
  (await mock.control.messages()).map(({ phone }) => phone).sort();

/** Sends until all of a file went out by the word of the command itself. Nobody kills it: so it needs no process of its own. */
async function finish(path: string, env: Record<string, string>, moments: string): Promise<void> {
  const run = shell({ env });
  for (let runs = 0; ; runs++) {
    const { code, stdout, stderr } = await run(runs % 2 === 0 ? resumeOf("2") : sendOf(path, "2"));
    expect([0, 6, 7], `${moments} ${stderr}`).toContain(code);
    if (runs % 2 === 0 || code !== 0) continue;
    expect(JSON.parse(stdout), moments).toMatchObject({ recipients: { errors: [] } });
    return;
  }
}

/** Kills sends and resumptions at random moments, file after file; returns who was to be messaged. */
async function surviveKills(
  { mock, env }: Awaited<ReturnType<typeof service>>,
  lane: number,
): Promise<string[]> {
  const random = randomOf(`lane ${lane}`);
  const folder = temporaryFolder();
  const world = { ...env, BPOS_HOME: temporaryFolder() };
  const moments: string[] = [];
  const planned: string[] = [];
  let wholeMs = 1_500;
  for (let kills = 0, file = lane; kills < killsALane; file += 2) {
    const path = writeRecipients(folder, file);
    planned.push(...phonesOf(file));
    for (let runs = 0; runs < 8 && kills < killsALane; runs++) {
      const argv = runs > 0 && random() < 0.6 ? resumeOf("0") : sendOf(path, "0");
      const ms = Math.round(random() * wholeMs);
      const began = performance.now();
      const end = await runAndKill(argv, world, ms);
      moments.push(`${file}.${argv[1]}+${ms}:${end}`);
      if (end === "SIGKILL") kills += 1;
      else wholeMs = performance.now() - began;
      expect([0, 6, 7, "SIGKILL"], moments.join(" ")).toContain(end);
    }
    await finish(path, world, moments.join(" "));
  }
  expect(await messaged(mock), moments.join(" ")).toEqual(expect.arrayContaining([...planned].sort()));
  return planned;
}

it("messages nobody twice, however often and whenever sends and resumptions are killed", {
  timeout: 180_000,
}, async () => {
  const world = await service({ scenario: "empty" });
  for (const fault of faults) await world.mock.control.addFault(fault);
  // Two machines side by side: most of the time is the start of a process.
  const planned = await Promise.all([0, 1].map((lane) => surviveKills(world, lane)));
  expect(await messaged(world.mock)).toEqual(planned.flat().sort());
});

const machinesAtOnce: [string, number][] = [
  ["two processes of one machine", 1],
  ["two machines", 2],
];
it.each(machinesAtOnce.slice(0, sized(1, 2)))(
  "messages nobody twice when %s send one file at once",
  { timeout: 60_000 },
  async (_, machines) => {
    const { mock, env } = await service({ scenario: "empty" });
    for (const fault of faults) await mock.control.addFault(fault);
    const homes = Array.from({ length: machines }, () => temporaryFolder());
    const path = writeRecipients(temporaryFolder(), 0);
    const worlds = [0, 1].map((n) => ({ ...env, BPOS_HOME: homes[n % machines]! }));
    const both = await Promise.all(worlds.map((world) => runBinary(sendOf(path, "1"), { env: world })));
    // The second one of a machine may have come while the first was at it.
    for (const { code, stderr } of both) expect([0, 6, 7, 9], stderr).toContain(code);
    for (const world of worlds) await finish(path, world, "");
    expect(await messaged(mock)).toEqual(phonesOf(0).sort());
    expect(await mock.control.campaigns()).toHaveLength(calls);
  },
);
