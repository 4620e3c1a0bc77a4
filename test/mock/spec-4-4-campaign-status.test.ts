import { describe, expect, test } from "vitest";
import { campaign, get, inputProblem, norte, start } from "./support.ts";

const person = (digits: string, ...params: string[]): object => ({ phone: `+549116123${digits}`, params });
describe("GET /campaigns/{campaign_id} (docs/reference/service.md 4.4)", () => {
  test("shows the campaign with its counts and at most 100 recipients, in their order", async () => {
    const mock = await start();
    const recipients = Array.from({ length: 150 }, (_, index) => person(String(index + 1000)));
    const { campaign_id } = await campaign(mock, { recipients, external_ref: "r" });
    const answer = await get(`${mock.campaignsBaseUrl}/campaigns/${campaign_id}`);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        campaign_id,
        status: "sent",
        campaign_name: "API - aviso_simple - r",
        external_ref: "r",
        counts: {
          total_recipients: 150,
          pending: 150,
          sent: 0,
          failed: 0,
          delivered: 0,
          read: 0,
          responded: 0,
        },
      },
    });
    const shown = (answer.body as { recipients: unknown[] }).recipients;
    expect(shown).toHaveLength(100);
    expect(shown[99]).toEqual({
      phone: "+5491161231099",
      status: "pending",
      sent_at: "",
      delivered_at: "",
      read_at: "",
      responded_at: "",
      error_message: "",
    });
  });

  test("another key's campaign, and an unknown one, are 400 with both payload fields null", async () => {
    const mock = await start();
    const { campaign_id } = await campaign(mock);
    for (const [id, key] of [
      [campaign_id, norte],
      ["cmp_0", undefined],
      ["%E0%A4%A", undefined],
    ] as const) {
      const answer = await get(`${mock.campaignsBaseUrl}/campaigns/${id}`, key);
      expect([answer.status, answer.body]).toEqual([400, inputProblem("campaign not found")]);
    }
  });
});
