import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { RunningMock } from "../../src/mock/index.ts";
import { demoKey, get, inputProblem, send, start } from "./support.ts";

const portOf = (mock: RunningMock): number => Number(new URL(mock.baseUrl).port);

describe("errors (docs/reference/service.md 7): malformed requests", () => {
  test.each([
    "/nothing",
    "/v2/orders",
    "/v1/nothing",
    "/messaging",
    "/campaigns",
    "/_mock/nothing",
    "/v1/orders/",
  ])("an unknown path is 404: %s", async (path) => {
    const mock = await start();
    const answer = await get(mock.baseUrl + path);
    expect([answer.status, answer.body]).toEqual([404, inputProblem(expect.any(String))]);
  });

  test.each([
    ["DELETE", "/v1/orders", "GET"],
    ["POST", "/v1/orders", "GET"],
    ["GET", "/v1/catalog/items", "POST"],
    ["PUT", "/messaging/campaigns", "POST"],
    ["POST", "/messaging/campaigns/cmp_1", "GET"],
    ["POST", "/_mock/messages", "GET"],
    ["DELETE", "/_mock/orders", "GET, POST"],
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
    const headers = { "X-API-Key": demoKey, "Content-Type": "application/json" };
    const body = Buffer.from('{"event_id":"Caf\xe9"}', "latin1");
    const answer = await fetch(`${mock.baseUrl}/v1/catalog/items`, { method: "POST", headers, body });
    expect([answer.status, await answer.json()]).toEqual([400, inputProblem(expect.any(String))]);
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
