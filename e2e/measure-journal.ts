// Measures a shared journal on a PostgreSQL of its own, beside SQLite in the same run: npm run bench:journal [-- --branches 500 --seconds 120]
// A push of 100,000 rows and a send to 100,000 people; then two machines that watch all branches, of which one is killed. Needs Linux.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import { type PostgresServer, password, startServer } from "./support/postgres-server.ts";

const { values } = parseArgs({
  options: {
    branches: { type: "string", default: "500" },
    seconds: { type: "string", default: "120" },
    rounds: { type: "string", default: "3" },
  },
});
const [branches, seconds, rounds] = [values.branches, values.seconds, values.rounds].map(Number) as [
  number,
  number,
  number,
];
const rows = 100_000;
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bpos-bench-"));
const write = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
const verdict = (isMet: boolean): string => (isMet ? "met" : "MISSED");
const newHome = (): string => mkdtempSync(join(folder, "home-"));

const children = new Set<ChildProcessWithoutNullStreams>();
function start(argv: readonly string[], env: Record<string, string>): ChildProcessWithoutNullStreams {
  // Nothing else of the environment: NODE_EXTRA_CA_CERTS alone would slow each start.
  const child = spawn(process.execPath, [...argv], { env: { PATH: process.env["PATH"], ...env } });
  children.add(child);
  child.stderr.pipe(process.stderr);
  return child;
}
const bpos = (argv: readonly string[], env: Record<string, string>): ChildProcessWithoutNullStreams =>
  start([here("../bin/bpos.js"), ...argv], env);
const firstLine = async (child: ChildProcessWithoutNullStreams): Promise<string> =>
  ((await once(createInterface(child.stdout), "line")) as [string])[0];

async function database(server: PostgresServer): Promise<string> {
  const name = `bench_${randomUUID().slice(0, 8)}`;
  const address = { host: "127.0.0.1", port: server.port, user: "postgres", password };
  const client = new pg.Client(address);
  await client.connect();
  await client.query(`CREATE DATABASE ${name} OWNER bpos`);
  await client.end();
  const url = `postgres://bpos:${encodeURIComponent(password)}@127.0.0.1:${server.port}/${name}`;
  // The first command creates the schema.
  const env = {
    BPOS_HOME: newHome(),
    BPOS_JOURNAL: url,
    BPOS_API_KEY: "bpk_bench_0",
    BPOS_BASE_URL: "http://127.0.0.1:9",
  };
  const history = bpos(["catalog", "history", "--json"], env);
  history.stdout.resume();
  await once(history, "close");
  return url;
}

/** The same command on each engine, one after the other in each round. */
async function beside(
  server: PostgresServer,
  what: string,
  limit: number | undefined,
  how: (round: string) => { argv: readonly string[]; env: Record<string, string> },
): Promise<void> {
  const times: Record<"SQLite" | "PostgreSQL", number[]> = { SQLite: [], PostgreSQL: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const engine of ["SQLite", "PostgreSQL"] as const) {
      const journal = engine === "SQLite" ? {} : { BPOS_JOURNAL: await database(server) };
      const { argv, env } = how(`${engine}-${round}`);
      const began = performance.now();
      const child = bpos(argv, { BPOS_HOME: newHome(), ...env, ...journal });
      child.stdout.resume();
      const [code] = (await once(child, "close")) as [number];
      if (code !== 0) throw new Error(`${what} on ${engine} ended with ${code}`);
      times[engine].push((performance.now() - began) / 1000);
    }
  const [sqlite, postgres] = [median(times.SQLite), median(times.PostgreSQL)];
  const ratio = postgres / sqlite;
  const target = limit === undefined ? "" : `, target ≤ ${limit} × ${verdict(ratio <= limit)}`;
  write(
    `${what}: SQLite ${sqlite.toFixed(2)} s, PostgreSQL ${postgres.toFixed(2)} s: ${ratio.toFixed(2)} ×${target}`,
  );
}

async function measureWork(server: PostgresServer): Promise<void> {
  const sink = start([here("../bench/peers/service.mjs"), "0", "500"], {});
  const url = `http://127.0.0.1:${await firstLine(sink)}`;
  const prices = join(folder, "prices.csv");
  const products = Array.from({ length: rows }, (_, n) => `${n},Producto ${n},${n % 997}.50`);
  writeFileSync(prices, `codigo,nombre,precio\n${products.join("\n")}\n`);
  await beside(server, `push of ${rows} rows`, 1.5, () => ({
    argv: ["catalog", "push", prices, "-q"],
    env: { BPOS_API_KEY: "bpk_bench_0123456789", BPOS_BASE_URL: url },
  }));
  const mock = bpos(["mock", "--port", "0"], { BPOS_HOME: newHome() });
  const { base_url } = JSON.parse(await firstLine(mock)) as { base_url: string };
  const people = join(folder, "people.csv");
  const phones = Array.from({ length: rows }, (_, n) => `+54911${40_000_000 + n},Ana ${n}`);
  writeFileSync(people, `telefono,nombre\n${phones.join("\n")}\n`);
  await beside(server, `send to ${rows} people`, undefined, (ref) => ({
    argv: [
      "campaign",
      "send",
      people,
      "--template",
      "pedido_listo",
      "--params",
      "nombre,nombre",
      "--ref",
      ref,
      "--yes",
      "-q",
      "--allow-repeat",
    ],
    env: { BPOS_MOCK: base_url },
  }));
  sink.kill();
  mock.kill();
}

