import { expect, it, vi } from "vitest";
import { runAndKill, startBinary } from "../../test/support/binary.ts";
import { phone, recipientsFile, rows, send } from "../../test/support/campaigns.ts";
import { shell, temporaryFolder } from "../../test/support/run.ts";
import { service } from "../../test/support/service.ts";
import { randomOf, sized } from "../../test/support/soak.ts";
import { database, stopBetweenSteps } from "../support/postgres.ts";

const killsALane = sized(2, 20);
const roundsAFile = 4;
/** People of each of two files under one reference; who comes later in the one is in the other too, and in no call with the same people. */
const people = 400;
const onlyFirst = 163;
const faults = [
  "POST /campaigns commit-drop rate=0.15",
  "POST /campaigns status=502 rate=0.1",
  "POST /campaigns delay=2s rate=0.05",
];

/** Two machines with one journal, each with a file of its own, send under one reference at once, and are killed. */
async function surviveKills(
  { mock, env }: Awaited<ReturnType<typeof service>>,
  lane: number,
): Promise<string[]> {
  const random = randomOf(`two machines ${lane}`);
  const { url } = await database();
  const homes = [0, 1].map(() => ({ ...env, BPOS_JOURNAL: url, BPOS_HOME: temporaryFolder() }));
  const messaged = async (): Promise<string[]> => (await mock.control.messages()).map((each) => each.phone);
  const moments: string[] = [];
  const planned: string[] = [];
  let kills = 0;
  for (let lot = 0; kills < killsALane; lot++) {
    const first = (lane * 1_000 + lot) * people * 2;
    const files = [first, first + onlyFirst].map((from) => recipientsFile(rows(from + people, from)));
    const flags = ["--json", "-q", "--timeout", "1s", "--retries"];
    const sendOf = (n: number, retries: string): string[] => [
      ...send(files[n]!, "--ref", `lot-${lot}`, "--track-all", "--yes", ...flags),
      retries,
    ];
    const resume = (retries: string): string[] => ["campaign", "resume", ...flags, retries];
    planned.push(...Array.from({ length: onlyFirst + people }, (_, n) => phone(first + n)));
    for (let round = 0; round < roundsAFile && kills < killsALane; round++) {
      const ends = await Promise.all(
        homes.map((home, n) => {
          const argv = round > 0 && random() < 0.4 ? resume("0") : sendOf(n, "0");
          const ms = Math.round(300 + random() * 1_700);
          moments.push(`${lot}.${n}.${argv[1]}+${ms}`);
          return runAndKill(argv, home, ms);
        }),
      );
      moments.push(ends.join());
      // 2: what the other machine left without an answer meanwhile made it more people than were agreed to.
      for (const end of ends) expect([0, 2, 6, 7, 9, "SIGKILL"], moments.join(" ")).toContain(end);
      kills += ends.filter((end) => end === "SIGKILL").length;
      const out = await messaged();
      expect(new Set(out).size, moments.join(" ")).toBe(out.length);
    }
    // Either machine settles what the other one left.
    const shells = homes.map((home) => shell({ env: home }));
    for (let tries = 0, isDone = false; !isDone; tries++) {
      const one = random() < 0.5 ? 0 : 1;
      const runs = [await shells[one]!(resume("2"))];
      for (const n of [one, 1 - one]) runs.push(await shells[n]!(sendOf(n, "2")));
      for (const { code, stderr } of runs)
        expect([0, 6, 7], `${moments.join(" ")} ${stderr}`).toContain(code);
      isDone = runs.every(({ code }) => code === 0);
      expect(tries, moments.join(" ")).toBeLessThan(20);
    }
    expect(await messaged(), moments.join(" ")).toEqual(expect.arrayContaining(planned));
  }
  return planned;
}

it("two machines that send overlapping files under one reference message nobody twice, whenever they are killed", {
  timeout: 900_000,
}, async () => {
  const world = await service({ scenario: "empty" });
  for (const fault of faults) await world.mock.control.addFault(fault);
  const planned = await Promise.all([0, 1].map((lane) => surviveKills(world, lane)));
  const messages = await world.mock.control.messages();
  expect(messages.map((each) => each.phone).sort()).toEqual(planned.flat().sort());
});

it("one that is stopped for longer than its lock lasts sends and writes nothing more once another resumed for it", async () => {
  const { mock, env } = await service({ scenario: "empty" });
  await mock.control.addFault("POST /campaigns delay=300ms");
  const shared = await database();
  const { url, psql } = shared;
  const home = () => ({ ...env, BPOS_JOURNAL: url, BPOS_HOME: temporaryFolder() });
  const file = recipientsFile(rows(people * 2));
  const stopped = startBinary([...send(file, "--ref", "lot", "--track-all", "--yes", "--json", "-q")], {
    env: home(),
  });
  await vi.waitFor(async () => expect((await mock.control.messages()).length).toBeGreaterThan(0), {
    timeout: 20_000,
    interval: 20,
  });
  await stopBetweenSteps(shared, stopped.child);
  // It waits until the lock has lapsed.
  const resumed = await shell({ env: home() })(["campaign", "resume", "lot", "--json", "-q"]);
  expect(resumed.code, resumed.stderr).toBe(0);
  const journal = () =>
    Promise.all(
      ["send", "send_call", "send_person", "claim"].map((name) =>
        psql(`SELECT * FROM bpos.${name} AS t ORDER BY t::text`),
      ),
    );
  const campaigns = async () => (await mock.control.campaigns()).map((each) => each.campaign_id);
  const [before, calls] = [await journal(), await campaigns()];
  stopped.child.kill("SIGCONT");
  expect([7, 9], stopped.err()).toContain(await stopped.exited);
  expect(await journal()).toEqual(before);
  expect(await campaigns()).toEqual(calls);
  const phones = (await mock.control.messages()).map((each) => each.phone);
  expect(phones.sort()).toEqual(Array.from({ length: people * 2 }, (_, n) => phone(n)).sort());
});
