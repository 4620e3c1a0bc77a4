import { describe, expect, test } from "vitest";
import { MockRefusal } from "../../src/mock/core/refusal.ts";
import { parseFaultRule, type RunningMock, startMock } from "../../src/mock/index.ts";
import { raw } from "./raw.ts";
import { campaign, demoKey, get, push, send, start } from "./support.ts";

const none = { times: null, rate: null };
const effects = [
  ["status=502", { effect: "status", status: 502 }],
  ["commit-status=500", { effect: "commit-status", status: 500 }],
  ["commit-drop", { effect: "commit-drop" }],
  ["drop", { effect: "drop" }],
  ["delay=500ms", { effect: "delay", ms: 500 }],
  ["delay=1.5s", { effect: "delay", ms: 1_500 }],
  ["delay=1m", { effect: "delay", ms: 60_000 }],
  ["delay=1m30s", { effect: "delay", ms: 90_000 }],
  ["delay=1h", { effect: "delay", ms: 3_600_000 }],
  ["truncate", { effect: "truncate" }],
  ["html", { effect: "html" }],
  ["garbage", { effect: "garbage" }],
  ["shift", { effect: "shift" }],
  ["late", { effect: "late" }],
  ["retry-after=5", { effect: "retry-after", seconds: 5 }],
] as const;

describe("a rule as text", () => {
  test.each(effects)("%s", (text, effect) => {
    expect(parseFaultRule(`GET /v1/orders ${text}`)).toEqual({
      method: "GET",
      path: "/v1/orders",
      ...none,
      ...effect,
    });
  });

  test("times, rate, any method, small letters, a slash at the end", () => {
    const rule = { path: "/campaigns", effect: "drop" };
    expect(parseFaultRule("POST /campaigns drop times=2 rate=0.1")).toEqual({
      ...rule,
      method: "POST",
      times: 2,
      rate: 0.1,
    });
    expect(parseFaultRule("  post /campaigns/ rate=1 drop ")).toEqual({
      ...rule,
      method: "POST",
      times: null,
      rate: 1,
    });
    expect(parseFaultRule("* / drop")).toEqual({ ...rule, ...none, method: "*", path: "/" });
  });

  test.each([
    ["", "an effect is missing"],
    ["POST /campaigns", "an effect is missing"],
    ["POST /campaigns times=2", "an effect is missing"],
    ["PUSH /campaigns drop", "method"],
    ["POST campaigns drop", "path"],
    ["POST /campaign drop", "no endpoint has this path"],
    ["GET /v1/orders?page=2 drop", "path"],
    ["POST /campaigns explode", "unknown effect explode"],
    ["POST /campaigns drop tiems=2", "unknown effect tiems"],
    ["POST /campaigns drop html", "effect is given twice"],
    ["POST /campaigns drop=3", "drop takes no value"],
    ["POST /campaigns status", "status"],
    ["POST /campaigns status=abc", "status"],
    ["POST /campaigns status=200", "400 to 599"],
    ["POST /campaigns delay=3", "500ms, 3s or 1m"],
    ["POST /campaigns delay=2000m", "an hour"],
    ["POST /campaigns drop times=0", "times"],
    ["POST /campaigns drop times=1.5", "times"],
    ["POST /campaigns drop times", "times"],
    ["POST /campaigns drop rate=0", "rate"],
    ["POST /campaigns drop rate=1.1", "rate"],
    ["POST /v1/orders shift", "GET /v1/orders only"],
    ["GET /campaigns late", "GET /v1/orders only"],
  ])("refuses %j and says why, with the effects", async (text, why) => {
    expect(() => parseFaultRule(text)).toThrow(MockRefusal);
    expect(() => parseFaultRule(text)).toThrow(why);
    expect(() => parseFaultRule(text)).toThrow(/status=NNN, .*retry-after=N/);
    await expect(startMock({ faults: [text] })).rejects.toThrow(why);
  });
});

