import { describe, expect, test } from "vitest";
import { sized, soakIt } from "../support/soak.ts";
import { raw, talk } from "./raw.ts";
import { type Answer, allOrders, campaign, frozen, get, norte, push, send, start } from "./support.ts";

const anyNumber = expect.any(Number) as unknown;
const item = { codigo: "A", nombre: "x", precio: 1 };

describe("GET /_mock/requests", () => {
  test("shows what came, whose it was, and why it was refused, but nothing of the page and the control API", async () => {
    const mock = await start();
    await get(`${mock.baseUrl}/v1/orders?page=2&since=?`, norte);
    await push(mock, [], { event_id: "ev-1" });
    await campaign(mock, { idempotency_key: "id-1", template_name: "none" });
    await get(`${mock.baseUrl}/v1/orders`, "bpk_wrong_key");
    await fetch(`${mock.baseUrl}/nothing`);
    for (const path of ["/", "/openapi.json", "/console/", "/console/world", "/_mock/world"])
      await (await fetch(mock.baseUrl + path)).text();
    const row = { at: frozen, ms: anyNumber, query: "", key: "bpk_…ntro", branch: "demo" };
    const refusedKey = { key: "bpk_…_key", branch: null, error: "Invalid API key." };
    const since = "since must be RFC 3339 with seconds and an offset; write + as %2B in an address";
    expect((await get(`${mock.baseUrl}/_mock/requests`)).body).toEqual({
      requests: [
        {
          ...{ ...row, id: 1, method: "GET", path: "/v1/orders", query: "page=2&since=?", status: 400 },
          ...{ key: "bpk_…orte", branch: "norte", error: since },
        },
        { ...row, id: 2, method: "POST", path: "/v1/catalog/items", status: 200, event_id: "ev-1" },
        {
          ...{ ...row, id: 3, method: "POST", path: "/messaging/campaigns", status: 400 },
          ...{ idempotency_key: "id-1", error: expect.stringContaining("none") as unknown },
        },
        { ...row, id: 4, method: "GET", path: "/v1/orders", status: 403, ...refusedKey },
        {
          ...{ ...row, id: 5, method: "GET", path: "/nothing", status: 404, key: null, branch: null },
          error: "this path does not exist",
        },
      ],
    });
  });

  test("a fault is the reason of its own: no second one beside it", async () => {
    const mock = await start({ faults: ["GET /v1/orders status=502 times=1"] });
    await get(`${mock.baseUrl}/v1/orders`);
    const [row] = await mock.control.requests();
    expect(row).toMatchObject({ status: 502, fault: "status=502", branch: "demo" });
    expect(row).not.toHaveProperty("error");
  });

  test("shows up to 1,000 at once", async () => {
    const mock = await start();
    const line = "GET /nothing HTTP/1.1\r\nHost: localhost\r\n";
    await talk(mock, `${line}\r\n`.repeat(1_000), `${line}Connection: close\r\n\r\n`);
    expect(await mock.control.requests(1_000)).toHaveLength(1_000);
    expect((await get(`${mock.baseUrl}/_mock/requests?limit=1001`)).status).toBe(400);
    expect(await mock.control.request(1)).toMatchObject({ id: 1, status: 404 });
  });

  soakIt("keeps the last 10,000, of which it shows up to 1,000 at once", async () => {
    const mock = await start();
    const line = "GET /nothing HTTP/1.1\r\nHost: localhost\r\n";
    await talk(mock, `${line}\r\n`.repeat(10_000), `${line}Connection: close\r\n\r\n`);
    expect(await mock.control.requests(1_000)).toHaveLength(1_000);
    expect((await get(`${mock.baseUrl}/_mock/requests?limit=1001`)).status).toBe(400);
    expect(await mock.control.request(2)).toMatchObject({ id: 2, status: 404 });
    await expect(mock.control.request(1)).rejects.toThrow("request 1 is not in the log");
  });
});

