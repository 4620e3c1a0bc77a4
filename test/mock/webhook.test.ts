import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type RunningMock, type StartMockOptions, startMock } from "../../src/mock/index.ts";
import { temporaryFolder } from "../support/run.ts";
import { campaign, frozen, get, send, start } from "./support.ts";
import { type Answerer, manualPauses, receiver, until } from "./webhook-receiver.ts";

const phone = "+5491161230002";
const prompt = "+5491161230003";
const toPhone = (...phones: string[]) => ({ recipients: phones.map((one) => ({ phone: one, params: [] })) });

async function hooked(webhookUrl: string, options: StartMockOptions = {}) {
  const pauses = manualPauses();
  const mock = await start({ webhookUrl, sleep: pauses.sleep, ...options });
  return { mock, pauses };
}

const settled = (mock: RunningMock, count: number): Promise<unknown> =>
  until(async () => {
    const rows = await mock.control.webhooks();
    expect(rows.filter(({ state }) => state !== "trying")).toHaveLength(count);
  });

describe("a reply is posted", () => {
  test("when a person gives it: the documented body, shown with its outcome everywhere", async () => {
    const { url, got } = await receiver(204);
    const { mock } = await hooked(url);
    const { campaign_id } = await campaign(mock, { ...toPhone(phone), external_ref: "ref" });
    const reply = await mock.control.reply({ phone, text: "sí" });
    await settled(mock, 1);
    const body = {
      event: "reply",
      campaign_id,
      external_ref: "ref",
      phone,
      text: "sí",
      at: "2026-01-01T12:00:00.000-03:00",
    };
    expect(got).toMatchObject([
      { method: "POST", url: "/hook", body, headers: { "content-type": "application/json" } },
    ]);
    expect(got[0]?.body).toEqual(body);
    const outcome = { state: "delivered", attempts: 1, status: 204, error: null };
    expect((await get(`${mock.baseUrl}/_mock/webhooks`)).body).toEqual({
      webhooks: [{ reply_id: reply.id, branch: "demo", url, ...outcome, at: body.at, body }],
    });
    expect(await mock.control.replies()).toEqual([{ ...reply, webhook: outcome }]);
    const requests = await mock.control.requests();
    expect(requests.map(({ method, direction }) => [method, direction])).toEqual([
      ["POST", undefined],
      ["POST", "out"],
    ]);
    expect(requests[1]).toMatchObject({ path: url, query: "", status: 204, key: null, branch: "demo" });
  });

  test("when the clock is moved to its instant, and not before; nothing waits while it stands", async () => {
    const { url, got } = await receiver();
    const { mock, pauses } = await hooked(url);
    await campaign(mock, toPhone(prompt));
    await mock.control.moveClock({ advance_ms: 3_999 });
    expect(await mock.control.webhooks()).toEqual([]);
    expect(pauses.lengths()).toEqual([]);
    await mock.control.moveClock({ advance_ms: 1 });
    await settled(mock, 1);
    expect(got.map(({ body }) => [body["phone"], body["at"]])).toEqual([
      [prompt, "2026-01-01T12:00:04.000-03:00"],
    ]);
  });

  test("never when it came before the world began, after a reset neither", async () => {
    const { url } = await receiver();
    const { mock } = await hooked(url, { scenario: "demo" });
    await mock.control.reset();
    expect(await mock.control.replies()).not.toEqual([]);
    await campaign(mock, toPhone(prompt));
    await mock.control.moveClock({ advance_ms: 4_000 });
    await settled(mock, 1);
    expect((await mock.control.webhooks()).map(({ body }) => body.phone)).toEqual([prompt]);
  });

  test("by a running clock, looked at every 250 ms while a reply is to come, and once however often", async () => {
    const { url, got } = await receiver();
    let real = Date.parse(frozen);
    const pauses = manualPauses();
    const mock = await startMock({
      scenario: "empty",
      webhookUrl: url,
      now: () => real,
      sleep: pauses.sleep,
    });
    onTestFinished(() => mock.close());
    expect(pauses.lengths()).toEqual([]);
    await campaign(mock, toPhone(prompt));
    for (let look = 0; look < 30; look++) {
      real += 250;
      if (look < 16) await pauses.end(250);
      await mock.control.replies();
    }
    await settled(mock, 1);
    expect(got).toHaveLength(1);
    expect(got[0]?.body["at"]).toBe("2026-01-01T12:00:04.000-03:00");
    expect(pauses.lengths()).toEqual([]);
  });

  test("only when it becomes due after the start; what a world in a file brings along is posted when asked for", async () => {
    const { url, got } = await receiver(500);
    const data = join(temporaryFolder(), "world.db");
    const before = await start({ data });
    await campaign(before, toPhone(prompt));
    await before.control.moveClock({ advance_ms: 4_000 });
    await before.close();
    const { mock, pauses } = await hooked(url, { data });
    const [reply] = await mock.control.replies();
    expect(await mock.control.webhooks()).toEqual([]);
    const again = await send(`${mock.baseUrl}/_mock/replies/${reply!.id}/send`, "");
    expect(again).toMatchObject({ status: 200, body: { state: "trying", attempts: 1, status: 500 } });
    // Posted once more, the first one is given up.
    expect(await mock.control.resendReply(reply!.id)).toMatchObject({ state: "delivered", attempts: 1 });
    await pauses.end(1_000);
    expect(await mock.control.webhooks()).toMatchObject([
      { state: "failed", attempts: 1, error: "given up: sent again" },
      { state: "delivered", attempts: 1 },
    ]);
    expect(got).toHaveLength(2);
  });

  test("in the order of the replies, each once, though one fails at first", async () => {
    let release = (): unknown => undefined;
    const hold: Answerer = (response) => {
      release = () => response.end();
    };
    const { url, got } = await receiver(hold, 200, 500);
    const { mock, pauses } = await hooked(url);
    const phones = Array.from({ length: 200 }, (_, index) => `+549116125${String(index).padStart(4, "0")}`);
    await campaign(mock, toPhone(...phones));
    await mock.control.moveClock({ advance_ms: 900_000 });
    await until(() => expect(got).toHaveLength(1));
    // The next one waits until the first attempt of the one before is over.
    const begun = (await mock.control.webhooks()).map(({ attempts }) => attempts);
    expect([begun[0], begun.lastIndexOf(1), begun.length > 10]).toEqual([1, 0, true]);
    release();
    await until(async () => {
      expect(pauses.lengths()).toEqual([1_000]);
      const rows = await mock.control.webhooks();
      expect(rows.filter(({ state }) => state === "trying")).toHaveLength(1);
    });
    const replies = await mock.control.replies();
    expect(replies.length).toBeGreaterThan(10);
    expect(got.map(({ body }) => body["phone"])).toEqual(replies.map((reply) => reply.phone));
    await pauses.end(1_000);
    await settled(mock, replies.length);
    expect(got).toHaveLength(replies.length + 1);
    expect(got.at(-1)?.body).toEqual(got[2]?.body);
  });
});

