import { request as rawRequest } from "node:http";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { RunningMock } from "../../src/mock/index.ts";
import { campaign, centro, deniedProblem, get, inputProblem, push, send, start } from "./support.ts";

const portOf = (mock: RunningMock): number => Number(new URL(mock.baseUrl).port);
const paths = ["/v1/orders", "/v1/catalog/items", "/messaging/campaigns", "/messaging/campaigns/cmp_1"];

interface Raw {
  status: number | undefined;
  body: unknown;
}

/** A request that fetch would not send: a Host, a method or a framing of its own. */
function raw(
  mock: RunningMock,
  path: string,
  headers: Record<string, string>,
  chunks?: Buffer[],
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const method = chunks ? "POST" : "GET";
    const out = rawRequest({ host: "127.0.0.1", port: portOf(mock), path, method, headers }, (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
      answer.on("end", () => {
        resolve({ status: answer.statusCode, body: JSON.parse(text) });
      });
    });
    out.on("error", reject);
    for (const chunk of chunks ?? []) out.write(chunk);
    out.end();
  });
}

describe("authentication (spec.md 5)", () => {
  test.each(
    paths.flatMap((path) =>
      ["", "bpk_demo_inactive", "bpk_demo_centro2", "__proto__"].map((key) => [path, key]),
    ),
  )("%s with the key %j is 403, whatever else is wrong", async (path, key) => {
    const mock = await start();
    const headers: Record<string, string> = key === "" ? {} : { "X-API-Key": key };
    for (const method of ["GET", "POST", "DELETE"]) {
      const body = method === "POST" ? { body: "not json" } : {};
      const answer = await fetch(mock.baseUrl + path, { method, headers, ...body });
      expect([answer.status, await answer.json()]).toEqual([403, deniedProblem]);
    }
  });

  test("the keys that the mock names work, each for its branch", async () => {
    const mock = await start();
    expect(mock.keys).toEqual([
      { branch: "demo", store_id: "1", key: "bpk_demo_centro" },
      { branch: "norte", store_id: "2", key: "bpk_demo_norte" },
    ]);
    for (const { key, store_id } of mock.keys) {
      expect((await get(`${mock.baseUrl}/v1/orders`, key)).status).toBe(200);
      expect((await push(mock, [], { store_id }, key)).answer.status).toBe(200);
    }
  });
});

