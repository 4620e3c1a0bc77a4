import { expect, it, vi } from "vitest";
import { startBinary } from "../support/binary.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import type { StatusReport } from "../support/status.ts";

const patient = { timeout: 20_000, interval: 250 };

it("another process sees that a watch runs, that it hangs, and that it was killed", async () => {
  const { env } = await service({ scenario: "empty" });
  const world = { env: { ...env, BPOS_HOME: temporaryFolder() } };
  const run = shell(world);
  const status = async (maxAge: string) => {
    const { code, stdout } = await run(["status", "--json", "--max-age", maxAge]);
    const [branch] = (JSON.parse(stdout) as StatusReport).branches;
    return { code, state: branch?.watch.state, pid: branch?.watch.pid };
  };
  const watch = startBinary(["orders", "watch", "--interval", "1s", "--force", "-q"], world);
  const { pid } = watch.child;
  await vi.waitFor(async () => expect(await status("1h")).toEqual({ code: 0, state: "ok", pid }), patient);

  // Its lock is held, and it polls no more.
  watch.child.kill("SIGSTOP");
  await vi.waitFor(async () => expect(await status("1s")).toEqual({ code: 6, state: "ok", pid }), patient);
  expect((await status("1h")).code).toBe(0);

  await watch.stop("SIGKILL");
  expect(await status("1s")).toEqual({ code: 6, state: "none", pid: null });
  expect(await status("1h")).toEqual({ code: 0, state: "none", pid: null });
  // At once, and until somebody watches again.
  const { code, stdout } = await run(["status", "--json", "--jq", ".ok"]);
  expect([code, stdout]).toEqual([0, "false\n"]);
  await run(["orders", "watch", "--once", "-q"]);
  expect((await run(["status", "--jq", ".ok"])).stdout).toBe("true\n");
});

it("another process sees who stands by, what that one is to take over, and that it was killed", async () => {
  const { env } = await service({ scenario: "empty" });
  const world = { env: { ...env, BPOS_HOME: temporaryFolder() } };
  const run = shell(world);
  const status = async (...flags: string[]) => {
    const { stdout } = await run(["status", "--json", ...flags]);
    const { ok, branches } = JSON.parse(stdout) as StatusReport;
    const { state, pid, standby } = branches[0]!.watch;
    return { ok, state, pid, waiting: standby.map((each) => each.pid) };
  };
  const argv = ["orders", "watch", "--standby", "--interval", "1s", "--force", "-o", "ndjson"];
  const one = startBinary(argv, world);
  await one.said("watch.active");
  const [two, three] = [startBinary(argv, world), startBinary(argv, world)];
  const pids = [two, three].map(({ child }) => child.pid!);
  const [pid, other] = [one.child.pid, three.child.pid];
  await vi.waitFor(async () => {
    const { waiting, ...rest } = await status();
    expect(rest).toEqual({ ok: true, state: "ok", pid });
    expect(waiting.toSorted()).toEqual(pids.toSorted());
  }, patient);

  await two.stop("SIGKILL");
  expect(await status()).toEqual({ ok: true, state: "ok", pid, waiting: [other] });
  // It keeps its lock, and polls no more.
  one.child.kill("SIGSTOP");
  await vi.waitFor(async () => {
    expect(await status("--max-age", "3s")).toEqual({ ok: false, state: "standby", pid, waiting: [other] });
  }, patient);
  await one.stop("SIGKILL");
  await vi.waitFor(async () => {
    expect(await status()).toEqual({ ok: true, state: "ok", pid: other, waiting: [] });
  }, patient);
  expect(await three.stop("SIGTERM")).toBe(130);
});
