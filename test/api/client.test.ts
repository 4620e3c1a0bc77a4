import { once } from "node:events";
import { Agent } from "undici";
import { describe, expect, it } from "vitest";
import { campaignBody } from "../../src/api/client.ts";
import type { CampaignRequest } from "../../src/contract/campaign.ts";
import type { OrdersQuery } from "../../src/contract/order.ts";
import { type Handler, on, reply, scriptedServer } from "../support/scripted-server.ts";
import { campaign, clientOf, created, event, factsOf, noOrders } from "./harness.ts";

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

describe("addresses", () => {
  it.each(["", "/", "/api", "/api/", "/api//"])("may have a path: %j", async (path) => {
    const prefix = path.replace(/\/+$/, "");
    const server = await scriptedServer(
      on(`GET ${prefix}/v1/orders`, reply(noOrders)),
      on(`POST ${prefix}/campaigns`, reply(created)),
    );
    const { client } = clientOf("", { baseUrl: server.url + path, campaignsBaseUrl: server.url + path });
    await client.listOrders({ page: 2 });
    await client.sendCampaign(campaign);
    expect(server.requests[0]?.url).toBe(`${prefix}/v1/orders?page=2`);
  });

  it.each([
    "nonsense",
    "ftp://h",
    "http:h",
    "http://",
    "http://h:99999",
    "http://h/?a=1",
    "http://h/#a",
    "https://ana:pass@h",
  ])("refuses %s and names it", (baseUrl) => {
    const error = thrownBy(() => clientOf("http://h", { baseUrl }));
    const problem = { kind: "address_unusable", name: "base_url", shown: baseUrl.replace(/^.*@/, "…@") };
    expect(error).toMatchObject({ reason: "usage_flag", facts: { problem } });
    expect(String(error)).not.toContain("pass@");
  });

  it("carry a campaign_id as one segment", async () => {
    const server = await scriptedServer(
      on("GET /messaging/campaigns/a%2F..%2F%3Fx%3D1%20%25%C3%B1", reply(created)),
    );
    const { client, records } = clientOf(server.url);
    await client.readCampaign("a/../?x=1 %ñ");
    expect(records[0]?.endpoint).toBe("GET /campaigns/a/../?x=1 %ñ");
    for (const id of ["", ".", "..", "\ud800"]) await factsOf("usage_flag", client.readCampaign(id));
  });
});

describe("the key", () => {
  it.each(["", "bpk\n", " bpk", "bpk ", "bpk_ñ", "bpk_\u200b", "bpk\0"])(
    "%j is refused before anything is sent",
    (apiKey) => {
      const error = thrownBy(() => clientOf("http://127.0.0.1:1", { apiKey }));
      expect(error).toMatchObject({ reason: "key_unreadable", facts: { source: "apiKey" } });
    },
  );
});

