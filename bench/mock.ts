import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { Pool } from "undici";
import { type Bench, bin, median, path, type World } from "./support.ts";

const connections = 20;
const headers = { "x-api-key": "bpk_demo_centro", "content-type": "application/json" };
const items = Array.from({ length: 1000 }, (_, n) => ({
  codigo: `B${n}`,
  nombre: `Producto ${n}`,
  categoria: "Almacén",
  precio: n + 0.5,
  deshabilitado: false,
}));
let events = 0;
function catalogEvent(): string {
  events += 1;
  return JSON.stringify({
    event_id: `bench-${events}`,
    occurred_at: new Date().toISOString(),
    action: "upsert",
    items,
  });
}

/** The path of 20 orders. */
const page = "/v1/orders";
type Measures = Record<"first" | "get" | "post" | "p99", number>;

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Milliseconds from the start of a process to its first answer. */
async function started(world: World, argv: readonly string[], port: number) {
  const began = performance.now();
  const { child } = world.spawn(
    [process.execPath, ...argv.map((each) => each.replace("PORT", String(port)))],
    { BPOS_HOME: world.newFolder(), NODE_COMPILE_CACHE: join(world.folder, "code") },
  );
  child.stdout.resume();
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null)
      throw new Error(`${argv.slice(0, 3).join(" ")} ended with ${child.exitCode}`);
    try {
      await (await fetch(url + page, { headers })).arrayBuffer();
      return { child, url, ms: performance.now() - began };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}

/** Requests a second and the 99th percentile in milliseconds, over some seconds. */
async function load(url: string, seconds: number, request: () => Parameters<Pool["request"]>[0]) {
  const pool = new Pool(url, { connections, pipelining: 1 });
  // Node accepts one connection a turn of its loop: opened under load, twenty would be all of the slowest hundredth.
  const open = () => pool.request({ method: "GET", path: page, headers });
  const opened = await Promise.all(Array.from({ length: connections }, open));
  await Promise.all(opened.map(({ body }) => body.dump()));
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      const began = performance.now();
      const { statusCode, body } = await pool.request(request());
      await body.dump();
      if (statusCode >= 300) throw new Error(`${url} answered ${statusCode}`);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  await pool.close();
  times.sort((a, b) => a - b);
  return { perSecond: times.length / seconds, p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN };
}

async function measured(world: World, argv: readonly string[]): Promise<Measures> {
  const { child, url, ms } = await started(world, argv, await freePort());
  const seconds = world.isQuick ? 0.5 : 2;
  const got = await load(url, seconds, () => ({ method: "GET", path: page, headers }));
  const post = (): Parameters<Pool["request"]>[0] => {
    return { method: "POST", path: "/v1/catalog/items", headers, body: catalogEvent() };
  };
  const posted = await load(url, seconds, post);
  await world.stop(child);
  return { first: ms, get: got.perSecond, post: posted.perSecond, p99: posted.p99 };
}

export const mock: Bench = {
  name: "mock",
  rows: [
    { name: "first", operation: "mock: first answer", against: "bare node:http + zod", target: 1.3 },
    {
      name: "get",
      operation: "mock: GET 20 orders, 20 connections, a second",
      against: "bare node:http",
      target: 1.5,
      isAtLeast: true,
    },
    {
      name: "post",
      operation: "mock: POST 1000 items, a second",
      against: "bare node:http + zod",
      target: 0.9,
      isAtLeast: true,
    },
    { name: "p99", operation: "the same, p99", against: "bare node:http + zod", target: 1.3 },
  ],
  async *measure(world) {
    const clock = ["--scenario", "rush", "--clock", "2026-01-01T12:00:00-03:00"];
    const bpos = [bin, "mock", ...clock, "--port", "PORT"];
    const bare = [path("peers/mock.mjs"), "PORT", await world.page()];
    const [ours, theirs]: [Measures[], Measures[]] = [[], []];
    for (let round = 0; round < world.rounds(5); round += 1) {
      world.idles();
      ours.push(await measured(world, bpos));
      theirs.push(await measured(world, bare));
    }
    for (const what of ["first", "get", "post", "p99"] as const) {
      const of = (runs: Measures[]): number => median(runs.map((each) => each[what]));
      yield [what, of(ours) / of(theirs)];
    }
  },
};