describe("errors (spec.md 7): malformed requests", () => {
  test.each(["/", "/v2/orders", "/v1/nothing", "/messaging", "/campaigns", "/_mock/nothing", "/v1/orders/"])(
    "an unknown path is 404: %s",
    async (path) => {
      const mock = await start();
      const answer = await get(mock.baseUrl + path);
      expect([answer.status, answer.body]).toEqual([404, inputProblem(expect.any(String))]);
    },
  );

  test.each([
    ["DELETE", "/v1/orders", "GET"],
    ["POST", "/v1/orders", "GET"],
    ["GET", "/v1/catalog/items", "POST"],
    ["PUT", "/messaging/campaigns", "POST"],
    ["POST", "/messaging/campaigns/cmp_1", "GET"],
    ["POST", "/_mock/messages", "GET"],
    ["DELETE", "/_mock/orders", "POST"],
  ])("a wrong method is 405 with Allow: %s %s", async (method, path, allow) => {
    const mock = await start();
    const answer = await send(mock.baseUrl + path, method === "GET" ? undefined : {}, { method });
    expect([answer.status, answer.headers.get("allow"), answer.body]).toEqual([
      405,
      allow,
      inputProblem(expect.any(String)),
    ]);
  });

  test.each([["text/plain"], ["application/jsonp"], ["multipart/form-data; boundary=x"], [""]])(
    "a content type that is not JSON is 415: %j",
    async (type) => {
      const mock = await start();
      for (const path of ["/v1/catalog/items", "/messaging/campaigns", "/_mock/reset"]) {
        const answer = await send(mock.baseUrl + path, {}, { headers: { "Content-Type": type } });
        expect([answer.status, answer.body]).toEqual([415, inputProblem(expect.any(String))]);
      }
    },
  );

  test("a charset beside the content type is fine", async () => {
    const mock = await start();
    const headers = { "Content-Type": "Application/JSON; charset=utf-8" };
    expect((await send(`${mock.baseUrl}/_mock/reset`, {}, { headers })).status).toBe(200);
  });

  const deep = 200_000;
  test.each([
    ["empty", ""],
    ["cut short", '{"event_id":"e"'],
    ["a NUL byte", '{"event_id":"e\0"}'],
    ["nested deeply", "[".repeat(deep) + "]".repeat(deep)],
    ["an object nested deeply", `${'{"items":'.repeat(deep / 10)}1${"}".repeat(deep / 10)}`],
    ["a huge number", "1e999"],
    ["a list", "[]"],
    ["null", "null"],
    ["HTML", "<html></html>"],
  ])("a body that is no JSON object is 400: %s", async (_, body) => {
    const mock = await start();
    for (const path of ["/v1/catalog/items", "/messaging/campaigns", "/_mock/clock", "/_mock/templates/x"]) {
      const method = path.includes("templates") ? "PUT" : "POST";
      const answer = await send(mock.baseUrl + path, body, { method });
      expect([answer.status, answer.body]).toEqual([400, inputProblem(expect.any(String))]);
    }
  });

  test("a body that is not UTF-8 is 400", async () => {
    const mock = await start();
    const headers = { "X-API-Key": centro, "Content-Type": "application/json" };
    const answer = await raw(mock, "/v1/catalog/items", headers, [
      Buffer.from('{"event_id":"Caf\xe9"}', "latin1"),
    ]);
    expect(answer).toEqual({ status: 400, body: inputProblem(expect.any(String)) });
  });

  test("what is no HTTP at all is answered with the error body too", async () => {
    const mock = await start();
    const text = await new Promise<string>((resolve, reject) => {
      let got = "";
      const socket = connect(portOf(mock), "127.0.0.1", () => socket.write("HELLO\r\n\r\n"));
      socket.on("data", (chunk) => (got += chunk.toString()));
      socket.on("error", reject);
      socket.on("close", () => {
        resolve(got);
      });
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(text.split("\r\n\r\n")[1] ?? "")).toEqual(inputProblem(expect.any(String)));
  });
});

describe("limits (spec.md 8)", () => {
  const headers = { "X-API-Key": centro, "Content-Type": "application/json" };
  const mebi = 1024 * 1024;

  test("a body of 32 MiB is read", async () => {
    const mock = await start();
    const body = `{"idempotency_key":"${"k".repeat(32 * mebi - 22)}"}`;
    expect(Buffer.byteLength(body)).toBe(32 * mebi);
    expect((await send(`${mock.campaignsBaseUrl}/campaigns`, body)).status).toBe(400);
  });

  test("a longer one is 413 by its Content-Length, before it is read", async () => {
    const mock = await start();
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(portOf(mock), "127.0.0.1", () => {
        const head = Object.entries({
          Host: "localhost",
          ...headers,
          "Content-Length": String(32 * mebi + 1),
        });
        const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join("");
        socket.write(`POST /v1/catalog/items HTTP/1.1\r\n${lines}\r\n`);
      });
      socket.on("data", (chunk) => {
        resolve(chunk.toString());
        socket.destroy();
      });
      socket.on("error", reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text).toContain("ERROR_CODE_INPUT_ERROR");
  });

  test("a longer one in chunks is 413 while it is read, and the mock goes on", async () => {
    const mock = await start();
    const chunks = Array.from({ length: 34 }, () => Buffer.alloc(mebi, " "));
    const answer = await raw(mock, "/v1/catalog/items", headers, chunks);
    expect(answer).toEqual({ status: 413, body: inputProblem(expect.any(String)) });
    expect((await get(`${mock.baseUrl}/v1/orders`)).status).toBe(200);
  });
});

describe("who may ask", () => {
  test.each(["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example:4010"])(
    "a foreign Host is 421: %j",
    async (host) => {
      const mock = await start();
      for (const path of ["/v1/orders", "/_mock/messages"]) {
        const answer = await raw(mock, path, { Host: host, "X-API-Key": centro });
        expect(answer).toEqual({ status: 421, body: inputProblem(expect.any(String)) });
      }
    },
  );

  test.each(["127.0.0.1", "localhost", "LOCALHOST:4010", "[::1]:1", "127.0.0.1:65000"])(
    "the mock's own names are served, on any port: %s",
    async (host) => {
      const mock = await start();
      expect((await raw(mock, "/v1/orders", { Host: host, "X-API-Key": centro })).status).toBe(200);
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

describe("GET /_mock/requests", () => {
  test("shows method, path, status, the body's own key and the masked API key", async () => {
    const mock = await start();
    await get(`${mock.baseUrl}/v1/orders?page=2`);
    await push(mock, [], { event_id: "ev-1" });
    await campaign(mock, { idempotency_key: "id-1", template_name: "none" });
    await fetch(`${mock.baseUrl}/v1/orders`);
    const row = {
      at: "2026-01-01T12:00:00.000-03:00",
      ms: expect.any(Number) as unknown,
      query: "",
      key: "bpk_…ntro",
    };
    expect((await get(`${mock.baseUrl}/_mock/requests`)).body).toEqual({
      requests: [
        { ...row, method: "GET", path: "/v1/orders", query: "page=2", status: 200 },
        { ...row, method: "POST", path: "/v1/catalog/items", status: 200, event_id: "ev-1" },
        { ...row, method: "POST", path: "/messaging/campaigns", status: 400, idempotency_key: "id-1" },
        { ...row, method: "GET", path: "/v1/orders", status: 403, key: null },
      ],
    });
  });

  test("keeps the last 1,000 and shows the last 100 unless asked for more", async () => {
    const mock = await start();
    for (let index = 0; index < 41; index++) {
      const urls = Array.from({ length: 25 }, (_, page) => `${mock.baseUrl}/v1/orders?page=${page + 1}`);
      await Promise.all(urls.map((url) => get(url)));
    }
    await get(`${mock.baseUrl}/v1/orders?last`);
    const rows = await mock.control.requests(1000);
    expect([rows.length, rows.at(-1)?.query]).toEqual([1000, "last"]);
    expect(await mock.control.requests()).toEqual(rows.slice(-100));
    expect((await get(`${mock.baseUrl}/_mock/requests?limit=1`)).body).toEqual({ requests: rows.slice(-1) });
    expect((await get(`${mock.baseUrl}/_mock/requests?limit=x`)).status).toBe(400);
  });
});
