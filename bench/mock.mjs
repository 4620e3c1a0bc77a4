// Measures the mock beside a bare node:http server that sends the same bytes, each in a process of its own, in one run.
// Only the ratios count: machines are noisy. json-server is installed into a temporary folder and measured too, where it can be
// installed; `--no-peers` leaves it out.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bpos-bench-"));
const rounds = 5;
const seconds = 2;
const connections = 20;
const key = { "x-api-key": "bpk_demo_centro" };
const json = { ...key, "content-type": "application/json" };
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** What a server of one's own would be: node:http, JSON.stringify of the page at each GET, zod for each item of a POST. */
const bare = join(root, "bench", "bare-server.mjs");
const items = Array.from({ length: 1000 }, (_, n) => ({
  codigo: `B${n}`,
  nombre: `Producto ${n}`,
  categoria: "Almacén",
  precio: n + 0.5,
  deshabilitado: false,
}));
let events = 0;
const catalogEvent = () => {
  events += 1;
  return JSON.stringify({
    event_id: `bench-${events}`,
    occurred_at: new Date().toISOString(),
    action: "upsert",
    items,
  });
};

/** Starts a server and waits for its first answer; milliseconds from the start of the process. */
async function firstAnswer(command, port, path) {
  const began = performance.now();
  const child = spawn(command[0], command.slice(1), { stdio: "ignore", cwd: folder });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    try {
      const response = await fetch(url + path, { headers: key });
      await response.arrayBuffer();
      return { child, url, ms: performance.now() - began };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}

/** Requests a second and the 99th percentile in milliseconds, over some seconds at 20 connections. */
async function load(url, request) {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const times = [];
  const end = performance.now() + seconds * 1000;
  const worker = async () => {
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
  return { perSecond: times.length / seconds, p99: times[Math.floor(times.length * 0.99)] };
}

const residentMb = (child) => {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
};

async function measure(contestant) {
  const result = { starts: [], gets: [], getP99: [], posts: [], postP99: [], memory: [] };
  for (let round = 0; round < rounds; round++) {
    const port = await freePort();
    const { child, url, ms } = await firstAnswer(contestant.command(port), port, contestant.page);
    result.starts.push(ms);
    const got = await load(url, () => ({ method: "GET", path: contestant.page, headers: key }));
    result.gets.push(got.perSecond);
    result.getP99.push(got.p99);
    if (contestant.posts) {
      const posted = await load(url, () => ({
        method: "POST",
        path: "/v1/catalog/items",
        headers: json,
        body: catalogEvent(),
      }));
      result.posts.push(posted.perSecond);
      result.postP99.push(posted.p99);
    }
    if (process.platform === "linux") result.memory.push(residentMb(child));
    child.kill("SIGKILL");
    await once(child, "close");
  }
  return Object.fromEntries(Object.entries(result).map(([name, values]) => [name, median(values)]));
}

/** A page of 20 orders as the mock gives it, for the others to send. */
async function samplePage() {
  const { startMock } = await import(join(root, "dist/mock/index.js"));
  const mock = await startMock({ scenario: "rush", clock: "2026-01-01T12:00:00-03:00" });
  const response = await fetch(`${mock.baseUrl}/v1/orders`, { headers: key });
  const page = await response.text();
  await mock.close();
  return page;
}

const page = await samplePage();
const pageFile = join(folder, "page.json");
writeFileSync(pageFile, page);
const node = process.execPath;
const mockArgs = ["mock", "--scenario", "rush", "--clock", "2026-01-01T12:00:00-03:00"];
const contestants = [
  {
    name: "bare node:http",
    page: "/v1/orders",
    posts: true,
    command: (port) => [node, bare, String(port), pageFile],
  },
  {
    name: "bpos mock",
    page: "/v1/orders",
    posts: true,
    command: (port) => [node, join(root, "bin/bpos.js"), ...mockArgs, "--port", String(port)],
  },
];
function installs(name) {
  try {
    execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, name], {
      stdio: "ignore",
    });
    return true;
  } catch {
    console.log(`${name} does not install here and is left out.`);
    return false;
  }
}

if (!process.argv.includes("--no-peers") && installs("json-server@0.17")) {
  writeFileSync(
    join(folder, "db.json"),
    JSON.stringify({ orders: JSON.parse(page).orders.map((order) => ({ id: order.order_id, ...order })) }),
  );
  const bin = join(folder, "node_modules/json-server/lib/cli/bin.js");
  contestants.push({
    name: "json-server 0.17",
    page: "/orders?_limit=20",
    posts: false,
    command: (port) => [
      node,
      bin,
      "--quiet",
      "--port",
      String(port),
      "--host",
      "127.0.0.1",
      join(folder, "db.json"),
    ],
  });
}
const figures = [];
for (const contestant of contestants) figures.push([contestant.name, await measure(contestant)]);
rmSync(folder, { recursive: true, force: true });

const [, base] = figures[0];
const cell = (value, digits = 0) => (value === undefined ? "—" : value.toFixed(digits)).padStart(12);
const ratio = (value, of) =>
  (value === undefined || of === undefined ? "—" : `${(value / of).toFixed(2)} ×`).padStart(9);
console.log(
  `Node ${process.version}, ${connections} connections, medians of ${rounds} rounds of ${seconds} s; × is against bare node:http.`,
);
console.log(
  ["".padEnd(18), "first ms", "", "GET/s", "", "p99 ms", "POST 1000/s", "", "p99 ms", "MB"]
    .map((title, n) => (n === 0 ? title : title.padStart([2, 4, 7].includes(n) ? 9 : 12)))
    .join(" "),
);
for (const [name, f] of figures) {
  console.log(
    [
      name.padEnd(18),
      cell(f.starts),
      ratio(f.starts, base.starts),
      cell(f.gets),
      ratio(f.gets, base.gets),
      cell(f.getP99, 1),
      cell(f.posts),
      ratio(f.posts, base.posts),
      cell(f.postP99, 1),
      cell(f.memory),
    ].join(" "),
  );
}
