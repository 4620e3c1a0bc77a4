import { writeFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { freePort } from "../test/support/listen.ts";
import { temporaryFolder } from "../test/support/run.ts";
import { type Mock, openTab, startMock } from "./support/console.ts";
import { call } from "./support/demo-world.ts";

type Placed = { orders: { order_id: number }[] };

async function place({ url }: Mock, count: number, order: object = {}): Promise<number[]> {
  const { orders } = (await call(url, "POST", "/_mock/orders", { count, order })) as Placed;
  return orders.map(({ order_id }) => order_id);
}
const setState = ({ url }: Mock, id: number | undefined, status: string) =>
  call(url, "PATCH", `/_mock/orders/${id ?? ""}`, { status });

async function watching(mock: Mock, ...flags: string[]) {
  const watch = mock.start("orders", "watch", "-o", "ndjson", "--interval", "200ms", "--screen", ...flags);
  await watch.said(": http");
  const [, url = ""] = /: (http\S+\/)\n/.exec(watch.err()) ?? expect.fail(watch.err());
  return { watch, url: url.replace("0.0.0.0", "127.0.0.1") };
}

/** Of a watch that dies, or is not there yet. */
const cut = [
  "401",
  "ERR_CONNECTION",
  "ERR_INCOMPLETE_CHUNKED_ENCODING",
  "ERR_EMPTY_RESPONSE",
  "AudioContext",
];

/** Counts the tones of a tab, whose sound a person has turned on. */
async function open(url: string, options: Parameters<typeof openTab>[1] = {}) {
  const tab = await openTab("about:blank", options);
  tab.expected.push(...cut);
  await tab.addInitScript(() => {
    const heard: number[] = [];
    Object.assign(OscillatorNode.prototype, {
      start: () => heard.push(performance.now()),
      stop: () => undefined,
    });
    Object.assign(window, { heard });
  });
  await tab.goto(url);
  return tab;
}
const tones = (tab: Page): Promise<number> =>
  tab.evaluate(() => (window as unknown as { heard: number[] }).heard.length);
const rings = (tab: Page) => tab.locator('.card[data-rings="true"]');

it("two tablets ring for an order, and are quiet once it is touched on one of them", async () => {
  const mock = await startMock("--scenario", "empty");
  const { url } = await watching(mock, "0");
  const [left, right] = [await open(url), await open(url)];
  for (const tab of [left, right]) {
    await tab.getByText("No order is waiting").waitFor();
    await tab.getByRole("button", { name: "Touch to turn the sound on" }).click();
    await expect.poll(() => tab.locator("#sound").isVisible()).toBe(false);
  }
  const [id] = await place(mock, 1);
  for (const tab of [left, right]) {
    await rings(tab).waitFor();
    await expect.poll(() => tones(tab)).toBeGreaterThan(0);
  }
  const before = await tones(right);
  // It repeats.
  await expect.poll(() => tones(right), { timeout: 10_000 }).toBeGreaterThan(before);

  const quiet = right.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = (): void => {
          if (document.querySelector('[data-rings="true"]') === null) resolve(Date.now());
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
  const touchedAt = await left.evaluate(() => {
    // Anywhere on it, not only on the button.
    const at = Date.now();
    const { x, y } = document.querySelector(".card h2")!.getBoundingClientRect();
    (document.elementFromPoint(x + 5, y + 5) as HTMLElement).click();
    return at;
  });
  const afterMs = (await quiet) - touchedAt;
  expect(afterMs).toBeLessThan(1_000);

  await right.getByRole("button", { name: `Order ${id ?? ""}: undo the touch` }).click();
  await rings(left).waitFor();
  await left.locator(".touch").click();
  await setState(mock, id, "cancelado");
  await right.locator(".card.off").waitFor();
  expect(await rings(right).count()).toBe(1);
});

it("covers itself when the watch is killed, and goes on by itself when it is back", async () => {
  const mock = await startMock("--scenario", "empty");
  const port = await freePort();
  const { url, watch } = await watching(mock, port);
  const tab = await open(url);
  await place(mock, 1);
  await rings(tab).waitFor();
  expect(await tab.locator("#blind").isVisible()).toBe(false);
  await watch.stop("SIGKILL");
  const killedAt = Date.now();
  await tab.getByRole("alert").getByText("This screen has lost its connection").waitFor();
  expect(Date.now() - killedAt).toBeLessThan(5_000);
  expect(await tab.locator("#polled").textContent()).toMatch(/^\d\d:\d\d:\d\d$/);
  await tab.evaluate(() => Object.assign(window, { isSame: true }));
  await place(mock, 1);
  await watching(mock, port);
  await expect.poll(() => rings(tab).count(), { timeout: 15_000 }).toBe(2);
  await expect.poll(() => tab.locator("#blind").isVisible()).toBe(false);
  // Nobody has to turn the sound on again.
  expect(await tab.evaluate(() => (window as unknown as { isSame?: boolean }).isSame)).toBe(true);
});

it("covers itself three minutes after the last poll by its own clock, and within five seconds of a silence", async () => {
  const mock = await startMock("--scenario", "empty");
  const { url, watch } = await watching(mock, "0");
  const tab = await open("about:blank");
  await tab.clock.install();
  await tab.goto(url);
  await tab.getByText("No order is waiting").waitFor();
  const blind = tab.locator("#blind");
  // A process that hangs closes no connection.
  watch.child.kill("SIGSTOP");
  await tab.clock.runFor(3_000);
  expect(await blind.isVisible()).toBe(false);
  await tab.clock.runFor(2_000);
  expect(await blind.isVisible()).toBe(true);
  await tab.getByText("This screen has lost its connection").waitFor();
  watch.child.kill("SIGCONT");
  await expect.poll(() => blind.isVisible()).toBe(false);

  // The service answers no more, and the watch does: its stream goes on.
  await mock.bpos("mock", "fault", "GET /v1/orders status=503");
  await watch.said("503");
  await tab.clock.runFor(170_000);
  await expect.poll(() => blind.isVisible()).toBe(false);
  await tab.clock.runFor(15_000);
  await tab.getByText("The service has not been read").waitFor();
});

for (const [width, height] of [
  [1920, 1080],
  [360, 640],
  [640, 360],
] as const)
  it(`shows 200 orders at ${width}×${height}, none wider than the display, the oldest first`, async () => {
    const mock = await startMock("--scenario", "empty");
    const { url } = await watching(mock, "0");
    const ids = await place(mock, 200);
    const tab = await open(url, { viewport: { width, height } });
    await expect.poll(() => tab.locator(".card").count(), { timeout: 30_000 }).toBe(200);
    expect(await tab.locator(".card h2").allTextContents()).toEqual(ids.map(String));
    const sizes = await tab.evaluate(() => ({
      page: document.documentElement.scrollWidth,
      cut: [...document.querySelectorAll(".card, .card *")]
        .filter((each) => each.scrollWidth > each.clientWidth + 1)
        .filter((each) => getComputedStyle(each).display !== "inline").length,
      letters: parseFloat(getComputedStyle(document.querySelector(".items")!).fontSize),
    }));
    expect(sizes).toMatchObject({ page: width, cut: 0 });
    expect(sizes.letters).toBeGreaterThanOrEqual(width === 1920 ? 26 : 18);
  });

for (const lang of ["en", "es"])
  it(`axe-core finds nothing: ${lang}`, async () => {
    const mock = await startMock("--scenario", "empty");
    const { url } = await watching(mock, "0", "--lang", lang, "--late", "10m");
    const ids = await place(mock, 2);
    await call(mock.url, "POST", "/_mock/clock", { advance_ms: 11 * 60_000 });
    ids.push(...(await place(mock, 3)));
    await call(mock.url, "POST", "/_mock/clock", { advance_ms: 6 * 60_000 });
    ids.push(...(await place(mock, 2)));
    const tab = await open(url);
    await expect.poll(() => tab.locator(".card").count()).toBe(7);
    const violations = async (): Promise<string[]> => {
      await tab.evaluate(axe.source);
      const { violations: all } = await tab.evaluate(() =>
        (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ["violations"] }),
      );
      return all.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    };
    expect(await violations()).toEqual([]);
    for (const n of [0, 3, 6]) await tab.locator(`.card:has-text("${ids[n]}") .touch`).click();
    await setState(mock, ids[1], "cancelado");
    await tab.locator(".off").waitFor();
    await expect.poll(() => tab.locator(".undo").count()).toBe(3);
    expect(await violations()).toEqual([]);
    await tab.evaluate(() => {
      document.getElementById("blind")!.hidden = false;
    });
    expect(await violations()).toEqual([]);
  });

it("asks a device for the PIN once, and keeps the cookie from scripts", async () => {
  const mock = await startMock("--scenario", "empty");
  await place(mock, 1);
  const pin = "482913";
  const file = join(temporaryFolder(), "pin");
  writeFileSync(file, pin, { mode: 0o600 });
  const { url } = await watching(mock, "0.0.0.0:0", "--pin-file", file);
  const tab = await open(url);
  await tab.getByLabel("PIN").fill("111111");
  await tab.getByRole("button", { name: "Open" }).click();
  await tab.getByText("This PIN is wrong.").waitFor();
  await tab.evaluate(axe.source);
  const { violations } = await tab.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run());
  expect(violations.map(({ id }) => id)).toEqual([]);
  await tab.getByLabel("PIN").fill(pin);
  await tab.keyboard.press("Enter");
  await rings(tab).waitFor();
  expect(await tab.evaluate(() => document.cookie)).toBe("");
  await tab.reload();
  await tab.locator(".touch").click();
  await tab.locator(".undo").waitFor();
});

it("is as fast as the line on standard output", async () => {
  const mock = await startMock("--scenario", "empty");
  const { url, watch } = await watching(mock, "0");
  const tab = await open(url);
  await tab.getByText("No order is waiting").waitFor();
  const ms: number[] = [];
  for (let n = 0; n < 10; n += 1) {
    const shown = tab.evaluate(
      (before) =>
        new Promise<number>((resolve) => {
          const look = (): void => {
            if (document.querySelectorAll(".card").length > before) resolve(Date.now());
            else setTimeout(look, 2);
          };
          look();
        }),
      n,
    );
    let printedAt = 0;
    const lines = watch.out().split("\n").length;
    watch.child.stdout.on("data", () => {
      if (watch.out().split("\n").length > lines) printedAt ||= Date.now();
    });
    await place(mock, 1);
    const shownAt = await shown;
    while (printedAt === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    ms.push(shownAt - printedAt);
  }
  expect(ms.sort((a, b) => a - b)[5]).toBeLessThan(500);
});
