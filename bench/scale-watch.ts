import { setTimeout as pause } from "node:timers/promises";
import { cpuSeconds, type Machine, openDatabase, openNetworks, startMachine } from "./machines.ts";
import { type Figure, megabytesOf, path, type Row, type World } from "./support.ts";

const intervalMs = 60_000;
const keyOf = "bpk_scale_";

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

const ofMachines = (n: number): Row[] => [
  {
    name: `cpu-${n}`,
    operation: `10,000 branches, ${n} machines: share of a core of each`,
    unit: "%",
    target: 25,
  },
  { name: `memory-${n}`, operation: `${n} machines: peak memory of each`, unit: "MB", target: 400 },
  { name: `database-${n}`, operation: `${n} machines: share of a core of PostgreSQL`, unit: "%", target: 15 },
  {
    name: `connections-${n}`,
    operation: `${n} machines: connections of each at the service`,
    unit: "×",
    target: 40,
  },
  {
    name: `lag-${n}`,
    operation: `${n} machines: p99 of the lag behind the interval`,
    unit: "ms",
    target: 2_000,
  },
];
export const scaleWatchRows: readonly Row[] = [
  {
    name: "round",
    operation: "10,000 branches, 2 machines: start to the first full round",
    unit: "s",
    target: 90,
  },
  ...ofMachines(2),
  { name: "spread", operation: "polls in the fullest second, 2 machines", against: "the mean", target: 3 },
  {
    name: "join",
    operation: "2 more machines join: until each has its share (± 10 %)",
    unit: "s",
    target: 30,
  },
  ...ofMachines(4),
  {
    name: "killed",
    operation: "1 of 4 is killed: until its branches are polled again",
    unit: "s",
    target: 10,
  },
  { name: "leave", operation: "1 of 3 ends: until each has its share", unit: "s", target: 30 },
  { name: "lost", operation: "orders that no machine delivered, or two", unit: "×", target: 0 },
  { name: "strict", operation: "100 requests a second, 429: longest gap", against: "the mean", target: 2 },
  {
    name: "strict-use",
    operation: "answered of what the service takes",
    unit: "%",
    target: 80,
    isAtLeast: true,
  },
];

