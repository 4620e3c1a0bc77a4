import { expect, test } from "vitest";
import type { RunningMock } from "../../../src/mock/index.ts";
import { get, send, start } from "../support.ts";
import { linkOf, pageAt, streamOf, textOf, textsOf } from "./support.ts";

const page = "/console/world";
const hostile = `<img/src=x/onerror="alert('1')">`;

const decode = (text: string): string => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");

interface Control {
  html: string;
  checked: string | undefined;
  method: string;
  path: string;
  body: unknown;
}

/** Returns what a control of the page would send, by the id of its element. */
function controlOf(html: string, id: string): Control {
  const [element = ""] = new RegExp(`<button[^>]* id="${id}"[^>]*>`).exec(html) ?? [];
  const [, method = "", path = ""] = /hx-(post|put|delete)="([^"]*)"/.exec(element) ?? [];
  const [, body = "{}"] = /hx-vals="([^"]*)"/.exec(element) ?? [];
  const [, checked] = /aria-checked="(\w+)"/.exec(element) ?? [];
  return { html: element, checked, method: method.toUpperCase(), path, body: JSON.parse(decode(body)) };
}

/** Uses a control as the page does. */
async function press(mock: RunningMock, id: string): Promise<void> {
  const { method, path, body } = controlOf(await pageAt(mock, page), id);
  const answer = await send(mock.baseUrl + path, body, { method });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

const switchIds = (html: string): string[] =>
  Array.from(html.matchAll(/id="(fault-[\w-]+)" class="switch"/g), ([, id = ""]) => id);

test("each switch arms its fault and disarms it", async () => {
  const mock = await start();
  const ids = switchIds(await pageAt(mock, page));
  expect(ids).toHaveLength(11);
  for (const id of ids) {
    await press(mock, id);
    const on = await pageAt(mock, page);
    expect(ids.filter((each) => controlOf(on, each).checked === "true")).toEqual([id]);
    expect(await mock.control.faults()).toHaveLength(1);
    await press(mock, id);
    expect(await mock.control.faults()).toEqual([]);
  }
  expect(textOf(await pageAt(mock, page))).toContain("No active faults: the service works normally.");
});

test("a switch follows rules that came from elsewhere, and is off once its rule is used up", async () => {
  const mock = await start();
  const isOn = async (id: string) => controlOf(await pageAt(mock, page), id).checked;
  await mock.control.addFault("POST /campaigns drop times=2");
  expect(await isOn("fault-drop")).toBe("false");
  await mock.control.addFault({ method: "GET", path: "/v1/orders", effect: "late", times: 1 });
  expect(await isOn("fault-late")).toBe("true");
  await get(`${mock.baseUrl}/v1/orders`);
  expect(await isOn("fault-late")).toBe("false");
  expect(textsOf(await pageAt(mock, page), "tr")).toContain("GET /v1/orders late times=1 used up 1 1 Remove");
});

test("the list removes one rule or all, and a rule that is refused says how to write one", async () => {
  const mock = await start();
  await mock.control.addFault("* / status=502 rate=0.5");
  await mock.control.addFault("GET /v1/orders delay=3s");
  await press(mock, "remove-1");
  expect(await mock.control.faults()).toMatchObject([{ id: 2 }]);
  await press(mock, "remove-all");
  expect(await mock.control.faults()).toEqual([]);
  const { status, body } = await send(`${mock.baseUrl}/_mock/faults`, { rule: "GET" });
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining("METHOD PATH EFFECT") as unknown },
  });
});

test("the clock stands still, goes on, takes a speed and moves by its buttons", async () => {
  const mock = await start({ scenario: "empty" });
  const shown = async (): Promise<string> =>
    /class="now">(.*?)<\/p>/s.exec(await pageAt(mock, page))?.[1] ?? "";
  expect(textOf(await shown())).toBe("2026-01-01 12:00:00 frozen: no time passes");
  await press(mock, "advance-300000");
  expect(textOf(await shown())).toContain("12:05:00");
  await press(mock, "speed-60");
  expect(textOf(await shown())).toContain("running at 60 times normal speed");
  expect(await pageAt(mock, page)).toMatch(/id="speed-60"[^>]* aria-pressed="true"/);
  await press(mock, "freeze");
  expect(await mock.control.world()).toMatchObject({ frozen: true });
  await press(mock, "freeze");
  expect(await mock.control.world()).toMatchObject({ frozen: false, speed: 60 });
});