describe("a post that does not succeed", () => {
  test("is given up after four tries, 1, 2 and 4 s apart; a redirect is not followed", async () => {
    const { url, got } = await receiver(500, 302, 404, 429);
    const { mock, pauses } = await hooked(url);
    await campaign(mock, toPhone(phone));
    await mock.control.reply({ phone, text: "sí" });
    for (const pause of [1_000, 2_000, 4_000]) await pauses.end(pause);
    await settled(mock, 1);
    expect(pauses.lengths()).toEqual([]);
    expect(await mock.control.webhooks()).toMatchObject([{ state: "failed", attempts: 4, status: 429 }]);
    expect(got.map((one) => one.url)).toEqual(["/hook", "/hook", "/hook", "/hook"]);
    const [, ...tries] = await mock.control.requests();
    expect(tries.map(({ status }) => status)).toEqual([500, 302, 404, 429]);
  });
});

describe("sending again", () => {
  const again = (mock: RunningMock, id: string) => send(`${mock.baseUrl}/_mock/replies/${id}/send`, "");

  test("an unknown reply is 404, one without a webhook 400", async () => {
    const { url } = await receiver();
    const { mock } = await hooked(url);
    expect((await again(mock, "rpl_1")).status).toBe(404);
    const plain = await start();
    await campaign(plain, toPhone(phone));
    const { id } = await plain.control.reply({ phone, text: "sí" });
    expect(await again(plain, id)).toMatchObject({
      status: 400,
      body: { message: "no webhook is set" },
    });
    expect(await plain.control.webhooks()).toEqual([]);
  });
});

describe("the webhook's URL", () => {
  test.each(["ftp://127.0.0.1/", "file:///etc/passwd", "not a url", "", "127.0.0.1:80"])(
    "refuses %j",
    async (url) => {
      await expect(startMock({ webhookUrl: url })).rejects.toThrow("an http or https URL is required");
    },
  );

  test("its credentials go out as a header and are shown nowhere", async () => {
    const { url, got } = await receiver();
    const { mock } = await hooked(`${url.replace("//", "//ana:s%C3%AD%25cret@")}?a=1`);
    await campaign(mock, toPhone(phone));
    await mock.control.reply({ phone, text: "sí" });
    await settled(mock, 1);
    expect(got[0]?.url).toBe("/hook?a=1");
    const { authorization = "" } = got[0]?.headers ?? {};
    expect(Buffer.from(authorization.replace("Basic ", ""), "base64").toString()).toBe("ana:sí%cret");
    const [rows, requests] = await Promise.all([mock.control.webhooks(), mock.control.requests()]);
    expect(rows[0]?.url).toBe(`${url.replace("//", "//***@")}?a=1`);
    expect(requests[1]).toMatchObject({ path: url, query: "a=1" });
    expect(JSON.stringify([rows, requests])).not.toMatch(/cret|ana/);
  });
});

