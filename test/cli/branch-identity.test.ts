import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { branchId } from "../../src/journal/records/branches.ts";
import { type RunningMock, startMock } from "../../src/mock/index.ts";
import { people } from "../support/campaigns.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";
import { journalIn } from "../support/journal.ts";
import { proxyServer } from "../support/proxy-server.ts";
import { fileOf, parse } from "../support/push.ts";
import { type Run, shell, temporaryFolder } from "../support/run.ts";
import { pointedAt, service } from "../support/service.ts";
import { newIds, watchOnce } from "../support/watch.ts";

const key = "bpk_demo_centro";

/** Runs commands on a machine that reaches `mock` under any name: as a mock, or as the real service. */
async function world(mock: () => RunningMock, home = temporaryFolder()) {
  const at = async (hidesWorld: boolean) => {
    const { port } = await proxyServer({ leadsTo: mock, ...(hidesWorld && { hidesWorld }) });
    return (argv: string[], name = "pos.example.com", clock?: FakeClock): Promise<Run> =>
      shell({
        ...(clock && { clock }),
        env: {
          ...{ BPOS_HOME: home, HTTP_PROXY: `http://127.0.0.1:${port}`, BPOS_API_KEY: key },
          ...{ BPOS_BASE_URL: `http://${name}`, BPOS_CAMPAIGNS_URL: `http://${name}/messaging` },
        },
      })(argv);
  };
  return { home, real: await at(true), named: await at(false) };
}

const send = (file: string, ...more: string[]): string[] => [
  ...["campaign", "send", file, "--template", "pedido_listo", "--ref", "r", "--yes", "--json", ...more],
];
const outcome = ({ stdout }: Run): unknown => (JSON.parse(stdout) as { outcome: unknown }).outcome;
const keysSent = async (mock: RunningMock) =>
  (await mock.control.requests()).flatMap(({ idempotency_key: sent }) => sent ?? []);

it("is the same branch under every name: one send, one lock, one last stamp, one memory of orders", async () => {
  const { mock } = await service();
  const { home, real } = await world(() => mock);
  const file = people(2);
  expect(outcome(await real(send(file)))).toBe("sent");
  for (const name of ["POS.example.com:80", "pos.example.com/", "new.example.org:8080"])
    expect(outcome(await real(send(file), name))).toBe("replayed");
  expect((await real(send(file, "--ref", "other"), "new.example.org")).code).toBe(10);
  expect(await mock.control.messages()).toHaveLength(2);

  const prices = fileOf("codigo,nombre,precio", "A,Agua,1");
  const stamp = async (name: string, now: number) =>
    Date.parse(
      parse((await real(["catalog", "push", prices, "--json"], name, fakeClock(now))).stdout).occurred_at,
    );
  const first = await stamp("pos.example.com", Date.now());
  expect(await stamp("new.example.org", first - 60_000)).toBe(first + 1);
  const journal = journalIn(join(home, "state", "journal.db"), 4712);
  await journal.under({
    work: "push",
    branch: branchId({ address: "http://third.example.org", world: undefined, apiKey: key }),
  });
  expect((await real(["catalog", "push", prices, "--json", "--lock-wait", "0"])).code).toBe(9);
  await journal.close();

  const watch = ["orders", "watch", "--once", "-o", "ndjson"];
  expect(newIds(await real(watch))).toHaveLength(4);
  expect(newIds(await real(watch, "new.example.org"))).toEqual([]);
});

it("is another branch at a mock, whatever name that answers under: a rehearsal counts for nothing", async () => {
  const { mock } = await service();
  const { real, named } = await world(() => mock);
  const file = people(2);
  const prices = fileOf("codigo,nombre,precio", "A,Agua,1");
  const push = ["catalog", "push", prices, "--changed-only", "--json"];
  const watch = ["orders", "watch", "--once", "-o", "ndjson"];
  for (const run of [named, real]) {
    expect(outcome(await run(send(file)))).toBe("sent");
    expect(outcome(await run(send(file)))).toBe("replayed");
    expect(parse((await run(push)).stdout)).toMatchObject({ sent: 1 });
    expect(parse((await run(push)).stdout)).toMatchObject({ sent: 0, unchanged: 1 });
    expect(newIds(await run(watch))).toHaveLength(4);
    expect(newIds(await run(watch))).toHaveLength(0);
  }
});

