import { type AddressInfo, createServer as createNetServer } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { examples } from "../../src/contract/examples.ts";
import { on, reply, scriptedServer } from "../support/scripted-server.ts";
import { accepted, apiKey, clientOf, event, factsOf, noOrders } from "./harness.ts";

const list = "GET /v1/orders";
const push = "POST /v1/catalog/items";
const [order] = examples.listOrders.response.orders;

describe("an answer that cannot be used", () => {
  it.each([
    [
      "HTML",
      "<!DOCTYPE html>\n <b>Bad\tgateway</b>",
      { kind: "answer_html" },
      "<!DOCTYPE html> <b>Bad gateway</b>",
    ],
    ["truncated", '{"orders":[{"order_id":1', { kind: "answer_not_json" }, '{"orders":[{"order_id":1'],
    ["not JSON", "OK", { kind: "answer_not_json" }, "OK"],
    ["two documents", "{}{}", { kind: "answer_not_json" }, "{}{}"],
    ["empty", " \n", { kind: "answer_empty" }, undefined],
    ["without orders", '{"data":[]}', { kind: "answer_lacks", path: "orders", type: "array" }, '{"data":[]}'],
    [
      "with other orders",
      '{"orders":{}}',
      { kind: "answer_lacks", path: "orders", type: "array" },
      '{"orders":{}}',
    ],
    ["a list", "[1]", { kind: "answer_lacks", path: "", type: "object" }, "[1]"],
    ["null", "null", { kind: "answer_lacks", path: "", type: "object" }, "null"],
  ])("%s: a clear error that quotes it", async (_name, body, detail, quote) => {
    const server = await scriptedServer(on(list, reply(body)), on(push, reply(body)));
    const { client } = clientOf(server.url, { retries: 0 });
    const facts = await factsOf("unreadable_answer", client.listOrders());
    expect(facts).toEqual({
      endpoint: list,
      origin: server.url,
      attempts: 1,
      status: 200,
      detail,
      ...(quote && { quote }),
    });
    await factsOf("outcome_unknown", client.pushCatalog(event));
  });

  it("quotes at most 80 characters, the invisible ones made visible, the key never", async () => {
    const body = `${apiKey}${encodeURIComponent(apiKey)}\u0007\u202e\u200b\u{e0001}\u3164\u2028${"😀".repeat(100)}`;
    const server = await scriptedServer(
      on(list, reply(body)),
      on(list, reply({ code: `X ${apiKey}`, message: `bad key ${apiKey}` }, 403)),
    );
    const { client, records } = clientOf(server.url, { retries: 0 });
    const { quote } = await factsOf("unreadable_answer", client.listOrders());
    expect(quote).toMatch(
      /^bpk_…3f9abpk_…3f9a\\u\{7\}\\u\{202e\}\\u\{200b\}\\u\{e0001\}\\u\{3164\}\\u\{2028\}😀+…$/u,
    );
    expect(quote?.length).toBeLessThanOrEqual(80);
    const facts = await factsOf("access_denied", client.listOrders());
    expect(facts).toMatchObject({ serviceCode: "X bpk_…3f9a", serviceMessage: "bad key bpk_…3f9a" });
    expect(JSON.stringify(records)).not.toContain(apiKey);
  });

  it("hides a key that JSON writes in another way, and one in a header", async () => {
    const apiKey = 'bpk_"quoted\\';
    const server = await scriptedServer(
      on(list, reply({ echo: apiKey })),
      on(list, reply("x", 200, { "content-encoding": "bpk_header" })),
    );
    const quoted = clientOf(server.url, { apiKey, retries: 0 });
    expect(await factsOf("unreadable_answer", quoted.client.listOrders())).toMatchObject({
      quote: '{"echo":"bpk_…"}',
    });
    const header = clientOf(server.url, { apiKey: "bpk_header", retries: 0 });
    const facts = await factsOf("unreadable_answer", header.client.listOrders());
    expect(JSON.stringify([facts, header.records])).not.toContain("bpk_header");
  });

  it("is refused when it is nested too deep", async () => {
    const deep = `${"[".repeat(200_000)}1234567890123456${"]".repeat(200_000)}`;
    const server = await scriptedServer(on(list, reply(deep)), on("GET /messaging/campaigns/c", reply(deep)));
    const { client } = clientOf(server.url, { retries: 0 });
    const listed = await factsOf("unreadable_answer", client.listOrders());
    expect(listed.detail).toEqual({ kind: "answer_lacks", path: "", type: "object" });
    const facts = await factsOf("unreadable_answer", client.readCampaign("c"));
    expect(facts.detail).toEqual({ kind: "answer_too_deep", maxDepth: 100 });
  });
});