describe("a webhook set at run time", () => {
  const put = (mock: RunningMock, body: unknown) =>
    send(`${mock.baseUrl}/_mock/webhook`, body, { method: "PUT" });
  const texts = (got: { body: Record<string, unknown> }[]) => got.map(({ body }) => body["text"]);

  test("gets the replies from then on; those before it one by one, when asked for", async () => {
    const { url, got } = await receiver();
    const mock = await start();
    expect((await get(`${mock.baseUrl}/_mock/webhook`)).body).toEqual({ url: null });
    await campaign(mock, toPhone(phone));
    const { id } = await mock.control.reply({ phone, text: "antes" });
    expect((await put(mock, { url: url.replace("//", "//ana:secret@") })).body).toEqual({
      url: url.replace("//", "//***@"),
    });
    await mock.control.reply({ phone, text: "después" });
    await settled(mock, 1);
    expect(texts(got)).toEqual(["después"]);
    await send(`${mock.baseUrl}/_mock/replies/${id}/send`, "");
    expect(texts(got)).toEqual(["después", "antes"]);
  });

  test("changed, what the one before was still to get is given up; without one nothing is posted", async () => {
    const before = await receiver(500);
    const after = await receiver();
    const { mock, pauses } = await hooked(before.url);
    await campaign(mock, toPhone(phone));
    await mock.control.reply({ phone, text: "uno" });
    await until(() => expect(pauses.lengths()).toEqual([1_000]));
    // The same one again changes nothing.
    await put(mock, { url: before.url });
    expect(await mock.control.webhooks()).toMatchObject([{ state: "trying" }]);
    await put(mock, { url: after.url });
    expect(pauses.lengths()).toEqual([]);
    const givenUp = {
      url: before.url,
      state: "failed",
      attempts: 1,
      error: "given up: the webhook was changed",
    };
    expect(await mock.control.webhooks()).toMatchObject([givenUp]);
    await mock.control.reply({ phone, text: "dos" });
    await settled(mock, 2);
    expect((await put(mock, { url: null })).body).toEqual({ url: null });
    await mock.control.reply({ phone, text: "tres" });
    expect([texts(before.got), texts(after.got)]).toEqual([["uno"], ["dos"]]);
    expect(await mock.control.webhooks()).toHaveLength(2);
  });

  test("is refused where it is no URL or the mock itself, which would reply to itself without end", async () => {
    const { mock } = await hooked("http://127.0.0.1:1/", { port: 0 });
    const { port } = new URL(mock.baseUrl);
    const own = ["127.0.0.1", "localhost", "[::1]", "127.1", "0.0.0.0"].map(
      (host) => `http://${host}:${port}`,
    );
    for (const url of [...own, `${mock.baseUrl}/_mock/replies`]) {
      const answer = await put(mock, { url });
      expect([url, answer.status, answer.body]).toEqual([
        url,
        400,
        expect.objectContaining({
          message: "webhook: this is the mock's own address; use another URL",
        }),
      ]);
    }
    for (const body of [{}, null, { url: 7 }, { url: "mailto:a@b" }])
      expect((await put(mock, body)).status).toBe(400);
    expect(await mock.control.webhook()).toEqual({ url: "http://127.0.0.1:1/" });
    const start = { port: 4_129, webhookUrl: "http://localhost:4129/x" };
    await expect(startMock(start)).rejects.toThrow("the mock's own address");
  });
});

describe("the end", () => {
  test("reset stops what is under way, forgets it, and the same replies are posted anew", async () => {
    const { url, got } = await receiver(500, () => undefined);
    const { mock, pauses } = await hooked(url);
    for (const round of [1, 2]) {
      await campaign(mock, { ...toPhone(prompt, phone), idempotency_key: "k" });
      await mock.control.reply({ phone, text: "sí" });
      await until(() => expect(got).toHaveLength(round));
      if (round === 1) await until(() => expect(pauses.lengths()).toEqual([1_000]));
      await mock.control.reset();
      await until(() => expect(pauses.lengths()).toEqual([]));
      expect([await mock.control.webhooks(), await mock.control.replies()]).toEqual([[], []]);
      expect(await mock.control.requests()).toEqual([]);
    }
    await campaign(mock, { ...toPhone(prompt), idempotency_key: "k" });
    await mock.control.moveClock({ advance_ms: 4_000 });
    await settled(mock, 1);
    expect(got.map(({ body }) => body["phone"])).toEqual([phone, phone, prompt]);
  });

  test("close ends pauses and attempts, and nothing is posted afterwards", async () => {
    const { url, got } = await receiver(500, () => undefined);
    const { mock, pauses } = await hooked(url);
    await campaign(mock, toPhone(phone, prompt));
    await mock.control.reply({ phone, text: "uno" });
    await until(() => expect(pauses.lengths()).toEqual([1_000]));
    await mock.control.reply({ phone, text: "dos" });
    await until(() => expect(got).toHaveLength(2));
    await mock.close();
    expect(pauses.lengths()).toEqual([]);
    await mock.control.moveClock({ advance_ms: 4_000 });
    expect(await mock.control.replies()).toHaveLength(3);
    expect(await mock.control.webhooks()).toMatchObject([
      { attempts: 1, status: 500 },
      { attempts: 1, status: null },
    ]);
    expect(await mock.control.requests()).toHaveLength(2);
  });
});
