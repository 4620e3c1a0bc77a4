import { type ChildProcess, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { password, startServer } from "../e2e/support/postgres-server.ts";
import { bin, type World } from "./support.ts";

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

/** What a watch wrote: its branches at the moment, when it took each, and the orders that it delivered. */
export interface Machine {
  child: ChildProcess;
  here: Map<string, number>;
  orders: string[];
  /** Lines of `watch.behind` and `watch.on_time`. */
  pace: string[];
}

export function startMachine(
  world: World,
  { prefix, profiles, journal }: { prefix: readonly string[]; profiles: object; journal: string },
): Machine {
  const home = world.newFolder();
  writeFileSync(join(home, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
  const argv = ["orders", "watch", "--all-profiles", "--standby", "-o", "ndjson", "--interval", "60s"];
  const env = { BPOS_HOME: home, BPOS_JOURNAL: journal };
  const { child } = world.spawn([...prefix, process.execPath, bin, ...argv], env);
  const machine: Machine = { child, here: new Map(), orders: [], pace: [] };
  let rest = "";
  child.stdout.on("data", (bytes: Buffer) => {
    const lines = (rest + bytes.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(machine, line);
  });
  return machine;
}

function hear(machine: Machine, line: string): void {
  const { event, branch, at, order, repeated } = JSON.parse(line) as {
    [K in "event" | "branch" | "at"]: string;
  } & { order?: { order_id: number }; repeated?: boolean };
  if (event === "watch.active") machine.here.set(branch, Date.parse(at));
  if (event === "watch.standby") machine.here.delete(branch);
  if (event === "order.new" && repeated !== true) machine.orders.push(`${branch} ${order?.order_id}`);
  if (event === "watch.behind" || event === "watch.on_time") machine.pace.push(line);
}
