// Measures `bpos orders watch --all-profiles` of 500 branches against a mock in a process of its own: memory from poll to poll,
// how requests are spread over the interval, and CPU. Needs Linux, where /proc tells of a process; takes about ten minutes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../bin/bpos.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bpos-bench-"));
const branches = 500;
const shortS = 2;
const longS = 60;
const targets = { megabytes: 150, growth: 1.1, cpuShare: 0.05, spread: 3 };
const keys = Array.from({ length: branches }, (_, n) => `bpk_bench_${String(n).padStart(4, "0")}`);

/** 50 branches of ten keys: a scenario has at most 100 branches, and to a watch each key is one. */
const scenario = {
  name: "bench",
  order_every: "10m",
  moving: true,
  branches: Array.from({ length: branches / 10 }, (_, n) => ({
    branch: `b${n}`,
    store_id: String(n + 1),
    keys: keys.slice(n * 10, n * 10 + 10),
    orders: 8,
  })),
};

const children = new Set();
function start(argv, home) {
  const env = { PATH: process.env.PATH, BPOS_HOME: home };
  const child = spawn(process.execPath, [bin, ...argv], { env, stdio: ["ignore", "pipe", "pipe"] });
  children.add(child);
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  child.on("close", (code) => {
    if (!children.has(child)) return;
    console.error(`bpos ${argv.slice(0, 2).join(" ")} ended with ${code}: ${said}`);
    process.exit(1);
  });
  return child;
}

async function stop(child) {
  children.delete(child);
  child.kill("SIGTERM");
  if (child.exitCode === null) await once(child, "close");
}

async function startMock() {
  const file = join(folder, "scenario.json");
  writeFileSync(file, JSON.stringify(scenario));
  const child = start(["mock", "--port", "0", "--scenario", file], join(folder, "mock"));
  const [line] = await once(createInterface(child.stdout), "line");
  return { child, url: JSON.parse(line).base_url };
}

