import { expect, it } from "vitest";
import { fakeClock } from "../../../support/fake-clock.ts";
import { askJournal } from "../../../support/journal.ts";
import { type Answer, fixedServer, orderOf, pageOf } from "../../../support/peers.ts";
import { shell, temporaryFolder } from "../../../support/run.ts";
import { pointedAt } from "../../../support/service.ts";
import { watchOnce, watchPolls } from "../../../support/watch.ts";

const minute = 60_000;
const world = { random: () => 0.5 };

type Row = { name: string; state: string; since: number; polledAt: number | null };

const rows = (home: string) =>
  askJournal(
    home,
    `SELECT name, state, state_since AS since, polled_at AS "polledAt" FROM watch`,
  ) as unknown as Promise<Row[]>;

it("writes down when a branch was last read whole, and since when it is not", async () => {
  const clock = fakeClock();
  const start = clock.now();
  const isDown = (): boolean => clock.now() >= start + 3 * minute && clock.now() < start + 8 * minute;
  const url = await fixedServer(() =>
    isDown() ? { status: 503, body: {} } : { body: pageOf([orderOf(1)]) },
  );
  const home = temporaryFolder();
  const run = shell({ env: { ...pointedAt(url), BPOS_HOME: home } });
  const seen: Row[] = [];
  await watchPolls(run, {
    ...{ polls: 30, clock, world },
    after: async () => void seen.push(...(await rows(home))),
  });
  expect(seen[0]).toEqual({ name: new URL(url).host, state: "ok", since: start, polledAt: start });
  expect(seen.slice(0, 3).map(({ polledAt }) => polledAt)).toEqual([0, 1, 2].map((n) => start + n * minute));
  const down = seen.filter(({ state }) => state === "outage");
  expect(new Set(down.map(({ since, polledAt }) => `${since} ${polledAt}`))).toEqual(
    new Set([`${start + 3 * minute} ${start + 2 * minute}`]),
  );
  const last = seen.at(-1)!;
  expect([last.state, last.since > start + 8 * minute - 1]).toEqual(["ok", true]);
  expect(last.polledAt).toBeGreaterThan(last.since);
});

it("of one poll too, and keeps what an earlier run said where the next reads nothing", async () => {
  const answers: ReturnType<Answer>[] = [{ body: pageOf([]) }, { status: 403, body: {} }];
  const url = await fixedServer(() => answers[0]!);
  const home = temporaryFolder();
  const run = shell({ env: { ...pointedAt(url), BPOS_HOME: home } });
  await watchOnce(run);
  const [first] = await rows(home);
  expect(first).toMatchObject({ state: "ok", polledAt: expect.any(Number) as unknown });
  answers.shift();
  expect((await watchOnce(run)).code).toBe(4);
  expect(await rows(home)).toMatchObject([{ state: "stopped", polledAt: first!.polledAt }]);
});
