import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { openProxiedAgent, readProxies } from "../../src/api/proxy.ts";
import type { Dispatcher } from "../../src/api/transport.ts";
import { isReason } from "../../src/errors.ts";
import { readTrust } from "../../src/settings/ca-file.ts";
import { deadAddress } from "../support/peers.ts";
import { proxyServer } from "../support/proxy-server.ts";
import { on, reply, reset, scriptedServer } from "../support/scripted-server.ts";
import { caFile, secureServer } from "../support/tls.ts";
import { apiKey, campaign, clientOf, event, factsOf, noOrders } from "./harness.ts";

const proxy = "http://proxy.example:3128";
/** The variable of the proxy that is meant for an origin, undefined for none. */
const variableFor = (env: Record<string, string>, origin: string): string | undefined =>
  readProxies(env)?.of(origin)?.variable;

describe("which variable names the proxy", () => {
  it.each<[Record<string, string>, string, string | undefined]>([
    [{}, "https://api.example", undefined],
    [{ http_proxy: proxy }, "https://api.example", undefined],
    [{ http_proxy: proxy }, "http://api.example", "http_proxy"],
    [{ https_proxy: proxy, HTTPS_PROXY: "http://other" }, "https://api.example", "https_proxy"],
    [{ https_proxy: "", HTTPS_PROXY: proxy }, "https://api.example", "HTTPS_PROXY"],
    [{ ALL_PROXY: proxy, all_proxy: proxy, HTTP_PROXY: proxy }, "http://api.example", "HTTP_PROXY"],
    [{ ALL_PROXY: proxy, all_proxy: proxy, HTTP_PROXY: proxy }, "https://api.example", "all_proxy"],
    // A web server's CGI makes HTTP_PROXY of a header that strangers send.
    [{ HTTP_PROXY: proxy, REQUEST_METHOD: "GET" }, "http://api.example", undefined],
    [{ http_proxy: proxy, REQUEST_METHOD: "GET" }, "http://api.example", "http_proxy"],
  ])("%j, %s: %s", (env, origin, expected) => {
    expect(variableFor(env, origin)).toBe(expected);
  });

  it.each(["http://localhost:4010", "http://127.0.0.1:4010", "http://[::1]:4010", "https://shop.localhost"])(
    "never calls this machine through a proxy: %s",
    (origin) => {
      expect(variableFor({ all_proxy: proxy }, origin)).toBeUndefined();
    },
  );
});

describe("NO_PROXY", () => {
  it.each([
    ["*", "https://api.example"],
    ["api.example", "https://api.example"],
    [".example", "https://api.example"],
    ["*.example", "https://api.example"],
    ["other, API.Example", "https://api.example"],
    ["other\tapi.example", "https://api.example."],
    ["api.example:443", "https://api.example"],
    ["api.example:80", "http://api.example"],
    ["10.0.0.0/8", "https://10.1.2.3"],
    ["2001:db8::1", "https://[2001:db8::1]"],
    ["[2001:db8::1]:8443", "https://[2001:db8::1]:8443"],
    ["2001:db8::/32", "https://[2001:db8::1]"],
  ])("%s leaves out %s", (value, origin) => {
    expect(variableFor({ all_proxy: proxy, NO_PROXY: value }, origin)).toBeUndefined();
  });
});

describe("the address of a proxy", () => {
  const of = (value: string) => readProxies({ https_proxy: value })?.of("https://api.example");

  it.each([
    ["proxy.example:3128", "http://proxy.example:3128", undefined],
    ["http://ana:se%20cr%40eto@proxy.example:3128", "http://…@proxy.example:3128", "ana:se cr@eto"],
    ["ana:secreto@proxy.example:3128", "http://…@proxy.example:3128", "ana:secreto"],
    ["http://token@proxy.example:3128", "http://…@proxy.example:3128", "token:"],
    ["http://ana:100%@proxy.example", "http://…@proxy.example", "ana:100%"],
    ["http://[2001:db8::1]:3128", "http://[2001:db8::1]:3128", undefined],
  ])("%s", (value, shown, credentials) => {
    const { authorization = "", ...found } = of(value)!;
    expect(found.shown).toBe(shown);
    const [, encoded] = /^Basic (.*)$/.exec(authorization) ?? [];
    expect(encoded && Buffer.from(encoded, "base64").toString()).toBe(credentials);
  });

  it.each([
    ["socks5://ana:secreto@proxy.example:1080", { variable: "https_proxy", scheme: "socks5" }],
    ["http://ana:secreto@proxy.example:port", { variable: "https_proxy" }],
    ["http://", { variable: "https_proxy" }],
  ])("refuses %s without showing it", (value, facts) => {
    try {
      of(value);
      expect.unreachable();
    } catch (error) {
      expect(isReason(error, "proxy_unusable") && error.facts).toEqual(facts);
      expect(String(error)).not.toContain("secreto");
    }
  });
});