function startWatch(url, interval) {
  const home = mkdtempSync(join(folder, "home-"));
  const profiles = Object.fromEntries(keys.map((key, n) => [`shop-${n}`, { base_url: url, api_key: key }]));
  writeFileSync(join(home, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
  const argv = ["orders", "watch", "--all-profiles", "--interval", `${interval}s`, "--force"];
  const child = start([...argv, "-o", "ndjson", "--out-dir", join(home, "orders")], home);
  child.lines = 0;
  createInterface(child.stdout).on("line", () => {
    child.lines += 1;
  });
  return child;
}

const megabytes = ({ pid }, field) =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;

/** CPU time in seconds, user's and system's; a tick is a hundredth of a second on every Linux. */
function cpuSeconds({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Hears of every request by asking the mock for its last ones, of which it keeps a thousand. */
class Requests {
  #url;
  #lastId = 0;
  #polls = new Map(keys.map((key) => [key.slice(-4), 0]));
  requests = 0;
  /** When each poll reached the mock, epoch milliseconds. */
  times = [];

  constructor(url) {
    this.#url = url;
  }

  async hear() {
    const response = await fetch(`${this.#url}/_mock/requests?limit=1000`);
    const { requests } = await response.json();
    const [first] = requests;
    if (first !== undefined && first.id > this.#lastId + 1 && this.#lastId > 0)
      throw new Error("requests came faster than they were read: the figures would be wrong");
    for (const { id, at, query, key, status } of requests) {
      if (id <= this.#lastId) continue;
      if (status !== 200) throw new Error(`the mock answered ${status}`);
      this.#lastId = id;
      this.requests += 1;
      const asked = new URLSearchParams(query);
      if (asked.get("status") !== "pendiente" || asked.get("page") !== "1") continue;
      const who = key.slice(-4);
      this.#polls.set(who, this.#polls.get(who) + 1);
      this.times.push(Date.parse(at));
    }
  }

  /** Polls of the branch that had the fewest. */
  get fewest() {
    return Math.min(...this.#polls.values());
  }

  async untilEachHas(polls) {
    while (this.fewest < polls) {
      await this.hear();
      await pause(250);
    }
  }

  async during(seconds) {
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) {
      await this.hear();
      await pause(500);
    }
    await this.hear();
  }
}

const verdict = (good) => (good ? "met" : "MISSED");
const say = (what, figure, target, good) =>
  console.log(`${what.padEnd(58)} ${figure.padStart(12)}   target ${target.padEnd(10)} ${verdict(good)}`);

const sayMemory = (what, figure) =>
  say(what, `${figure.toFixed(1)} MB`, `< ${targets.megabytes} MB`, figure < targets.megabytes);

async function memory(url) {
  const requests = new Requests(url);
  await requests.hear();
  const watch = startWatch(url, shortS);
  const resident = new Map();
  let cpu;
  for (const polls of [20, 100, 200]) {
    await requests.untilEachHas(polls);
    resident.set(polls, megabytes(watch, "VmRSS"));
    if (polls === 20) cpu = { seconds: cpuSeconds(watch), polls: requests.times.length };
  }
  const seconds = cpuSeconds(watch) - cpu.seconds;
  const perPoll = seconds / (requests.times.length - cpu.polls);
  const peak = megabytes(watch, "VmHWM");
  await stop(watch);
  // Thirty times the traffic makes thirty times the garbage, and V8 lets more of it lie.
  for (const [polls, figure] of resident)
    sayMemory(`resident after poll ${polls} at --interval ${shortS}s`, figure);
  sayMemory("the same at its peak", peak);
  const growth = resident.get(200) / resident.get(100);
  say(
    "growth from poll 100 to 200",
    `${growth.toFixed(2)} ×`,
    `< ${targets.growth} ×`,
    growth < targets.growth,
  );
  const share = (perPoll * branches) / longS;
  console.log(
    `${(requests.requests / requests.times.length).toFixed(2)} requests and ${(perPoll * 1000).toFixed(2)} ms CPU a poll, looks through all states included; ${watch.lines} orders and changes handed on.`,
  );
  say(
    `that CPU at --interval ${longS}s, in shares of a core`,
    `${(share * 100).toFixed(2)} %`,
    `< ${targets.cpuShare * 100} %`,
    share < targets.cpuShare,
  );
}

async function calm(url) {
  const requests = new Requests(url);
  await requests.hear();
  const watch = startWatch(url, longS);
  await requests.untilEachHas(1);
  await requests.during(5);
  const before = { cpu: cpuSeconds(watch), at: performance.now(), polls: requests.times.length };
  await requests.during(longS);
  const share = (cpuSeconds(watch) - before.cpu) / ((performance.now() - before.at) / 1000);
  const times = requests.times.slice(before.polls);
  sayMemory(`resident after two polls at --interval ${longS}s`, megabytes(watch, "VmRSS"));
  sayMemory("the same at its peak", megabytes(watch, "VmHWM"));
  await stop(watch);
  say(
    `CPU over ${longS} s at --interval ${longS}s, in shares of a core`,
    `${(share * 100).toFixed(2)} %`,
    `< ${targets.cpuShare * 100} %`,
    share < targets.cpuShare,
  );
  const buckets = new Map();
  for (const time of times) {
    const bucket = Math.floor(((time - times[0]) * 100) / (longS * 1000));
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
  }
  const spread = Math.max(...buckets.values()) / (times.length / 100);
  // With 5 polls in a hundredth of the interval chance alone makes the fullest one 2 to 3 times as full.
  say(
    `polls in the fullest hundredth of the interval (${times.length} polls)`,
    `${spread.toFixed(2)} ×`,
    `< ${targets.spread} ×`,
    spread < targets.spread,
  );
}

try {
  const mock = await startMock();
  console.log(
    `Node ${process.version}, ${cpus().length} cores; ${branches} branches, --interval ${shortS}s for memory and ${longS}s for the rest.`,
  );
  await calm(mock.url);
  await memory(mock.url);
} finally {
  for (const child of children) await stop(child);
  rmSync(folder, { recursive: true, force: true });
}
