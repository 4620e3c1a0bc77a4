import { once } from "node:events";
import { describe, expect, test } from "vitest";
import type { RunningMock } from "../../src/mock/index.ts";
import { raw } from "./raw.ts";
import { allOrders, campaign, frozen, listOrders, norte, push, start } from "./support.ts";

const send = {
  idempotency_key: "k",
  template_name: "aviso_simple",
  recipients: [{ phone: "+5491161234567", params: [] }],
};
const problem = {
  code: "ERROR_CODE_UNAVAILABLE",
  message: expect.stringContaining("requested fault") as unknown,
  payload: { campaign_id: null, external_ref: null },
};

const messages = async (mock: RunningMock): Promise<number> => (await mock.control.messages()).length;
const fired = async (mock: RunningMock): Promise<number[]> =>
  (await mock.control.faults()).map((fault) => fault.fired);

describe("effects that let nothing be applied", () => {
  test("status=NNN answers with the error body", async () => {
    const mock = await start({ faults: ["POST /campaigns status=502 times=2"] });
    for (const status of [502, 502, 200]) {
      const answer = await raw(`${mock.campaignsBaseUrl}/campaigns`, { body: send });
      expect(answer.status).toBe(status);
      if (status === 502) expect(JSON.parse(answer.text)).toEqual(problem);
    }
    expect(await messages(mock)).toBe(1);
  });

  test("retry-after=N answers 429 with that header", async () => {
    const mock = await start({ faults: ["* /v1/orders retry-after=5"] });
    const answer = await raw(`${mock.baseUrl}/v1/orders`);
    expect([answer.status, answer.headers["retry-after"]]).toEqual([429, "5"]);
    expect(JSON.parse(answer.text)).toEqual(problem);
  });

  test("drop resets the connection", async () => {
    const mock = await start({ faults: ["POST /campaigns drop"] });
    const answer = await raw(`${mock.campaignsBaseUrl}/campaigns`, { body: send });
    expect(answer).toMatchObject({ status: 0, error: "ECONNRESET" });
    expect(await messages(mock)).toBe(0);
  });

  test("html answers 502 with the page of a proxy", async () => {
    const mock = await start({ faults: ["POST /campaigns html"] });
    const answer = await raw(`${mock.campaignsBaseUrl}/campaigns`, { body: send });
    expect(answer).toMatchObject({ status: 502, error: undefined });
    expect([answer.headers["content-type"], answer.text]).toEqual([
      "text/html",
      expect.stringMatching(/^<html>/),
    ]);
    expect(await messages(mock)).toBe(0);
  });

  test("garbage answers 200 with what is no JSON", async () => {
    const mock = await start({ faults: ["POST /campaigns garbage"] });
    const answer = await raw(`${mock.campaignsBaseUrl}/campaigns`, { body: send });
    expect(answer).toMatchObject({ status: 200, error: undefined });
    expect(() => JSON.parse(answer.text) as unknown).toThrow();
    expect(await messages(mock)).toBe(0);
  });
});

describe("effects that let the call be applied", () => {
  test("commit-status=NNN applies it, then answers NNN; a repeat finds the send", async () => {
    const mock = await start({ faults: ["POST /campaigns commit-status=502 times=1"] });
    const answer = await raw(`${mock.campaignsBaseUrl}/campaigns`, { body: send });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([502, problem]);
    expect(await messages(mock)).toBe(1);
    expect((await campaign(mock, send)).replayed).toBe(true);
    expect(await messages(mock)).toBe(1);
  });

  test("commit-drop applies it, then resets the connection", async () => {
    const mock = await start({ faults: ["POST /v1/catalog/items commit-drop times=1"] });
    const body = {
      event_id: "e",
      occurred_at: frozen,
      action: "upsert",
      items: [{ codigo: "A", nombre: "a", precio: 1 }],
    };
    const answer = await raw(`${mock.baseUrl}/v1/catalog/items`, { body });
    expect(answer).toMatchObject({ status: 0, error: "ECONNRESET" });
    expect(await mock.control.catalog()).toMatchObject([{ codigo: "A", precio: 1 }]);
    expect(await push(mock, body.items, { event_id: "e" })).toMatchObject({ duplicate: true, accepted: 1 });
  });

  test("truncate applies it and gives half of the answer that its Content-Length promises", async () => {
    const mock = await start({ faults: ["POST /campaigns truncate times=1"] });
    const answer = await raw(`${mock.campaignsBaseUrl}/campaigns`, { body: send });
    expect(answer).toMatchObject({ status: 200, error: "ECONNRESET" });
    const whole = JSON.stringify((await campaign(mock, send)).answer.body).replace(
      '"replayed":true',
      '"replayed":false',
    );
    expect(Number(answer.headers["content-length"])).toBe(whole.length);
    expect(answer.text).toBe(whole.slice(0, whole.length >> 1));
    expect(await messages(mock)).toBe(1);
  });

  test.each(["commit-status=502", "commit-drop", "truncate"])(
    "%s leaves a refused call its own answer, and is not used up by it",
    async (effect) => {
      const mock = await start({ faults: [`POST /campaigns ${effect} times=1`] });
      const url = `${mock.campaignsBaseUrl}/campaigns`;
      expect((await raw(url, { body: { ...send, template_name: "none" } })).status).toBe(400);
      expect((await raw(url, { body: send, headers: { "X-API-Key": "none" } })).status).toBe(403);
      expect(await fired(mock)).toEqual([0]);
      const hit = await raw(url, { body: send });
      expect([hit.status, hit.error]).not.toEqual([200, undefined]);
      expect(await fired(mock)).toEqual([1]);
    },
  );
});

