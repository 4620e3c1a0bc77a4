import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type FakeClock, fakeClock } from "../../support/fake-clock.ts";
import { freePort } from "../../support/listen.ts";
import { type Answer, fixedServer, orderOf, pageOf } from "../../support/peers.ts";
import { addUnchecked } from "../../support/profiles.ts";
import { type Run, shell, temporaryFolder } from "../../support/run.ts";
import { pointedAt } from "../../support/service.ts";
import { eventsOf, newIds, watchOnce, watchPolls } from "../../support/watch.ts";

const minute = 60_000;
/** The middle of every range that chance may choose from. */
const world = { random: () => 0.5 };
const denied = { status: 403, body: { code: "ERROR_CODE_ACCESS_DENIED", message: "no", payload: "" } };
const served: Answer = () => ({ body: pageOf([orderOf(1)]) });
const count = (text: string, part: string): number => text.split(part).length - 1;

/** A branch whose key worked before, or never did, and that answers by `answer` from then on. */
async function branch({ worked = true, clock = fakeClock() } = {}) {
  let now = served;
  const url = await fixedServer((asked) => now(asked));
  const home = temporaryFolder();
  const run = shell({ env: { ...pointedAt(url), BPOS_HOME: home } });
  if (worked) expect((await watchOnce(run, "--out-dir", join(home, "orders"))).code).toBe(0);
  return {
    ...{ url, home, run, clock },
    /** Refuses the key from now on, for so long. */
    refuse: (forMs = Number.POSITIVE_INFINITY, refusal: ReturnType<Answer> = denied): void => {
      const until = clock.now() + forMs;
      now = (asked) => (clock.now() < until ? refusal : served(asked));
    },
  };
}

const lifecycle = (result: Run) =>
  eventsOf(result).flatMap(({ event, reason, status }) =>
    event.startsWith("watch.") ? [[event, reason, status].filter(Boolean).join(" ")] : [],
  );

