import { describe, expect, it } from "vitest";
import { startMock } from "./support/console.ts";
import { call } from "./support/demo-world.ts";

const ordersOf = async (url: string): Promise<unknown[]> => {
  const response = await fetch(`${url}/v1/orders`, { headers: { "x-api-key": "bpk_demo_centro" } });
  return ((await response.json()) as { orders: unknown[] }).orders;
};

describe("a double click", () => {
  it("places one order, however late the answer is", async () => {
    const mock = await startMock("--scenario", "empty");
    const tab = await mock.open();
    let posts = 0;
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await tab.route("**/_mock/orders", async (route) => {
      posts += 1;
      await answered;
      await route.continue();
    });
    await tab.getByRole("button", { name: "Place" }).dblclick();
    await tab.locator("form.random.htmx-request").waitFor();
    answer();
    await tab.locator(".card").waitFor();
    await tab.getByText("Orders placed: 1").waitFor();
    // A form that was answered can be sent again.
    await tab.getByRole("button", { name: "Place" }).click();
    await tab.locator(".card").nth(1).waitFor();
    expect(posts).toBe(2);
    expect(await ordersOf(mock.url)).toHaveLength(2);
  });
});

describe("a new order that a person composes", () => {
  it("is as they left it when they open it again, until it is placed or cleared", async () => {
    const mock = await startMock("--scenario", "demo");
    const tab = await mock.open();
    const form = tab.getByRole("dialog");
    const open = () => tab.getByRole("link", { name: "New order" }).click();
    await open();
    await form.getByLabel("Product").fill("PIZ-001");
    await form.getByRole("button", { name: "Add a line" }).click();
    await form.getByLabel("Product").nth(1).fill("BEB-002");
    await form.getByLabel("Quantity").nth(1).fill("3");
    await form.getByLabel("Name").fill("Ximena");
    await form.getByLabel("Pick-up").check();
    await tab.mouse.click(5, 300);
    await form.waitFor({ state: "hidden" });
    await tab.reload();
    await open();
    expect(await form.getByLabel("Name").inputValue()).toBe("Ximena");
    expect(await form.getByLabel("Product").nth(1).inputValue()).toBe("BEB-002");
    expect(await form.getByLabel("Quantity").nth(1).inputValue()).toBe("3");
    expect(await form.getByLabel("Pick-up").isChecked()).toBe(true);
    expect(await form.locator("output").textContent()).toBe("$\u00a014.600,00");
    await form.getByRole("button", { name: "Place order" }).click();
    await tab.locator(".card", { hasText: "Ximena" }).waitFor();
    await open();
    expect(await form.getByLabel("Name").inputValue()).toBe("");
    await form.getByLabel("Name").fill("Yago");
    await form.getByRole("button", { name: "Clear" }).click();
    expect(await form.getByLabel("Name").inputValue()).toBe("");
    await tab.keyboard.press("Escape");
    await form.waitFor({ state: "hidden" });
    await open();
    expect(await form.getByLabel("Name").inputValue()).toBe("");
    expect(await form.getByLabel("Product").count()).toBe(1);
  });

  it("has a total that follows its lines, and takes products of the list alone", async () => {
    const mock = await startMock("--scenario", "demo");
    const tab = await mock.open();
    const form = tab.getByRole("dialog");
    await tab.getByRole("link", { name: "New order" }).click();
    const total = form.locator("output");
    const product = form.getByLabel("Product");
    expect(await total.textContent()).toBe("—");
    // What matches is there while one types: by keys, and by a click or a touch.
    await product.fill("muzz");
    const offers = form.getByRole("listbox").getByRole("option");
    await offers.filter({ hasText: "Pizza muzzarella" }).waitFor();
    expect(await offers.count()).toBe(1);
    await product.fill("empanada");
    await product.press("ArrowDown");
    await product.press("ArrowDown");
    await product.press("Enter");
    expect(await product.inputValue()).toContain("EMP-002");
    await product.fill("pizza");
    await product.press("Escape");
    expect(await offers.count()).toBe(0);
    await product.fill("muzz");
    await offers.click();
    expect(await product.inputValue()).toBe("Pizza muzzarella · $\u00a09.800,00 · PIZ-001");
    expect(await total.textContent()).toBe("$\u00a09.800,00");
    await form.getByLabel("Extra price").fill("200.5");
    await form.getByLabel("Quantity").fill("2");
    await form.getByLabel("Shipping").fill("700");
    expect(await total.textContent()).toBe("$\u00a020.701,00");
    await form.getByLabel("Pick-up").check();
    expect(await total.textContent()).toBe("$\u00a020.001,00");
    await product.fill("Sushi");
    const message = () => product.evaluate((field: HTMLInputElement) => field.validationMessage);
    expect(await message()).toBe("Choose a product from the list.");
    await product.fill("");
    expect(await message()).toBe("");
    // Lines are in columns: what is below each other begins at the same place.
    await form.getByRole("button", { name: "Add a line" }).click();
    for (const label of ["Product", "Quantity", "Option or note", "Extra price"]) {
      const [one, other] = await Promise.all([0, 1].map((n) => form.getByLabel(label).nth(n).boundingBox()));
      expect([other?.x, other?.width], label).toEqual([one?.x, one?.width]);
    }
  });

  it("is not placed with a phone that is none", async () => {
    const mock = await startMock();
    const tab = await mock.open();
    await tab.getByRole("link", { name: "New order" }).click();
    const form = tab.getByRole("dialog");
    const phone = form.getByLabel("Phone");
    await phone.fill("abc");
    await form.getByRole("button", { name: "Place order" }).click();
    expect(await form.locator(":invalid").evaluateAll((all) => all.map(({ tagName }) => tagName))).toContain(
      "INPUT",
    );
    expect(await phone.evaluate((field: HTMLInputElement) => field.title)).toContain("+54 9 11 5555-1234");
    expect(await phone.evaluate((field: HTMLInputElement) => field.validity.patternMismatch)).toBe(true);
    await form.getByText("Optional, for example").waitFor();
    await phone.fill("+54 9 (11) 5555-1234");
    await form.getByRole("button", { name: "Place order" }).click();
    await form.waitFor({ state: "hidden" });
    expect(await ordersOf(mock.url)).toContainEqual(
      expect.objectContaining({
        cliente: expect.objectContaining({ telefono: "+54 9 (11) 5555-1234" }) as object,
      }),
    );
  });
});

