import { expect, test } from "vitest";
import { readScenarioDefinition } from "../../../src/mock/index.ts";
import { campaign, push, send, start } from "../support.ts";
import { receiver, until } from "../webhook-receiver.ts";
import { linkOf, pageAt, runCopied, streamOf, textOf, textsOf } from "./support.ts";

const list = "/console/campaigns";
const to = (...ends: string[]) => ends.map((end) => ({ phone: `+549115555${end}`, params: [] as string[] }));
const message = " Hoy abrimos a las 20 h. ¡Te esperamos!";
/** The rows of the list of recipients. */
const peopleOf = (html: string): string[] => textsOf(html, "li").filter((text) => text.startsWith("+"));
/** Returns the contents of each phone. */
const phonesOf = (html: string): string[] =>
  textsOf(html, "li")
    .filter((text) => text.startsWith("‹"))
    .map((text) => text.slice(2).replace(message, ""));

test("the list has the newest first, each with its counts", async () => {
  const mock = await start();
  await campaign(mock, { recipients: to("0000", "0001"), external_ref: "enero" });
  await campaign(mock, { campaign_name: "Segunda" }, "bpk_demo_norte");
  await mock.control.moveClock({ advance_ms: 2_000 });
  const [first, second] = textsOf(await pageAt(mock, list), "li");
  expect(first).toMatch(/^Segunda Branch norte aviso_simple \(es_AR\) · 2026-01-01 12:00 /);
  expect(second).toMatch(/^aviso_simple · enero Branch demo .* ref enero/);
  expect(second).toMatch(/Recipients 2 Sent 0 Delivered 0 Read 0 Responded 0 Pending 1 Failed 1$/);
});

test("an empty list says what to type, and it sends a campaign", async () => {
  const mock = await start();
  const html = await pageAt(mock, list);
  expect(textOf(html)).toContain(
    `No campaigns yet. Send one from a terminal: export BPOS_MOCK=${mock.baseUrl} printf`,
  );
  expect(await runCopied(html)).toMatchObject({ code: 0 });
  expect(await mock.control.messages()).toMatchObject([{ phone: "+5491155550003", params: ["Ana", "1024"] }]);
});

