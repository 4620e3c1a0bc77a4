import { setTimeout as pause } from "node:timers/promises";
import { cpuSeconds, Fleet, openDatabase, openNetworks, until } from "./machines.ts";
import { type Figure, megabytesOf, type Row, type World } from "./support.ts";

const intervalMs = 60_000;
const ofMachines = (n: number): Row[] => [
  {
    name: `cpu-${n}`,
    operation: `10,000 branches, ${n} machines: share of a core of each`,
    unit: "%",
    target: 15,
  },
  { name: `memory-${n}`, operation: `${n} machines: peak memory of each`, unit: "MB", target: 350 },
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
    target: 70,
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
  {
    name: "lost",
    operation: "orders that no machine delivered, or two",
    unit: "×",
    target: 0,
  },
  {
    name: "strict",
    operation: "100 requests a second, 429: longest gap between two polls",
    against: "the shortest",
    target: 2,
  },
  {
    name: "strict-use",
    operation: "answered of what the service takes",
    unit: "%",
    target: 80,
    isAtLeast: true,
  },
  { name: "strict-soon", operation: "shortest gap", against: "the interval", target: 0.89, isAtLeast: true },
  {
    name: "slow",
    operation: "960 branches every 10 s, 2 s a call: longest gap",
    against: "the shortest",
    target: 2,
  },
  {
    name: "slow-said",
    operation: "calls at once that are needed, as it says (192, more for the eight states)",
    unit: "×",
    target: 192,
    isAtLeast: true,
  },
];

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

/** Ten thousand branches, watched by two machines, then four, of which one is killed and one ends; then a service that takes few requests. */
export async function* measureScaleWatch(world: World): AsyncGenerator<Figure> {
  const networks = openNetworks(4);
  const database = await openDatabase();
  try {
    yield* measureMachines(world, { networks, database });
  } finally {
    await world.stopAll();
    networks.close();
    await database.end();
  }
}

type Setting = {
  networks: ReturnType<typeof openNetworks>;
  database: Awaited<ReturnType<typeof openDatabase>>;
};

/** Measures half an interval in which nothing else happens. */
async function* measureCalm({ machines, branches, stats }: Fleet, { database, networks }: Setting) {
  const n = machines.length;
  await pause(intervalMs / 6);
  await stats("reset");
  const before = machines.map(({ child }) => cpuSeconds(child.pid));
  const [databaseS, began] = [database.seconds(), performance.now()];
  await pause(intervalMs / 2);
  const seconds = (performance.now() - began) / 1000;
  const shares = machines.map(({ child }, at) => (cpuSeconds(child.pid) - (before[at] ?? 0)) / seconds);
  const { gaps, connections, perSecond } = await stats("reset");
  // They cannot be told apart on one address.
  const isApart = networks.within(0).length > 0;
  const most = Object.entries(connections).filter(
    ([address]) => !isApart || !address.endsWith(networks.host),
  );
  yield [`cpu-${n}`, Math.max(...shares) * 100] as const;
  yield [`memory-${n}`, Math.max(...machines.map(({ child }) => megabytesOf(child, "VmHWM")))] as const;
  yield [`database-${n}`, ((database.seconds() - databaseS) / seconds) * 100] as const;
  yield [`connections-${n}`, Math.max(...most.map(([, count]) => count)) / (isApart ? 1 : n)] as const;
  // The interval is varied by a tenth.
  yield [`lag-${n}`, Math.max(0, quantile(gaps, 0.99) - 1.1 * intervalMs)] as const;
  if (n === 2) yield ["spread", Math.max(...perSecond) / (branches / (intervalMs / 1000))] as const;
}

/** Two machines, four, one killed, one that ends. */
async function* measureChanges(fleet: Fleet, setting: Setting): AsyncGenerator<Figure> {
  const { machines } = fleet;
  const began = performance.now();
  for (let n = 0; n < 2; n += 1) fleet.start();
  await until(async () => Object.keys((await fleet.stats()).last).length === fleet.branches, 300);
  yield ["round", (performance.now() - began) / 1000];
  await fleet.stats("orders=5");
  yield* measureCalm(fleet, setting);

  for (let n = 0; n < 2; n += 1) fleet.start();
  yield ["join", await until(fleet.isShared, 120)];
  yield* measureCalm(fleet, setting);

  const killedAt = Date.now();
  const lost = fleet.kill();
  yield ["killed", await until(() => fleet.arePolled(lost, killedAt), 120)];

  await until(fleet.isShared, 60);
  machines.pop()?.child.kill("SIGTERM");
  yield ["leave", await until(fleet.isShared, 120)];
  await fleet.stats("orders=0");
}

async function* measureStrict(fleet: Fleet): AsyncGenerator<Figure> {
  await fleet.stats("limit=100");
  // The pace settles within two intervals.
  await pause(2 * intervalMs);
  await fleet.stats("reset");
  await pause(1.75 * intervalMs);
  const { gaps, requests, refused, seconds } = await fleet.stats("limit=0");
  yield ["strict", (gaps.at(-1) ?? Number.NaN) / (gaps[0] ?? Number.NaN)];
  yield ["strict-use", (requests - refused) / seconds];
  yield ["strict-soon", (gaps[0] ?? Number.NaN) / intervalMs];
  // Until each branch has been polled since the last order was made.
  await until(async () => (await fleet.countLost()) === 0, 2 * (intervalMs / 1000)).catch(() => undefined);
  yield ["lost", await fleet.countLost()];
}

async function listAll(part: AsyncGenerator<Figure>): Promise<Figure[]> {
  const figures: Figure[] = [];
  for await (const figure of part) figures.push(figure);
  return figures;
}

/** One machine, and calls that take so long that it would need six times as many at once. */
async function* measureSlow(fleet: Fleet): AsyncGenerator<Figure> {
  fleet.start();
  await until(async () => Object.keys((await fleet.stats()).last).length === fleet.branches, 120);
  await fleet.stats("delay=2000");
  // One round over all branches.
  await pause(1.25 * intervalMs);
  await fleet.stats("reset");
  await pause(1.75 * intervalMs);
  const { gaps } = await fleet.stats("delay=0");
  yield ["slow", (gaps.at(-1) ?? Number.NaN) / (gaps[0] ?? Number.NaN)];
  const said = fleet.all.flatMap(({ pace }) => pace.map(({ needed }) => needed ?? 0));
  yield ["slow-said", said[0] ?? "it was not said"];
}

async function* measureMachines(world: World, setting: Setting): AsyncGenerator<Figure> {
  const { networks, database } = setting;
  const { host, within } = networks;
  const fleet = await Fleet.open(world, {
    branches: world.size(10_000),
    keyOf: "bpk_scale_",
    intervalMs,
    host,
    within,
    journal: database.url,
  });
  yield* measureChanges(fleet, setting);
  const slow = await Fleet.open(world, {
    branches: 960,
    keyOf: "bpk_slow_",
    intervalMs: 10_000,
    host,
    within,
    journal: database.url,
  });
  for (const figures of await Promise.all([measureStrict(fleet), measureSlow(slow)].map(listAll)))
    yield* figures;
}
