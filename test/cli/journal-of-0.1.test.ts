import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startMock } from "../../src/mock/index.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { proxyServer } from "../support/proxy-server.ts";
import { parse } from "../support/push.ts";
import { fixture, type Run, shell, temporaryFolder } from "../support/run.ts";
import { eventsOf, newIds } from "../support/watch.ts";

const made = Date.parse("2026-11-22T13:43:50Z");
const minute = 60_000;
const key = "bpk_live_fixture_of_0_1";
const file = (name: string): string => fixture(`journal-0.1/${name}`);

/** The addresses of the branch "real", spelled in one way. */
const reached = (base: string, campaigns = `${base}/messaging`): Record<string, string> => ({
  BPOS_BASE_URL: base,
  BPOS_CAMPAIGNS_URL: campaigns,
});
const asBefore = reached("http://pos.example.com");

/**
 * The machine of the fixture a few minutes later, with a copy of its journal and of the service's world. The service passes for a
 * real one until `mask.off` is set; then its answers name its world.
 */
async function upgraded() {
  const home = temporaryFolder();
  mkdirSync(join(home, "state"));
  copyFileSync(file("journal.db"), join(home, "state", "journal.db"));
  const data = join(home, "world.db");
  copyFileSync(file("world.db"), data);
  const clock = fakeClock(made + 5 * minute);
  const mock = await startMock({ data, now: () => clock.now() });
  onTestFinished(() => mock.close());
  const mask = { off: false };
  const proxies = [
    await proxyServer({ leadsTo: () => mock, hidesWorld: true }),
    await proxyServer({ leadsTo: () => mock }),
  ];
  const direct = shell({ env: { BPOS_HOME: home }, clock });
  const run = (argv: string[], addresses = asBefore): Promise<Run> => {
    const proxy = `http://127.0.0.1:${proxies[mask.off ? 1 : 0]?.port}`;
    return direct(argv, { env: { HTTP_PROXY: proxy, BPOS_API_KEY: key, ...addresses } });
  };
  const posts = async (path: string) =>
    (await mock.control.requests()).filter(
      (request) => request.method === "POST" && request.path.endsWith(path),
    );
  const rehearse = (argv: string[]): Promise<Run> => direct(argv, { env: { BPOS_MOCK: mock.baseUrl } });
  return { home, mask, mock, run, rehearse, posts, clock };
}

const send = (name: string, ...more: string[]): string[] => [
  ...[
    "campaign",
    "send",
    file(`${name}.csv`),
    "--template",
    "pedido_listo",
    "--ref",
    name,
    "--yes",
    "--json",
  ],
  ...more,
];