test("each recipient has a row and a phone: how far the message is, why it failed, and the reply", async () => {
  const mock = await start();
  const { campaign_id } = await campaign(mock, { recipients: to("0000", "0001", "0002", "0003", "0004") });
  await mock.control.moveClock({ advance_ms: 20_000 });
  const html = await pageAt(mock, `${list}/${campaign_id}`);
  expect(peopleOf(html)).toEqual([
    "+5491155550000 This phone is not on the messaging platform. 12:00 ! Failed",
    `+5491155550001${message} 12:00 ◷ Pending`,
    `+5491155550002${message} 12:00 ✓✓ Delivered`,
    expect.stringMatching(/^\+5491155550003 ↩ .+ 12:00 ✓✓ Responded$/),
    "+5491155550004 The message could not be delivered. 12:00 ! Failed",
  ]);
  const of = (end: string): string => `Pizzería del Centro on +549115555${end}'s phone`;
  expect(phonesOf(html)).toEqual([
    `${of("0000")} 12:00 ! Failed This phone is not on the messaging platform.`,
    `${of("0001")} 12:00 ◷ Pending`,
    `${of("0002")} 12:00 ✓✓ Delivered`,
    expect.stringMatching(/0003's phone 12:00 ✓✓ Responded .+ 12:00 not posted to a webhook$/),
    `${of("0004")} 12:00 ! Failed The message could not be delivered.`,
  ]);
  // Why it failed is no part of what was sent.
  expect(html).toMatch(/<\/div><p class="beside bad">This phone is not on/);
});

test("the sender is the branch where a scenario names no business", async () => {
  const branches = [{ branch: "sur", store_id: "9", keys: ["key-sur"] }];
  const mock = await start({ scenario: readScenarioDefinition({ branches }) });
  const { campaign_id } = await campaign(mock, {}, "key-sur");
  expect(phonesOf(await pageAt(mock, `${list}/${campaign_id}`))[0]).toMatch(/^sur on \+\d+'s phone/);
});

test("a state and part of a phone choose, 100 on a page; a phone stays on an open page when it goes on", async () => {
  const mock = await start();
  const ends = Array.from({ length: 999 }, (_, n) => String(n + 1_000));
  const { campaign_id } = await campaign(mock, { recipients: to("0001", ...ends) });
  const path = `${list}/${campaign_id}`;
  expect(phonesOf(await pageAt(mock, path))).toHaveLength(100);
  expect(phonesOf(await pageAt(mock, `${path}?page=10`))).toHaveLength(100);
  expect(phonesOf(await pageAt(mock, `${path}?phone=${encodeURIComponent("+54 9 11 5555-1007")}`))).toEqual([
    "Pizzería del Centro on +5491155551007's phone 12:00 ◷ Pending",
  ]);

  const stream = await streamOf(mock, `${path}?state=pending`);
  await stream.until("phone-100");
  await mock.control.moveClock({ advance_ms: 3_600_000 });
  const moved = await stream.until("phone-100");
  expect(moved.some(({ id }) => id === "phone-2")).toBe(true);
  expect(moved.some(({ id }) => id === "phone-1")).toBe(false);
  expect(peopleOf(await pageAt(mock, `${path}?state=pending`))).toEqual([
    `+5491155550001${message} 12:00 ◷ Pending`,
  ]);
});

test("the stream sends only the phones that changed", async () => {
  const mock = await start();
  const { campaign_id } = await campaign(mock, { recipients: to("0002", "0001", "0003") });
  const stream = await streamOf(mock, `${list}/${campaign_id}`);
  await stream.until("phone-3");
  await send(`${mock.baseUrl}/_mock/replies`, { phone: "+5491155550001", campaign_id, text: "<b>sí</b>" });
  const events = await stream.until("phone-2");
  expect(events.map(({ id }) => id)).toEqual(["counts", "filter", "person-2", "phone-2"]);
  expect(textOf(events.at(-1)?.html ?? "")).toContain("✓✓ Responded <b>sí</b>");
  await mock.control.reply({ phone: "+5491155550001", text: "otra" });
  expect((await stream.until("phone-2")).map(({ id }) => id)).toEqual(["person-2", "phone-2"]);
});

test("the page shows the webhook, and what it did with each reply", async () => {
  const mock = await start();
  const { campaign_id } = await campaign(mock, { recipients: to("0001", "0002") });
  const path = `${list}/${campaign_id}`;
  expect(textOf(await pageAt(mock, path))).toContain("No webhook is set");
  const { url } = await receiver(503, 200);
  await send(`${mock.baseUrl}/_mock/webhook`, { url }, { method: "PUT" });
  await mock.control.reply({ phone: "+5491155550001", text: "uno" });
  await until(async () =>
    expect(textOf(await pageAt(mock, path))).toContain("posting to the webhook: HTTP 503"),
  );
  await mock.control.reply({ phone: "+5491155550002", text: "dos" });
  await until(async () => expect(textOf(await pageAt(mock, path))).toContain("delivered to the webhook"));
  expect(textOf(await pageAt(mock, path))).toContain(`Replies are posted to ${url}`);
});

test("texts that are markup are shown as they are, and only an https file is a link", async () => {
  const mock = await start();
  const markup = `<script>alert(1)</script>"'&amp; ${"x".repeat(2_000)}`;
  const { campaign_id } = await campaign(mock, {
    template_name: "menu_pdf",
    external_ref: markup.slice(0, 40),
    header_media_url: "https://example.com/a%3Cb%3E.pdf?x=%22",
    recipients: [{ phone: "+5491155550001", params: [markup] }],
  });
  await mock.control.reply({ phone: "+5491155550001", text: markup });
  const html = await pageAt(mock, `${list}/${campaign_id}`, { "accept-language": "es" });
  expect(html).not.toContain("<script>alert");
  expect(textOf(html)).toContain(`Hola ${markup}, te mandamos el menú.`);
  expect(textOf(html)).toContain("Documento a<b>.pdf");
  expect(html).toMatch(
    /<a href="https:\/\/example\.com\/a%3Cb%3E\.pdf\?x=%22" target="_blank" rel="noreferrer/,
  );
  expect(await pageAt(mock, list)).not.toContain("<script>alert");
  expect(linkOf(await pageAt(mock, list), campaign_id)).toBe(`${list}/${campaign_id}`);
});

test("an open page says when its campaign is gone", async () => {
  const mock = await start();
  const { campaign_id } = await campaign(mock);
  const stream = await streamOf(mock, `${list}/${campaign_id}`);
  await stream.until("phone-1");
  await mock.control.reset();
  await push(mock, []);
  expect(textOf((await stream.until("gone")).at(-1)?.html ?? "")).toMatch(/^This campaign no longer exists/);
  expect((await fetch(`${mock.baseUrl}${list}/${campaign_id}`)).status).toBe(404);
});
