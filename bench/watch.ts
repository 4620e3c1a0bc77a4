import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Bench, bin, median, megabytesOf, type World } from "./support.ts";

const shortS = 2;
const longS = 60;

/** CPU time in seconds, user's and system's; a tick is a hundredth of a second on every Linux. */
function cpuSeconds(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** A shop of ten keys each: a scenario has at most 100 branches, and to a watch each key is one. */
async function mockOf(world: World, keys: readonly string[]): Promise<string> {
  const branches = Array.from({ length: keys.length / 10 }, (_, n) => {
    return { branch: `b${n}`, store_id: String(n + 1), keys: keys.slice(n * 10, n * 10 + 10), orders: 8 };
  });
  const scenario = { name: "bench", order_every: "10m", moving: true, branches };
  return world.mock("--scenario", world.write("scenario.json", JSON.stringify(scenario)));
}

function startWatch(
  world: World,
  url: string,
  { keys, interval, more = [] }: { keys: readonly string[]; interval: number; more?: readonly string[] },
) {
  const home = world.newFolder();
  const profiles = Object.fromEntries(keys.map((key, n) => [`shop-${n}`, { base_url: url, api_key: key }]));
  world.write(join(home.slice(world.folder.length + 1), "config.json"), JSON.stringify({ profiles }));
  const argv = ["orders", "watch", "--all-profiles", "--interval", `${interval}s`, "--force", "-o", "ndjson"];
  const { child, ended } = world.spawn(
    [process.execPath, bin, ...argv, "--out-dir", join(home, "orders"), ...more],
    {
      BPOS_HOME: home,
    },
  );
  child.stdout.resume();
  return { child, ended };
}

interface Request {
  id: number;
  at: string;
  query: string;
  key: string;
  status: number;
}

/** Hears of every poll by asking the mock for its last requests, of which it shows a thousand. */
class Polls {
  readonly #url: string;
  #lastId = 0;
  readonly #each: Map<string, number>;
  /** When each reached the mock, epoch milliseconds. */
  readonly times: number[] = [];

  constructor(url: string, keys: readonly string[]) {
    this.#url = url;
    this.#each = new Map(keys.map((key) => [key.slice(-4), 0]));
  }

  async hear(): Promise<void> {
    const response = await fetch(`${this.#url}/_mock/requests?limit=1000`);
    const { requests } = (await response.json()) as { requests: Request[] };
    const first = requests[0]?.id ?? 0;
    if (first > this.#lastId + 1 && this.#lastId > 0)
      throw new Error("requests came faster than they were read: the figures would be wrong");
    for (const { id, at, query, key, status } of requests) {
      if (id <= this.#lastId) continue;
      if (status !== 200) throw new Error(`the mock answered ${status}`);
      this.#lastId = id;
      const asked = new URLSearchParams(query);
      if (asked.get("status") !== "pendiente" || asked.get("page") !== "1") continue;
      const who = key.slice(-4);
      this.#each.set(who, (this.#each.get(who) ?? 0) + 1);
      this.times.push(Date.parse(at));
    }
  }

  /** Counts from here on: an earlier watch of the same branches polled before. */
  forget(): void {
    for (const key of this.#each.keys()) this.#each.set(key, 0);
    this.times.length = 0;
  }

  /** Until each branch has had so many polls; throws when the watch has ended. */
  async until(polls: number, ended: Promise<never>): Promise<void> {
    while (Math.min(...this.#each.values()) < polls) {
      await this.hear();
      await Promise.race([pause(250), ended]);
    }
  }
}

/** A port that is free at this moment. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Milliseconds that the answer to a scrape takes. */
async function scrapeMs(port: number): Promise<number> {
  const before = performance.now();
  await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return performance.now() - before;
}

/** The same interval with metrics that are read every 15 s, as Prometheus does. */
async function* watched(world: World, url: string, keys: readonly string[]) {
  const polls = new Polls(url, keys);
  await polls.hear();
  polls.forget();
  const interval = world.isQuick ? longS / 6 : longS;
  const port = await freePort();
  const { child, ended } = startWatch(world, url, { keys, interval, more: ["--health", String(port)] });
  await polls.until(1, ended);
  await pause(5_000);
  const before = { cpu: cpuSeconds(child.pid), at: performance.now() };
  const took: number[] = [];
  for (let n = 0; n < 4; n++) {
    await pause((interval * 1000) / 4);
    took.push(await scrapeMs(port));
  }
  const share = (cpuSeconds(child.pid) - before.cpu) / ((performance.now() - before.at) / 1000);
  yield ["health-cpu", share * 100] as const;
  for (let n = 0; n < 9; n++) took.push(await scrapeMs(port));
  const [first = Number.NaN, ...later] = took;
  yield ["scrape-first", first] as const;
  yield ["scrape", median(later)] as const;
  yield ["health-memory", megabytesOf(child, "VmHWM")] as const;
  await world.stop(child);
}

async function* calm(world: World, url: string, keys: readonly string[]) {
  const polls = new Polls(url, keys);
  await polls.hear();
  const interval = world.isQuick ? longS / 6 : longS;
  const { child, ended } = startWatch(world, url, { keys, interval });
  await polls.until(1, ended);
  await pause(5_000);
  await polls.hear();
  const before = { cpu: cpuSeconds(child.pid), at: performance.now(), polls: polls.times.length };
  const end = before.at + interval * 1000;
  while (performance.now() < end) {
    await polls.hear();
    await pause(500);
  }
  await polls.hear();
  const share = (cpuSeconds(child.pid) - before.cpu) / ((performance.now() - before.at) / 1000);
  const times = polls.times.slice(before.polls);
  const buckets = new Map<number, number>();
  for (const time of times) {
    const bucket = Math.floor(((time - (times[0] ?? 0)) * 100) / (interval * 1000));
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
  }
  yield ["cpu", share * 100] as const;
  yield ["memory", megabytesOf(child, "VmHWM")] as const;
  yield ["spread", Math.max(...buckets.values()) / (times.length / 100)] as const;
  await world.stop(child);
}

/** Thirty times the traffic makes thirty times the garbage: what grows shows early. */
async function growth(world: World, url: string, keys: readonly string[]): Promise<number> {
  const polls = new Polls(url, keys);
  await polls.hear();
  const { child, ended } = startWatch(world, url, { keys, interval: shortS });
  await polls.until(world.size(100), ended);
  const early = megabytesOf(child, "VmRSS");
  await polls.until(world.size(200), ended);
  const late = megabytesOf(child, "VmRSS");
  await world.stop(child);
  return late / early;
}

const what = "watch, 500 branches, 60 s";
export const watch: Bench = {
  name: "watch",
  rows: [
    { name: "cpu", operation: `${what}, share of a core`, unit: "%", target: 3 },
    { name: "memory", operation: `${what}, peak memory`, unit: "MB", target: 120 },
    // With 5 polls in a hundredth of the interval chance alone makes the fullest one 2 to 3 times as full.
    { name: "spread", operation: "polls in the fullest hundredth of 60 s", against: "the mean", target: 3 },
    { name: "health-cpu", operation: `${what}, --health, share of a core`, unit: "%", target: 3 },
    { name: "health-memory", operation: `${what}, --health, peak memory`, unit: "MB", target: 120 },
    { name: "scrape-first", operation: "GET /metrics of 500 branches, the first", unit: "ms", target: 50 },
    { name: "scrape", operation: "the same, later", unit: "ms", target: 50 },
    { name: "growth", operation: "memory after 200 polls at 2 s", against: "after 100", target: 1.1 },
  ],
  async *measure(world) {
    if (process.platform !== "linux") throw new Error("it needs /proc, which only Linux has");
    const count = world.isQuick ? 100 : 500;
    const keys = Array.from({ length: count }, (_, n) => `bpk_bench_${String(n).padStart(4, "0")}`);
    const url = await mockOf(world, keys);
    world.idles();
    yield* calm(world, url, keys);
    world.idles();
    yield* watched(world, url, keys);
    world.idles();
    yield ["growth", await growth(world, url, keys)];
    world.idles();
  },
};