/** CPU time of every process of the server, those that ended included; a tick is a hundredth of a second on every Linux. */
function serverSeconds(pid: number): number {
  const fieldsOf = (of: string): string[] =>
    readFileSync(`/proc/${of}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const ticks = (fields: readonly string[], from: number, to: number): number =>
    fields.slice(from, to).reduce((sum, each) => sum + Number(each), 0);
  const living = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const fields = fieldsOf(name);
        return fields[1] === String(pid) ? [ticks(fields, 11, 13)] : [];
      } catch {
        return [];
      }
    });
  return (ticks(fieldsOf(String(pid)), 11, 15) + living.reduce((sum, each) => sum + each, 0)) / 100;
}

/** A machine that watches all branches, and how many of them are its own. */
function startWatch(url: string, keys: readonly string[], journal: string) {
  const home = newHome();
  const profiles = Object.fromEntries(keys.map((key, n) => [`shop-${n}`, { base_url: url, api_key: key }]));
  writeFileSync(join(home, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
  const argv = ["orders", "watch", "--all-profiles", "--standby", "-o", "ndjson"];
  const child = bpos([...argv, "--out-dir", join(home, "orders")], {
    BPOS_HOME: home,
    BPOS_JOURNAL: journal,
  });
  const watch = { child, active: new Set<string>() };
  createInterface(child.stdout).on("line", (line) => {
    const { event, branch } = JSON.parse(line) as { event: string; branch: string };
    if (event === "watch.active") watch.active.add(branch);
    if (event === "watch.standby") watch.active.delete(branch);
  });
  return watch;
}

async function measureWatch(server: PostgresServer): Promise<void> {
  const keys = Array.from({ length: branches }, (_, n) => `bpk_bench_${String(n).padStart(4, "0")}`);
  const shops = Array.from({ length: Math.ceil(branches / 10) }, (_, n) => {
    return { branch: `b${n}`, store_id: String(n + 1), keys: keys.slice(n * 10, n * 10 + 10), orders: 8 };
  });
  const scenario = join(folder, "scenario.json");
  writeFileSync(
    scenario,
    JSON.stringify({ name: "bench", order_every: "10m", moving: true, branches: shops }),
  );
  const mock = bpos(["mock", "--port", "0", "--scenario", scenario], { BPOS_HOME: newHome() });
  const { base_url } = JSON.parse(await firstLine(mock)) as { base_url: string };
  const journal = await database(server);
  const machines = [startWatch(base_url, keys, journal), startWatch(base_url, keys, journal)] as const;
  const [one, two] = machines;
  while (one.active.size + two.active.size < branches) await pause(100);
  write(`${branches} branches, two machines: ${one.active.size} and ${two.active.size}`);
  // The first polls read every state.
  await pause(70_000);
  const pid = Number(readFileSync(join(server.folder, "data", "postmaster.pid"), "utf8").split("\n")[0]);
  const before = { cpu: serverSeconds(pid), at: performance.now() };
  await pause(seconds * 1000);
  const share = (serverSeconds(pid) - before.cpu) / ((performance.now() - before.at) / 1000);
  write(`CPU of the server: ${(share * 100).toFixed(2)} % of a core, target ≤ 10 % ${verdict(share <= 0.1)}`);
  const began = performance.now();
  const owned = two.active.size;
  one.child.kill("SIGKILL");
  while (two.active.size === owned) await pause(5);
  const firstMs = performance.now() - began;
  while (two.active.size < branches) await pause(5);
  const allMs = performance.now() - began;
  write(
    `taken over after SIGKILL: the first of ${branches - owned} branches in ${(firstMs / 1000).toFixed(2)} s, all in ${(allMs / 1000).toFixed(2)} s, target ≤ 5 s ${verdict(allMs <= 5_000)}`,
  );
  for (const { child } of [...machines, { child: mock }]) child.kill("SIGKILL");
}

const { server, end } = await startServer();
try {
  await measureWork(server);
  await measureWatch(server);
} finally {
  for (const child of children) child.kill("SIGKILL");
  await end();
  rmSync(folder, { recursive: true, force: true });
}
