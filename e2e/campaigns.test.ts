import { expect, it } from "vitest";
import { fixture } from "../test/support/run.ts";
import { startMock } from "./support/console.ts";

it("shows what bpos sends as phones; a reply on one reaches a listener that the page named", async () => {
  const mock = await startMock("--clock", "2026-03-06T12:00:00-03:00");
  const tab = await mock.open("/console/campaigns");
  await tab.getByRole("link", { name: "promo_semana · promo-fin-de-semana" }).waitFor();
  const send = [
    "campaign",
    "send",
    fixture("recipients.csv"),
    "--template",
    "pedido_listo",
    "--country",
    "AR",
  ];
  expect((await mock.bpos(...send, "--ref", "viernes", "--yes")).code).toBe(3);
  await tab.getByRole("link", { name: "pedido_listo · viernes" }).click();
  await tab.getByText("55 of 55").waitFor();

  // One phone beside the list: that of the row that was chosen.
  const row = (n: number) => tab.locator("[data-person]").nth(n);
  const phones = tab.locator("[data-phone]:visible");
  expect(await row(0).getAttribute("aria-current")).toBe("true");
  await row(4).click();
  await expect.poll(() => row(4).getAttribute("aria-current")).toBe("true");
  expect(await row(0).getAttribute("aria-current")).toBeNull();
  expect(await phones.count()).toBe(1);
  const number = (await row(4).locator(".who").textContent()) ?? "";
  expect(await phones.textContent()).toContain(`Pizzería del Centro`);
  expect(await phones.textContent()).toContain(number);
  // The business on the left, the customer on the right.
  await phones.getByRole("textbox").fill("¿a qué hora?");
  await tab.keyboard.press("Enter");
  const left = async (side: string) => (await phones.locator(`.bubble.${side}`).boundingBox())?.x ?? 0;
  expect(await left("out")).toBeGreaterThan(await left("in"));

  await tab.getByLabel("Phone", { exact: true }).fill("0002");
  await tab.keyboard.press("Enter");
  await tab.getByText("1 of 1").waitFor();
  const chat = tab.getByRole("region", { name: /Chat with \+549.*0002/ });
  await chat.getByTitle("Pending").waitFor();
  expect(await chat.textContent()).toMatch(/Hola \w+/);
  expect((await mock.bpos("mock", "advance", "1h")).code).toBe(0);
  await chat.getByText("✓✓").waitFor();
  await chat.getByTitle("Delivered").waitFor();

  const listen = mock.start("campaign", "listen", "-o", "ndjson", "--port", "0");
  await listen.said("Listening");
  const [address = ""] = /http:\/\/127\.0\.0\.1:\d+\//.exec(listen.err()) ?? [];
  await tab.getByText("No webhook is set").waitFor();
  await tab.getByLabel("Address").fill(address);
  await tab.keyboard.press("Enter");
  await tab.getByText("Replies are now posted to this address.").waitFor();
  await tab.getByRole("textbox", { name: /Reply as/ }).fill("sí, gracias");
  await tab.keyboard.press("Enter");
  await chat.getByText("sí, gracias").waitFor();
  await chat.getByText("delivered to the webhook").waitFor();
  await listen.said("sí, gracias");
  expect(JSON.parse(listen.out())).toMatchObject({ external_ref: "viernes", body: { text: "sí, gracias" } });
});