/** Seconds until something holds; throws after so many. */
async function until(isSo: () => Promise<boolean> | boolean, limitS: number): Promise<number> {
  const began = performance.now();
  while (!(await isSo())) {
    const seconds = (performance.now() - began) / 1000;
    if (seconds > limitS) throw new Error(`not after ${limitS} s`);
    await pause(200);
  }
  return (performance.now() - began) / 1000;
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

/** Ten thousand branches, watched by two machines, then four, of which one is killed and one ends; then a service that takes few requests. */
export async function* measureScaleWatch(world: World): AsyncGenerator<Figure> {
  const branches = world.size(10_000);
  const networks = openNetworks(4);
  const database = await openDatabase();
  try {
    yield* measureMachines(world, { branches, networks, database });
  } finally {
    await world.stopAll();
    networks.close();
    await database.end();
  }
}

type Setting = {
  branches: number;
  networks: ReturnType<typeof openNetworks>;
  database: Awaited<ReturnType<typeof openDatabase>>;
};

/** The machines that watch the branches of one service. */
class Fleet {
  readonly branches: number;
  /** Those that live, and all that ever did. */
  readonly machines: Machine[] = [];
  readonly all: Machine[] = [];
  readonly #world: World;
  readonly #setting: Setting;
  readonly #url: string;

  constructor(world: World, setting: Setting, port: string) {
    this.branches = setting.branches;
    this.#world = world;
    this.#setting = setting;
    this.#url = `http://${setting.networks.host}:${port}`;
  }

  async stats(query = ""): Promise<Stats> {
    return (await (await fetch(`${this.#url}/stats?${query}`)).json()) as Stats;
  }

  start(): void {
    const { networks, database } = this.#setting;
    const keys = Array.from({ length: this.branches }, (_, n) => `${keyOf}${String(n).padStart(5, "0")}`);
    const profiles = Object.fromEntries(keys.map((key) => [key, { base_url: this.#url, api_key: key }]));
    const prefix = networks.within(this.all.length);
    const machine = startMachine(this.#world, { prefix, profiles, journal: database.url });
    this.machines.push(machine);
    this.all.push(machine);
  }

  readonly isShared = (): boolean => {
    const share = this.branches / this.machines.length;
    return this.machines.every(({ here }) => Math.abs(here.size - share) <= share / 10);
  };

  /** What a calm interval takes. */
  async *calm(): AsyncGenerator<Figure> {
    const { machines } = this;
    const { database, networks } = this.#setting;
    const n = machines.length;
    await pause(intervalMs / 2);
    await this.stats("reset");
    const before = machines.map(({ child }) => cpuSeconds(child.pid));
    const [databaseS, began] = [database.seconds(), performance.now()];
    await pause(intervalMs);
    const seconds = (performance.now() - began) / 1000;
    const shares = machines.map(({ child }, at) => (cpuSeconds(child.pid) - (before[at] ?? 0)) / seconds);
    const { gaps, connections, perSecond } = await this.stats("reset");
    // On one address they cannot be told apart.
    const isApart = networks.within(0).length > 0;
    const most = Object.entries(connections).filter(
      ([address]) => !isApart || !address.endsWith(networks.host),
    );
    yield [`cpu-${n}`, Math.max(...shares) * 100];
    yield [`memory-${n}`, Math.max(...machines.map(({ child }) => megabytesOf(child, "VmHWM")))];
    yield [`database-${n}`, ((database.seconds() - databaseS) / seconds) * 100];
    yield [`connections-${n}`, Math.max(...most.map(([, count]) => count)) / (isApart ? 1 : n)];
    // The interval is varied by a tenth.
    yield [`lag-${n}`, Math.max(0, quantile(gaps, 0.99) - 1.1 * intervalMs)];
    if (n === 2) yield ["spread", Math.max(...perSecond) / (this.branches / (intervalMs / 1000))];
  }
}

/** Two machines, four, one killed, one that ends: nobody's orders are lost, or delivered by two. */
async function* measureChanges(fleet: Fleet): AsyncGenerator<Figure> {
  const { machines } = fleet;
  const began = performance.now();
  for (let n = 0; n < 2; n += 1) fleet.start();
  await until(async () => Object.keys((await fleet.stats()).last).length === fleet.branches, 300);
  yield ["round", (performance.now() - began) / 1000];
  await fleet.stats("orders=5");
  yield* fleet.calm();

  for (let n = 0; n < 2; n += 1) fleet.start();
  yield ["join", await until(fleet.isShared, 120)];
  yield* fleet.calm();

  const killed = machines.pop();
  const killedAt = Date.now();
  killed?.child.kill("SIGKILL");
  const lost = [...(killed?.here.keys() ?? [])];
  const isPolled = async (): Promise<boolean> => {
    const { last } = await fleet.stats();
    return lost.every((branch) => (last[branch] ?? 0) > killedAt);
  };
  yield ["killed", await until(isPolled, 120)];

  await until(fleet.isShared, 60);
  machines.pop()?.child.kill("SIGTERM");
  yield ["leave", await until(fleet.isShared, 120)];

  const { placed } = await fleet.stats("orders=0");
  // Each branch is polled once more.
  await pause(1.3 * intervalMs);
  const delivered = fleet.all.flatMap(({ orders }) => orders);
  const known = new Set(delivered).size;
  // What the killed machine had begun comes again, marked as repeated.
  yield ["lost", Math.abs(placed - known) + delivered.length - known];
}

async function* measureStrict(fleet: Fleet): AsyncGenerator<Figure> {
  await fleet.stats("limit=100");
  // The pace settles within two intervals.
  await pause(2 * intervalMs);
  await fleet.stats("reset");
  await pause(3.5 * intervalMs);
  const { gaps, requests, refused, seconds } = await fleet.stats();
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  yield ["strict", (gaps.at(-1) ?? Number.NaN) / mean];
  yield ["strict-use", (requests - refused) / seconds];
}

async function* measureMachines(world: World, setting: Setting): AsyncGenerator<Figure> {
  const { branches } = setting;
  const service = [process.execPath, path("peers/branches.mjs"), String(branches), keyOf, await world.page()];
  const { line: port } = await world.start(service);
  const fleet = new Fleet(world, setting, port);
  yield* measureChanges(fleet);
  yield* measureStrict(fleet);
}
