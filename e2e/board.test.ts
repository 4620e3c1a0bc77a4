import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { type Mock, startMock } from "./support/console.ts";
import { call } from "./support/demo-world.ts";

type Placed = { orders: { order_id: number }[] };

/** Places orders of the branch demo, the oldest first; their numbers. */
async function place({ url }: Mock, count: number, order: object = {}): Promise<number[]> {
  const { orders } = (await call(url, "POST", "/_mock/orders", { count, order })) as Placed;
  return orders.map(({ order_id }) => order_id);
}

const setState = ({ url }: Mock, id: number | undefined, status: string) =>
  call(url, "PATCH", `/_mock/orders/${id ?? ""}`, { status });

const column = (state: string) => `#state-${state}`;
const card = (id: number | undefined) => `#order-${id ?? ""}`;
const waiting = (state: string) => `${column(state)} button`;

/** Does something that changes a column, and waits until the page has heard of it. */
async function heard(tab: Page, state: string, act: () => Promise<unknown>): Promise<void> {
  const message = await tab.evaluateHandle((id) => {
    const heard = new Promise<void>((resolve) => {
      document.body.addEventListener("htmx:sseBeforeMessage", ({ target }) => {
        // The page handles it first.
        if ((target as Element).id === id) setTimeout(resolve);
      });
    });
    return { heard };
  }, `state-${state}`);
  await act();
  await message.evaluate(({ heard }) => heard);
}

/** Returns the place of an element; when the stream begins it is replaced, and for a moment nowhere. */
async function boxOf(tab: Page, selector: string) {
  for (let tries = 0; tries < 50; tries += 1) {
    const box = await tab.locator(selector).boundingBox();
    if (box !== null) return box;
  }
  return expect.fail(selector);
}

async function centreOf(tab: Page, selector: string): Promise<[x: number, y: number]> {
  const { x, y, width, height } = await boxOf(tab, selector);
  return [x + width / 2, y + height / 2];
}

async function pickUp(tab: Page, id: number | undefined): Promise<void> {
  const [x, y] = await centreOf(tab, card(id));
  await tab.mouse.move(x, y);
  await tab.mouse.down();
  await tab.mouse.move(x + 20, y + 10, { steps: 4 });
}

const topOf = async (tab: Page, id: number | undefined) => (await boxOf(tab, card(id))).y;

describe("a card that is held", () => {
  it("reaches the state where it is dropped, however many orders arrived meanwhile", async () => {
    const mock = await startMock("--scenario", "empty");
    const [first] = await place(mock, 2);
    const tab = await mock.open();
    await pickUp(tab, first);
    for (let arrived = 0; arrived < 3; arrived += 1) await heard(tab, "pendiente", () => place(mock, 1));
    expect(await tab.locator(`${column("pendiente")} .card`).count()).toBe(2);
    const [x, y] = await centreOf(tab, column("listo"));
    await tab.mouse.move(x, y, { steps: 4 });
    await tab.mouse.up();
    await tab.getByText(`Order ${first ?? ""} moved to Ready.`).waitFor();
    await tab.locator(column("listo")).locator(card(first)).waitFor();
    // The card that waited for the drop is there now.
    await expect.poll(() => tab.locator(`${column("pendiente")} .card`).count()).toBe(4);
    expect(await tab.locator(".target").count()).toBe(0);
  });

  it("is let go with its world, and the board goes on", async () => {
    const mock = await startMock("--scenario", "empty");
    const [first] = await place(mock, 2);
    const tab = await mock.open();
    await pickUp(tab, first);
    const [x, y] = await centreOf(tab, column("listo"));
    await tab.mouse.move(x, y, { steps: 4 });
    await call(mock.url, "POST", "/_mock/reset", { seed: 7 });
    await tab.getByText("No orders yet").waitFor();
    await tab.mouse.up();
    const [other] = await place(mock, 1);
    await tab.locator(card(other)).waitFor();
    expect(await tab.locator(".target").count()).toBe(0);
  });

  it("says that it was moved where the mock answers after the page showed it", async () => {
    const mock = await startMock("--scenario", "empty");
    const [id] = await place(mock, 1);
    const tab = await mock.open();
    let answer = (): void => undefined;
    const shown = new Promise<void>((resolve) => (answer = resolve));
    await tab.route("**/_mock/orders/*", async (route) => {
      const response = await route.fetch();
      await shown;
      await route.fulfill({ response });
    });
    await tab.locator(card(id)).focus();
    await tab.keyboard.press("3");
    await tab.locator(column("listo")).locator(card(id)).waitFor();
    answer();
    await tab.getByText(`Order ${id ?? ""} moved to Ready.`).waitFor();
  });
});