describe("delay", () => {
  test("waits, then goes on as ever", async () => {
    const pauses: number[] = [];
    const sleep = (ms: number): Promise<void> => Promise.resolve(void pauses.push(ms));
    const mock = await start({ faults: ["* / delay=3s times=1"], sleep });
    expect((await raw(`${mock.campaignsBaseUrl}/campaigns`, { body: send })).status).toBe(200);
    expect((await raw(`${mock.baseUrl}/v1/orders`)).status).toBe(200);
    expect(pauses).toEqual([3_000]);
    expect(await messages(mock)).toBe(1);
  });

  test("a call is applied though its client left meanwhile", async () => {
    let goOn = (): void => undefined;
    const pause = new Promise<void>((resolve) => (goOn = resolve));
    const sleep = (): Promise<void> => pause;
    const mock = await start({ faults: ["POST /campaigns delay=1m times=1"], sleep });
    const leaving = new AbortController();
    const call = fetch(`${mock.campaignsBaseUrl}/campaigns`, {
      method: "POST",
      headers: { "X-API-Key": "bpk_demo_centro", "Content-Type": "application/json" },
      body: JSON.stringify(send),
      signal: leaving.signal,
    }).catch(() => "left");
    await expect.poll(() => fired(mock)).toEqual([1]);
    leaving.abort();
    expect(await call).toBe("left");
    expect(await messages(mock)).toBe(0);
    goOn();
    await expect.poll(() => messages(mock)).toBe(1);
  });

  test("ends with the mock, and what waited is not applied", async () => {
    const pauses: Promise<void>[] = [];
    const sleep = (_: number, signal: AbortSignal): Promise<void> => {
      const pause = once(signal, "abort").then(() => undefined);
      pauses.push(pause);
      return pause;
    };
    const mock = await start({ faults: ["POST / delay=60m"], sleep });
    const call = raw(`${mock.campaignsBaseUrl}/campaigns`, { body: send });
    await expect.poll(() => pauses).toHaveLength(1);
    await mock.close();
    await Promise.all(pauses);
    expect(await call).toMatchObject({ status: 0, error: "ECONNRESET" });
    expect(await messages(mock)).toBe(0);
  });
});

describe("shift and late", () => {
  test("shift: an order of the page leaves the state, so the next page lacks one", async () => {
    const mock = await start({ faults: ["GET /v1/orders shift times=1"] });
    await mock.control.placeOrders({ count: 25 });
    const first = await listOrders(mock);
    const second = await listOrders(mock, "?page=2");
    expect([first.total, first.orders.length, second.total, second.orders.length]).toEqual([25, 20, 24, 4]);
    const gone = await listOrders(mock, "?status=en_preparacion");
    expect(gone.orders.map((order) => order.order_id)).toEqual([first.orders[0]?.order_id]);
    // Order number 21 stood on neither page.
    const seen = new Set([...first.orders, ...second.orders].map((order) => order.order_id));
    expect((await allOrders(mock)).filter((order) => !seen.has(order.order_id))).toHaveLength(1);
  });

  test("late: an order appears that is older than the newest", async () => {
    const mock = await start();
    await mock.control.placeOrders({ count: 2 });
    await mock.control.addFault("GET /v1/orders late times=1");
    const page = await listOrders(mock);
    expect(page.orders.map((order) => order.created_at - Date.parse(frozen))).toEqual([-600_000, 0, 0]);
    expect((await listOrders(mock, `?since=${encodeURIComponent(frozen)}`)).total).toBe(0);
    expect((await listOrders(mock, "", norte)).total).toBe(0);
    expect((await listOrders(mock)).total).toBe(3);
  });
});