describe("GET /_mock/requests/ID", () => {
  test("has the bodies as they went over the wire, cut short by a fault too", async () => {
    const mock = await start();
    const { answer } = await push(mock, [item], { event_id: "ev-1" });
    await mock.control.addFault("GET /v1/orders truncate times=1");
    await raw(`${mock.baseUrl}/v1/orders`, {});
    const shown = (await get(`${mock.baseUrl}/_mock/requests/1`)).body as Record<string, string>;
    expect(shown).toMatchObject({ id: 1, path: "/v1/catalog/items", branch: "demo", event_id: "ev-1" });
    expect(JSON.parse(shown["request_body"]!)).toMatchObject({ event_id: "ev-1", items: [item] });
    expect(JSON.parse(shown["response_body"]!)).toEqual(answer.body);
    const cut = await mock.control.request(2);
    expect(cut).toMatchObject({ request_body: "", fault: "truncate" });
    expect(cut.response_body).toMatch(/^\{"orders":\[\],"page":1/);
    expect(cut.response_body).not.toMatch(/\}$/);
    for (const id of ["3", "0", "-1", "x", "1.5"])
      expect((await get(`${mock.baseUrl}/_mock/requests/${id}`)).status).toBe(404);
  });

  test("keeps no body of more than 1 MiB, and of all bodies the newest 8 MiB", async () => {
    const mock = await start();
    const pushed = (size: number): Promise<unknown> => push(mock, [{ ...item, nombre: "x".repeat(size) }]);
    const kept = async (id: number): Promise<boolean> =>
      (await mock.control.request(id)).request_body !== null;
    await pushed(1_000_000);
    await pushed(1_048_576);
    expect([await kept(1), await kept(2)]).toEqual([true, false]);
    for (let n = 0; n < 8; n++) await pushed(1_000_000);
    expect([await kept(1), await kept(2), await kept(3), await kept(10)]).toEqual([false, false, true, true]);
    const answer = await send(`${mock.baseUrl}/_mock/requests/1/replay`, {});
    expect(answer).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/not kept/) as unknown },
    });
  });

  test("has of each request its own body, however many came and went", async () => {
    const mock = await start();
    for (let n = 1; n <= 40; n++) {
      await push(mock, [{ ...item, nombre: String(n % 10).repeat(1000 * ((n * 389) % 1000)) }]);
      for (let id = Math.max(1, n - 20); n % sized(4, 1) === 0 && id <= n; id++) {
        const { request_body: body } = await mock.control.request(id);
        if (body === null) continue;
        const { items } = JSON.parse(body) as { items: { nombre: string }[] };
        expect([id, /^(\d?)\1*$/.exec(items[0]!.nombre)?.[1]]).toEqual([id, String(id % 10)]);
      }
      expect((await mock.control.request(Math.max(1, n - 7))).request_body).not.toBeNull();
    }
  });
});

describe("POST /_mock/requests/ID/replay", () => {
  test("sends the same again with its own key, and answers with the new row", async () => {
    const mock = await start();
    await mock.control.placeOrders({ branch: "norte" });
    await get(`${mock.baseUrl}/v1/orders?status=pendiente`, norte);
    const { campaign_id } = await campaign(mock, { idempotency_key: "once" });
    await mock.control.addFault("POST /messaging/campaigns commit-drop times=1");
    await send(`${mock.baseUrl}/v1/catalog/items`, "{", { headers: { "content-type": "text/plain" } });
    const replay = (id: number): Promise<Answer> => send(`${mock.baseUrl}/_mock/requests/${id}/replay`, {});

    const orders = (await replay(1)).body;
    expect(orders).toMatchObject({
      id: 4,
      path: "/v1/orders",
      query: "status=pendiente",
      branch: "norte",
      status: 200,
    });
    expect(JSON.stringify(orders)).not.toContain(norte);
    expect((await mock.control.request(4)).response_body).toBe((await mock.control.request(1)).response_body);
    // A fault meets it as it meets any other request.
    expect((await replay(2)).body).toMatchObject({
      id: 5,
      status: 0,
      fault: "commit-drop",
      idempotency_key: "once",
    });
    expect((await replay(2)).body).toMatchObject({ id: 6, status: 200 });
    expect(JSON.parse((await mock.control.request(6)).response_body!)).toMatchObject({
      campaign_id,
      replayed: true,
    });
    expect(await mock.control.messages()).toHaveLength(1);
    // Refused before its body was read: nobody has it.
    expect((await replay(3)).status).toBe(400);
    expect((await replay(99)).status).toBe(404);
    expect(await allOrders(mock, "pendiente", norte)).toHaveLength(1);
  });

  test("a path goes out as it came, and a refused request is refused again", async () => {
    const mock = await start();
    await talk(mock, "GET /v1/%2e%2e/orders?a=1?b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    expect(await mock.control.replay(1)).toMatchObject({ id: 2, path: "/v1/%2e%2e/orders", query: "a=1?b" });
  });

  test("refuses an attempt of the webhook, and names the resend of its reply", async () => {
    const mock = await start({ webhookUrl: "http://127.0.0.1:9/hook" });
    await campaign(mock, { recipients: [{ phone: "+5491155551234", params: [] }] });
    const { id } = await mock.control.reply({ phone: "+5491155551234", text: "sí" });
    await expect.poll(async () => (await mock.control.requests()).length).toBe(2);
    expect(await mock.control.request(2)).toMatchObject({
      ...{ direction: "out", status: 0, branch: "demo", reply_id: id, response_body: null },
      request_body: expect.stringMatching(/^\{"event":"reply".*"text":"sí"/) as unknown,
    });
    await expect(mock.control.replay(2)).rejects.toThrow(`POST /_mock/replies/${id}/send`);
  });
});

test("a reset forgets every request, and the next one counts on", async () => {
  const mock = await start();
  await get(`${mock.baseUrl}/v1/orders`);
  await mock.control.reset();
  expect(await mock.control.requests()).toEqual([]);
  await expect(mock.control.replay(1)).rejects.toThrow("request 1 is not in the log");
  await get(`${mock.baseUrl}/v1/orders`);
  expect(await mock.control.request(2)).toMatchObject({ id: 2, path: "/v1/orders" });
});

test("onRequest hears of each request until it is stopped", async () => {
  const mock = await start();
  const paths: string[] = [];
  const stop = mock.onRequest(({ path }) => paths.push(path));
  await get(`${mock.baseUrl}/v1/orders`);
  stop();
  await get(`${mock.baseUrl}/nothing`);
  expect(paths).toEqual(["/v1/orders"]);
});
