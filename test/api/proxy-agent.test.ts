import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { readProxies } from "../../src/api/proxy.ts";
import { proxiedAgent } from "../../src/api/proxy-agent.ts";
import type { Dispatcher } from "../../src/api/transport.ts";
import { trustOf } from "../../src/settings/ca-file.ts";
import { deadAddress } from "../support/peers.ts";
import { proxyServer } from "../support/proxy-server.ts";
import { on, reply, reset, scriptedServer } from "../support/scripted-server.ts";
import { caFile, secureServer } from "../support/tls.ts";
import { apiKey, campaign, clientOf, event, factsOf, noOrders } from "./harness.ts";

/** Connections through the proxies of an environment, trusting the CA of tests. */
function through(env: Record<string, string>, timeoutMs?: number): Dispatcher {
  const secureContext = trustOf(caFile(), undefined, "/");
  const agent = proxiedAgent(readProxies(env)!, { secureContext, timeoutMs });
  onTestFinished(() => agent.destroy());
  return agent;
}

/** A server that takes connections and never says a word. */
async function silentServer(): Promise<{ url: string; connected: Promise<Socket>; closed: Promise<void> }> {
  const server = createServer((socket) => socket.on("error", () => undefined).resume());
  const connected = once(server, "connection").then(([socket]) => socket as Socket);
  const closed = connected.then(async (socket) => {
    await once(socket, "close");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, connected, closed };
}

const named = (url: string): string => `http://api.example.com:${new URL(url).port}`;

it("asks a proxy for the whole address of plain http, many at once, and shows the service no credentials", async () => {
  const proxy = await proxyServer({ credentials: "ana:se cr@eto" });
  const calls = Array.from({ length: 5 }, () => on("GET /v1/orders", reply(noOrders)));
  const server = await scriptedServer(...calls);
  const dispatcher = through({ HTTP_PROXY: `http://ana:se%20cr%40eto@${proxy.host}` });
  const { client } = clientOf(named(server.url), { dispatcher });
  const answers = await Promise.all(calls.map(() => client.listOrders()));
  expect(answers.map(({ body }) => body)).toEqual(calls.map(() => noOrders));
  expect(proxy.asked).toEqual(calls.map(() => `GET ${named(server.url)}/v1/orders`));
  for (const { headers, url } of server.requests) {
    expect(url).toBe("/v1/orders");
    expect(headers).toMatchObject({ host: new URL(named(server.url)).host, "x-api-key": apiKey });
    expect(headers).not.toHaveProperty("proxy-authorization");
  }
});

it.each([false, true])(
  "reaches https inside a tunnel, by a proxy that speaks TLS itself: %s",
  async (tls) => {
    const proxy = await proxyServer({ credentials: "ana:secreto", tls });
    const server = await secureServer(noOrders);
    const address = `${tls ? "https" : "http"}://ana:secreto@${proxy.host}`;
    const dispatcher = through({ https_proxy: address });
    const { client } = clientOf(`https://api.example.com:${server.port}`, { dispatcher });
    for (let n = 0; n < 5; n++) await client.listOrders();
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT api.example.com:${server.port}`]));
    // A tunnel serves many calls; while one comes to rest, a second is opened.
    expect(proxy.asked.length).toBeLessThanOrEqual(2);
    expect(server.requests).toHaveLength(5);
    expect(server.requests[0]).toMatchObject({ "x-api-key": apiKey });
    expect(server.requests[0]).not.toHaveProperty("proxy-authorization");
  },
);

it("names the service inside a tunnel, to an end that picks its certificate by that", async () => {
  const proxy = await proxyServer();
  const { port } = await secureServer(noOrders, { byName: true });
  const dispatcher = through({ https_proxy: `http://${proxy.host}` });
  const { client } = clientOf(`https://api.example.com:${port}`, { dispatcher });
  expect((await client.listOrders()).body).toEqual(noOrders);
});

it("checks the name of the service inside a tunnel", async () => {
  const proxy = await proxyServer();
  const { port } = await secureServer(noOrders);
  const dispatcher = through({ https_proxy: `http://${proxy.host}` });
  const { client } = clientOf(`https://api.elsewhere.test:${port}`, { dispatcher });
  const facts = await factsOf("unavailable", client.listOrders());
  expect(facts).toMatchObject({ attempts: 1, untrusted: true });
  expect(facts.detail).toContain("altnames");
  expect(facts.proxy).toBeUndefined();
});

it("goes directly where no proxy is meant", async () => {
  const proxy = await proxyServer();
  const server = await scriptedServer(on("GET /v1/orders", reply(noOrders)));
  const { client } = clientOf(server.url, { dispatcher: through({ all_proxy: `http://${proxy.host}` }) });
  await client.listOrders();
  expect(proxy.asked).toEqual([]);
});

it.each([
  ["https", "pushCatalog"],
  ["http", "pushCatalog"],
  ["https", "sendCampaign"],
  ["http", "sendCampaign"],
] as const)("knows that nothing was sent where a proxy asks who one is: %s, %s", async (scheme, method) => {
  const proxy = await proxyServer({ credentials: "ana:secreto" });
  const dispatcher = through({ all_proxy: `http://ana:wrong-secret@${proxy.host}` });
  const { client } = clientOf(`${scheme}://api.example.com:9`, { dispatcher });
  const call = method === "pushCatalog" ? client.pushCatalog(event) : client.sendCampaign(campaign);
  const facts = await factsOf("unavailable", call);
  expect(facts).toMatchObject({
    attempts: 1,
    proxy: { url: `http://…@${proxy.host}`, variable: "all_proxy", credentials: true, status: 407 },
  });
  expect(JSON.stringify(facts)).not.toContain("wrong-secret");
  expect(proxy.asked).toHaveLength(1);
});

it.each(["https", "http"])(
  "tries again where a proxy cannot be reached, and knows that nothing was sent: %s",
  async (scheme) => {
    const dead = await deadAddress();
    const { client } = clientOf(`${scheme}://api.example.com:9`, {
      dispatcher: through({ all_proxy: dead }),
    });
    const facts = await factsOf("unavailable", client.sendCampaign(campaign));
    expect(facts).toMatchObject({
      attempts: 5,
      proxy: { url: dead, variable: "all_proxy", credentials: false },
      detail: { kind: "proxy_unreached", detail: expect.stringContaining("ECONNREFUSED") as string },
    });
  },
);

it("gives up a proxy that keeps silent within the time of a request", async () => {
  const { url } = await silentServer();
  const dispatcher = through({ all_proxy: url }, 100);
  const { client } = clientOf("https://api.example.com:9", { dispatcher, retries: 0 });
  const facts = await factsOf("unavailable", client.pushCatalog(event));
  expect(facts).toMatchObject({
    proxy: { url, variable: "all_proxy", credentials: false },
    detail: { kind: "proxy_unreached", detail: { kind: "too_slow", ms: 100 } },
  });
});

it("takes a proxy's 5xx for a moment's trouble, and its other refusals for good", async () => {
  const server = await secureServer({ accepted: 1 });
  const proxy = await proxyServer({
    connectAnswers: ["HTTP/1.1 503 Busy\r\n\r\n", "HTTP/1.1 502 Bad Gateway\r\n\r\n"],
  });
  const dispatcher = through({ https_proxy: `http://${proxy.host}` });
  const { client } = clientOf(`https://api.example.com:${server.port}`, { dispatcher });
  expect((await client.pushCatalog(event)).attempts).toBe(3);
  const strict = await proxyServer({ connectAnswers: ["HTTP/1.1 403 Not on the list\r\n\r\n"] });
  const refused = clientOf("https://api.example.com:9", {
    dispatcher: through({ https_proxy: `http://${strict.host}` }),
  });
  const facts = await factsOf("unavailable", refused.client.pushCatalog(event));
  expect(facts).toMatchObject({
    attempts: 1,
    proxy: { status: 403 },
    detail: { kind: "proxy_answered", status: 403, said: "Not on the list" },
  });
});

it.each(["s3cr%20to", "s3cr to", "ana:s3cr to", Buffer.from("ana:s3cr to").toString("base64")])(
  "does not repeat its user name and password after a proxy: %s",
  async (said) => {
    const strict = await proxyServer({
      connectAnswers: [`HTTP/1.1 403 No, ana! ${"x".repeat(70 - said.length)}${said}.\r\n\r\n`],
    });
    const dispatcher = through({ https_proxy: `http://ana:s3cr%20to@${strict.host}` });
    const { client } = clientOf("https://api.example.com:9", { dispatcher });
    const facts = await factsOf("unavailable", client.listOrders());
    expect(facts.detail).toMatchObject({ said: expect.stringMatching(/^No, …! x+…=?\.$/) as string });
  },
);

it.each([
  ["<h1>Blocked</h1>", true],
  ['{"code":"X","message":"no"}', false],
])("names a plain proxy beside an answer that is not the service's: %s", async (refusal, isNamed) => {
  const proxy = await proxyServer({ refusal });
  const dispatcher = through({ http_proxy: `http://${proxy.host}` });
  const { client } = clientOf("http://api.example.com:9", { dispatcher });
  const { proxy: named } = await factsOf("access_denied", client.listOrders());
  const trouble = { url: `http://${proxy.host}`, variable: "http_proxy", credentials: false, status: 403 };
  expect(named).toEqual(isNamed ? trouble : undefined);
});

it("does not know what became of a POST that broke off behind a plain proxy", async () => {
  const proxy = await proxyServer();
  const server = await scriptedServer(on("POST /v1/catalog/items", reset()));
  const { client } = clientOf(named(server.url), {
    dispatcher: through({ http_proxy: `http://${proxy.host}` }),
    retries: 0,
  });
  const facts = await factsOf("outcome_unknown", client.pushCatalog(event));
  expect(facts.proxy).toBeUndefined();
});

it("still does not know it when a later try is refused by the proxy", async () => {
  const proxy = await proxyServer();
  const second = await proxyServer({ credentials: "ana:secreto" });
  const server = await scriptedServer(on("POST /messaging/campaigns", reset()));
  const direct = through({ http_proxy: `http://${proxy.host}` });
  const refusing = through({ http_proxy: `http://${second.host}` });
  let calls = 0;
  const { client } = clientOf(named(server.url), {
    dispatcher: {
      dispatch: (...request) => (calls++ === 0 ? direct : refusing).dispatch(...request),
      destroy: () => Promise.resolve(),
    },
  });
  const facts = await factsOf("outcome_unknown", client.sendCampaign(campaign));
  expect(facts).toMatchObject({ attempts: 2, proxy: { status: 407 } });
});

it("passes on what the service itself answers, 407 in a tunnel included", async () => {
  const proxy = await proxyServer();
  const server = await scriptedServer(on("GET /v1/orders", reply({ code: "X", message: "no" }, 404)));
  const { client } = clientOf(named(server.url), {
    dispatcher: through({ http_proxy: `http://${proxy.host}` }),
  });
  const facts = await factsOf("input_refused", client.listOrders());
  expect(facts).toMatchObject({ status: 404, serviceMessage: "no" });
});

it("blames no proxy for a connection to it that was given up here", async () => {
  const { url, connected } = await silentServer();
  // That one takes the connection and says nothing, so that TLS with it never comes about.
  const agent = through({ http_proxy: url.replace("http:", "https:") });
  const { client } = clientOf("http://api.example.com:9", { dispatcher: agent, retries: 0 });
  const call = factsOf("interrupted", client.listOrders());
  await connected;
  await agent.destroy();
  await call;
});

it("ends a tunnel in the making at once when the connections are closed", async () => {
  const { url, connected, closed } = await silentServer();
  const agent = through({ https_proxy: url });
  const { client } = clientOf("https://api.example.com:9", { dispatcher: agent, retries: 0 });
  const call = factsOf("interrupted", client.listOrders());
  await connected;
  const began = performance.now();
  await agent.destroy();
  await call;
  await closed;
  // Connecting itself is given up after 10 s.
  expect(performance.now() - began).toBeLessThan(5_000);
});
