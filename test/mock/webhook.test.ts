import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type RunningMock, type StartMockOptions, startMock } from "../../src/mock/index.ts";
import { temporaryFolder } from "../support/run.ts";
import { campaign, frozen, start } from "./support.ts";
import { type Answerer, manualPauses, receiver, until } from "./webhook-receiver.ts";

const phone = "+5491161230002";
const prompt = "+5491161230003";
const toPhone = (...phones: string[]) => ({ recipients: phones.map((one) => ({ phone: one, params: [] })) });

async function hooked(webhookUrl: string, options: StartMockOptions = {}) {
  const pauses = manualPauses();
  const mock = await start({ webhookUrl, sleep: pauses.sleep, ...options });
  return { mock, pauses };
}

const attempts = async (mock: RunningMock) =>
  (await mock.control.requests(1_000)).filter(({ direction }) => direction === "out");
const settled = (mock: RunningMock, count: number): Promise<unknown> =>
  until(async () => expect(await attempts(mock)).toHaveLength(count));

describe("a reply is posted", () => {
  test("when a person gives it: the documented body, shown in the request log", async () => {
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
    expect(await mock.control.replies()).toEqual([reply]);
    const requests = await mock.control.requests();
    expect(requests.map(({ method, direction }) => [method, direction])).toEqual([
      ["POST", undefined],
      ["POST", "out"],
    ]);
    const row = { at: body.at, path: url, query: "", status: 204, key: null, reply_id: reply.id };
    expect(requests[1]).toMatchObject(row);
  });

  test("when the clock is moved to its instant, and not before; nothing waits while it stands", async () => {
    const { url, got } = await receiver();
    const { mock, pauses } = await hooked(url);
    await campaign(mock, toPhone(prompt));
    await mock.control.moveClock({ advance_ms: 3_999 });
    expect(await attempts(mock)).toEqual([]);
    expect(pauses.lengths()).toEqual([]);
    await mock.control.moveClock({ advance_ms: 1 });
    await settled(mock, 1);
    expect(got.map(({ body }) => [body["phone"], body["at"]])).toEqual([
      [prompt, "2026-01-01T12:00:04.000-03:00"],
    ]);
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

  test("only when it becomes due after the start, not what a world in a file brings along", async () => {
    const { url, got } = await receiver();
    const data = join(temporaryFolder(), "world.db");
    const before = await start({ data });
    await campaign(before, toPhone(prompt, phone));
    await before.control.moveClock({ advance_ms: 4_000 });
    await before.close();
    const { mock } = await hooked(url, { data });
    await mock.control.reply({ phone, text: "sí" });
    await settled(mock, 1);
    expect(got.map(({ body }) => body["phone"])).toEqual([phone]);
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
    expect(await attempts(mock)).toEqual([]);
    const replies = await mock.control.replies();
    expect(replies.length).toBeGreaterThan(10);
    release();
    await settled(mock, replies.length);
    await until(() => expect(pauses.lengths()).toEqual([1_000]));
    expect(got.map(({ body }) => body["phone"])).toEqual(replies.map((reply) => reply.phone));
    await pauses.end(1_000);
    await settled(mock, replies.length + 1);
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
    await settled(mock, 4);
    expect(pauses.lengths()).toEqual([]);
    expect(got.map((one) => one.url)).toEqual(["/hook", "/hook", "/hook", "/hook"]);
    expect((await attempts(mock)).map(({ status }) => status)).toEqual([500, 302, 404, 429]);
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
    const requests = await mock.control.requests();
    expect(requests[1]).toMatchObject({ path: url, query: "a=1" });
    expect(JSON.stringify(requests)).not.toMatch(/cret|ana/);
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
      expect(await mock.control.replies()).toEqual([]);
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
    expect(await attempts(mock)).toMatchObject([{ status: 500 }]);
  });
});
