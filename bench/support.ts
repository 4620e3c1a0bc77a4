import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startMock } from "../src/mock/index.ts";

/** One line of the table. A figure is a ratio to its peer unless it has another unit. */
export interface Row {
  name: string;
  operation: string;
  against?: string;
  unit?: "×" | "s" | "ms" | "MB" | "%";
  target: number;
  /** The target is a minimum, not a maximum. */
  isAtLeast?: true;
}
/** A row's figure, or why there is none. */
export type Figure = readonly [name: string, figure: number | string];
export interface Bench {
  name: string;
  rows: readonly Row[];
  /** Measured only if `--only` names it. */
  isAsked?: true;
  measure(world: World): AsyncGenerator<Figure> | Generator<Figure>;
}
export interface Run {
  seconds: number;
  /** Peak memory, if the program reported it. */
  megabytes: number;
}
interface Program {
  argv: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

export const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
export const bin = path("../bin/bpos.js");
export const key = "bpk_bench_0123456789";
export const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
/** Nothing else of the environment: on Node 20 NODE_EXTRA_CA_CERTS alone doubles a start and hides everything. */
const bare = { PATH: process.env["PATH"] };

/** Runs a program to its end; one that fails throws. */
export function run({ argv, env = {}, cwd }: Program): Run {
  const [command = "", ...rest] = argv;
  const began = performance.now();
  const options = { env: { ...bare, ...env }, encoding: "utf8", maxBuffer: 1e9, cwd } as const;
  const { status, stderr, error } = spawnSync(command, rest, {
    ...options,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const seconds = (performance.now() - began) / 1000;
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${argv.slice(0, 5).join(" ")} ended with ${status}: ${stderr.trim()}`);
  return { seconds, megabytes: Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024 };
}

/** Shared by all measurements: sizes, a temporary folder, the processes that end with it, how busy the machine was. */
export class World {
  readonly isQuick: boolean;
  readonly folder = mkdtempSync(join(tmpdir(), "bpos-bench-"));
  /** Seconds that `node -e 0` took, once a round of everything. */
  readonly idle: number[] = [];
  readonly #children = new Set<ChildProcess>();
  #isEnding = false;
  #lackOfPeers: string | undefined | null = null;

  constructor(isQuick: boolean) {
    this.isQuick = isQuick;
  }

  readonly size = (full: number): number => (this.isQuick ? full / 10 : full);
  readonly rounds = (full: number): number => (this.isQuick ? Math.ceil(full / 5) : full);
  readonly newFolder = (): string => mkdtempSync(join(this.folder, "home-"));

  write(name: string, text: string): string {
    const file = join(this.folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  }

  /** The built command, in a home of its own unless it is given one; `peak` lets it say what memory it took. */
  bpos(argv: readonly string[], env: Readonly<Record<string, string>> = {}, { peak } = { peak: false }): Run {
    const node = [process.execPath, ...(peak ? ["--import", path("peers/peak.mjs")] : [])];
    const own = { BPOS_HOME: this.newFolder(), NODE_COMPILE_CACHE: join(this.folder, "code") };
    return run({ argv: [...node, bin, ...argv], env: { ...own, ...env } });
  }

  /** Runs each program once a round, in turn, so that a slow minute of the machine meets them all. */
  interleave<Name extends string>(
    rounds: number,
    programs: Readonly<Record<Name, () => Run>>,
  ): Record<Name, Run> {
    const names = Object.keys(programs) as Name[];
    const runs = new Map<Name, Run[]>(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      this.idles();
      for (const name of names) runs.get(name)?.push(programs[name]());
    }
    const middle = (of: readonly Run[]): Run => ({
      seconds: median(of.map(({ seconds }) => seconds)),
      megabytes: median(of.map(({ megabytes }) => megabytes)),
    });
    const medians = [...runs].map(([name, of]) => [name, middle(of)]);
    return Object.fromEntries(medians) as Record<Name, Run>;
  }

  idles(): void {
    this.idle.push(run({ argv: [process.execPath, "-e", "0"] }).seconds);
  }

  /** Starts a program that goes on until it is stopped; `ended` throws what it said when it ends. */
  spawn(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const [command = "", ...rest] = argv;
    if (this.#isEnding) throw new Error("it was interrupted");
    const child = spawn(command, rest, { env: { ...bare, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    this.#children.add(child);
    let said = "";
    child.stderr.on("data", (text: Buffer) => {
      said += text.toString();
    });
    const ended = once(child, "close").then(() => {
      throw new Error(`${argv.slice(0, 4).join(" ")} ended: ${said.trim()}`);
    });
    ended.catch(() => undefined);
    return { child, ended };
  }

  /** The same, once it has printed a line. */
  async start(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const { child, ended } = this.spawn(argv, env);
    const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), ended])) as [string];
    return { child, line };
  }

  async stop(child: ChildProcess): Promise<void> {
    this.#children.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, "close");
  }

  /** The mock in a process of its own; its address. */
  async mock(...flags: readonly string[]): Promise<string> {
    const argv = [process.execPath, bin, "mock", "--port", "0", ...flags];
    const { line } = await this.start(argv, { BPOS_HOME: this.newFolder() });
    return (JSON.parse(line) as { base_url: string }).base_url;
  }

  /** A service that does nothing, in a process of its own; the settings of a command that uses it. */
  async service({ delay = 0, accepted = 500, orders = 0 } = {}) {
    const page = await this.page();
    const argv = [
      process.execPath,
      path("peers/service.mjs"),
      String(delay),
      String(accepted),
      String(orders),
      page,
    ];
    const { line } = await this.start(argv);
    const url = `http://127.0.0.1:${line}`;
    return { url, env: { BPOS_BASE_URL: url, BPOS_CAMPAIGNS_URL: url, BPOS_API_KEY: key } };
  }

  /** A file with a page of 20 orders as the mock gives it. */
  async page(): Promise<string> {
    const file = join(this.folder, "page.json");
    if (existsSync(file)) return file;
    const mock = await startMock({ scenario: "rush", clock: "2026-01-01T12:00:00-03:00" });
    const headers = { "x-api-key": mock.keys[0]?.key ?? "" };
    writeFileSync(file, await (await fetch(`${mock.baseUrl}/v1/orders`, { headers })).text());
    await mock.close();
    return file;
  }

  /** Why something cannot be measured beside these, or undefined: `peers` are the packages of bench/, installed when first asked for. */
  lack(...needs: readonly string[]): string | undefined {
    for (const need of needs) {
      if (need === "peers") {
        this.#lackOfPeers = this.#lackOfPeers === null ? installPeers() : this.#lackOfPeers;
        if (this.#lackOfPeers !== undefined) return this.#lackOfPeers;
      } else if (spawnSync(need, ["--version"], { stdio: "ignore" }).status !== 0)
        return `there is no ${need}`;
    }
    return undefined;
  }

  /** Stops every started process, so that the next measurement has the machine for itself. */
  async stopAll(): Promise<void> {
    await Promise.all([...this.#children].map((child) => this.stop(child)));
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.stopAll();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** npm with the settings of this machine, which it needs to reach its registry; what it said where it failed. */
export function npm(argv: readonly string[], cwd: string): string | undefined {
  const { status, stderr } = spawnSync("npm", argv, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (status === 0) return undefined;
  const [first = ""] = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("npm warn"));
  return `npm ${argv[0]} failed: ${first}`;
}

function installPeers(): string | undefined {
  const installed = path("node_modules/.package-lock.json");
  const lock = path("package-lock.json");
  if (existsSync(installed) && statSync(installed).mtimeMs > statSync(lock).mtimeMs) return undefined;
  return npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund"], path("."));
}

/** VmRSS is what a process has now, VmHWM what it had at most. */
export const megabytesOf = ({ pid }: ChildProcess, field: "VmRSS" | "VmHWM"): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** A price list as a till exports it, almost 60 bytes a row; with `raised`, one of so many products costs more. */
export function priceList(world: World, rows: number, raised = 0): string {
  const kinds = ["Almacén", "Bebidas", "Limpieza", "Panadería", "Verdulería"];
  const lines = Array.from({ length: rows }, (_, n) => {
    const more = raised > 0 && n % raised === 0 ? 10_000 : 0;
    const price = (((n * 7919) % 1_000_000) / 100 + more).toFixed(2);
    return `${String(n).padStart(8, "0")},Producto número ${n},${kinds[n % 5]},${price},${n % 50 === 0}`;
  });
  return world.write(
    `prices-${rows}-${raised}.csv`,
    `codigo,nombre,categoria,precio,deshabilitado\n${lines.join("\n")}\n`,
  );
}

/** Customers with phones that differ from those of any other `from`. */
export function customers(world: World, rows: number, from = 0): string {
  const lines = Array.from({ length: rows }, (_, n) => `+54911${40_000_000 + from + n},Ana ${n},${n}`);
  return world.write(`customers-${from}-${rows}.csv`, `telefono,nombre,pedido\n${lines.join("\n")}\n`);
}

export const sendOf = (file: string, ...flags: readonly string[]): readonly string[] => [
  ...["campaign", "send", file, "--template", "pedido_listo", "--params", "nombre,pedido"],
  ...["--yes", "-q", ...flags],
];
