import { type ChildProcess, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { password, startServer } from "../e2e/support/postgres-server.ts";
import { bin, path, type World } from "./support.ts";

const bridge = "bposbr0";
const network = "10.89.0";

/** CPU seconds of a process, user's and system's, and with `ended` those of its children that ended; a tick is a hundredth of a second on every Linux. */
export function cpuSeconds(pid: number | undefined, ended = false): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return fields.slice(11, ended ? 15 : 13).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    return 0;
  }
}

/** A network namespace for each machine, where this one allows it. Returns how to run in one, and the address of the service. */
export function openNetworks(count: number) {
  const ip = (...argv: string[]): boolean => spawnSync("ip", argv, { stdio: "ignore" }).status === 0;
  const close = (): void => {
    for (let n = 1; n <= count; n += 1) ip("netns", "del", `bpos${n}`);
    ip("link", "del", bridge);
  };
  close();
  const isOpen =
    ip("link", "add", bridge, "type", "bridge") &&
    ip("addr", "add", `${network}.1/24`, "dev", bridge) &&
    ip("link", "set", bridge, "up") &&
    Array.from({ length: count }, (_, n) => `bpos${n + 1}`).every(
      (name, n) =>
        ip("netns", "add", name) &&
        ip("link", "add", `${name}v`, "type", "veth", "peer", "name", "eth0", "netns", name) &&
        ip("link", "set", `${name}v`, "master", bridge, "up") &&
        ip("-n", name, "addr", "add", `${network}.${n + 11}/24`, "dev", "eth0") &&
        ip("-n", name, "link", "set", "eth0", "up"),
    );
  if (!isOpen) close();
  return {
    host: isOpen ? `${network}.1` : "127.0.0.1",
    within: (n: number): string[] => (isOpen ? ["ip", "netns", "exec", `bpos${n + 1}`] : []),
    close: isOpen ? close : () => undefined,
  };
}

/** A database in a PostgreSQL of its own, reached by its socket: that is in every namespace. */
export async function openDatabase() {
  const { server, end } = await startServer();
  const client = new pg.Client({ host: "127.0.0.1", port: server.port, user: "postgres", password });
  await client.connect();
  await client.query("CREATE DATABASE bench OWNER bpos");
  await client.end();
  const postmaster = Number(
    readFileSync(join(server.folder, "data", "postmaster.pid"), "utf8").split("\n")[0],
  );
  const isChild = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1] === String(postmaster);
    } catch {
      return false;
    }
  };
  return {
    url: `postgres://bpos:${encodeURIComponent(password)}@/bench?host=${server.folder}&port=${server.port}`,
    seconds: (): number =>
      readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name) && isChild(name))
        .reduce((sum, pid) => sum + cpuSeconds(Number(pid)), cpuSeconds(postmaster, true)),
    end,
  };
}

/** Output of a watch: its branches at the moment, when it took each, and the orders that it delivered. */
export interface Machine {
  child: ChildProcess;
  here: Map<string, number>;
  orders: string[];
  /** Those of which it said that somebody may have them already. */
  repeated: string[];
  /** Its notices of not keeping the interval. */
  pace: Behind[];
}

interface Behind {
  event: "watch.behind" | "watch.on_time";
  needed: number | undefined;
}

/** The folder in which a machine runs, and its journal. */
interface Place {
  prefix: readonly string[];
  journal: string;
}

/** Counts of the service; the gaps are sorted. */
interface Stats {
  seconds: number;
  requests: number;
  refused: number;
  placed: number;
  connections: Record<string, number>;
  gaps: number[];
  perSecond: number[];
  /** When each key was polled last, epoch milliseconds. */
  last: Record<string, number>;
}

interface FleetOptions {
  branches: number;
  /** Prefix of their keys: two services at one address have other branches by that alone. */
  keyOf: string;
  intervalMs: number;
  /** Address of the service. */
  host: string;
  journal: string;
  /** How to run where a machine is, by its number. */
  within: (n: number) => readonly string[];
}

/** The machines that watch the branches of one service. */
export class Fleet {
  readonly branches: number;
  /** Those that live, and all that ever did. */
  readonly machines: Machine[] = [];
  readonly all: Machine[] = [];
  readonly #world: World;
  readonly #options: FleetOptions;
  readonly #url: string;

