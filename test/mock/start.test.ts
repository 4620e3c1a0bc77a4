import { describe, expect, test } from "vitest";
import { startMock } from "../../src/mock/index.ts";
import { campaign, listOrders, norte, push, start } from "./support.ts";

describe("startMock", () => {
  test("several at once share nothing", async () => {
    const mocks = await Promise.all([start(), start(), start()]);
    const [first, second, third] = mocks;
    expect(new Set(mocks.map((mock) => mock.baseUrl)).size).toBe(3);
    await campaign(first);
    await push(second, [{ codigo: "A", nombre: "x", precio: 1 }]);
    await third.control.placeOrders({ branch: "norte" });
    expect(await second.control.messages()).toEqual([]);
    expect(await third.control.catalog()).toEqual([]);
    expect((await listOrders(first, "", norte)).total).toBe(0);
    expect((await first.control.requests()).length).toBe(2);
  });

  test("close ends open keep-alive connections at once, and the port is free again", async () => {
    const mock = await startMock({ scenario: "empty" });
    await listOrders(mock);
    await mock.close();
    const port = Number(new URL(mock.baseUrl).port);
    const next = await startMock({ scenario: "empty", port });
    expect(next.baseUrl).toBe(mock.baseUrl);
    await next.close();
  });

  test.each([
    [{ clock: "noon" }],
    [{ clock: "2026-01-01" }],
    [{ speed: -1 }],
    [{ speed: NaN }],
    [{ seed: 1.5 }],
  ])("refuses %j", async (options) => {
    await expect(startMock(options)).rejects.toThrow(/is required/);
  });
});
