import { describe, expect, test } from "vitest";
import { campaign, inputProblem, norte, send, start } from "./support.ts";

const person = (digits: string, ...params: string[]): object => ({ phone: `+549116123${digits}`, params });

describe("POST /campaigns (docs/reference/service.md 4.3)", () => {
  test("creates the campaign, and every recipient gets one message", async () => {
    const mock = await start();
    const { answer, campaign_id } = await campaign(mock, {
      template_name: "pedido_listo",
      recipients: [person("4567", "Ana", "17"), person("4568", "Leo", "18")],
      external_ref: "enero",
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        campaign_id: expect.stringMatching(/^cmp_/) as unknown,
        status: "sent",
        campaign_name: "API - pedido_listo - enero",
        external_ref: "enero",
        recipients: { added: 2, duplicates: 0, errors: [] },
        replayed: false,
      },
    });
    const row = {
      status: "pending",
      template: "pedido_listo",
      template_language: "es_AR",
      campaign_id,
      external_ref: "enero",
      branch: "demo",
      header_media_url: null,
      at: "2026-01-01T12:00:00.000-03:00",
    };
    expect(await mock.control.messages()).toEqual([
      { ...row, phone: "+5491161234567", params: ["Ana", "17"], text: "Hola Ana, tu pedido 17 está listo." },
      { ...row, phone: "+5491161234568", params: ["Leo", "18"], text: "Hola Leo, tu pedido 18 está listo." },
    ]);
  });

  test("without external_ref it is empty, and the name has two parts; a given name is kept", async () => {
    const mock = await start();
    expect(await campaign(mock)).toMatchObject({ external_ref: "", campaign_name: "API - aviso_simple" });
    expect(await campaign(mock, { campaign_name: "Enero" })).toMatchObject({ campaign_name: "Enero" });
  });

  test("two sends have two ids", async () => {
    const mock = await start();
    expect((await campaign(mock)).campaign_id).not.toBe((await campaign(mock)).campaign_id);
  });
});

describe("idempotency_key", () => {
  test("a repeat gets the original answer with replayed true, whatever the body, and sends nothing", async () => {
    const mock = await start();
    const first = await campaign(mock, { idempotency_key: "k", external_ref: "r" });
    for (const other of [{}, { recipients: [] }, { template_name: "none" }, { recipients: "x" }]) {
      const again = await campaign(mock, { ...other, idempotency_key: "k" });
      expect(again.answer).toMatchObject({ status: 200 });
      expect(again.answer.body).toEqual({ ...(first.answer.body as object), replayed: true });
    }
    expect(await mock.control.messages()).toHaveLength(1);
  });

  test("never expires", async () => {
    const mock = await start();
    await campaign(mock, { idempotency_key: "k" });
    await mock.control.moveClock({ advance_ms: 400 * 24 * 3_600_000 });
    expect((await campaign(mock, { idempotency_key: "k" })).replayed).toBe(true);
  });

  test("50 calls at once with one key send once", async () => {
    const mock = await start();
    const calls = Array.from({ length: 50 }, () => campaign(mock, { idempotency_key: "k" }));
    const answers = await Promise.all(calls);
    expect(answers.filter((answer) => answer.replayed === true)).toHaveLength(49);
    expect(new Set(answers.map((answer) => answer.campaign_id)).size).toBe(1);
    expect(await mock.control.messages()).toHaveLength(1);
  });

  test("belongs to the API key", async () => {
    const mock = await start();
    await campaign(mock, { idempotency_key: "k" });
    expect((await campaign(mock, { idempotency_key: "k" }, norte)).replayed).toBe(false);
    expect(await mock.control.messages()).toHaveLength(2);
  });

  test("a 400 uses up nothing: the key is free", async () => {
    const mock = await start();
    const refused = await campaign(mock, { idempotency_key: "k", template_name: "encuesta" });
    expect(refused.answer.status).toBe(400);
    expect((await campaign(mock, { idempotency_key: "k" })).replayed).toBe(false);
  });
});

describe("recipients", () => {
  test("a bad one is listed by phone and reason, a phone twice is counted, the others are added", async () => {
    const mock = await start();
    const answer = await campaign(mock, {
      template_name: "pedido_listo",
      recipients: [
        person("0010", "Ana", "1"),
        person("0011", "Ana"),
        { phone: "011 6123-4567", params: ["Ana", "1"] },
        { phone: 5491161234567, params: ["Ana", "1"] },
        person("0010", "Ana", "2"),
        { phone: "+5491161230012", params: ["Ana", 1] },
        null,
      ],
    });
    expect(answer.recipients).toEqual({
      added: 1,
      duplicates: 1,
      errors: [
        expect.stringMatching(/^\+5491161230011: .*2 params/),
        expect.stringMatching(/^011 6123-4567: .*international/),
        expect.stringMatching(/^recipient 4: .*international/),
        expect.stringMatching(/^\+5491161230012: .*params/),
        expect.stringMatching(/^recipient 7: /),
      ],
    });
    expect((await mock.control.messages()).map((message) => message.phone)).toEqual(["+5491161230010"]);
  });
});

