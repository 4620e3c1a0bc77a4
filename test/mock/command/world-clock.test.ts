import { expect, it, onTestFinished } from "vitest";
import { fixture, shell } from "../../support/run.ts";
import { service } from "../../support/service.ts";
import { pageAt, textOf } from "../console/support.ts";

/** A world in another year and month than any machine that runs this. */
const clock = "2031-05-06T12:00:00.700-03:00";
const hour = 3_600_000;

it("what happened in a mock is told by the mock's clock, everywhere", async () => {
  const { mock, env } = await service({ scenario: "demo", clock });
  const run = shell({ env: { ...env, NO_COLOR: "1" }, terminal: 200 });
  const [prices, people] = [fixture("demo/new-prices.csv"), fixture("demo/customers.csv")];
  const send = ["campaign", "send", people, "--template", "pedido_listo", "--ref", "r", "--yes"];
  const pushed = await run(["catalog", "push", prices]);
  // It is not older than the products that the world began with.
  expect(pushed.stdout).toMatch(/^Accepted +8\nStale, ignored +0$/m);
  const sent = await run(send);
  await mock.control.moveClock({ advance_ms: hour });

  const watched = await run(["orders", "watch", "--once", "-o", "ndjson"]);
  expect(new Set(watched.stdout.match(/"at":"[^"]{13}/g))).toEqual(new Set(['"at":"2031-05-06T13']));

  const told = [pushed, sent];
  for (const argv of [
    ["catalog", "history"],
    ["campaign", "list"],
    ["campaign", "find", "+5491155550003"],
    ["journal", "status"],
    ["doctor"],
    send,
  ])
    told.push(await run(argv));
  for (const { stdout } of told) {
    expect(stdout).toMatch(/2031-05-06 1[23]:0\d/);
    expect(stdout.match(/\b20(?!31)\d\d-\d\d-\d\d/g)).toBeNull();
    expect(stdout).not.toMatch(/\d{3,} h/);
  }
  expect(told[2]?.stdout).toMatch(/2031-05-06 12:00 +(1 h 00|59) min/);
  expect(told[3]?.stdout).toMatch(/2031-05-06 12:00 +(1 h 00|59) min/);
  expect(told.at(-1)?.stdout).toMatch(/Sent at 2031-05-06 12:00, (1 h 00|59) min ago\./);
  expect((await run(["status"])).stdout).toMatch(/ (1 h 00|59) min\n/);
  expect(textOf(await pageAt(mock, "/console/catalog"))).not.toMatch(/\b20(?!31)\d\d-\d\d-\d\d/);
});

it("the page has the zone of the machine, as the terminal does, and knows how to say it", async () => {
  const own = process.env["TZ"];
  onTestFinished(() => {
    process.env["TZ"] = own;
  });
  process.env["TZ"] = "Asia/Kolkata";
  const { mock, env } = await service({ scenario: "demo", clock });
  const said = await shell({ env })(["mock", "clock", "--url", mock.baseUrl]);
  expect(said.stdout).toContain("2031-05-06 20:30:00");
  const world = await pageAt(mock, "/console/world");
  expect(textOf(world)).toContain("2031-05-06 20:30:00");
  expect(world).toMatch(/id="zone" data-offset="\+05:30">\s*UTC\+05:30/);
  await mock.control.placeOrders();
  for (const view of ["/", "/console/catalog", "/console/requests", "/console/world"])
    expect(textOf(await pageAt(mock, view)), view).not.toMatch(/\b12:0\d\b/);
});