describe("what is sent", () => {
  const bad = (part: object): CampaignRequest => ({ ...campaign, ...part });

  it.each([
    ["an unknown key", bad({ recipient: [] })],
    ["an unknown key inside", bad({ recipients: [{ phone: "+5491161234567", params: [], name: "Ana" }] })],
    ["no recipients", bad({ recipients: [] })],
    [
      "too many recipients",
      bad({ recipients: Array.from({ length: 1001 }, () => ({ phone: "+5491161234567", params: [] })) }),
    ],
    ["a bad phone", bad({ recipients: [{ phone: "011 15", params: [] }] })],
    ["a long key", bad({ idempotency_key: "k".repeat(129) })],
    ["no template", bad({ template_name: undefined })],
  ])("is not a campaign with %s", async (_name, request) => {
    await factsOf("bug", clientOf("http://127.0.0.1:1").client.sendCampaign(request));
  });

  it("is neither a bad event nor a bad query", async () => {
    const { client } = clientOf("http://127.0.0.1:1");
    await factsOf("bug", client.pushCatalog({ ...event, items: [{ codigo: "1", precio: Number.NaN }] }));
    await factsOf(
      "bug",
      client.pushCatalog({ ...event, items: [{ codigo: "1", color: "red" } as { codigo: string }] }),
    );
    await factsOf("bug", client.pushCatalog({ ...event, occurred_at: "2026-01-01" }));
    await factsOf("bug", client.listOrders({ estado: "listo" } as OrdersQuery));
    await factsOf("bug", client.listOrders({ page: 0 }));
  });

  it("is a body made earlier, byte for byte", async () => {
    const body = ` {"x":1,"idempotency_key":"k1","name":"Piña" }\n`;
    const server = await scriptedServer(on("POST /messaging/campaigns", reply(created)));
    const { client } = clientOf(server.url);
    await client.sendCampaign(body);
    expect(server.requests[0]?.body.toString()).toBe(body);
    await factsOf("bug", client.sendCampaign("{}"));
    await factsOf("bug", client.sendCampaign('{"idempotency_key":""}'));
  });

  it("is no campaign that the specification refuses", () => {
    const { template_name: _name, ...bare } = campaign;
    const recipient = { phone: "+5491161234567", params: [] };
    const refused: [object, string][] = [
      ...["es-AR", "es", "ES_ar", "es_AR ", ""].map((template_language): [object, string] => [
        { ...campaign, template_language },
        "template_language",
      ]),
      ...[
        "http://h.example/a.png",
        "data:image/png;base64,AAAA",
        "https:h.example/a.png",
        "https://user:secret@h.example/a.png",
        "https://localhost/a.png",
        "https://10.0.0.7/a.png",
        "https://[::1]/a.png",
        "",
      ].map((header_media_url): [object, string] => [{ ...campaign, header_media_url }, "header_media_url"]),
      [bare, "template_name"],
      [{ ...bare, template_name: "a", template_id: "b" }, "template_name"],
      [{ ...campaign, recipients: [] }, "recipients"],
      [{ ...campaign, recipients: Array.from({ length: 1001 }, () => recipient) }, "recipients"],
      [{ ...campaign, recipients: [{ ...recipient, phone: "5491161234567" }] }, "recipients.0.phone"],
      [{ ...campaign, idempotency_key: "k".repeat(129) }, "idempotency_key"],
      [{ ...campaign, idempotency_key: "" }, "idempotency_key"],
    ];
    for (const [request, field] of refused) {
      const error = thrownBy(() => campaignBody(request as CampaignRequest));
      expect(error).toMatchObject({
        reason: "bug",
        facts: { detail: expect.stringContaining(`${field}: `) as string },
      });
    }
    const good = {
      ...bare,
      template_id: "tpl_1",
      template_language: "es_AR",
      header_media_url: "https://8.8.8.8/a.png",
    };
    expect(JSON.parse(campaignBody(good as CampaignRequest))).toEqual(good);
  });
});

describe("an abort", () => {
  it("ends a call before, during and between its attempts", async () => {
    const during = new AbortController();
    const server = await scriptedServer(
      on("GET /v1/orders", () => during.abort()),
      on("GET /v1/orders", reply("", 503)),
    );
    const { client } = clientOf(server.url);
    await factsOf("interrupted", client.listOrders({}, { signal: AbortSignal.abort() }));
    expect(server.requests).toHaveLength(0);

    await factsOf("interrupted", client.listOrders({}, { signal: during.signal }));

    const controller = new AbortController();
    const sleepy = clientOf(server.url, {
      clock: {
        now: () => 0,
        sleep: (_ms, signal) =>
          new Promise((resolve) => {
            signal?.addEventListener("abort", () => resolve());
            controller.abort();
          }),
      },
    });
    await factsOf("interrupted", sleepy.client.listOrders({}, { signal: controller.signal }));
  });

  it("ends the connection, as a time-out does", async () => {
    const closed: Promise<unknown>[] = [];
    const hang: Handler = (response) => void closed.push(once(response, "close"));
    const during = new AbortController();
    const server = await scriptedServer(
      on("GET /v1/orders", hang),
      on("GET /v1/orders", (response) => {
        closed.push(once(response, "close"));
        during.abort();
      }),
    );
    const { client } = clientOf(server.url, { timeoutMs: 500, retries: 0 });
    await factsOf("unavailable", client.listOrders());
    await factsOf("interrupted", client.listOrders({}, { signal: during.signal }));
    await Promise.all(closed);
  });

  it("does not come to a dispatcher of the caller's", async () => {
    const dispatcher = new Agent();
    await clientOf("http://127.0.0.1:1", { dispatcher }).client.close();
    expect(dispatcher.destroyed).toBe(false);
    await dispatcher.close();
  });

  it("comes with calling a client that is closed", async () => {
    const { client } = clientOf("http://127.0.0.1:1");
    await client.close();
    await factsOf("interrupted", client.listOrders());
  });
});
