import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { readScenarioDefinition } from "../../../../src/mock/index.ts";
import { fakeClock } from "../../../support/fake-clock.ts";
import { fixedServer, orderOf, pageOf } from "../../../support/peers.ts";
import { type Run, shell, temporaryFolder } from "../../../support/run.ts";
import { service } from "../../../support/service.ts";
import { eventsOf, newIds, watchPolls, withoutTimes } from "../../../support/watch.ts";

const watch = ["orders", "watch", "-o", "ndjson"];
const has = (text: string, event: string): boolean => text.includes(`{"event":"${event}"`);

it("waits for whoever watches the branch, and takes over what that one leaves", async () => {
  const { mock, env } = await service({ scenario: "empty" });
  const bpos = shell({ env });
  let beside: Promise<Run> | undefined;
  const one = await bpos([...watch, "--standby"], {
    onOutput: (_text, stop) => {
      // Its looks and polls take no time.
      beside ??= bpos([...watch, "--standby"], {
        clock: fakeClock(),
        async onOutput(text, stopTwo) {
          if (has(text, "order.new")) stopTwo();
          else if (has(text, "watch.active")) await mock.control.placeOrders();
          else stop();
        },
      });
    },
  });
  const two = (await beside)!;
  expect([one.code, two.code]).toEqual([130, 130]);
  const [active, ...rest] = eventsOf(one);
  const branch = new URL(env["BPOS_BASE_URL"]!).host;
  const at: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:00$/);
  expect([active, rest]).toEqual([{ event: "watch.active", at, branch }, []]);
  const [waits, takes] = eventsOf(two);
  const standby = { event: "watch.standby", at, branch, holder: "caja-1:4711" };
  expect(Object.entries(waits!)).toEqual(Object.entries(standby));
  expect(takes).toEqual({ event: "watch.active", at, branch });
  expect(newIds(two)).toHaveLength(1);
  const waiting = `caja-1:4711 is watching ${branch} for consumer "default"; standing by.`;
  const [watching] = withoutTimes(one.stderr).split("\n");
  expect(withoutTimes(two.stderr).split("\n").slice(0, 2)).toEqual([waiting, watching]);
});

it("with --all-profiles watches the branches that nobody watches, and says how many", async () => {
  const names = ["one", "two", "three"];
  const branches = names.map((branch, n) => ({ branch, store_id: `${n}`, keys: [branch], orders: 1 }));
  const { mock } = await service({ scenario: readScenarioDefinition({ branches }) });
  const home = temporaryFolder();
  const profiles = names.map((name) => [name, { base_url: mock.baseUrl, api_key: name }]);
  const config = { profiles: Object.fromEntries(profiles) as object };
  writeFileSync(join(home, "config.json"), JSON.stringify(config), { mode: 0o600 });
  const bpos = shell({ env: { BPOS_HOME: home } });
  let beside: Promise<Run> | undefined;
  let stopAll = (): void => undefined;
  await bpos([...watch, "-p", "two"], {
    onOutput: (_text, stop) => {
      beside ??= bpos([...watch, "--all-profiles", "--standby"], {
        clock: fakeClock(),
        onStart: (means) => {
          stopAll = means;
        },
        onError: (text) => {
          if (text.includes("2 branches here, 1 on caja-1:4711.")) stop();
          if (text.includes("3 branches here.")) stopAll();
        },
      });
    },
  });
  const all = (await beside)!;
  const turns = eventsOf(all).filter(({ event }) => event !== "order.new");
  expect(turns.map(({ event, branch, holder }) => [event, branch, holder])).toEqual([
    ["watch.standby", "two", "caja-1:4711"],
    ["watch.active", "one", undefined],
    ["watch.active", "three", undefined],
    ["watch.active", "two", undefined],
  ]);
  expect(withoutTimes(all.stderr).match(/^.*branches.*$/gm)).toEqual([
    expect.stringMatching(/^Watching 3 branches every /),
    "2 branches here, 1 on caja-1:4711.",
    "3 branches here.",
  ]);
});

it("takes over a branch that the other one gives up at once, though that one goes on with its other branches", async () => {
  let isRefused = true;
  const pages = () => (isRefused ? { status: 403, body: {} } : { body: pageOf([orderOf(7)]) });
  const two = { base_url: await fixedServer(pages), api_key: "two" };
  const { env } = await service({ scenario: "empty" });
  const one = { base_url: env["BPOS_BASE_URL"], api_key: env["BPOS_API_KEY"] };
  const home = temporaryFolder();
  const config = JSON.stringify({ profiles: { two, one } });
  writeFileSync(join(home, "config.json"), config, { mode: 0o600 });
  const bpos = shell({ env: { BPOS_HOME: home } });
  let beside: Promise<Run> | undefined;
  let stopAll = (): void => undefined;
  const all = await bpos([...watch, "--all-profiles"], {
    onStart: (stop) => {
      stopAll = stop;
    },
    onError: (text) => {
      if (!text.includes("two: ")) return;
      isRefused = false;
      beside ??= bpos([...watch, "-p", "two", "--standby"], {
        clock: fakeClock(),
        onOutput(_text, stop) {
          stop();
          stopAll();
        },
      });
    },
  });
  expect(all.code).toBe(130);
  expect(eventsOf((await beside)!).map(({ event }) => event)).toEqual(["watch.active"]);
});

it("says nothing on standard output where the orders go elsewhere, and is not for one poll", async () => {
  const { env } = await service({ scenario: "empty" });
  const bpos = shell({ env });
  const folder = temporaryFolder();
  const quiet = await watchPolls(bpos, { polls: 3, argv: ["--standby", "-q", "--out-dir", folder] });
  expect(quiet).toMatchObject({ code: 130, stdout: "" });
  const { code, stderr } = await bpos([...watch, "--standby", "--once"]);
  expect(code).toBe(2);
  expect(stderr).toContain("--standby and --once exclude each other");
});

it("combines its signals once, not at each poll: Node keeps an entry for each", async () => {
  const { env } = await service({ scenario: "empty" });
  const combined = vi.spyOn(AbortSignal, "any");
  onTestFinished(() => combined.mockRestore());
  const counts: number[] = [];
  const after = (): void => void counts.push(combined.mock.calls.length);
  await watchPolls(shell({ env }), { polls: 60, argv: ["--standby"], after });
  expect(counts.at(-1)).toBe(counts[9]);
});