const image = {
  template_name: "promo_semana",
  template_language: "es_AR",
  recipients: [person("4567", "Ana")],
};

describe("refused with 400", () => {
  test.each([
    ["no idempotency_key", { idempotency_key: undefined }, /idempotency_key/],
    ["an empty idempotency_key", { idempotency_key: "" }, /idempotency_key/],
    ["an idempotency_key of 129 characters", { idempotency_key: "k".repeat(129) }, /idempotency_key/],
    ["an idempotency_key that is a number", { idempotency_key: 1 }, /idempotency_key/],
    ["no recipients", { recipients: undefined }, /recipients/],
    ["an empty list of recipients", { recipients: [] }, /recipients/],
    ["1001 recipients", { recipients: Array.from({ length: 1001 }, () => person("4567")) }, /recipients/],
    ["recipients that are an object", { recipients: {} }, /recipients/],
    ["nobody left", { recipients: [{ phone: "123", params: [] }] }, /123/],
    ["no template", { template_name: undefined }, /template_name or template_id/],
    ["an unknown name", { template_name: "promo" }, /not found/],
    ["an unknown id", { template_name: undefined, template_id: "tpl_99" }, /not found/],
    ["name and id that disagree", { template_id: "tpl_1" }, /disagree/],
    ["a template that is pending", { template_name: "encuesta" }, /not approved/],
    ["a template_name that is a number", { template_name: 5 }, /template_name/],
    ["a language that the template has not", { template_language: "en_US" }, /en_US/],
    ["several languages and none chosen", { ...image, template_language: undefined }, /es_AR, pt_BR/],
    ["an image header without URL", image, /header_media_url/],
    ["external_ref that is a number", { external_ref: 5 }, /external_ref/],
  ])("%s", async (_, given, message) => {
    const mock = await start();
    const { answer } = await campaign(mock, given);
    expect([answer.status, answer.body]).toEqual([400, inputProblem(expect.stringMatching(message))]);
    expect(await mock.control.messages()).toEqual([]);
    expect(await mock.control.campaigns()).toEqual([]);
  });

  test.each([["[]"], ["null"], ['"x"'], ["1"]])("a body that is no object: %s", async (body) => {
    const mock = await start();
    const answer = await send(`${mock.campaignsBaseUrl}/campaigns`, body);
    expect([answer.status, answer.body]).toEqual([400, inputProblem(expect.any(String))]);
  });
});

describe("template and header", () => {
  test("an id is as good as a name, and both are fine if they agree", async () => {
    const mock = await start();
    const byId = await campaign(mock, { template_name: undefined, template_id: "tpl_5" });
    expect(byId.campaign_name).toBe("API - aviso_simple");
    expect((await campaign(mock, { template_id: "tpl_5" })).answer.status).toBe(200);
  });

  test("the chosen language goes out", async () => {
    const mock = await start();
    const header_media_url = "https://cdn.example.com/promo.jpg";
    await campaign(mock, { ...image, template_language: "pt_BR", header_media_url });
    expect(await mock.control.messages()).toMatchObject([{ template_language: "pt_BR" }]);
  });

  const promo = image;
  const menu = { template_name: "menu_pdf", recipients: promo.recipients };
  const video = { template_name: "video_local" };
  test.each([
    [200, promo, "https://cdn.example.com/promo.JPG?v=1"],
    [200, promo, "https://cdn.example.com/a/promo.jpeg"],
    [200, promo, "https://8.8.8.8/promo.png"],
    [200, menu, "https://example.com/menu.pdf"],
    [200, video, "https://example.com/local.mp4"],
    [400, promo, "http://cdn.example.com/promo.jpg"],
    [400, promo, "https://cdn.example.com/promo.gif"],
    [400, promo, "https://cdn.example.com/promo"],
    [400, promo, "https://user:secret@example.com/promo.jpg"],
    [400, promo, "https://localhost/promo.jpg"],
    [400, promo, "https://files.internal/promo.jpg"],
    [400, promo, "https://server/promo.jpg"],
    [400, promo, "https://127.0.0.1/promo.jpg"],
    [400, promo, "https://2130706433/promo.jpg"],
    [400, promo, "https://192.168.1.5/promo.jpg"],
    [400, promo, "https://[::1]/promo.jpg"],
    [400, promo, "https://[::ffff:10.0.0.1]/promo.jpg"],
    [400, promo, "data:image/png;base64,AAAA"],
    [400, promo, "promo.jpg"],
    [400, promo, ""],
    [400, promo, 5],
    [400, menu, "https://example.com/menu.jpg"],
    [400, video, "https://example.com/local.mov"],
  ])("%i for %j with %s", async (status, template, header_media_url) => {
    const mock = await start();
    expect((await campaign(mock, { ...template, header_media_url })).answer.status).toBe(status);
  });
});
