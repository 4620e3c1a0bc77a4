// Measures the console in a real browser: npm run bench:console [-- --minutes 10]
// Full views: 2,000 orders, 10,000 requests, a campaign to 100 phones. With --minutes: the memory of two tabs, while orders rush in.
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { orderStates } from "../src/contract/limits.ts";
import { type RunningMock, startMock } from "../src/mock/index.ts";
import { launch } from "./support/browser.ts";
import { call, clock, viewsOf } from "./support/demo-world.ts";

const { minutes } = parseArgs({ options: { minutes: { type: "string", default: "0" } } }).values;
const write = (line: string): void => void process.stdout.write(`${line}\n`);
const sorted = (times: readonly number[]): number[] => times.toSorted((a, b) => a - b);
const told = (times: readonly number[]): string => {
  const all = sorted(times);
  const [median, last] = [all[Math.floor(all.length / 2)], all.at(-1)];
  return `median ${median?.toFixed(0) ?? ""} ms, longest ${last?.toFixed(0) ?? ""} ms`;
};

const readOrders = (mock: RunningMock): Promise<unknown> =>
  fetch(`${mock.baseUrl}/v1/orders`, { headers: { "x-api-key": "bpk_demo_centro" } }).then((answer) =>
    answer.text(),
  );

async function fill(mock: RunningMock): Promise<void> {
  for (const status of orderStates)
    await mock.control.placeOrders({ count: 2_000 / orderStates.length, order: { status } });
  const recipients = Array.from({ length: 100 }, (_, n) => {
    return { phone: `+54911${55_550_000 + n}`, params: ["Ana", String(n)] };
  });
  const campaign = { idempotency_key: "measured", template_name: "pedido_listo", recipients };
  await call(mock.baseUrl, "POST", "/messaging/campaigns", campaign);
  for (let done = 0; done < 10_000; done += 50)
    await Promise.all(Array.from({ length: 50 }, () => readOrders(mock)));
}

/** Milliseconds from the start of the navigation to the first paint with content. */
const firstPaint = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const [entry] = list.getEntriesByName("first-contentful-paint");
          if (entry) resolve(entry.startTime);
        }).observe({ type: "paint", buffered: true });
      }),
  );

async function measureViews(browser: Browser, mock: RunningMock): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  for (const [name, path] of Object.entries(await viewsOf(mock.baseUrl))) {
    const times: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      await page.goto(mock.baseUrl + path);
      times.push(await firstPaint(page));
    }
    const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
    write(`${name.padEnd(10)} first paint ${told(times)}; ${nodes} elements`);
  }
  await page.close();
}

interface Happening {
  name: string;
  view: string;
  /** The part of the page that shows it. */
  part: string;
  method: "GET" | "POST";
  path: string;
  body: object;
}

/** Milliseconds from the request that makes it happen to the frame that shows it. */
const untilShown = (page: Page, happening: Happening): Promise<number> =>
  page.evaluate(async ({ part, method, path, body }) => {
    const began = performance.now();
    const shown = new Promise<number>((resolve) => {
      new MutationObserver((_, observer) => {
        observer.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - began));
      }).observe(document.querySelector(part) as HTMLElement, { childList: true, subtree: true });
    });
    const headers = { "content-type": "application/json", "x-api-key": "bpk_demo_centro" };
    await fetch(path, { method, headers, ...(method === "POST" && { body: JSON.stringify(body) }) });
    return shown;
  }, happening);

async function measureEvents(browser: Browser, mock: RunningMock): Promise<void> {
  const { orders = "", requests = "", campaign = "" } = await viewsOf(mock.baseUrl);
  const phone = "+5491155550000";
  const happenings: Happening[] = [
    {
      name: "an order",
      view: orders,
      part: "#state-pendiente",
      method: "POST",
      path: "/_mock/orders",
      body: {},
    },
    { name: "a request", view: requests, part: "#requests", method: "GET", path: "/v1/orders", body: {} },
    {
      name: "a reply",
      view: campaign,
      part: "#phone-1",
      method: "POST",
      path: "/_mock/replies",
      body: { phone, text: "sí" },
    },
  ];
  for (const happening of happenings) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(mock.baseUrl + happening.view);
    // First of all the stream sends all that it has.
    await page.waitForTimeout(2_000);
    const times: number[] = [];
    for (let n = 0; n < 30; n += 1) times.push(await untilShown(page, happening));
    write(`${happening.name} is on the page: ${told(times)}`);
    await page.close();
  }
}

async function watchMemory(browser: Browser): Promise<void> {
  const mock = await startMock({ scenario: "rush" });
  const paths = ["/", "/console/requests"];
  const tabs = await Promise.all(
    paths.map(async (path) => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
      await page.goto(mock.baseUrl + path);
      const session = await page.context().newCDPSession(page);
      await session.send("Performance.enable");
      return { path, session };
    }),
  );
  const poll = setInterval(() => void readOrders(mock), 500);
  write("minute  tab                 heap MB    nodes  listeners");
  for (let half = 0; half <= Number(minutes) * 2; half += 1) {
    for (const { path, session } of tabs) {
      await session.send("HeapProfiler.collectGarbage");
      const { metrics } = await session.send("Performance.getMetrics");
      const metric = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? 0;
      const heap = (metric("JSHeapUsedSize") / 1024 ** 2).toFixed(2).padStart(7);
      const [nodes, listeners] = [metric("Nodes"), metric("JSEventListeners")];
      write(
        `${(half / 2).toFixed(1).padStart(6)}  ${path.padEnd(18)} ${heap} ${String(nodes).padStart(8)} ${String(listeners).padStart(10)}`,
      );
    }
    if (half < Number(minutes) * 2) await new Promise((resolve) => setTimeout(resolve, 30_000));
  }
  clearInterval(poll);
  await mock.close();
}

const browser = await launch();
// Nothing happens by itself.
const mock = await startMock({ clock });
await fill(mock);
await measureViews(browser, mock);
await measureEvents(browser, mock);
await mock.close();
if (Number(minutes) > 0) await watchMemory(browser);
await browser.close();