it("Back closes a dialog, and leaves the page where none is open", async () => {
  const mock = await startMock();
  const tab = await mock.open("/console/world");
  await tab.getByRole("link", { name: "Orders" }).click();
  const dialog = tab.getByRole("dialog");
  const card = tab.locator(".card").first();
  await card.click();
  await dialog.getByRole("heading", { level: 1 }).waitFor();
  await tab.goBack();
  await dialog.waitFor({ state: "hidden" });
  await tab.getByRole("heading", { name: "Orders" }).waitFor();
  // One that was closed otherwise leaves nothing behind.
  await card.click();
  await dialog.getByRole("heading", { level: 1 }).waitFor();
  await tab.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await tab.goBack();
  await tab.getByRole("heading", { name: "World" }).waitFor();
});

it("Back closes the dialog of a push after a search, and the search stays", async () => {
  const mock = await startMock();
  await call(mock.url, "POST", "/v1/catalog/items", {
    event_id: "first",
    occurred_at: "2026-03-01T09:00:00-03:00",
    action: "upsert",
    items: [{ codigo: "ZZ-1", nombre: "Zapallo", precio: 5 }],
  });
  const tab = await mock.open("/console/catalog");
  await tab.getByLabel("Code, name or category").fill("zapallo");
  await tab.waitForURL("**q=zapallo**");
  await tab.getByRole("group", { name: "Recent pushes" }).getByRole("link").first().click();
  await tab.getByRole("dialog").getByRole("heading", { level: 1 }).waitFor();
  await tab.goBack();
  await tab.getByRole("dialog").waitFor({ state: "hidden" });
  expect(await tab.getByLabel("Code, name or category").inputValue()).toBe("zapallo");
  expect(tab.url()).toContain("q=zapallo");
});

it("shows a fault in the colour of what went wrong", async () => {
  const mock = await startMock("--fault", "GET /v1/orders status=503");
  await ordersOf(mock.url).catch(() => []);
  const tab = await mock.open("/console/requests");
  const row = tab.locator("tbody tr").first();
  const colourOf = (part: string) =>
    row
      .locator(part)
      .first()
      .evaluate((each) => getComputedStyle(each).color);
  const colours = async () => [await colourOf(".tag"), await colourOf("td:nth-child(2)")];
  // The row is replaced when the stream begins.
  await expect.poll(async () => new Set(await colours()).size).toBe(1);
});

it("has an icon", async () => {
  const mock = await startMock("--scenario", "empty");
  const tab = await mock.open();
  const width = await tab.evaluate(async () => {
    const image = new Image();
    image.src = document.querySelector<HTMLLinkElement>("link[rel=icon]")?.href ?? "";
    await image.decode();
    return image.naturalWidth;
  });
  expect(width).toBeGreaterThan(0);
});