describe("a key that has worked", () => {
  it("and is refused at the start is an outage, said at once, and over when the service accepts it", async () => {
    const { run, clock, refuse } = await branch();
    refuse(4.5 * minute);
    const result = await watchPolls(run, { polls: 8, clock, world });
    expect(result.code).toBe(130);
    expect(lifecycle(result)).toEqual(["watch.outage access_denied 403", "watch.recovered"]);
    const [, first = ""] = result.stderr.split("\n");
    expect(first).toContain("Refused: The service does not accept this key");
    expect(first).toContain("It worked before, so bpos retries for 5 min and then stops");
    expect(count(result.stderr, "Refused:")).toBe(1);
  });

  it.each(["3s", "60s", "10m"])(
    "ends the watch with 4 after five minutes of it, polled every %s",
    async (interval) => {
      const { run, clock, refuse } = await branch();
      refuse();
      const start = clock.now();
      const argv = ["--interval", interval, "--force"];
      const result = await watchPolls(run, { polls: 1_000, clock, world, argv });
      expect(result.code).toBe(4);
      expect(lifecycle(result)).toEqual([
        "watch.outage access_denied 403",
        "watch.stopped access_denied 403",
      ]);
      expect(clock.now() - start).toBeGreaterThanOrEqual(5 * minute);
      expect(clock.now() - start).toBeLessThan(6 * minute);
    },
  );

  it("and is refused later on is given the same time, however short the interval", async () => {
    const { run, clock, refuse } = await branch();
    const result = await watchPolls(run, {
      ...{ polls: 40, clock, world, argv: ["--interval", "10s"] },
      after: (poll) => {
        if (poll === 2) refuse(4.5 * minute);
      },
    });
    expect(result.code).toBe(130);
    expect(lifecycle(result)).toEqual(["watch.outage access_denied 403", "watch.recovered"]);
  });

  it("and is refused again and again, with other failures between, is watched on", async () => {
    const clock = fakeClock();
    const from = clock.now() + 2 * minute;
    const unsteady = await fixedServer((asked) => {
      const passed = clock.now() - from;
      if (passed < 0 || passed > 30 * minute) return served(asked);
      return Math.floor(passed / minute) % 4 === 3 ? { status: 502, body: "" } : denied;
    });
    const result = await watchPolls(shell({ env: pointedAt(unsteady) }), { polls: 45, clock, world });
    expect(result.code).toBe(130);
    expect(lifecycle(result)).toEqual(["watch.outage access_denied 403", "watch.recovered"]);
    expect(count(result.stderr, "Refused:")).toBe(1);
  });

  it("in an outage that begins otherwise, the first refusal is said too", async () => {
    const { run, clock, refuse } = await branch();
    refuse(Number.POSITIVE_INFINITY, { status: 503, body: "" });
    const result = await watchPolls(run, {
      ...{ polls: 30, clock, world },
      after: (poll) => {
        if (poll === 3) refuse();
      },
    });
    expect(result.code).toBe(4);
    expect(lifecycle(result)).toEqual(["watch.outage unavailable 503", "watch.stopped access_denied 403"]);
    expect(count(result.stderr, "No response:")).toBe(1);
    expect(count(result.stderr, "Refused:")).toBe(1);
  });

  it("has five tries, though the computer slept", async () => {
    const { run, clock, refuse } = await branch();
    refuse(9 * 60 * minute);
    const result = await watchPolls(run, {
      ...{ polls: 5, clock, world },
      after: (poll) => poll === 1 && clock.advance(9 * 60 * minute),
    });
    expect(result.code).toBe(130);
    expect(lifecycle(result)).toEqual(["watch.outage access_denied 403", "watch.recovered"]);
  });

  it("with --once ends with 4 at once: the next run of cron tries again", async () => {
    const { run, refuse } = await branch();
    refuse();
    const result = await watchOnce(run);
    expect(result.code).toBe(4);
    expect(result.stderr).not.toContain("bpos retries");
  });

  it("has worked for a watch of another consumer, and for a push", async () => {
    const { run, clock, refuse } = await branch();
    refuse();
    const other = await watchPolls(run, { polls: 2, clock, world, argv: ["--consumer", "printer"] });
    expect(other.code).toBe(130);

    let isRefused = false;
    const shop = await fixedServer((url) => {
      if (isRefused) return denied;
      const accepted = { accepted: 1, rejected: [], skipped_stale: 0, duplicate: false };
      return { body: url.pathname.endsWith("/items") ? accepted : pageOf([]) };
    });
    const home = temporaryFolder();
    const list = join(home, "list.csv");
    writeFileSync(list, "codigo,nombre,precio\nA1,Pan,100\n");
    const pushes = shell({ env: { ...pointedAt(shop), BPOS_HOME: home } });
    expect((await pushes(["catalog", "push", list])).code).toBe(0);
    isRefused = true;
    expect((await watchPolls(pushes, { polls: 2, clock, world })).code).toBe(130);
  });

  it("and whose address answers 404 at the start gets the same time, then ends with 5", async () => {
    const { run, clock, refuse } = await branch();
    refuse(Number.POSITIVE_INFINITY, { status: 404, body: "" });
    const start = clock.now();
    const result = await watchPolls(run, { polls: 100, clock, world });
    expect(result.code).toBe(5);
    expect(lifecycle(result)).toEqual(["watch.outage input_refused 404", "watch.stopped input_refused 404"]);
    expect(clock.now() - start).toBeGreaterThanOrEqual(5 * minute);
  });

  it("runs --on-failure as for every outage, and shows in /healthz and status", async () => {
    const { run, clock, refuse, home } = await branch();
    refuse();
    const note = `echo $BPOS_EVENT >> ${join(home, "events")}`;
    const port = await freePort();
    const states: unknown[] = [];
    const result = await watchPolls(run, {
      ...{ polls: 100, clock, world },
      argv: ["--on-failure", note, "--outage-after", "2m", "--health", port],
      after: async (poll) => {
        if (poll !== 2) return;
        const health = await fetch(`http://127.0.0.1:${port}/healthz`);
        const { branches } = (await health.json()) as { branches: { state: string }[] };
        const status = await run(["status", "--json"]);
        const shown = JSON.parse(status.stdout) as { branches: { watch: { state: string } }[] };
        states.push(health.status, branches[0]!.state, shown.branches[0]!.watch.state);
      },
    });
    expect(result.code).toBe(4);
    expect(states).toEqual([200, "outage", "outage"]);
    expect(readFileSync(join(home, "events"), "utf8")).toBe("outage\nstopped\n");
  });
});

describe("a key that never worked", () => {
  it("ends the watch with 4 at once", async () => {
    const { run, clock, refuse } = await branch({ worked: false });
    refuse(minute);
    for (const consumer of ["default", "default", "printer"]) {
      const result = await watchPolls(run, { polls: 9, clock, world, argv: ["--consumer", consumer] });
      expect(result.code).toBe(4);
      expect(lifecycle(result)).toEqual(["watch.stopped access_denied 403"]);
    }
  });
});

describe("--all-profiles", () => {
  it("watches a branch on whose key is refused for a while, beside the others", async () => {
    const clock: FakeClock = fakeClock();
    const [one, two] = [await branch({ clock }), await branch({ clock })];
    const run = shell();
    for (const [name, { url }] of Object.entries({ centro: one, norte: two }))
      await run(addUnchecked(name, "--base-url", url), { stdin: `bpk_test_secret_000000${name}` });
    const argv = ["--all-profiles"];
    expect((await watchOnce(run, ...argv)).code).toBe(0);

    two.refuse(3 * minute);
    const back = await watchPolls(run, { polls: 20, clock, world, argv });
    expect(back.code).toBe(130);
    expect(lifecycle(back)).toEqual(["watch.outage access_denied 403", "watch.recovered"]);

    two.refuse();
    const gone = await watchPolls(run, { polls: 30, clock, world, argv });
    expect(gone.code).toBe(130);
    expect(lifecycle(gone)).toEqual(["watch.outage access_denied 403", "watch.stopped access_denied 403"]);
    expect(newIds(gone)).toEqual([]);
    expect(gone.stderr).toContain("norte: Refused:");

    const once = await watchOnce(run, ...argv);
    expect(once.code).toBe(4);
    expect(lifecycle(once)).toEqual([]);
  });
});
