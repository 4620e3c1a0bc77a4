// A service of many branches that have no orders, or a new one now and then. Counts who is polled when, and from which connections; answers
// late, or no more than so many requests a second, where it is told to: GET /stats?delay=MS&limit=N&orders=PER_SECOND&reset.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [branches, keyOf, file] = [Number(process.argv[2]), process.argv[3], process.argv[4]];
const [{ order_id: _, status: __, created_at: ___, ...order }] = JSON.parse(
  readFileSync(file, "utf8"),
).orders;
const settings = { delay: 0, limit: 0, orders: 0 };
/** By key: when it was polled last, epoch milliseconds, and its orders. */
const last = new Map();
const orders = new Map();
const sockets = new Map();
let stats;
let second = { at: 0, requests: 0 };
let placed = 0;
function reset() {
  stats = { since: Date.now(), requests: 0, refused: 0, gaps: [], perSecond: new Map() };
}
reset();

function placeOrders() {
  for (let n = 0; n < settings.orders / 10; n += 1) {
    const key = `${keyOf}${String((placed * 7919) % branches).padStart(5, "0")}`;
    placed += 1;
    const made = { order_id: placed, status: "pendiente", ...order, created_at: new Date().toISOString() };
    orders.set(key, [...(orders.get(key) ?? []), made]);
  }
}
setInterval(placeOrders, 100);

function statsText({ searchParams }) {
  const { since, requests, refused, gaps, perSecond } = stats;
  const connections = {};
  for (const address of sockets.values()) connections[address] = (connections[address] ?? 0) + 1;
  const seconds = (Date.now() - since) / 1000;
  const text = JSON.stringify({
    ...{ seconds, requests, refused, connections, placed },
    gaps: gaps.toSorted((a, b) => a - b),
    perSecond: [...perSecond.values()],
    last: Object.fromEntries(last),
  });
  if (searchParams.has("reset")) reset();
  for (const name of Object.keys(settings))
    if (searchParams.has(name)) settings[name] = Number(searchParams.get(name));
  return text;
}

function isRefused(now) {
  if (now - second.at >= 1000) second = { at: now, requests: 0 };
  second.requests += 1;
  return settings.limit > 0 && second.requests > settings.limit;
}

function notePoll(key, now) {
  const before = last.get(key);
  if (before !== undefined) stats.gaps.push(now - before);
  last.set(key, now);
  const at = Math.floor(now / 1000);
  stats.perSecond.set(at, (stats.perSecond.get(at) ?? 0) + 1);
}

function answer(request, response, url) {
  const now = Date.now();
  stats.requests += 1;
  const headers = { "content-type": "application/json" };
  if (isRefused(now)) {
    stats.refused += 1;
    response.writeHead(429, { ...headers, "retry-after": "1" });
    return response.end("{}");
  }
  const key = request.headers["x-api-key"];
  const isPending = (url.searchParams.get("status") ?? "pendiente") === "pendiente";
  if (isPending && (url.searchParams.get("page") ?? "1") === "1") notePoll(key, now);
  const here = isPending ? (orders.get(key) ?? []) : [];
  const text = JSON.stringify({ orders: here, page: 1, per_page: 20, total: here.length, has_more: false });
  response.writeHead(200, { ...headers, "content-length": Buffer.byteLength(text) });
  return response.end(text);
}

const server = createServer((request, response) => {
  const url = new URL(request.url, "http://localhost");
  if (url.pathname === "/stats") response.end(statsText(url));
  else if (url.pathname !== "/v1/orders") response.writeHead(404).end("{}");
  else if (settings.delay > 0) setTimeout(answer, settings.delay, request, response, url);
  else answer(request, response, url);
});
server.on("connection", (socket) => {
  sockets.set(socket, socket.remoteAddress);
  socket.on("close", () => sockets.delete(socket));
});
server.keepAliveTimeout = 60_000;
server.listen(0, "0.0.0.0", () => console.log(server.address().port));