  private constructor(world: World, options: FleetOptions, port: string) {
    this.branches = options.branches;
    this.#world = world;
    this.#options = options;
    this.#url = `http://${options.host}:${port}`;
  }

  /** Starts the service. */
  static async open(world: World, options: FleetOptions): Promise<Fleet> {
    const peer = [process.execPath, path("peers/branches.mjs"), String(options.branches), options.keyOf];
    const { line: port } = await world.start([...peer, await world.page()]);
    return new Fleet(world, options, port);
  }

  /** Returns the counts since the last `reset`; sets what the query says. */
  readonly stats = async (query = ""): Promise<Stats> =>
    (await (await fetch(`${this.#url}/stats?${query}`)).json()) as Stats;

  start(): void {
    const { within, journal, keyOf, intervalMs } = this.#options;
    const keys = Array.from({ length: this.branches }, (_, n) => `${keyOf}${String(n).padStart(5, "0")}`);
    const profiles = Object.fromEntries(keys.map((key) => [key, { base_url: this.#url, api_key: key }]));
    const place = { prefix: within(this.all.length), journal };
    const machine = startMachine(this.#world, { ...place, profiles, intervalMs });
    this.machines.push(machine);
    this.all.push(machine);
  }

  /** Within a tenth of the fair share. */
  readonly isShared = (): boolean => {
    const share = this.branches / this.machines.length;
    return this.machines.every(({ here }) => Math.abs(here.size - share) <= share / 10);
  };

  /** Returns whether each of these branches was polled since then, epoch milliseconds. */
  async arePolled(branches: readonly string[], since: number): Promise<boolean> {
    const { last } = await this.stats();
    return branches.every((branch) => (last[branch] ?? 0) > since);
  }

  /** Kills the last machine. Returns its branches. */
  kill(): string[] {
    const killed = this.machines.pop();
    killed?.child.kill("SIGKILL");
    return [...(killed?.here.keys() ?? [])];
  }

  /** How many orders nobody delivered, or two did without a mark: what a killed machine had begun comes again, as repeated. */
  async countLost(): Promise<number> {
    const { placed } = await this.stats();
    const unmarked = this.all.flatMap(({ orders }) => orders);
    const known = new Set([...unmarked, ...this.all.flatMap(({ repeated }) => repeated)]);
    return Math.abs(placed - known.size) + unmarked.length - new Set(unmarked).size;
  }
}

/** Seconds until something holds; throws after so many. */
export async function until(isSo: () => Promise<boolean> | boolean, limitS: number): Promise<number> {
  const began = performance.now();
  while (!(await isSo())) {
    const seconds = (performance.now() - began) / 1000;
    if (seconds > limitS) throw new Error(`not after ${limitS} s`);
    await pause(200);
  }
  return (performance.now() - began) / 1000;
}

function startMachine(
  world: World,
  { prefix, profiles, journal, intervalMs }: Place & { profiles: object; intervalMs: number },
): Machine {
  const home = world.newFolder();
  writeFileSync(join(home, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
  const flags = ["--all-profiles", "--standby", "-o", "ndjson", "--interval", `${intervalMs / 1000}s`];
  const env = { BPOS_HOME: home, BPOS_JOURNAL: journal };
  const { child } = world.spawn([...prefix, process.execPath, bin, "orders", "watch", ...flags], env);
  const machine: Machine = { child, here: new Map(), orders: [], repeated: [], pace: [] };
  let rest = "";
  child.stdout.on("data", (bytes: Buffer) => {
    const lines = (rest + bytes.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(machine, line);
  });
  return machine;
}

function hear(machine: Machine, line: string): void {
  const { event, branch, at, order, repeated, needed } = JSON.parse(line) as {
    [K in "event" | "branch" | "at"]: string;
  } & { order?: { order_id: number }; repeated?: boolean; needed?: number };
  if (event === "watch.active") machine.here.set(branch, Date.parse(at));
  if (event === "watch.standby") machine.here.delete(branch);
  if (event === "order.new")
    (repeated === true ? machine.repeated : machine.orders).push(`${branch} ${order?.order_id}`);
  if (event === "watch.behind" || event === "watch.on_time") machine.pace.push({ event, needed });
}
