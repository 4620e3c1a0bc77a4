import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { startMock, tabTo } from "./support/console.ts";
import { clock, furnish, viewsOf } from "./support/demo-world.ts";

/** Returns the focused element, and whether a person sees it. */
const focus = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element, body } = document;
    if (element === null || element === body) return null;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    const hasMark = (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0) || boxShadow !== "none";
    // The parts of a date have marks of the browser's own.
    const isDate = element.matches("[type=datetime-local]");
    const html = element.outerHTML.slice(0, 120);
    return {
      html,
      id: element.id,
      text: element.textContent.trim(),
      isSeen: (hasMark || isDate) && width > 0 && height > 0,
    };
  });

it("orders, reads the ticket and moves the order on without a mouse; dialogs give the focus back", async () => {
  const mock = await startMock("--clock", clock);
  const tab = await mock.open();
  await tab.keyboard.press("Tab");
  expect(await focus(tab)).toMatchObject({ text: "Skip to the content", isSeen: true });
  await tabTo(tab, tab.getByRole("link", { name: "New order" }));
  await tab.keyboard.press("Enter");
  const dialog = tab.getByRole("dialog");
  await dialog.waitFor();
  await tab.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  expect((await focus(tab))?.text).toBe("New order");
  await tab.keyboard.press("n");
  await dialog.getByLabel("Name").waitFor();
  await tabTo(tab, dialog.getByLabel("Name"));
  await tab.keyboard.type("Zoe");
  await tab.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  const card = tab.locator(".card", { hasText: "Zoe" });
  await card.waitFor();
  const id = (await card.getAttribute("id")) ?? "";
  await tabTo(tab, card);
  await tab.keyboard.press("Enter");
  await dialog.getByRole("heading", { level: 1 }).waitFor();
  await tab.keyboard.press("3");
  await tab.locator(`#state-listo #${id}`).waitFor({ state: "attached" });
  await tab.keyboard.press("Escape");
  await expect.poll(async () => (await focus(tab))?.id).toBe(id);
});

it("shows where the focus is, at every stop of every view", async () => {
  const mock = await startMock("--clock", clock);
  await furnish(mock.url);
  for (const path of Object.values(await viewsOf(mock.url))) {
    const tab = await mock.open(path);
    const unseen: string[] = [];
    for (let stops = 0; stops < 40; stops += 1) {
      await tab.keyboard.press("Tab");
      const at = await focus(tab);
      if (at && !at.isSeen) unseen.push(at.html);
    }
    expect(unseen, path).toEqual([]);
  }
});
