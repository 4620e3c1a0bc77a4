import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { RunningMock } from "../../src/mock/index.ts";
import { answersIn, raw, talk } from "./raw.ts";
import { campaign, centro, frozen, get, inputProblem, listOrders, push, send, start } from "./support.ts";

const problem = inputProblem(expect.any(String));
const head = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, "Host: localhost", `X-API-Key: ${centro}`, ...headers, "", ""].join("\r\n");
const jsonHead = (path: string, length: number, ...headers: string[]): string =>
  head(`POST ${path}`, "Content-Type: application/json", `Content-Length: ${length}`, ...headers);
const closing = "Connection: close";
const event = JSON.stringify({
  event_id: "e",
  occurred_at: frozen,
  action: "upsert",
  items: [{ codigo: "A", nombre: "a", precio: 1 }],
});

/** What the mock answers to these bytes: status and JSON body of each answer. */
const ask = async (mock: RunningMock, ...parts: string[]): Promise<{ status: number; body: unknown }[]> =>
  answersIn(await talk(mock, ...parts));

describe("requests that do not come to an end", () => {
  const timeouts = { headers: 100, request: 250 };

  test.each([
    ["nothing but a line", "GET /v1/orders HTTP/1.1\r\n"],
    ["headers that stop", "GET /v1/orders HTTP/1.1\r\nHost: localhost\r\nX-API"],
  ])("%s: 408", async (_, text) => {
    const mock = await start({ timeouts });
    expect(await ask(mock, text)).toEqual([{ status: 408, body: problem }]);
  });

  test("a body that stops: 408, nothing applied, and the mock goes on", async () => {
    const mock = await start({ timeouts });
    const text = jsonHead("/v1/catalog/items", event.length) + event.slice(0, -1);
    expect(await ask(mock, text)).toEqual([{ status: 408, body: problem }]);
    expect(await mock.control.catalog()).toEqual([]);
    expect((await get(`${mock.baseUrl}/v1/orders`)).status).toBe(200);
  });

  test("a body that stops, of a request refused before it was read: one answer, then the end", async () => {
    const mock = await start({ timeouts });
    expect(await ask(mock, `${jsonHead("/v1/nothing", 10)}x`)).toEqual([{ status: 404, body: problem }]);
  });

  test("a client that leaves in the middle of a body has applied nothing", async () => {
    const mock = await start();
    const socket = connect(Number(new URL(mock.baseUrl).port), "127.0.0.1");
    socket.write(jsonHead("/v1/catalog/items", event.length) + event.slice(0, -1));
    // An answer to a later connection shows that the bytes before it have come.
    await get(`${mock.baseUrl}/v1/orders`);
    socket.destroy();
    await expect.poll(async () => (await mock.control.requests()).length).toBe(2);
    expect(await mock.control.requests()).toMatchObject([{ status: 200 }, { status: 400 }]);
    expect(await mock.control.catalog()).toEqual([]);
  });
});

