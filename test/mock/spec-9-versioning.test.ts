import { describe, expect, test } from "vitest";
import { campaign, get, push, start } from "./support.ts";

describe("versioning (docs/reference/service.md 9)", () => {
  test("orders and catalog have the prefix /v1, and are nowhere else", async () => {
    const mock = await start();
    expect((await get(`${mock.baseUrl}/v1/orders`)).status).toBe(200);
    expect((await push(mock, [])).answer.status).toBe(200);
    for (const path of ["/orders", "/v2/orders", "/catalog/items", "/v2/catalog/items"]) {
      expect((await get(mock.baseUrl + path)).status).toBe(404);
    }
  });

  test("campaigns have no version segment", async () => {
    const mock = await start();
    const { answer, campaign_id } = await campaign(mock);
    expect(answer.status).toBe(200);
    expect((await get(`${mock.campaignsBaseUrl}/campaigns/${campaign_id}`)).status).toBe(200);
    expect((await get(`${mock.campaignsBaseUrl}/v1/campaigns/${campaign_id}`)).status).toBe(404);
  });
});
