import { request as rawRequest } from "node:http";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { RunningMock } from "../../src/mock/index.ts";
import { campaign, demoKey, get, inputProblem, listOrders, send, start, statusOf } from "./support.ts";

const portOf = (mock: RunningMock): number => Number(new URL(mock.baseUrl).port);

/** A POST whose body goes out chunk by chunk, its length unsaid. */
function postChunks(mock: RunningMock, path: string, headers: object, chunks: Buffer[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const target = { host: "127.0.0.1", port: portOf(mock), path, method: "POST", headers: { ...headers } };
    const out = rawRequest(target, (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
      answer.on("end", () => {
        resolve({ status: answer.statusCode, body: JSON.parse(text) as unknown });
      });
    });
    out.on("error", reject);
    for (const chunk of chunks) out.write(chunk);
    out.end();
  });
}

const people = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    phone: `+54911612${String(index).padStart(5, "0")}`,
    params: [],
  }));

describe("limits (docs/reference/service.md 8)", () => {
  test("exactly 20 orders leave no more pages", async () => {
    const mock = await start();
    await mock.control.placeOrders({ count: 20 });
    expect(await listOrders(mock)).toMatchObject({ total: 20, has_more: false });
  });

  test("the 21st order is on a second page", async () => {
    const mock = await start();
    await mock.control.placeOrders({ count: 21 });
    expect(await listOrders(mock)).toMatchObject({ per_page: 20, total: 21, has_more: true });
    expect((await listOrders(mock, "?page=2")).orders).toHaveLength(1);
  });

  test.each([
    [0, 400],
    [1, 200],
    [1000, 200],
    [1001, 400],
  ])("a campaign has 1 to 1000 recipients: %i is %i", async (count, status) => {
    const mock = await start();
    const sent = await campaign(mock, { recipients: people(count) });
    expect(sent.answer.status).toBe(status);
    expect(await mock.control.messages()).toHaveLength(status === 200 ? count : 0);
    if (status === 200) expect(sent.recipients?.added).toBe(count);
  });

  test.each([
    [128, 200],
    [129, 400],
  ])("an idempotency_key has at most 128 characters: %i is %i", async (length, status) => {
    const mock = await start();
    expect((await campaign(mock, { idempotency_key: "k".repeat(length) })).answer.status).toBe(status);
  });

  test.each([100, 101])("a status shows at most 100 recipients and counts all: %i", async (count) => {
    const mock = await start();
    const { campaign_id } = await campaign(mock, { recipients: people(count) });
    const { recipients, counts } = await statusOf(mock, campaign_id);
    expect([recipients?.length, counts?.["total_recipients"]]).toEqual([100, count]);
  });

  test("polling far faster than recommended is answered all the same: there is no rate limit", async () => {
    const mock = await start();
    const polls = Array.from({ length: 100 }, () => get(`${mock.baseUrl}/v1/orders?status=pendiente`));
    expect(new Set((await Promise.all(polls)).map((answer) => answer.status))).toEqual(new Set([200]));
  });
});

describe("a body (the mock's own limit)", () => {
  const headers = { "X-API-Key": demoKey, "Content-Type": "application/json" };
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
    const answer = await postChunks(mock, "/v1/catalog/items", headers, chunks);
    expect(answer).toEqual({ status: 413, body: inputProblem(expect.any(String)) });
    expect((await get(`${mock.baseUrl}/v1/orders`)).status).toBe(200);
  });
});
