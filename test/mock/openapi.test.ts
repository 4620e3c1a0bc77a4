import { expect, test } from "vitest";
import { orderStates } from "../../src/contract/limits.ts";
import { openApiDocument } from "../../src/contract/openapi.ts";
import { schemaErrors } from "../support/openapi.ts";
import { type Answer, get, send, start } from "./support.ts";
import { receiver, until } from "./webhook-receiver.ts";

const check = (schema: string, { status, body }: Answer, expected = 200): void => {
  expect({ status, errors: schemaErrors(`#/components/schemas/${schema}`, body) }).toEqual({
    status: expected,
    errors: null,
  });
};

test("what the mock answers is what its description promises", async () => {
  const { url, got } = await receiver();
  const mock = await start({ scenario: "busy", webhookUrl: url });
  const { baseUrl, campaignsBaseUrl } = mock;
  await mock.control.placeOrders({ count: 30 });
  await mock.control.placeOrders({ order: { cliente: { nombre: null }, lineas: [{ codigo: null }] } });
  for (const status of orderStates)
    check("OrdersResponse", await get(`${baseUrl}/v1/orders?status=${status}`));
  check("Problem", await get(`${baseUrl}/v1/orders?status=listos`), 400);
  check("Problem", await get(`${baseUrl}/v1/orders`, "bpk_wrong"), 403);

  const items = [{ codigo: "A", nombre: "Uno", precio: 1 }, { codigo: "B" }, 7];
  const event = { event_id: "e", occurred_at: "2026-01-01T12:00:00-03:00", action: "upsert", items };
  for (const again of [event, event])
    check("CatalogResult", await send(`${baseUrl}/v1/catalog/items`, again));
  check("Problem", await send(`${baseUrl}/v1/catalog/items`, {}), 400);
  check("Problem", await send(`${baseUrl}/v1/catalog/items`, { ...event, store_id: "other" }), 403);

  const phones = ["+5491155550001", "+5491155550002", "+5491155550002", "no phone"];
  const campaign = {
    idempotency_key: "k",
    template_name: "aviso_simple",
    recipients: phones.map((phone) => ({ phone, params: [] })),
  };
  for (const again of [campaign, campaign]) {
    const answer = await send(`${campaignsBaseUrl}/campaigns`, again);
    check("CampaignCreated", answer);
  }
  const [{ campaign_id } = { campaign_id: "" }] = await mock.control.campaigns();
  for (const advance_ms of [1, 600_000]) {
    await mock.control.moveClock({ advance_ms });
    check("CampaignStatus", await get(`${campaignsBaseUrl}/campaigns/${campaign_id}`));
  }
  check("Problem", await get(`${campaignsBaseUrl}/campaigns/unknown`), 400);
  await mock.control.reply({ phone: "+5491155550002", text: "sí" });
  await until(() => expect(got).not.toEqual([]));
  expect(schemaErrors("#/components/schemas/Reply", got[0]?.body)).toBeNull();
});

test("/openapi.json is the description with the addresses of this mock", async () => {
  const mock = await start();
  const answer = await fetch(`${mock.baseUrl}/openapi.json`);
  expect(answer.headers.get("content-type")).toBe("application/json");
  const addresses = { base_url: mock.baseUrl, campaigns_base_url: mock.campaignsBaseUrl };
  expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(addresses))));
});
