import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pMap from "p-map";
import { describe, expect, it } from "vitest";
import type { CampaignCreated, CampaignStatus } from "../../src/contract/campaign.ts";
import type { CatalogResult } from "../../src/contract/catalog.ts";
import { startMock } from "../../src/mock/index.ts";
import { type Running, runBinary, startBinary } from "../support/binary.ts";
import { parse, people, type Report, send } from "../support/campaigns.ts";
import { fixture, shell, temporaryFolder } from "../support/run.ts";
import { on, reply, scriptedServer } from "../support/scripted-server.ts";
import { pointedAt } from "../support/service.ts";
import { sized, soakIt } from "../support/soak.ts";
import { withoutTimes } from "../support/watch.ts";

interface Line {
  base_url: string;
  campaigns_base_url: string;
  keys: { branch: string; key: string }[];
  pid: number;
}

/** `bpos mock` on a free port, as a process of its own, and a shell that may find it by the state folder. */
async function mockProcess(home: string, ...flags: string[]) {
  const process: Running = startBinary(["mock", "--port", "0", ...flags], { env: { BPOS_HOME: home } });
  await process.said("\n");
  const line = JSON.parse(process.out()) as Line;
  const pointed = pointedAt(line.base_url, line.campaigns_base_url, line.keys[0]!.key);
  const run = shell({ env: { BPOS_HOME: home } });
  return { process, line, url: line.base_url, run, env: pointed };
}
type MockProcess = Awaited<ReturnType<typeof mockProcess>>;

describe("bpos mock", () => {
  it("serves a scenario file with its own keys, fails as --fault says, and is found by the state folder", async () => {
    const home = temporaryFolder();
    const fault = "GET /v1/orders status=503 times=1";
    const flags = ["--scenario", fixture("scenario.json"), "--fault", fault];
    const { line, run, env } = await mockProcess(home, ...flags);
    expect(line.keys.map(({ branch }) => branch)).not.toContain("demo");
    expect((await run(["orders", "list", "--retries", "0"], { env })).code).toBe(6);
    const placed = await run(["mock", "order", "--branch", line.keys[0]!.branch, "--json"]);
    const [order] = (JSON.parse(placed.stdout) as { orders: { order_id: number }[] }).orders;
    expect((await run(["orders", "show", String(order!.order_id)], { env })).code).toBe(0);
  });

  it("prints one line, names itself to whoever wants its port, and stops with 0", async () => {
    const { process, line, url, run } = await mockProcess(temporaryFolder());
    expect(line.pid).toBe(process.child.pid);
    const { port } = new URL(url);
    const second = await run(["mock", "--port", port]);
    expect(second.code).toBe(9);
    expect(second.stderr).toContain(`Port ${port}`);
    expect(second.stderr).toContain(`process ${line.pid}`);
    expect(await process.stop("SIGINT")).toBe(0);
    expect(process.out().split("\n")).toHaveLength(2);
  });

  it("posts replies to --webhook-url", async () => {
    let posted = (): void => undefined;
    const arrived = new Promise<void>((resolve) => {
      posted = resolve;
    });
    const receiver = await scriptedServer(
      on("POST /replies", (response, request) => {
        reply("")(response, request);
        posted();
      }),
    );
    const home = temporaryFolder();
    const flags = ["--webhook-url", `${receiver.url}/replies`, "--clock", "2026-01-01T12:00:00-03:00"];
    const { run, env } = await mockProcess(home, ...flags);
    const file = join(home, "ana.csv");
    writeFileSync(file, "telefono\n+5491155501234\n");
    await run(["campaign", "send", file, "--template", "aviso_simple", "--ref", "r", "--yes"], { env });
    expect((await run(["mock", "reply", "+5491155501234", "sí, gracias"])).code).toBe(0);
    await arrived;
    expect(JSON.parse(receiver.requests[0]!.body.toString())).toMatchObject({
      ...{ event: "reply", external_ref: "r", phone: "+5491155501234", text: "sí, gracias" },
    });
  });

  it.each([
    [["--scenario", "nope"], /nope.*demo, empty, rush, busy/s],
    [["--scenario", "./package.json"], /package\.json/],
    [["--fault", "GET /v1/orders explode"], /commit-drop/],
    [["--clock", "noon"], /--clock/],
    [["--webhook-url", "ftp://x"], /http/],
  ])("refuses %j with 2 and says what is expected", async (flags, words) => {
    const run = await shell()(["mock", "--port", "0", ...flags]);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(words);
  });
});

/** A call that changes something: a push of three products or a send to three phones, each of its own. */
interface Change {
  path: string;
  body: Record<string, unknown>;
  /** The codes or phones that are only in it. */
  marks: string[];
}

