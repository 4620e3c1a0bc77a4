import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { CampaignCreated, CampaignStatus } from "../../src/contract/campaign.ts";
import type { CatalogResult } from "../../src/contract/catalog.ts";
import { exitCodes } from "../../src/errors.ts";
import { startMock } from "../../src/mock/index.ts";
import { root, runBinary, temporaryFolder } from "../support/run.ts";

const key = "bpk_demo_centro";

interface MockProcess {
  url: string;
  child: ChildProcess;
}

/** `bpos mock` on a file, as a process of its own. */
async function mockOn(data: string): Promise<MockProcess> {
  const argv = [join(root, "bin/bpos.js"), "mock", "--port", "0", "--data", data, "--scenario", "empty"];
  const child = spawn(process.execPath, argv, {
    env: { PATH: process.env["PATH"], BPOS_HOME: temporaryFolder() },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [text] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  return { url: (JSON.parse(text) as { base_url: string }).base_url, child };
}

async function stop({ child }: MockProcess): Promise<void> {
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([exitCodes.ok, null]);
}

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
  const send = { idempotency_key: `k${n}`, template_name: "aviso_simple", recipients };
  return { path: "/messaging/campaigns", body: send, marks };
}

async function post<T>({ url }: MockProcess, { path, body }: Change): Promise<T> {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as T;
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

it("has every answered call, and no half of one, when it is killed in the middle of 1,000", async () => {
  const data = join(temporaryFolder(), "world.db");
  const first = await mockOn(data);
  const ended = once(first.child, "close");
  const changes = Array.from({ length: 1_000 }, (_, n) => change(n));
  const answers = new Map<Change, CatalogResult & CampaignCreated>();
  await Promise.all(
    changes.map(async (each) => {
      const answer = await post<CatalogResult & CampaignCreated>(first, each).catch(() => undefined);
      if (!answer) return;
      answers.set(each, answer);
      if (answers.size === 400) first.child.kill("SIGKILL");
    }),
  );
  expect(await ended).toEqual([null, "SIGKILL"]);
  expect(answers.size).toBeGreaterThanOrEqual(400);
  expect(answers.size).toBeLessThan(1_000);

  const second = await mockOn(data);
  const found = await marksIn(second);
  for (const each of changes) {
    const there = each.marks.filter((mark) => found.get(mark) === 1).length;
    if (answers.has(each)) expect(there).toBe(3);
    else expect([0, 3]).toContain(there);
  }
  // The same calls again: what was answered is answered as before, and all is there once.
  await Promise.all(
    changes.map(async (each) => {
      const again = await post<CatalogResult & CampaignCreated>(second, each);
      const before = answers.get(each);
      const repeated = "items" in each.body ? { duplicate: true } : { replayed: true };
      if (before) expect(again).toEqual({ ...before, ...repeated });
    }),
  );
  const all = await marksIn(second);
  expect(all.size).toBe(3_000);
  expect(new Set(all.values())).toEqual(new Set([1]));
  await stop(second);
});

it("two processes that hammer one file with the same keys send each once", async () => {
  const data = join(temporaryFolder(), "world.db");
  const both = await Promise.all([mockOn(data), mockOn(data)]);
  const changes = Array.from({ length: 150 }, (_, n) => change(n));
  const answers = await Promise.all(
    changes.map((each) =>
      Promise.all([...both, ...both].map((mock) => post<CatalogResult & CampaignCreated>(mock, each))),
    ),
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
  await Promise.all(both.map(stop));
});

const worldIn = (home: string): string => join(home, "state", "mock-world.db");

function peopleFile(count: number): string {
  const file = join(temporaryFolder(), "people.csv");
  const rows = Array.from({ length: count }, (_, n) => `+54911${60_000_000 + n * 10},Ana,${n}`);
  writeFileSync(file, `telefono,nombre,pedido\n${rows.join("\n")}\n`);
  return file;
}

const send = (file: string): string[] => [
  ...["--mock", "campaign", "send", file, "--template", "pedido_listo"],
  ...["--ref", "viernes", "--yes", "--json"],
];

interface SendReport {
  outcome: string;
  recipients: { added: number };
  campaigns: { campaign_id: string }[];
}

it("separate `bpos --mock` commands see one world, until it is reset", async () => {
  const env = { BPOS_HOME: temporaryFolder() };
  const file = peopleFile(3);
  const sent = JSON.parse((await runBinary(send(file), { env })).stdout) as SendReport;
  expect(sent).toMatchObject({ outcome: "sent", recipients: { added: 3 } });
  for (const which of [["--ref", "viernes"], [sent.campaigns[0]!.campaign_id]]) {
    const run = await runBinary(["--mock", "campaign", "status", ...which, "--json"], { env });
    const shown = JSON.parse(run.stdout) as CampaignStatus & { campaigns?: CampaignStatus[] };
    const status = shown.campaigns?.[0] ?? shown;
    expect(status.campaign_id).toBe(sent.campaigns[0]!.campaign_id);
    expect(status.counts).toMatchObject({ total_recipients: 3 });
  }
  const again = JSON.parse((await runBinary(send(file), { env })).stdout) as SendReport;
  expect(again.outcome).not.toBe("sent");
  expect(again.recipients.added).toBe(0);

  const mock = await startMock({ data: worldIn(env.BPOS_HOME) });
  expect(await mock.control.messages()).toHaveLength(3);
  await mock.control.reset();
  await mock.close();
  const anew = JSON.parse((await runBinary(send(file), { env })).stdout) as SendReport;
  expect(anew).toMatchObject({ outcome: "sent", recipients: { added: 3 } });
});

it("`--mock` sends of the same file at once, from the first moment on, message nobody twice", async () => {
  const env = { BPOS_HOME: temporaryFolder() };
  const file = peopleFile(1_500);
  const runs = await Promise.all([1, 2, 3].map(() => runBinary(send(file), { env })));
  // Whoever comes while another one sends is told so; at least one of them sends.
  for (const { code } of runs) expect([exitCodes.ok, exitCodes.config]).toContain(code);
  expect(runs.map(({ code }) => code)).toContain(exitCodes.ok);
  const mock = await startMock({ data: worldIn(env.BPOS_HOME) });
  const phones = (await mock.control.messages()).map(({ phone }) => phone);
  await mock.close();
  expect(phones).toHaveLength(1_500);
  expect(new Set(phones).size).toBe(1_500);
});

it("`--mock` goes on in memory, and says so, where the state folder cannot be written", async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, "state"), "a file");
  const run = await runBinary(["--mock", "orders", "list", "--json"], { env: { BPOS_HOME: home } });
  expect(run.code).toBe(exitCodes.ok);
  expect(JSON.parse(run.stdout)).toMatchObject({ total: 4 });
  expect(run.stderr).toMatch(/mock-world\.db cannot be written/);
  const sent = await runBinary(send(peopleFile(1)), { env: { BPOS_HOME: home } });
  expect(JSON.parse(sent.stdout)).toMatchObject({ outcome: "sent" });
  const quiet = await runBinary(["--mock", "orders", "list", "-q"], { env: { BPOS_HOME: home } });
  expect(quiet).toMatchObject({ code: exitCodes.ok, stderr: "" });
});

it("refuses a file that is no world of ours, and leaves it as it is", async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, "state"));
  writeFileSync(worldIn(home), "precious");
  for (const argv of [
    ["--mock", "orders", "list"],
    ["mock", "--port", "0", "--data", worldIn(home)],
  ]) {
    const run = await runBinary(argv, { env: { BPOS_HOME: home } });
    expect(run.code).toBe(exitCodes.config);
    expect(run.stderr).toContain("It is not an SQLite file");
    expect(readFileSync(worldIn(home), "utf8")).toBe("precious");
  }
});

it("a world in memory starts without SQLite", async () => {
  const script = `
    import { createRequire } from "node:module";
    const { startMock } = await import(${JSON.stringify(join(root, "dist/mock/index.js"))});
    const loaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes("libsql"));
    const mock = await startMock();
    const before = loaded();
    await mock.close();
    await (await startMock({ data: ${JSON.stringify(join(temporaryFolder(), "w.db"))} })).close();
    console.log(before, loaded());`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
  const [text] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  expect(text).toBe("false true\n");
});
