import { describe, expect, test } from "vitest";
import { raw } from "./raw.ts";
import { get, inputProblem, send, start } from "./support.ts";

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