function change(n: number): Change {
  const three = [0, 1, 2];
  if (n % 2 === 0) {
    const marks = three.map((part) => `C${n}-${part}`);
    const items = marks.map((codigo) => ({ codigo, nombre: codigo, precio: n }));
    const event = { event_id: `e${n}`, occurred_at: "2026-01-01T12:00:00-03:00", action: "upsert", items };
    return { path: "/v1/catalog/items", body: event, marks };
  }
  const marks = three.map((part) => `+54911${50_000_000 + n * 10 + part}`);
  const recipients = marks.map((phone) => ({ phone, params: [] }));
  const body = { idempotency_key: `k${n}`, template_name: "aviso_simple", recipients };
  return { path: "/messaging/campaigns", body, marks };
}

type Answer = CatalogResult & CampaignCreated;

async function post({ url }: MockProcess, { path, body }: Change): Promise<Answer> {
  const headers = { "X-API-Key": "bpk_demo_centro", "Content-Type": "application/json" };
  const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as Answer;
  if (response.status !== 200) throw new Error(JSON.stringify(answer));
  return answer;
}

/** How often each code and each phone is in the world. */
async function marksIn({ url }: MockProcess): Promise<Map<string, number>> {
  const list = async (name: string): Promise<Record<string, string>[]> => {
    const answer = (await (await fetch(`${url}/_mock/${name}`)).json()) as Record<string, unknown>;
    return Object.values(answer)[0] as Record<string, string>[];
  };
  const found = new Map<string, number>();
  const rows = [...(await list("catalog?branch=demo")), ...(await list("messages"))];
  for (const { codigo, phone } of rows) {
    const mark = codigo ?? phone ?? "";
    found.set(mark, (found.get(mark) ?? 0) + 1);
  }
  return found;
}

describe("a world in a file", () => {
  const onFile = (data: string): Promise<MockProcess> =>
    mockProcess(temporaryFolder(), "--data", data, "--scenario", "empty");

  it("has every answered call, and no half of one, when its process is killed in the middle", async () => {
    const data = join(temporaryFolder(), "world.db");
    const first = await onFile(data);
    const count = sized(75, 1_000);
    const changes = Array.from({ length: count }, (_, n) => change(n));
    const answers = new Map<Change, Answer>();
    // So many at once that it dies with some under way, and not so many that all could be answered before it is gone.
    const take = async (each: Change): Promise<void> => {
      const answer = await post(first, each).catch(() => undefined);
      if (!answer) return;
      answers.set(each, answer);
      if (answers.size === count * 0.4) first.process.child.kill("SIGKILL");
    };
    await pMap(changes, take, { concurrency: count / 5 });
    expect(await first.process.exited).toBe("SIGKILL");
    expect(answers.size).toBeGreaterThanOrEqual(count * 0.4);
    expect(answers.size).toBeLessThan(count);

    const second = await onFile(data);
    const found = await marksIn(second);
    for (const each of changes) {
      const there = each.marks.filter((mark) => found.get(mark) === 1).length;
      if (answers.has(each)) expect(there).toBe(3);
      else expect([0, 3]).toContain(there);
    }
    // The same calls again: what was answered is answered as before, and all is there once.
    await Promise.all(
      changes.map(async (each) => {
        const again = await post(second, each);
        const before = answers.get(each);
        const repeated = "items" in each.body ? { duplicate: true } : { replayed: true };
        if (before) expect(again).toEqual({ ...before, ...repeated });
      }),
    );
    const all = await marksIn(second);
    expect(all.size).toBe(count * 3);
    expect(new Set(all.values())).toEqual(new Set([1]));
    expect(await second.process.stop("SIGINT")).toBe(0);
  });

  soakIt("takes each of the same calls once from two processes that hammer it", async () => {
    const data = join(temporaryFolder(), "world.db");
    const both = await Promise.all([onFile(data), onFile(data)]);
    const changes = Array.from({ length: 150 }, (_, n) => change(n));
    const answers = await Promise.all(
      changes.map((each) => Promise.all([...both, ...both].map((mock) => post(mock, each)))),
    );
    for (const four of answers) {
      expect(four.filter((answer) => !(answer.duplicate || answer.replayed))).toHaveLength(1);
      const [same] = four.map(({ duplicate: _duplicate, replayed: _replayed, ...rest }) => rest);
      for (const answer of four) expect(answer).toMatchObject(same!);
    }
    for (const mock of both) {
      const found = await marksIn(mock);
      expect(found.size).toBe(450);
      expect(new Set(found.values())).toEqual(new Set([1]));
    }
  });

  soakIt("is left as it is when it is no world of ours", async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, "state"));
    const file = join(home, "state", "mock-world.db");
    writeFileSync(file, "precious");
    for (const argv of [
      ["--mock", "orders", "list"],
      ["mock", "--port", "0", "--data", file],
    ]) {
      const run = await runBinary(argv, { env: { BPOS_HOME: home } });
      expect(run.code).toBe(9);
      expect(run.stderr).toContain(file);
      expect(readFileSync(file, "utf8")).toBe("precious");
    }
  });
});

