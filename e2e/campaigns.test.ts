import { expect, it } from "vitest";
import { fixture } from "../test/support/run.ts";
import { startMock } from "./support/console.ts";

it("shows what bpos sends as phones; a reply on one reaches a listener that the page named", async () => {
  const mock = await startMock("--clock", "2026-03-06T12:00:00-03:00");
  const tab = await mock.open("/console/campaigns");
  await tab.getByText("No campaigns yet").waitFor();
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
  await tab.getByRole("link", { name: "API - pedido_listo - viernes" }).click();
  await tab.getByText("55 of 55 phones").waitFor();

  await tab.getByLabel("Phone", { exact: true }).fill("0002");
  await tab.keyboard.press("Enter");
  await tab.getByText("1 of 1 phones").waitFor();
  const chat = tab.getByRole("region", { name: /Chat with \+549.*0002/ });
  await chat.getByText("Pending").waitFor();
  expect(await chat.textContent()).toMatch(/Hola \w+/);
  expect((await mock.bpos("mock", "advance", "1h")).code).toBe(0);
  await chat.getByText("✓✓").waitFor();
  await chat.getByText("Delivered").waitFor();

  const listen = mock.start("campaign", "listen", "-o", "ndjson", "--port", "0");
  await listen.said("Listening");
  const [address = ""] = /http:\/\/127\.0\.0\.1:\d+\//.exec(listen.err()) ?? [];
  await tab.getByText("no webhook is set").waitFor();
  await tab.getByLabel("Address").fill(address);
  await tab.keyboard.press("Enter");
  await tab.getByText("Replies are posted there from now on.").waitFor();
  await tab.getByRole("textbox", { name: /Reply as/ }).fill("sí, gracias");
  await tab.keyboard.press("Enter");
  await chat.getByText("sí, gracias").waitFor();
  await chat.getByText("delivered to the webhook").waitFor();
  await listen.said("sí, gracias");
  expect(JSON.parse(listen.out())).toMatchObject({ external_ref: "viernes", body: { text: "sí, gracias" } });
});
