import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startMock } from "../../src/mock/index.ts";
import { temporaryFolder } from "../support/run.ts";
import { sized } from "../support/soak.ts";
import { allOrders, campaign, frozen, get, listOrders, send, start, startKept, statusOf } from "./support.ts";

const now = Date.parse(frozen);
describe("the clock", () => {
  test("a frozen one stands until it is moved", async () => {
    const mock = await start();
    const url = `${mock.baseUrl}/_mock/clock`;
    expect((await send(url, { advance_ms: 60_000 })).body).toEqual({
      now: "2026-01-01T12:01:00.000-03:00",
      frozen: true,
      speed: 0,
    });
    expect((await send(url, { now: "2026-02-01T00:00:00Z" })).body).toMatchObject({
      now: "2026-01-31T21:00:00.000-03:00",
    });
    expect((await mock.control.placeOrders())[0]?.created_at_iso).toBe("2026-01-31T21:00:00.000-03:00");
  });

  test("it starts within the years that it runs", async () => {
    for (const clock of ["9999-12-31T23:59:59Z", "1950-01-01T00:00:00Z"])
      await expect(startMock({ clock })).rejects.toThrow("it runs from 1970 to 9998");
  });

  test("a running one follows real time at its speed, and can be moved", async () => {
    let real = now;
    const mock = await startMock({ scenario: "empty", speed: 60, now: () => real });
    real += 1_000;
    expect((await mock.control.moveClock({ advance_ms: 0 })).now).toBe("2026-01-01T12:01:00.000-03:00");
    await mock.control.moveClock({ advance_ms: 3_600_000 });
    real += 2_000;
    expect((await mock.control.moveClock({ advance_ms: 0 })).now).toBe("2026-01-01T13:03:00.000-03:00");
    await mock.close();
  });

  test("freezes, goes on at the speed before, and takes another; GET /_mock/world shows it", async () => {
    let real = now;
    const data = join(temporaryFolder(), "world.db");
    const mock = await startKept({ data, scenario: "empty", seed: 3, speed: 60, now: () => real });
    const move = async (body: object) => (await send(`${mock.baseUrl}/_mock/clock`, body)).body;
    real += 1_000;
    const stopped = { now: "2026-01-01T12:01:00.000-03:00", frozen: true, speed: 0 };
    expect(await move({ frozen: true })).toEqual(stopped);
    real += 5_000;
    expect(await move({ frozen: true })).toEqual(stopped);
    const again = await startKept({ data, now: () => real });
    expect((await get(`${again.baseUrl}/_mock/world`)).body).toEqual({
      ...{ world_id: mock.worldId, scenario: "empty", seed: 3, branches: ["demo", "norte"] },
      ...stopped,
    });
    expect(await move({ frozen: false })).toEqual({ ...stopped, frozen: false, speed: 60 });
    real += 1_000;
    expect(await again.control.moveClock({ speed: 2 })).toMatchObject({ speed: 2, frozen: false });
    real += 1_000;
    expect(await move({ speed: 0 })).toEqual({ ...stopped, now: "2026-01-01T12:02:02.000-03:00" });
    expect(await move({ frozen: false })).toMatchObject({ frozen: false, speed: 2 });
  });

  test("one that stood from the start goes on at the speed of real time, and none goes beyond its last year", async () => {
    let real = now;
    const mock = await start({ now: () => real });
    expect(await mock.control.moveClock({ frozen: false })).toEqual({ now: frozen, frozen: false, speed: 1 });
    await mock.control.moveClock({ speed: 1e300 });
    real += 1_000;
    expect((await mock.control.world()).now).toBe("9998-12-30T21:00:00.000-03:00");
    for (const body of [{ speed: -1 }, { speed: "1" }, { frozen: 1 }, { frozen: true, speed: 1 }, {}])
      expect((await send(`${mock.baseUrl}/_mock/clock`, body)).status).toBe(400);
  });

  test("a machine whose clock is put back takes nothing back that was reported", async () => {
    let real = now;
    const mock = await startMock({ scenario: "empty", now: () => real });
    const { campaign_id } = await campaign(mock, { recipients: [{ phone: "+5491155550003", params: [] }] });
    real += 60_000;
    const status = await statusOf(mock, campaign_id);
    expect(status.recipients).toMatchObject([{ status: "responded" }]);
    real -= 59_500;
    expect(await statusOf(mock, campaign_id)).toEqual(status);
    await mock.close();
  });

  test("set back, it changes the date and takes nothing back", async () => {
    const mock = await start({ scenario: "rush" });
    const { campaign_id } = await campaign(mock, { recipients: [{ phone: "+5491155550003", params: [] }] });
    await mock.control.moveClock({ advance_ms: sized(200_000, 600_000) });
    const [status, orders] = [await statusOf(mock, campaign_id), await allOrders(mock)];
    await mock.control.moveClock({ now: "2020-01-01T00:00:00Z" });
    expect(await statusOf(mock, campaign_id)).toEqual(status);
    expect(await allOrders(mock)).toEqual(orders);
    await mock.control.moveClock({ advance_ms: sized(200_000, 600_000) });
    const arrived = (await allOrders(mock)).length - orders.length;
    expect(arrived).toBeGreaterThan(sized(66, 200));
    expect((await listOrders(mock)).orders[0]?.created_at_iso).toMatch(/^2019-12-31T21:/);
  });
});