describe("--mock", () => {
  const sendTo = (file: string): string[] => ["--mock", ...send(file, "--ref", "viernes", "--yes", "--json")];
  const worldIn = (home: string) => startMock({ data: join(home, "state", "mock-world.db") });

  it("shows separate commands one world, until it is reset", async () => {
    const env = { BPOS_HOME: temporaryFolder() };
    const file = people(3);
    const inShell = shell({ env });
    const run = async <T = Report>(argv: string[]): Promise<T> =>
      JSON.parse((await inShell(argv)).stdout) as T;
    const sent = parse((await runBinary(sendTo(file), { env })).stdout);
    expect(sent).toMatchObject({ outcome: "sent", recipients: { added: 3 } });
    const status = await run<CampaignStatus>([
      ...["--mock", "campaign", "status", sent.campaigns[0]!.campaign_id!, "--json"],
    ]);
    expect(status.counts).toMatchObject({ total_recipients: 3 });
    const again = parse((await runBinary(sendTo(file), { env })).stdout);
    expect(again.outcome).not.toBe("sent");
    expect(again.recipients["added"]).toBe(0);

    const mock = await worldIn(env.BPOS_HOME);
    const [first] = sent.campaigns;
    const messages = await mock.control.messages();
    expect(messages.filter(({ campaign_id }) => campaign_id === first!.campaign_id)).toHaveLength(3);
    // The other campaign is the one that the world began with.
    expect(await mock.control.campaigns()).toHaveLength(2);
    await mock.control.reset();
    await mock.close();
    expect(await run(sendTo(file))).toMatchObject({ outcome: "sent", recipients: { added: 3 } });
  });

  soakIt("messages nobody twice when the same file is sent at once, from the first moment on", async () => {
    const env = { BPOS_HOME: temporaryFolder() };
    const argv = sendTo(people(1_500));
    const runs = await Promise.all([1, 2, 3].map(() => runBinary(argv, { env })));
    // Whoever comes while another one sends is told so; at least one of them sends.
    for (const { code } of runs) expect([0, 9]).toContain(code);
    expect(runs.map(({ code }) => code)).toContain(0);
    const mock = await worldIn(env.BPOS_HOME);
    const campaigns = await mock.control.campaigns();
    const own = campaigns.filter(({ external_ref }) => external_ref.startsWith("viernes"));
    const isOwn = new Set(own.map(({ campaign_id }) => campaign_id));
    const messages = (await mock.control.messages()).filter(({ campaign_id }) => isOwn.has(campaign_id));
    const phones = messages.map(({ phone }) => phone);
    await mock.close();
    expect(phones).toHaveLength(1_500);
    expect(new Set(phones).size).toBe(1_500);
  });

  soakIt("goes on in memory, and says so, where the state folder cannot be written", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "state"), "a file");
    const run = shell({ env: { BPOS_HOME: home } });
    const { code, stdout, stderr } = await run(["--mock", "orders", "list", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ total: 4 });
    expect(stderr).toMatch(/cannot write .*mock-world\.db/);
    const sent = await run(sendTo(people(1)));
    expect(JSON.parse(sent.stdout)).toMatchObject({ outcome: "sent" });
    expect(await run(["--mock", "orders", "list", "-q"])).toMatchObject({ code: 0, stderr: "" });
  });
});

// In real time, with its pauses; test/mock/command/demo.test.ts tours on a quick clock.
soakIt(
  "bpos demo tours the whole service without a question, a key or a trace",
  {
    timeout: 60_000,
  },
  async () => {
    const home = temporaryFolder();
    const folder = temporaryFolder();
    const run = await runBinary(["demo"], { env: { HOME: home }, cwd: folder });
    expect(run.code, run.stderr).toBe(0);
    // Output of its watches, the outage included; the key of the branch is nowhere in it.
    expect(withoutTimes(run.stderr)).toMatch(
      /^Watching demo[^\n]*\nNo response: [^\n]*503[^\n]*\nThe service is responding again[^\n]*\nWatching demo[^\n]*\n$/,
    );
    expect(run.stdout + run.stderr).not.toContain("bpk_");
    for (const sign of ["MOCK · Catalog push", "MOCK · Campaign", "REPLAYED"])
      expect(run.stdout).toContain(sign);
    expect(run.stdout).toMatch(/MOCK · Order \d+/);
    expect(readdirSync(folder)).toEqual([]);
    const left = readdirSync(home, { recursive: true }).map(String).sort();
    expect(left).toEqual([".local", ".local/state", ".local/state/bpos"]);
  },
);
