import { expect, it } from "vitest";
import { fakeClock } from "../../../support/fake-clock.ts";
import { priceList } from "../../../support/push.ts";
import { shell, type World } from "../../../support/run.ts";
import { service } from "../../../support/service.ts";
import { eventsOf, newIds, watchOnce } from "../../../support/watch.ts";

const minute = 60_000;

/** A mock of which somebody has moved the clock on by 90 minutes since an order was placed. */
async function advanced() {
  const clock = fakeClock();
  const { mock, env } = await service({ scenario: "empty", now: () => clock.now() });
  const place = async (): Promise<number> => (await mock.control.placeOrders({ count: 1 }))[0]!.order_id;
  const before = await place();
  await mock.control.moveClock({ advance_ms: 90 * minute });
  const bpos = shell({ env: { ...env, NO_COLOR: "1" } });
  return { before, place, run: (argv: string[], world: World = {}) => bpos(argv, { clock, ...world }) };
}

it("tells how long orders wait by the service's clock, in the list and with --late", async () => {
  const { before, place, run } = await advanced();
  const after = await place();
  const { stdout } = await run(["orders", "list"], { terminal: 140 });
  const ageOf = (id: number): string | undefined =>
    stdout
      .split("\n")
      .find((line) => line.startsWith(String(id)))
      ?.match(/ {2}((?:\d+ h )?\d+ (?:s|min)) {2}/)?.[1];
  expect([ageOf(before), ageOf(after)]).toEqual(["1 h 30 min", "0 s"]);
  const late = await run(["orders", "watch", "--once", "--late", "60m"], { terminal: 100 });
  expect(late.stderr).toMatch(new RegExp(`Order ${before} has been waiting for 1 h 30 min`));
  expect(late.stderr).not.toContain(`Order ${after} has been waiting`);
});

it("skips with --skip-existing what was there by the service's clock", async () => {
  const { place, run } = await advanced();
  await place();
  expect(eventsOf(await watchOnce(run, "--skip-existing"))).toEqual([]);
  const later = await place();
  expect(newIds(await watchOnce(run))).toEqual([later]);
});

it("is told by doctor as the mock's own, and keeps no push of a rehearsal", async () => {
  const { run } = await advanced();
  const { stdout, code } = await run(["doctor", "--json"]);
  const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; detail: string }[] };
  const clock = checks.find(({ name }) => name === "clock");
  expect(clock).toMatchObject({
    status: "pass",
    detail: expect.stringMatching(/^the mock's clock says \d{4}-\d\d-\d\d \d\d:\d\d;/) as string,
  });
  expect(code).toBe(0);
  const push = await run(["catalog", "push", priceList(1)]);
  expect(push).toMatchObject({ code: 0 });
  expect(push.stderr).not.toContain("clock");
});