describe("what HTTP allows and nobody expects", () => {
  test("Expect with nonsense is 417; 100-continue works", async () => {
    const mock = await start();
    expect(await ask(mock, jsonHead("/v1/catalog/items", 2, "Expect: a miracle", closing))).toEqual([
      { status: 417, body: problem },
    ]);
    const text = await talk(
      mock,
      jsonHead("/v1/catalog/items", event.length, "Expect: 100-continue", closing),
      event,
    );
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  });

  test("CONNECT is 405: the mock is no proxy", async () => {
    const mock = await start();
    expect(await ask(mock, "CONNECT example.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n")).toEqual([
      { status: 405, body: problem },
    ]);
  });

  test("a CONNECT whose client stays or breaks off does not hold up the mock or end it", async () => {
    const mock = await start();
    const port = Number(new URL(mock.baseUrl).port);
    const sockets = [1, 2].map(() => connect({ port, host: "127.0.0.1", allowHalfOpen: true }));
    for (const socket of sockets) socket.write("CONNECT example.com:443 HTTP/1.1\r\n\r\n");
    sockets[0]?.resetAndDestroy();
    expect((await get(`${mock.baseUrl}/v1/orders`)).status).toBe(200);
    await mock.close();
    sockets[1]?.destroy();
  });

  test("an Upgrade is not taken up", async () => {
    const mock = await start();
    const text = head("GET /v1/orders", "Connection: Upgrade, close", "Upgrade: websocket");
    expect(await ask(mock, text)).toMatchObject([{ status: 200 }]);
  });

  test("HEAD is a GET without its body", async () => {
    const mock = await start();
    for (const path of ["/v1/orders", "/_mock/requests"])
      expect(await raw(mock.baseUrl + path, { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
  });

  test.each([
    ["http://example.com/v1/orders", 400],
    ["*", 400],
    ["\\v1\\orders", 400],
    ["//v1/orders", 404],
    ["/v1/../v1/nothing", 404],
    ["/v1/orders%00", 404],
    ["/%", 404],
    ["/messaging/campaigns/%ZZ", 400],
    ["/messaging/campaigns/%00", 400],
    ["/messaging/campaigns/__proto__", 400],
    [`/messaging/campaigns/${"x".repeat(10_000)}`, 400],
    ["/v1/orders?status=%", 400],
    ["/v1/orders?since=%FF", 400],
    ["/v1/orders?page=1e1", 400],
    [`/v1/orders?page=${"9".repeat(400)}`, 400],
    ["/_mock/catalog?branch=__proto__", 400],
    ["/_mock/requests?limit=Infinity", 400],
  ])("the target %j is %d", async (target, status) => {
    const mock = await start();
    expect(await ask(mock, head(`GET ${target}`, closing))).toEqual([{ status, body: problem }]);
  });

  test("headers of more than 16 KiB are 431", async () => {
    const mock = await start();
    expect(await ask(mock, head("GET /v1/orders", `X-Long: ${"x".repeat(20_000)}`))).toEqual([
      { status: 431, body: problem },
    ]);
  });

  test("500 headers are read", async () => {
    const mock = await start();
    const many = Array.from({ length: 500 }, (_, index) => `X-${index}: 1`);
    const answers = await ask(mock, head("GET /v1/orders", ...many, closing));
    expect(answers).toMatchObject([{ status: 200 }]);
  });

  test.each([
    ["two lengths", ["Content-Length: 2", "Content-Length: 3"], "{}"],
    ["a length and chunks", ["Content-Length: 2", "Transfer-Encoding: chunked"], "0\r\n\r\n"],
    ["a length that is none", ["Content-Length: -1"], ""],
    ["a broken chunk", ["Transfer-Encoding: chunked"], "zz\r\n{}\r\n"],
    ["a folded header", ["X-Folded: a", " b\0"], "{}"],
  ])("%s is 400", async (_, headers, body) => {
    const mock = await start();
    const text = head("POST /v1/catalog/items", "Content-Type: application/json", ...headers);
    expect(await ask(mock, text + body)).toEqual([{ status: 400, body: problem }]);
  });

  test("a compressed body is 400", async () => {
    const mock = await start();
    const headers = { "Content-Encoding": "gzip" };
    expect((await send(`${mock.baseUrl}/v1/catalog/items`, "\u001f\u008b\b", { headers })).status).toBe(400);
  });
});

describe("pipelining", () => {
  test("40 requests in one packet have 40 answers, in order", async () => {
    const mock = await start();
    const pages = Array.from({ length: 39 }, (_, index) => head(`GET /v1/orders?page=${index + 1}`));
    const answers = await ask(mock, pages.join("") + head("GET /v1/orders?page=40", closing));
    expect(answers.map(({ body }) => (body as { page: number }).page)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
  });

  test("junk behind a request does not take the place of its answer", async () => {
    const mock = await start();
    const answers = await ask(mock, `${jsonHead("/v1/catalog/items", event.length)}${event}\0\0JUNK\r\n\r\n`);
    expect(answers).toEqual([
      { status: 200, body: { duplicate: false, accepted: 1, skipped_stale: 0, rejected: [] } },
      { status: 400, body: problem },
    ]);
  });

  test("junk behind a request that takes its time waits for it", async () => {
    const sleep = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const mock = await start({ faults: ["GET / delay=1s"], sleep });
    const answers = await ask(mock, `${head("GET /v1/orders")}JUNK\r\n\r\n`);
    expect(answers.map((answer) => answer.status)).toEqual([200, 400]);
  });
});

describe("wrong types", () => {
  const wrong = [null, true, 0, -1.5, 1e308, "", "\0", "x", [], {}, [[]], { a: 1 }];
  const recipients = [{ phone: "+5491161234567", params: [] }];
  const valid = {
    "/v1/catalog/items": { event_id: "e", occurred_at: frozen, action: "upsert", items: [] },
    "/messaging/campaigns": { idempotency_key: "k", recipients, template_name: "aviso_simple" },
  };
  // Any text will do there, and an item is judged by itself.
  const fits = (field: string, value: unknown): boolean =>
    (["event_id", "idempotency_key"].includes(field) && typeof value === "string" && value !== "") ||
    (field === "items" && Array.isArray(value)) ||
    (["campaign_name", "external_ref"].includes(field) && typeof value === "string") ||
    (field === "header_media_url" && typeof value === "string");

  test.each([
    ...["event_id", "occurred_at", "action", "items", "store_id"].map(
      (field) => ["/v1/catalog/items", field] as const,
    ),
    ...[
      "idempotency_key",
      "recipients",
      "template_name",
      "template_id",
      "template_language",
      "external_ref",
      "campaign_name",
      "header_media_url",
    ].map((field) => ["/messaging/campaigns", field] as const),
  ])("%s: %s is refused, and nothing is applied", async (path, field) => {
    const mock = await start();
    for (const value of wrong.filter((one) => !fits(field, one))) {
      const answer = await send(mock.baseUrl + path, { ...valid[path], [field]: value });
      const denied = field === "store_id" && ["string", "number"].includes(typeof value);
      expect([value, answer.status]).toEqual([value, denied ? 403 : 400]);
    }
    expect(await mock.control.campaigns()).toEqual([]);
    expect((await push(mock, [], { event_id: "e" })).duplicate).toBe(false);
    expect((await campaign(mock, { idempotency_key: "k" })).replayed).toBe(false);
  });

  test.each(["codigo", "nombre", "categoria", "precio", "deshabilitado"])(
    "an item's %s is rejected by itself",
    async (field) => {
      const mock = await start();
      const item = { codigo: "A", nombre: "a", categoria: "c", precio: 1, deshabilitado: false };
      const isText = field !== "precio" && field !== "deshabilitado";
      const bad = wrong.filter(
        (value) =>
          !(isText && typeof value === "string") &&
          !(field === "precio" && typeof value === "number" && value >= 0) &&
          !(field === "deshabilitado" && typeof value === "boolean"),
      );
      const answer = await push(
        mock,
        bad.map((value) => ({ ...item, [field]: value })),
      );
      expect([answer.accepted, answer.rejected?.length]).toEqual([0, bad.length]);
      expect(await mock.control.catalog()).toEqual([]);
    },
  );

  test("a number too big for JSON's readers is no price", async () => {
    const mock = await start();
    const body = event.replace('"precio":1', '"precio":1e999');
    expect(await send(`${mock.baseUrl}/v1/catalog/items`, body)).toMatchObject({
      status: 200,
      body: { accepted: 0 },
    });
    expect((await listOrders(mock)).total).toBe(0);
  });
});