describe("a journal of 0.1", () => {
  it("continues the interrupted push with its stamps and ids", async () => {
    const { run, posts } = await upgraded();
    const push = (): Promise<Run> =>
      run(["catalog", "push", file("catalog.csv"), "--batch-size", "2", "--json"]);
    const { code, stdout } = await push();
    expect(code).toBe(0);
    expect(parse(stdout)).toMatchObject({
      ...{ push_id: "c1f9365d-4bdf-4234-b18d-17188da47d8f", occurred_at: "2026-11-22T13:43:48.766+00:00" },
      ...{ sent: 6, batches: 3, accepted: 6, duplicate_batches: 1, outcome: "complete" },
    });
    const ids = (await posts("/items")).map(({ event_id }) => event_id);
    expect(ids).toEqual([
      "4abfe7c0014f189cbe0719acddc5e7cb8a15269c20ddef765d56b11ff28a25c2",
      "e66552664091b4997c6392a0af9495d325c50b47789e459f8ffc26746244a2ed",
    ]);
    // What was confirmed then is known, and the next stamps are later than all before.
    const again = await run(["catalog", "push", file("confirmed.csv"), "--changed-only", "--json"]);
    expect(parse(again.stdout)).toMatchObject({ sent: 0, unchanged: 2, outcome: "nothing" });
    const next = await run(
      ["catalog", "push", file("catalog.csv"), "--json"],
      reached("http://pos.example.com//"),
    );
    expect(next.code).toBe(0);
    expect(parse(next.stdout)).toMatchObject({ accepted: 6, skipped_stale: 0, duplicate_batches: 0 });
  });

  it("settles the unknown send with its key, and messages nobody twice", async () => {
    const { run, mock, posts } = await upgraded();
    const { code, stdout } = await run(["campaign", "resume", "unknown", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "sent", campaigns: [{ replayed: true }] });
    expect((await posts("/campaigns")).map(({ idempotency_key }) => idempotency_key)).toEqual([
      "b1d35651634ac5637f289baa566d2fb634383374e7a1a580eb3c68619cacb143",
    ]);
    const again = await run(send("unknown"), reached("http://POS.example.com.:80/"));
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: "replayed", recipients: { already_sent: 2 } });
    expect(await mock.control.messages()).toHaveLength(8);
  });

  it.each([
    ["as it was", asBefore],
    ["with https", reached("https://pos.example.com")],
    ["with two slashes", reached("http://pos.example.com", "http://pos.example.com//messaging")],
    ["with a slash behind", reached("http://pos.example.com/", "http://pos.example.com/messaging/")],
    ["without /messaging", reached("http://pos.example.com", "http://pos.example.com")],
  ])("knows the finished campaign when the address is spelled %s", async (_spelling, addresses) => {
    const { run, mock, posts } = await upgraded();
    const { code, stdout } = await run(send("finished"), addresses);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: "replayed",
      recipients: { planned: 0, already_sent: 3 },
    });
    expect(await posts("/campaigns")).toEqual([]);
    // Once it was met, whatever its name is.
    const elsewhere = reached("http://new.example.org/api");
    expect(JSON.parse((await run(send("finished"), elsewhere)).stdout)).toMatchObject({
      outcome: "replayed",
    });
    const repeat = await run(send("finished", "--ref", "another"), elsewhere);
    expect(repeat.code).toBe(2);
    expect(repeat.stderr).toContain("repeat_within_day");
    expect(await mock.control.messages()).toHaveLength(8);
  });

  it("delivers what is pending, and nothing that was delivered", async () => {
    const { run, home } = await upgraded();
    const got = join(home, "got.txt");
    const watch = (addresses = asBefore): Promise<Run> =>
      run(
        ["orders", "watch", "--once", "-o", "ndjson", "--exec", `echo $BPOS_ORDER_ID >> ${got}`],
        addresses,
      );
    expect(await watch()).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(got, "utf8")).toBe("1003\n1005\n");
    expect(await watch(reached("http://new.example.org"))).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(got, "utf8")).toBe("1003\n1005\n");
  });

  it("delivers again what a killed watch was delivering, and says so", async () => {
    const { run, home } = await upgraded();
    const got = join(home, "got.txt");
    const result = await run([
      ...["orders", "watch", "--once", "-o", "ndjson", "--consumer", "kitchen"],
      ...["--exec", `echo "$BPOS_ORDER_ID $BPOS_REPEATED" >> ${got}`],
    ]);
    expect(result.code).toBe(0);
    expect(newIds(result)).toEqual([1001, 1003, 1005]);
    expect(eventsOf(result).map(({ repeated }) => repeated)).toEqual([false, false, false]);
    expect(readFileSync(got, "utf8")).toBe("1001 true\n1003 false\n1005 false\n");
  });
});

it("a mock in the place of the real service takes nothing over: the real one still knows whom it messaged", async () => {
  const { run, mask, mock, posts, home } = await upgraded();
  mask.off = true;
  const got = join(home, "got.txt");
  const watch = ["orders", "watch", "--once", "-o", "ndjson", "--exec", `echo $BPOS_ORDER_ID >> ${got}`];
  expect(await run(watch)).toMatchObject({ code: 0 });
  expect(JSON.parse((await run(["campaign", "resume", "--json"])).stdout)).toEqual({ sends: [] });
  expect(await posts("/campaigns")).toEqual([]);
  mask.off = false;
  rmSync(got, { force: true });
  expect(JSON.parse((await run(send("finished"))).stdout)).toMatchObject({ outcome: "replayed" });
  expect(JSON.parse((await run(["campaign", "resume", "unknown", "--json"])).stdout)).toMatchObject({
    campaigns: [{ replayed: true }],
  });
  expect(await run(watch)).toMatchObject({ code: 0, stdout: "" });
  expect(readFileSync(got, "utf8")).toBe("1003\n1005\n");
  expect(await mock.control.messages()).toHaveLength(8);
});

describe("a rehearsal of 0.1", () => {
  it("goes on where it was, on another port too", async () => {
    const { rehearse, mock, home } = await upgraded();
    const { stdout } = await rehearse([...send("finished", "--ref", "rehearsed")]);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "replayed", recipients: { already_sent: 3 } });
    const got = join(home, "got.txt");
    const watch = ["orders", "watch", "--once", "-o", "ndjson", "--exec", `echo $BPOS_ORDER_ID >> ${got}`];
    expect(await rehearse(watch)).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(got, "utf8")).toBe("1002\n1004\n");
    expect(await rehearse(watch)).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(got, "utf8")).toBe("1002\n1004\n");
    expect(await mock.control.messages()).toHaveLength(8);
    expect(existsSync(join(home, "state", "journal.db"))).toBe(true);
  });
});
