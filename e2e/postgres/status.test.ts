import { hostname } from "node:os";
import { expect, it, vi } from "vitest";
import { startBinary } from "../../test/support/binary.ts";
import { people, send } from "../../test/support/campaigns.ts";
import { program } from "../../test/support/programs.ts";
import { shell, temporaryFolder } from "../../test/support/run.ts";
import { service } from "../../test/support/service.ts";
import { type StatusReport, statusOf } from "../../test/support/status.ts";
import { database, server } from "../support/postgres.ts";
import { patient } from "../support/shop.ts";

it("shows on one machine what others do with the same database, and makes no schema", async () => {
  const { url, name, psql } = await database();
  const { mock, env } = await service({ scenario: "empty" });
  const run = shell({ env: { ...env, BPOS_JOURNAL: url } });
  const place = `${new URL(url).host}/${name}`;
  const none = { ok: true, journal: { engine: "postgres", place }, branches: [] };
  expect(await statusOf(run)).toEqual({ code: 0, ...none });
  expect(await psql("SELECT 1 FROM pg_namespace WHERE nspname = 'bpos'")).toEqual([]);

  await mock.control.placeOrders({ count: 2 });
  const other = { ...env, BPOS_HOME: temporaryFolder(), BPOS_JOURNAL: url };
  const argv = ["orders", "watch", "--interval", "1s", "--force", "-q", "--exec", program("process.exit(1)")];
  const watch = startBinary(argv, { env: other });
  const { pid } = watch.child;
  const here = { state: "ok", machine: hostname(), pid };
  await vi.waitFor(async () => {
    const [branch] = (await statusOf(run)).branches;
    expect(branch).toMatchObject({ watch: here, outputs: [{ output: "exec", undelivered: 2 }] });
  }, patient);

  await mock.control.addFault("POST /campaigns status=502 times=1");
  await run([...send(people(3), "--yes", "--ref", "enero"), "--retries", "0"]);
  await watch.stop("SIGKILL");
  // Its lock lapses.
  await vi.waitFor(async () => {
    const { ok, branches } = await statusOf(run);
    expect([ok, branches[0]!.watch.state]).toEqual([false, "none"]);
  }, patient);
  expect((await statusOf(run)).branches).toMatchObject([
    { unfinished_sends: [{ external_ref: "enero", remaining: 3 }] },
  ]);
  expect((await statusOf(run, {}, "--max-age", "1s")).code).toBe(6);
});

it("shows who stands by on another machine, and nobody that was killed or suspended there", async () => {
  const { url } = await database();
  const { env } = await service({ scenario: "empty" });
  const run = shell({ env: { ...env, BPOS_JOURNAL: url } });
  const argv = ["orders", "watch", "--standby", "--interval", "1s", "--force", "-o", "ndjson"];
  const start = () => startBinary(argv, { env: { ...env, BPOS_HOME: temporaryFolder(), BPOS_JOURNAL: url } });
  const watch = async () => {
    const [branch] = (await statusOf(run)).branches;
    const { state, pid, standby } = branch!.watch;
    return [state, pid, standby.map((each) => `${each.machine}:${each.pid}`)];
  };
  const one = start();
  await one.said("watch.active");
  const two = start();
  await two.said("watch.standby");
  const three = start();
  const names = [two, three].map(({ child }) => `${hostname()}:${child.pid}`);
  await vi.waitFor(async () => {
    const [state, pid, standby] = await watch();
    expect([state, pid, (standby as string[]).toSorted()]).toEqual(["ok", one.child.pid, names.toSorted()]);
  }, patient);
  three.child.kill("SIGSTOP");
  await vi.waitFor(async () => expect(await watch()).toEqual(["ok", one.child.pid, [names[0]]]), patient);
  await one.stop("SIGKILL");
  // For as long as its lock has not lapsed, it seems to live.
  await vi.waitFor(async () => expect(await watch()).toEqual(["ok", two.child.pid, []]), patient);
  three.child.kill("SIGCONT");
  await vi.waitFor(async () => expect(await watch()).toEqual(["ok", two.child.pid, [names[1]]]), patient);
  for (const each of [two, three]) expect(await each.stop("SIGTERM")).toBe(130);
  expect((await watch())[2]).toEqual([]);
});

it("goes on showing what it knew while the database is away", async () => {
  const own = await server();
  const { url } = await own.database();
  const { env } = await service({ scenario: "empty" });
  const world = { env: { ...env, BPOS_HOME: temporaryFolder(), BPOS_JOURNAL: url } };
  await startBinary(["orders", "watch", "--once", "-q"], world).ended;
  const follow = startBinary(["status", "--watch", "-o", "ndjson"], world);
  await follow.said("last_poll_at");

  await own.stop();
  await follow.said("cannot be read");
  await own.start();
  expect(
    follow
      .out()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as StatusReport),
  ).toHaveLength(1);
  expect(await follow.stop("SIGINT")).toBe(130);
});