/** Connections through the proxies of an environment, trusting the CA of tests. */
async function through(env: Record<string, string>, timeoutMs?: number): Promise<Dispatcher> {
  const secureContext = readTrust(caFile(), undefined, "/");
  const agent = await openProxiedAgent(readProxies(env)!, { secureContext, timeoutMs });
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

describe("a call through a proxy", () => {
  it.each([
    ["http", false],
    ["https", false],
    ["https", true],
  ])("reaches %s inside a tunnel, by a proxy that speaks TLS itself: %s", async (scheme, tls) => {
    const credentials = "ana:se cr@eto";
    const proxy = await proxyServer({ credentials, tls });
    const calls = Array.from({ length: 5 }, () => on("GET /v1/orders", reply(noOrders)));
    const plain = await scriptedServer(...(scheme === "http" ? calls : []));
    const secure = await secureServer(noOrders, { byName: true });
    const port = scheme === "http" ? new URL(plain.url).port : secure.port;
    const address = `${tls ? "https" : "http"}://ana:se%20cr%40eto@${proxy.host}`;
    const dispatcher = await through({ all_proxy: address });
    const { client } = clientOf(`${scheme}://api.example.com:${port}`, { dispatcher });
    for (let n = 0; n < calls.length; n++) expect((await client.listOrders()).body).toEqual(noOrders);
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT api.example.com:${port}`]));
    // A tunnel serves many calls; while one comes to rest, a second is opened.
    expect(proxy.asked.length).toBeLessThanOrEqual(2);
    const [headers] = scheme === "http" ? plain.requests.map((request) => request.headers) : secure.requests;
    expect(headers).toMatchObject({ host: `api.example.com:${port}`, "x-api-key": apiKey });
    expect(headers).not.toHaveProperty("proxy-authorization");
  });

  it("checks the name of the service inside a tunnel", async () => {
    const proxy = await proxyServer();
    const { port } = await secureServer(noOrders);
    const dispatcher = await through({ https_proxy: `http://${proxy.host}` });
    const { client } = clientOf(`https://api.elsewhere.test:${port}`, { dispatcher });
    const facts = await factsOf("unavailable", client.listOrders());
    expect(facts).toMatchObject({ attempts: 1, untrusted: true });
    expect(facts.detail).toContain("altnames");
    expect(facts.proxy).toBeUndefined();
  });

  it.each([
    ["https", "pushCatalog"],
    ["http", "sendCampaign"],
  ] as const)("knows that nothing was sent where a proxy asks who one is: %s, %s", async (scheme, method) => {
    const proxy = await proxyServer({ credentials: "ana:secreto" });
    const dispatcher = await through({ all_proxy: `http://ana:wrong-secret@${proxy.host}` });
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

  it("tries again where a proxy cannot be reached, and knows that nothing was sent", async () => {
    const dead = await deadAddress();
    const dispatcher = await through({ all_proxy: dead });
    const { client } = clientOf("https://api.example.com:9", { dispatcher });
    expect(await factsOf("unavailable", client.sendCampaign(campaign))).toMatchObject({
      attempts: 5,
      proxy: { url: dead, variable: "all_proxy", credentials: false },
      detail: { kind: "proxy_unreached", detail: expect.stringContaining("ECONNREFUSED") as string },
    });
  });

  it("gives up a proxy that keeps silent within the time of a request", async () => {
    const { url } = await silentServer();
    const dispatcher = await through({ all_proxy: url }, 100);
    const options = { dispatcher, retries: 0, timeoutMs: 100 };
    const { client } = clientOf("https://api.example.com:9", options);
    expect(await factsOf("unavailable", client.pushCatalog(event))).toMatchObject({
      detail: { kind: "too_slow", ms: 100 },
    });
  });

  it("takes a proxy's 5xx for a moment's trouble, and its other refusals for good", async () => {
    const server = await secureServer({ accepted: 1 });
    const proxy = await proxyServer({
      connectAnswers: ["HTTP/1.1 503 Busy\r\n\r\n", "HTTP/1.1 502 Bad Gateway\r\n\r\n"],
    });
    const dispatcher = await through({ https_proxy: `http://${proxy.host}` });
    const { client } = clientOf(`https://api.example.com:${server.port}`, { dispatcher });
    expect((await client.pushCatalog(event)).attempts).toBe(3);
    const strict = await proxyServer({ connectAnswers: ["HTTP/1.1 403 Not on the list\r\n\r\n"] });
    const refused = clientOf("https://api.example.com:9", {
      dispatcher: await through({ https_proxy: `http://${strict.host}` }),
    });
    expect(await factsOf("unavailable", refused.client.pushCatalog(event))).toMatchObject({
      attempts: 1,
      proxy: { status: 403 },
      detail: { kind: "proxy_answered", status: 403 },
    });
  });

  it("does not know what became of a POST that broke off behind it, nor when it refuses a later try", async () => {
    const proxy = await proxyServer();
    const strict = await proxyServer({ credentials: "ana:secreto" });
    const server = await scriptedServer(on("POST /messaging/campaigns", reset()));
    const open = await through({ http_proxy: `http://${proxy.host}` });
    const refusing = await through({ http_proxy: `http://${strict.host}` });
    let calls = 0;
    const dispatcher: Dispatcher = {
      dispatch: (...request) => (calls++ === 0 ? open : refusing).dispatch(...request),
      destroy: () => Promise.resolve(),
    };
    const { client } = clientOf(server.url.replace("127.0.0.1", "api.example.com"), { dispatcher });
    const facts = await factsOf("outcome_unknown", client.sendCampaign(campaign));
    expect(facts).toMatchObject({ attempts: 2, proxy: { status: 407 } });
  });

  it("ends a tunnel in the making at once when the connections are closed, and blames no proxy", async () => {
    const { url, connected, closed } = await silentServer();
    const agent = await through({ https_proxy: url });
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
});
