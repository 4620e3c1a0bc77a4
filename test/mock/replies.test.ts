import { describe, expect, test } from "vitest";
import type { RunningMock } from "../../src/mock/index.ts";
import { campaign, get, inputProblem, send, start, statusOf } from "./support.ts";

const phone = "+5491161230002";
const nobody = "+5491161230000";
const toPhone = (...phones: string[]): { recipients: object[] } => ({
  recipients: phones.map((one) => ({ phone: one, params: [] })),
});
const hundred = Array.from({ length: 100 }, (_, index) => `+549116124${String(index).padStart(4, "0")}`);
const reply = (mock: RunningMock, body: unknown) => send(`${mock.baseUrl}/_mock/replies`, body);

async function listed(mock: RunningMock): Promise<Record<string, unknown>[]> {
  return ((await get(`${mock.baseUrl}/_mock/replies`)).body as { replies: Record<string, unknown>[] })
    .replies;
}

describe("a person replies", () => {
  test("the answer is the reply, it is listed, and the recipient has responded by then", async () => {
    const mock = await start();
    const { campaign_id } = await campaign(mock, { ...toPhone(phone), external_ref: "ref-1" });
    await mock.control.moveClock({ advance_ms: 2_000 });
    const { status, body } = await reply(mock, { phone, text: "sí" });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^rpl_\w+$/) as unknown,
        campaign_id,
        external_ref: "ref-1",
        phone,
        text: "sí",
        at: "2026-01-01T12:00:02.000-03:00",
        branch: "demo",
      },
    ]);
    expect(await listed(mock)).toEqual([{ ...(body as object), webhook: null }]);
    const { counts, recipients } = await statusOf(mock, campaign_id);
    expect(recipients).toEqual([
      {
        phone,
        status: "responded",
        sent_at: "2026-01-01T12:00:01.000-03:00",
        delivered_at: "2026-01-01T12:00:02.000-03:00",
        read_at: "2026-01-01T12:00:02.000-03:00",
        responded_at: "2026-01-01T12:00:02.000-03:00",
        error_message: "",
      },
    ]);
    const all = { total_recipients: 1, pending: 0, sent: 1, failed: 0, delivered: 1, read: 1, responded: 1 };
    expect(counts).toEqual(all);
    expect((await mock.control.campaigns())[0]).toMatchObject({ counts: all });
  });

  test("it belongs to the newest campaign that reached the phone, or to the one that is named", async () => {
    const mock = await start();
    const late = "+5491161230004";
    const older = await campaign(mock, toPhone(phone, late));
    await mock.control.reply({ phone: late, text: "a tiempo" });
    const newer = await campaign(mock, toPhone(phone, late));
    await campaign(mock, toPhone("+5491161239999"));
    expect((await mock.control.reply({ phone, text: "x" })).campaign_id).toBe(newer.campaign_id);
    const named = await mock.control.reply({ phone, text: "x", campaign_id: older.campaign_id });
    expect(named.campaign_id).toBe(older.campaign_id);
    await mock.control.moveClock({ advance_ms: 60_000 });
    // The newer message to this one has failed.
    expect((await mock.control.reply({ phone: late, text: "x" })).campaign_id).toBe(older.campaign_id);
  });

  test.each([
    ["an unknown phone", { phone: "+5491100000001", text: "x" }, "no message went to +5491100000001"],
    [
      "a campaign that is none",
      { phone, text: "x", campaign_id: "cmp_0" },
      `no message went to ${phone} in campaign cmp_0`,
    ],
    [
      "a message that failed",
      { phone: nobody, text: "x" },
      `the message to ${nobody} failed: it cannot be replied to`,
    ],
    ["an empty text", { phone, text: "" }, expect.stringContaining("text") as unknown],
    ["a text too long", { phone, text: "x".repeat(4_097) }, expect.stringContaining("text") as unknown],
    ["a text that is none", { phone, text: 7 }, expect.stringContaining("text") as unknown],
    ["no phone", { text: "x" }, expect.stringContaining("phone") as unknown],
    ["a list", [], expect.any(String) as unknown],
  ])("%s is refused and nothing is applied", async (_name, body, message) => {
    const mock = await start();
    await campaign(mock, toPhone(phone, nobody));
    await mock.control.moveClock({ advance_ms: 1_000 });
    const answer = await reply(mock, body);
    expect([answer.status, answer.body]).toEqual([400, inputProblem(message)]);
    expect(await listed(mock)).toEqual([]);
  });
});

describe("time brings replies", () => {
  test("one reply for each that responds, the same whenever it is looked at, oldest first", async () => {
    const [often, once] = await Promise.all([start({ seed: 5 }), start({ seed: 5 })]);
    const ids = [];
    for (const mock of [often, once]) {
      for (let each = 0; each < 4; each++) {
        const sent = await campaign(mock, { ...toPhone(...hundred), idempotency_key: `k${each}` });
        if (mock === once) ids.push(sent.campaign_id);
      }
    }
    for (let step = 0; step < 15; step++) {
      const before = await often.control.replies();
      await often.control.moveClock({ advance_ms: 40_000 });
      expect((await often.control.replies()).slice(0, before.length)).toEqual(before);
    }
    await once.control.moveClock({ advance_ms: 600_000 });
    const replies = await once.control.replies();
    expect(await often.control.replies()).toEqual(replies);
    expect(replies.map(({ at }) => at)).toEqual(replies.map(({ at }) => at).sort());
    expect(new Set(replies.map(({ id }) => id)).size).toBe(replies.length);
    expect(new Set(replies.map(({ text }) => text)).size).toBeGreaterThan(5);
    const responded = (await Promise.all(ids.map((id) => statusOf(once, id)))).map(
      ({ counts }) => counts?.responded ?? 0,
    );
    expect(responded.reduce((sum, one) => sum + one, 0)).toBe(replies.length);
    expect(replies.length).toBeGreaterThan(20);
  });
});