it("takes a send back from the real branch when only its answer tells that it went to a mock", async () => {
  const { mock } = await service();
  const { real, named } = await world(() => mock);
  const file = people(2);
  await mock.control.addFault("GET /campaigns drop times=1");
  expect(outcome(await named(send(file)))).toBe("sent");
  expect(outcome(await named(send(file)))).toBe("replayed");
  expect(outcome(await real(send(file)))).toBe("replayed");
  // By the mock, which knows the key of the real branch from before; the journal had nothing to say.
  expect(await keysSent(mock)).toHaveLength(2);
});

describe("a mock that does not tell its world in time", () => {
  const never = new Promise<void>(() => undefined);

  /** Two machines' worth of commands at one mock; what `holds` returns is waited for. */
  async function behind(holds: (path: string) => Promise<unknown> | undefined) {
    const { mock } = await service();
    const { port } = await proxyServer({ leadsTo: () => mock, onRequest: ({ url = "" }) => holds(url) });
    const url = `http://127.0.0.1:${port}`;
    return { mock, run: shell({ env: pointedAt(url, `${url}/messaging`, mock.keys[0]!.key) }) };
  }

  it("is recognised by its next answer: two sends of one file message nobody twice", async () => {
    let worlds = 0;
    let atService = 0;
    let release = (): void => undefined;
    const bothCame = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { mock, run } = await behind((path) => {
      if (path === "/_mock/world") return ++worlds === 1 ? never : undefined;
      // The one that knows the world is held at its first message until the other one has come as well.
      if (++atService === 2) release();
      return atService === 1 ? bothCame : undefined;
    });
    const file = people(2);
    const both = [run(send(file)), run(send(file))];
    const ends = await Promise.all(both);
    expect(ends.map(outcome).toSorted()).toEqual(["replayed", "sent"]);
    expect(await mock.control.messages()).toHaveLength(2);
  });

  it("ends a send with 6 before anything leaves, if it does not answer at all", async () => {
    const { mock, run } = await behind((path) => (path === "/messaging/campaigns" ? undefined : never));
    const { code, stdout, stderr } = await run([...send(people(2)), "--timeout", "1s"]);
    expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
    expect(stderr).toContain("Nothing was sent.");
    expect(await mock.control.messages()).toEqual([]);
  });
});

it("is another branch at a mock that was restarted, and the same one on another port of a kept world", async () => {
  const run = shell({ env: { BPOS_HOME: temporaryFolder() } });
  const data = join(temporaryFolder(), "world.db");
  const file = people(2);
  const at = async (options: { port?: number; data?: string }): Promise<[Run, unknown[], number]> => {
    const mock = await startMock({ scenario: "demo", ...options });
    onTestFinished(() => mock.close());
    const env = { BPOS_BASE_URL: mock.baseUrl, BPOS_CAMPAIGNS_URL: mock.campaignsBaseUrl, BPOS_API_KEY: key };
    const sent = await run(send(file), { env });
    const orders = newIds(await watchOnce((argv) => run(argv, { env })));
    await mock.close();
    return [sent, orders, Number(new URL(mock.baseUrl).port)];
  };
  const [first, orders, port] = await at({});
  const [second, others] = await at({ port });
  expect([outcome(first), outcome(second)]).toEqual(["sent", "sent"]);
  expect([orders.length, others.length]).toEqual([4, 4]);
  expect(orders.filter((id) => others.includes(id))).toEqual([]);
  expect(outcome((await at({ data }))[0])).toBe("sent");
  const [again, none] = await at({ data });
  expect([outcome(again), none]).toEqual(["replayed", []]);
});
