import type { ChildProcess } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { bin, key, megabytesOf, type World } from "./support.ts";

interface How {
  port: number;
  /** How fast the service's time passes. */
  speed: number;
  seed: string;
}

/** A branch that watches, pushes and sends, and the service that it does it with: each may be killed. */
export class Branch {
  readonly #world: World;
  readonly #how: How;
  readonly #scenario: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
  readonly killed = { watch: 0, mock: 0, calls: 0 };
  /** How often each order was printed, marked and not. */
  readonly printed = new Map<number, { unmarked: number; marked: number }>();
  #mock: ChildProcess | undefined;
  watch: ChildProcess | undefined;

  constructor(world: World, how: How) {
    this.#world = world;
    this.#how = how;
    this.home = world.newFolder();
    this.url = `http://127.0.0.1:${how.port}`;
    const campaigns = `${this.url}/messaging`;
    this.env = {
      BPOS_HOME: this.home,
      BPOS_BASE_URL: this.url,
      BPOS_CAMPAIGNS_URL: campaigns,
      BPOS_API_KEY: key,
    };
    const branches = [{ branch: "centro", store_id: "1", keys: [key], orders: 0 }];
    const scenario = { name: "week", order_every: "5m", moving: true, branches };
    this.#scenario = world.write("scenario.json", JSON.stringify(scenario));
  }

  async startMock(): Promise<void> {
    const { port, seed } = this.#how;
    const data = join(this.#world.folder, "world.db");
    const flags = ["--scenario", this.#scenario, "--data", data, "--seed", seed];
    const argv = [process.execPath, bin, "mock", "--port", String(port), ...flags];
    this.#mock = (await this.#world.start(argv, { BPOS_HOME: this.#world.newFolder() })).child;
  }

  startWatch(): void {
    const argv = ["orders", "watch", "--interval", "1s", "--force", "-o", "ndjson"];
    const { child } = this.#world.spawn([process.execPath, bin, ...argv], this.env);
    this.watch = child;
    createInterface(child.stdout).on("line", (line) => {
      const said = readLine(line);
      if (said?.event !== "order.new") return;
      const times = this.printed.get(said.order.order_id) ?? { unmarked: 0, marked: 0 };
      times[said.repeated === true ? "marked" : "unmarked"] += 1;
      this.printed.set(said.order.order_id, times);
    });
  }

  async killMock(outageMs: number): Promise<void> {
    this.killed.mock += 1;
    await kill(this.#mock);
    await pause(outageMs);
    await this.startMock();
  }

  async killWatch(): Promise<void> {
    this.killed.watch += 1;
    await kill(this.watch);
    this.startWatch();
  }

  /** Runs a command again until it has succeeded, as a shop would; the first attempt is killed after some time. */
  async insist(argv: readonly string[], killAfterMs: number): Promise<void> {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const { child, ended } = this.#world.spawn([process.execPath, bin, ...argv], this.env);
      child.stdout.resume();
      if (attempt === 0)
        await Promise.race([pause(killAfterMs), ended.catch(() => undefined)]).then(() => {
          if (child.exitCode === null) this.killed.calls += 1;
          child.kill("SIGKILL");
        });
      const message = await ended.catch((error: unknown) => (error as Error).message);
      if (child.exitCode === 0) return;
      if (attempt === 199) throw new Error(message);
      await pause(500);
    }
  }

  async get<T>(address: string): Promise<T> {
    return (await (await fetch(`${this.url}${address}`, { headers: { "x-api-key": key } })).json()) as T;
  }

  async now(): Promise<number> {
    return Date.parse((await this.get<{ now: string }>("/_mock/world")).now);
  }

  async control(
    method: "POST" | "DELETE",
    what: "clock" | "faults" | "orders",
    change: object,
  ): Promise<void> {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${this.url}/_mock/${what}`, {
      method,
      headers,
      body: JSON.stringify(change),
    });
    if (!answer.ok) throw new Error(`the mock answered ${answer.status}: ${await answer.text()}`);
  }

  /** Lets the service's time fly, once the watch has a first order: what leaves pendiente before its first poll is none of its own. */
  async hurry(): Promise<void> {
    await this.control("POST", "orders", { count: 1, branch: "centro" });
    while (this.printed.size === 0) await pause(100);
    // The world keeps it over restarts.
    await this.control("POST", "clock", { speed: this.#how.speed });
  }

  /** The processes and files as they are now. */
  row(hours: number): string {
    const { watch } = this;
    if (watch?.pid === undefined || watch.exitCode !== null) return `${hours} h: the watch is not running`;
    const journal = ["journal.db", "journal.db-wal"].map((name) => join(this.home, "state", name));
    const size = journal.reduce(
      (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
    const figures = [
      hours,
      this.printed.size,
      megabytesOf(watch, "VmRSS").toFixed(0),
      readdirSync(`/proc/${watch.pid}/fd`).length,
      (size / 2 ** 20).toFixed(2),
      ...Object.values(this.killed),
    ];
    return figures.map((figure, at) => String(figure).padStart(widths[at] ?? 0)).join("  ");
  }
}

export const titles = [
  "hour",
  "orders",
  "watch MB",
  "descriptors",
  "journal MB",
  "watches killed",
  "mocks killed",
  "calls killed",
];
const widths = titles.map((title) => title.length);

function readLine(line: string) {
  try {
    return JSON.parse(line) as { event: string; order: { order_id: number }; repeated?: boolean };
  } catch {
    // The end of a line that a kill cut.
    return undefined;
  }
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGKILL");
  await closed;
}