describe("a column that a person points at", () => {
  it("keeps its cards in place: new ones come below, and one that goes leaves its place free", async () => {
    const mock = await startMock("--scenario", "empty");
    const [oldest, newest] = await place(mock, 2);
    const tab = await mock.open();
    await tab.locator(card(newest)).hover();
    const before = await topOf(tab, newest);
    const [third] = await place(mock, 1);
    await tab.locator(card(third)).waitFor();
    expect(await topOf(tab, third)).toBeGreaterThan(before);
    expect(await topOf(tab, newest)).toBe(before);

    await heard(tab, "pendiente", () => setState(mock, oldest, "listo"));
    expect(await tab.locator(`${column("pendiente")} .count`).textContent()).toBe("2");
    expect(await tab.locator(`${column("pendiente")} li`).count()).toBe(3);
    expect(await tab.locator(`${column("pendiente")} [data-order]`).count()).toBe(2);
    expect(await topOf(tab, newest)).toBe(before);
    // What comes while a place is free waits, or the cards would close up.
    await heard(tab, "pendiente", () => place(mock, 2));
    expect(await tab.locator(waiting("pendiente")).textContent()).toBe("2 new");

    await tab.locator(column("en_camino")).hover();
    await expect.poll(() => tab.locator(`${column("pendiente")} .card`).count()).toBe(4);
    expect(await topOf(tab, newest)).toBeLessThan(before);
  });

  it("takes the order that a person moves into it at once", async () => {
    const mock = await startMock("--scenario", "empty");
    const [first] = await place(mock, 1);
    const [, there] = await place(mock, 2, { status: "listo" });
    const tab = await mock.open();
    await tab.locator(card(there)).hover();
    await tab.locator(card(first)).focus();
    await tab.keyboard.press("3");
    await tab.locator(column("listo")).locator(card(first)).waitFor();
    await expect.poll(() => tab.evaluate(() => document.activeElement?.id)).toBe(`order-${first ?? ""}`);
  });
});

describe("a column that is scrolled", () => {
  it("says in Spanish how many new ones are below its edge, and a key leads to them", async () => {
    const mock = await startMock("--scenario", "empty");
    const [oldest] = await place(mock, 12);
    const tab = await mock.open("/", { locale: "es-AR" });
    await tab.locator(card(oldest)).focus();
    const before = await topOf(tab, oldest);
    let first: number | undefined;
    await heard(tab, "pendiente", async () => ([first] = await place(mock, 3)));
    const button = tab.locator(waiting("pendiente"));
    expect(await button.textContent()).toBe("3 nuevos");
    expect(await topOf(tab, oldest)).toBe(before);
    await button.focus();
    await tab.keyboard.press("Enter");
    await expect.poll(() => tab.evaluate(() => document.activeElement?.id)).toBe(`order-${first ?? ""}`);
    const bottom = () => tab.locator(column("pendiente")).evaluate((each) => (each.scrollTop = 1e6));
    await bottom();
    await expect.poll(() => button.isVisible()).toBe(false);
  });

  it("closes up behind the card that a person drags out of it", async () => {
    const mock = await startMock("--scenario", "empty");
    const ids = await place(mock, 11);
    const tab = await mock.open();
    // Cards are replaced when the stream begins: one that was picked up before would stay where it is.
    await heard(tab, "pendiente", async () => ids.push(...(await place(mock, 1))));
    await tab.locator(card(ids[11])).evaluate((each) => each.scrollIntoView());
    await pickUp(tab, ids[11]);
    const [x, y] = await centreOf(tab, column("listo"));
    await tab.mouse.move(x, y, { steps: 4 });
    await tab.mouse.up();
    await tab.locator(column("listo")).locator(card(ids[11])).waitFor();
    await expect.poll(() => tab.locator(`${column("pendiente")} li`).count()).toBe(11);
  });

  it("shows another world at once", async () => {
    const mock = await startMock("--scenario", "empty");
    const [oldest] = await place(mock, 12);
    const tab = await mock.open();
    await tab.locator(card(oldest)).hover();
    await call(mock.url, "POST", "/_mock/reset", { seed: 7 });
    await tab.getByText("No orders yet").waitFor();
    expect(await tab.locator(".card").count()).toBe(0);
  });
});

const later = { timeout: 10_000 };