describe("an answer that differs from the specification", () => {
  it("passes through untouched, with what differs listed", async () => {
    const text =
      '{"orders":[{"order_id":9007199254740993,"status":"volando","extra":{"a":[1e2,0.10]},"cliente":{"nombre":null},' +
      '"total":"12","tarjeta":"1234567890123456"},{"order_id":null}],"has_more":false,"next":12345678901234567890}';
    const server = await scriptedServer(on(list, reply(text, 201)));
    const { body, status, mismatches } = await clientOf(server.url).client.listOrders();
    expect(status).toBe(201);
    expect(body).toStrictEqual({
      orders: [
        {
          order_id: 9007199254740993n,
          status: "volando",
          extra: { a: [100, 0.1] },
          cliente: { nombre: null },
          total: "12",
          tarjeta: "1234567890123456",
        },
        { order_id: null },
      ],
      has_more: false,
      next: 12345678901234567890n,
    });
    expect(mismatches).toHaveLength(20);
    expect(mismatches).toContain("orders.0.total: expected number");
    expect(mismatches).toContain("orders.0.cliente.telefono: expected string");
  });

  it("tells of a number that no double holds, and takes it for no other kind", async () => {
    const text = JSON.stringify({ ...noOrders, orders: [{ ...order, total: "T", costo_envio: "C" }] })
      .replace('"T"', "1234567890123456.78")
      .replace('"C"', "100000000000000000000");
    const server = await scriptedServer(on(list, reply(text)));
    const { body, mismatches } = await clientOf(server.url).client.listOrders();
    expect(mismatches).toEqual([
      "orders.0.costo_envio: a number that no double holds",
      "orders.0.total: a number that no double holds",
    ]);
    expect(String(body.orders[0]?.total)).toBe("1234567890123456.78");
  });

  it("differs in nothing when only open things differ", async () => {
    const open = { ...order, status: "volando", cliente: { ...order?.cliente, nombre: null }, propina: 5 };
    const { domicilio, ...bare } = open;
    expect(domicilio).toBeDefined();
    const server = await scriptedServer(on(list, reply({ ...noOrders, orders: [open, bare] })));
    const { body, mismatches } = await clientOf(server.url).client.listOrders();
    expect(body.orders).toStrictEqual([open, bare]);
    expect(mismatches).toEqual([]);
  });

  it("carries the service's own time", async () => {
    const date = "Thu, 01 Jan 2026 12:00:05 GMT";
    const server = await scriptedServer(
      on(list, reply(noOrders, 200, { date })),
      on(list, reply(noOrders, 200, { date: "x" })),
    );
    const { client } = clientOf(server.url);
    expect((await client.listOrders()).date).toBe(Date.UTC(2026, 0, 1, 12, 0, 5));
    expect((await client.listOrders()).date).toBeUndefined();
  });
});

describe("the wire", () => {
  it("asks as the specification says", async () => {
    const server = await scriptedServer(on(push, reply(accepted)), on(list, reply(noOrders)));
    const { client } = clientOf(server.url);
    await client.pushCatalog(event);
    await client.listOrders({ status: "listo", since: "2026-01-01T00:00:00+02:00", page: 2 });
    const [post, get] = server.requests;
    expect(post?.headers).toMatchObject({
      "x-api-key": apiKey,
      accept: "application/json",
      "content-type": "application/json",
    });
    expect(post?.body.toString()).toBe(JSON.stringify(event));
    expect(get?.headers["content-type"]).toBeUndefined();
    expect(get?.url).toBe("/v1/orders?status=listo&since=2026-01-01T00%3A00%3A00%2B02%3A00&page=2");
  });

  it.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("unpacks %s", async (encoding, pack) => {
    const packed = pack(Buffer.from(JSON.stringify(noOrders)));
    const server = await scriptedServer(on(list, reply(packed, 200, { "content-encoding": encoding })));
    expect((await clientOf(server.url).client.listOrders()).body).toEqual(noOrders);
  });

  it.each([
    ["an unknown encoding", "zstd", "encoding_unasked"],
    ["broken gzip", "gzip", "encoding_broken"],
  ])("%s is a clear error", async (_name, encoding, kind) => {
    const server = await scriptedServer(on(list, reply("abc", 200, { "content-encoding": encoding })));
    const facts = await factsOf(
      "unreadable_answer",
      clientOf(server.url, { retries: 0 }).client.listOrders(),
    );
    expect(facts.detail).toMatchObject({ kind, encoding });
  });

  it("refuses an announced length over the limit without waiting for it", async () => {
    const server = await scriptedServer(
      on(list, (response) => {
        response.writeHead(200, { "content-length": "1001" });
        response.flushHeaders();
      }),
    );
    const facts = await factsOf(
      "unreadable_answer",
      clientOf(server.url, { maxResponseBytes: 1000 }).client.listOrders(),
    );
    expect(facts.detail).toEqual({ kind: "answer_too_large", maxBytes: 1000 });
  });

  it("does not wait for a body that trickles", async () => {
    const server = await scriptedServer(
      on(list, (response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(" "), 10);
        response.on("close", () => clearInterval(timer));
      }),
    );
    const facts = await factsOf(
      "unavailable",
      clientOf(server.url, { timeoutMs: 100, retries: 0 }).client.listOrders(),
    );
    expect(facts.detail).toEqual({ kind: "too_slow", ms: 100 });
  });

  it.each([
    ["GET", 301, "unavailable"],
    ["GET", 302, "unavailable"],
    ["POST", 307, "unavailable"],
    ["POST", 303, "outcome_unknown"],
  ] as const)("follows no redirect of a %s: %i", async (method, status, reason) => {
    const elsewhere = await scriptedServer();
    const handler = reply("", status, { location: `${elsewhere.url}/login?token=t0ps3cret` });
    const server = await scriptedServer(on(method === "GET" ? list : push, handler));
    const { client } = clientOf(server.url);
    const facts = await factsOf(reason, method === "GET" ? client.listOrders() : client.pushCatalog(event));
    expect(facts).toMatchObject({
      status,
      attempts: 1,
      detail: { kind: "redirect", to: elsewhere.url },
    });
  });

  it("calls what is no HTTP a protocol error", async () => {
    const server = createNetServer((socket) => socket.on("data", () => socket.end("220 smtp ready\r\n")));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { client, records } = clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      retries: 1,
    });
    await factsOf("unreadable_answer", client.listOrders());
    await factsOf("outcome_unknown", client.pushCatalog(event));
    expect(records.map(({ failure }) => failure)).toEqual(Array(4).fill("protocol"));
  });
});
