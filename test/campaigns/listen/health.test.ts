import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { fakeClock } from "../../support/fake-clock.ts";
import { freePort, listenIn, postReply } from "../../support/listen.ts";
import { shell, temporaryFolder } from "../../support/run.ts";

const patient = { timeout: 10_000, interval: 10 };

it("campaign listen --health is 503 once an output has got nothing for ten minutes", async () => {
  const good = join(temporaryFolder(), "good");
  const port = await freePort();
  const clock = fakeClock();
  let isHeld = true;
  const listener = await listenIn(
    shell(),
    ["-o", "ndjson", "--health", port, "--exec", `test -e "${good}"`],
    {
      clock: {
        now: () => clock.now(),
        async sleep(ms, signal) {
          // The tries of an hour and more, and then none until it works.
          if (clock.slept.length >= 12) await vi.waitFor(() => expect(isHeld).toBe(false), patient);
          await clock.sleep(ms, signal);
        },
      },
    },
  );
  const ask = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
    const report = (await answer.json()) as { branches: { outputs: Record<string, unknown>[] }[] };
    return { code: answer.status, ...report };
  };
  expect(await ask()).toMatchObject({
    ...{ code: 200, status: "ok" },
    branches: [{ branch: "all", state: "ok", last_poll_at: null, age_s: null }],
  });

  const phone = "+5491155550001";
  await postReply(listener.url, { phone });
  await vi.waitFor(async () => expect((await ask()).code).toBe(503), patient);
  const stuck = await ask();
  expect(stuck.branches[0]!.outputs).toMatchObject([
    { output: "exec", undelivered: 1, failing_since: expect.any(String) as unknown },
    { output: "stdout", undelivered: 0, oldest_s: null, failing_since: null },
  ]);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toContain('bpos_branch_state{branch="all",state="ok"} 1');
  expect(metrics).toContain('bpos_orders_undelivered{branch="all",output="exec"} 1');
  const names = [...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(names.sort()).toEqual([
    "bpos_branch_state",
    "bpos_build_info",
    "bpos_journal_errors_total",
    "bpos_orders_undelivered",
  ]);
  expect(JSON.stringify(stuck) + metrics).not.toContain(phone);

  writeFileSync(good, "");
  isHeld = false;
  await vi.waitFor(async () => expect((await ask()).code).toBe(200), patient);
  expect((await listener.stop()).code).toBe(130);
});

it("campaign listen ends with 9 where the port of --health is taken, and with 2 for what is none", async () => {
  const run = shell();
  const port = await freePort();
  await listenIn(run, ["--health", port]);
  const other = shell();
  const busy = await other(["campaign", "listen", "--port", await freePort(), "--health", port]);
  expect([busy.code, busy.stdout]).toEqual([9, ""]);
  expect((await other(["campaign", "listen", "--health", "here"])).code).toBe(2);
});
