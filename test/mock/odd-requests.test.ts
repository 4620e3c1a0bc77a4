import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { RunningMock } from "../../src/mock/index.ts";
import { answersIn, raw, talk } from "./raw.ts";
import { demoKey, frozen, get, inputProblem, send, start } from "./support.ts";

const problem = inputProblem(expect.any(String));
const head = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, "Host: localhost", `X-API-Key: ${demoKey}`, ...headers, "", ""].join("\r\n");
const jsonHead = (path: string, length: number, ...headers: string[]): string =>
  head(`POST ${path}`, "Content-Type: application/json", `Content-Length: ${length}`, ...headers);
const event = JSON.stringify({
  event_id: "e",
  occurred_at: frozen,
  action: "upsert",
  items: [{ codigo: "A", nombre: "a", precio: 1 }],
});

/** Returns the mock's answers to these bytes: status and JSON body of each. */
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
});

describe("who may ask", () => {
  test.each(["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example:4010"])(
    "a foreign Host is 421: %j",
    async (host) => {
      const mock = await start();
      for (const path of ["/v1/orders", "/_mock/messages"]) {
        const answer = await raw(mock.baseUrl + path, { headers: { Host: host } });
        expect([answer.status, JSON.parse(answer.text)]).toEqual([421, inputProblem(expect.any(String))]);
      }
    },
  );

  test.each(["127.0.0.1", "localhost", "LOCALHOST:4010", "[::1]:1", "127.0.0.1:65000"])(
    "the mock's own names are served, on any port: %s",
    async (host) => {
      const mock = await start();
      expect((await raw(`${mock.baseUrl}/v1/orders`, { headers: { Host: host } })).status).toBe(200);
    },
  );

  test("a page of another origin may read nothing new and change nothing", async () => {
    const mock = await start();
    const url = `${mock.baseUrl}/_mock/orders`;
    for (const Origin of ["https://evil.example", "null", "http://127.0.0.1:1"]) {
      expect((await send(url, {}, { headers: { Origin } })).status).toBe(403);
    }
    expect(await get(`${mock.baseUrl}/v1/orders`)).toMatchObject({ body: { total: 0 } });
    expect((await send(url, {}, { headers: { Origin: mock.baseUrl } })).status).toBe(200);
  });
});