it("announces the orders that arrive, and not those that move", async () => {
  const mock = await startMock("--scenario", "empty");
  const [first] = await place(mock, 1);
  const tab = await mock.open();
  const said = tab.locator("#arrived[aria-live=polite]");
  await heard(tab, "listo", () => setState(mock, first, "listo"));
  const [second] = await place(mock, 1);
  await expect.poll(() => said.textContent(), later).toBe(`1 new order: number ${second ?? ""}`);
  const [, , last] = await place(mock, 3);
  await expect.poll(() => said.textContent(), later).toBe(`3 new orders, the latest is number ${last ?? ""}`);
});

it("counts the age of a card on with the world's clock", async () => {
  const mock = await startMock("--scenario", "empty");
  const [first] = await place(mock, 1);
  const tab = await mock.open();
  const age = tab.locator(`${card(first)} time`);
  expect(await age.textContent()).toBe("0 min");
  await call(mock.url, "POST", "/_mock/clock", { advance_ms: 7 * 60_000 });
  await expect.poll(() => age.textContent()).toBe("7 min");
});

it("takes an order that is dropped on a state of the end, folded or open", async () => {
  const mock = await startMock("--scenario", "empty");
  const [first, second] = await place(mock, 2);
  const tab = await mock.open();
  await tab.locator(card(first)).dragTo(tab.locator(column("cancelado")));
  await tab.getByText(`Order ${first ?? ""} moved to Cancelled.`).waitFor();
  await tab.getByRole("link", { name: "Show finished orders" }).click();
  await tab.locator(card(second)).dragTo(tab.locator(column("entregado")));
  await tab.locator(column("entregado")).locator(card(second)).waitFor();
  await tab.getByRole("link", { name: "Collapse" }).click();
  await tab.locator(`${column("entregado")} .small`).waitFor();
});

it("notifies the desktop and rings for new orders only once somebody wants it, and remembers that", async () => {
  const mock = await startMock("--scenario", "empty");
  await place(mock, 1);
  const tab = await mock.open("/", { permissions: ["notifications"] });
  // A browser without a desktop shows no notifications, and nobody hears it.
  await tab.addInitScript(() => {
    const told: string[] = [];
    const note = (text: string): void => void told.push(text);
    const granted = {
      permission: "granted",
      requestPermission: async () => Promise.resolve("granted"),
    };
    function Notification(text: string): void {
      note(text);
    }
    Object.assign(OscillatorNode.prototype, { start: () => note("tone"), stop: () => undefined });
    Object.assign(window, { Notification: Object.assign(Notification, granted), told });
  });
  await tab.reload();
  const told = () => tab.evaluate(() => (window as unknown as { told: string[] }).told);
  const said = tab.locator("#arrived");
  await tab.locator(".card").waitFor();
  const [second] = await place(mock, 1);
  await expect.poll(() => said.textContent(), later).toContain(String(second));
  expect(await told()).toEqual([]);
  await tab.getByLabel("Desktop notification").check();
  const [third] = await place(mock, 1);
  await expect.poll(told, later).toEqual([`1 new order: number ${third ?? ""}`]);
  await tab.reload();
  expect(await tab.getByLabel("Desktop notification").isChecked()).toBe(true);
  await tab.getByLabel("Desktop notification").uncheck();
  await tab.getByLabel("Sound").check();
  await expect.poll(told, later).toEqual(["tone", "tone"]);
  await tab.locator(".card").first().waitFor();
  await place(mock, 2);
  await expect.poll(told, later).toEqual(["tone", "tone", "tone", "tone"]);
});

it("marks a new order for who wants no motion too", async () => {
  const mock = await startMock("--scenario", "empty");
  await place(mock, 1);
  const tab = await mock.open("/", { reducedMotion: "reduce" });
  await tab.locator(".card").waitFor();
  const [second] = await place(mock, 1);
  await tab.locator(card(second)).waitFor();
  const mark = () => tab.locator(card(second)).evaluate((each) => getComputedStyle(each).boxShadow);
  await expect.poll(mark).toContain("3px");
});

it("keeps every card within its column, whatever one of them costs", async () => {
  const mock = await startMock("--scenario", "empty");
  const lineas = [{ nombre: "Fiesta", cantidad: 1, precio_unitario: 123_456_789_012.5 }];
  await place(mock, 1, { lineas, pago: { modo: "en_entrega", pagado: false } });
  await place(mock, 1);
  for (const width of [1024, 1280]) {
    const tab = await mock.open("/", { viewport: { width, height: 720 } });
    const inner = await tab.locator(column("pendiente")).evaluate((each) => {
      const { right } = each.getBoundingClientRect();
      const cards = [...each.querySelectorAll(".card, .card b")];
      return cards.every((part) => part.getBoundingClientRect().right <= right);
    });
    expect(inner, String(width)).toBe(true);
  }
});