describe("/_mock/faults", () => {
  const of = (mock: RunningMock): string => `${mock.baseUrl}/_mock/faults`;

  test("POST arms one as JSON or text and answers it, GET lists them, DELETE disarms one or all", async () => {
    const mock = await start();
    const json = { method: "POST", path: "/campaigns", effect: "status", status: 502, times: 2 };
    const first = { ...json, rate: null, id: 1, matched: 0, fired: 0 };
    expect(await send(of(mock), json)).toMatchObject({ status: 200, body: first });
    const second = { id: 2, method: "GET", path: "/v1", effect: "drop", ...none, matched: 0, fired: 0 };
    expect((await send(of(mock), { rule: "GET /v1 drop" })).body).toEqual(second);
    expect((await get(of(mock))).body).toEqual({ faults: [first, second] });
    expect(await mock.control.faults()).toEqual([first, second]);
    expect((await raw(of(mock), { method: "DELETE" })).status).toBe(415);
    const remove = (id: number) => send(`${of(mock)}/${id}`, "", { method: "DELETE" });
    expect(await remove(first.id)).toMatchObject({ status: 200, body: { faults: [second] } });
    expect((await remove(first.id)).status).toBe(404);
    expect((await send(of(mock), {}, { method: "DELETE" })).body).toEqual({ faults: [] });
    expect((await get(of(mock))).body).toEqual({ faults: [] });
    expect((await mock.control.addFault("GET / drop")).id).toBe(3);
    const numbers = [
      { effect: "delay", ms: 250 },
      { effect: "retry-after", seconds: 7 },
    ];
    for (const effect of numbers)
      expect((await send(of(mock), { method: "GET", path: "/", ...effect })).body).toMatchObject(effect);
  });
});

describe("which requests a rule fits", () => {
  const faulty = async (rule: string, method: string, path: string): Promise<boolean> => {
    const mock = await start({ faults: [`${rule} status=599`] });
    const body = method === "GET" ? {} : { body: {} };
    return (await raw(mock.baseUrl + path, { method, ...body })).status === 599;
  };

  test.each([
    ["GET /v1/orders", "GET", "/v1/orders", true],
    ["GET /v1/orders", "GET", "/v1/orders?page=2", true],
    ["GET /v1/orders", "GET", "/v1/orders/1", true],
    ["GET /v1/orders", "GET", "/v1/ordersx", false],
    ["GET /v1/orders", "POST", "/v1/orders", false],
    ["GET /v1", "GET", "/v1/orders", true],
    ["* /v1/orders", "POST", "/v1/orders", true],
    ["POST /campaigns", "POST", "/messaging/campaigns", true],
    ["POST /messaging/campaigns", "POST", "/messaging/campaigns", true],
    ["GET /campaigns/cmp_1", "GET", "/messaging/campaigns/cmp_1", true],
    ["GET /campaigns/cmp_1", "GET", "/messaging/campaigns/cmp_2", false],
    ["* /messaging", "GET", "/messaging/campaigns/cmp_1", true],
    ["* /messaging", "GET", "/v1/orders", false],
    ["* /", "GET", "/v1/orders", true],
    ["* /", "GET", "/messaging/campaigns/x", true],
    ["* /", "GET", "/_mock/messages", false],
    ["* /", "POST", "/_mock/reset", false],
  ])("%s, asked %s %s: %j", async (rule, method, path, fits) => {
    expect(await faulty(rule, method, path)).toBe(fits);
  });

  test("the first rule that fits and is not used up fires, and each is counted", async () => {
    const mock = await start({
      faults: ["GET / status=501 times=1", "* /v1 status=502 times=2", "GET / status=503"],
    });
    const seen: number[] = [];
    for (let index = 0; index < 4; index++) seen.push((await get(`${mock.baseUrl}/v1/orders`)).status);
    expect(seen).toEqual([501, 502, 502, 503]);
    expect(await mock.control.faults()).toMatchObject([
      { matched: 4, fired: 1 },
      { matched: 3, fired: 2 },
      { matched: 1, fired: 1 },
    ]);
  });
});

describe("the request log", () => {
  test("names the fault that fired, and the body's own key; a reset has the status 0", async () => {
    const mock = await start({
      faults: [
        "POST /campaigns status=502 times=1",
        "POST /campaigns commit-drop times=1",
        "POST /v1 drop times=1",
      ],
    });
    const body = {
      idempotency_key: "k",
      template_name: "aviso_simple",
      recipients: [{ phone: "+5491161234567", params: [] }],
    };
    await raw(`${mock.campaignsBaseUrl}/campaigns`, { body });
    await raw(`${mock.campaignsBaseUrl}/campaigns`, { body });
    await campaign(mock, body, demoKey);
    await raw(`${mock.baseUrl}/v1/catalog/items`, { body: { event_id: "e" } });
    await push(mock, []);
    const rows = await mock.control.requests();
    expect(
      rows.map(({ status, fault, idempotency_key, event_id }) => [
        status,
        fault,
        idempotency_key ?? event_id,
      ]),
    ).toEqual([
      [502, "status=502", "k"],
      [0, "commit-drop", "k"],
      [200, undefined, "k"],
      [0, "drop", "e"],
      [200, undefined, expect.any(String)],
    ]);
  });
});