test("shows the world, its keys and addresses, and the webhook until it is removed", async () => {
  const mock = await start({ scenario: "demo", seed: 7, webhookUrl: "http://user:secret@127.0.0.1:9/hook" });
  const { world_id } = await mock.control.world();
  const html = await pageAt(mock, page);
  const text = textOf(html);
  for (const part of ["Scenario demo Seed 7", world_id, mock.campaignsBaseUrl, "http://***@127.0.0.1:9/hook"])
    expect(text).toContain(part);
  expect(text).not.toContain("secret");
  for (const copied of [`export BPOS_MOCK=${mock.baseUrl}`, "bpk_demo_centro", "bpk_demo_norte"])
    expect(html).toContain(`data-copy="${copied}"`);
  expect(textsOf(html, "tr")).toContain(
    "promo_semana tpl_2 es_AR, pt_BR image 1 approved Hola {{1}}, mirá la promo de esta semana.",
  );
  await press(mock, "remove-webhook");
  expect(await mock.control.webhook()).toEqual({ url: null });
  expect(textOf(await pageAt(mock, page))).toContain("No webhook is set");
});

test("asks before a reset and an import, in the reader's language", async () => {
  const mock = await start();
  const html = await pageAt(mock, page, { "accept-language": "es" });
  expect(html).toMatch(/hx-post="\/_mock\/reset"[^>]* hx-confirm="¿Reiniciar este mundo\? Se pierden/);
  expect(html).toMatch(/data-import="\/_mock\/import" data-confirm="¿Importar este archivo\? Se pierden/);
  expect(html).toContain('href="/_mock/export" download="bpos-world.json"');
});

test("texts that are markup stay text", async () => {
  const mock = await start();
  await mock.control.addFault(`GET /v1/orders/${hostile} drop`);
  await mock.control.setWebhook(`http://127.0.0.1:9/?${hostile}`);
  await mock.control.putTemplate(hostile, {
    ...{ id: hostile, languages: ["es_AR"], header: "none", params: 0, state: "approved", body: hostile },
  });
  const html = await pageAt(mock, page);
  expect(html).not.toContain("<img");
  expect(html.match(/&lt;img/g)?.length).toBeGreaterThan(4);
});

test("the stream sends what changed, and no form that a person types in", async () => {
  const mock = await start();
  const stream = await streamOf(mock, page);
  const first = await stream.until("templates");
  expect(first.map(({ html }) => html).join("")).not.toMatch(/<(form|input|select|textarea)/);
  await mock.control.addFault("* / status=503");
  expect((await stream.until("fault-list")).map(({ id }) => id)).toEqual([
    "sandbox",
    "fault-switches",
    "fault-list",
  ]);
  await get(`${mock.baseUrl}/v1/orders`);
  expect((await stream.until("fault-list")).map(({ id }) => id)).toEqual(["fault-list"]);
  await mock.control.moveClock({ advance_ms: 1_000 });
  expect((await stream.until("clock")).map(({ id }) => id)).toEqual(["status", "clock"]);
  await mock.control.moveClock({ speed: 0.001 });
  await stream.until("clock-pace");
  await mock.control.setWebhook("http://127.0.0.1:9/");
  await stream.until("webhook");
  await mock.control.putTemplate("new", {
    ...{ id: "tpl_9", languages: ["es_AR"], header: "none", params: 0, state: "approved", body: "Hola" },
  });
  expect((await stream.until("templates")).at(-1)?.html).toContain("Hola");
  await mock.control.reset();
  const ids = (await stream.until("templates")).map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(["scenario", "keys", "fault-switches"]));
});

test("every view tells what is not as usual, and leads to where it is set", async () => {
  const mock = await start();
  const pillOf = async (path: string, headers = {}) => {
    const html = await pageAt(mock, path, headers);
    expect(linkOf(html, "to-world")).toMatch(/^\/console\/world(#faults)?$/);
    return textOf(/<a id="to-world".*?<\/a>/s.exec(html)?.[0] ?? "");
  };
  const now = "SANDBOX 2026-01-01 12:00:00 UTC-03:00";
  expect(await pillOf("/")).toBe(`${now} · clock frozen`);
  await mock.control.moveClock({ speed: 60 });
  await mock.control.addFault("* / status=503");
  await mock.control.addFault("GET /v1/orders drop times=1");
  for (const path of ["/", "/console/catalog", "/console/campaigns", "/console/requests", "/console/world"])
    expect(await pillOf(path), path).toMatch(/^SANDBOX .* · ×60 · 2 faults$/);
  await mock.control.moveClock({ speed: 1 });
  await mock.control.removeFault(1);
  expect(await pillOf("/", { "accept-language": "es" })).toMatch(/UTC-03:00 · 1 falla$/);
  // One that is used up is none any more.
  await fetch(`${mock.baseUrl}/v1/orders`).catch(() => null);
  expect(await pillOf("/console/catalog")).toMatch(/UTC-03:00$/);
});
