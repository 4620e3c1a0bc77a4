import { expect, test } from "vitest";
import { openApiDocument } from "../../../src/contract/openapi.ts";
import { campaign, start } from "../support.ts";
import { pageAt, textOf, textsOf } from "./support.ts";

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, { description: string; properties: Record<string, { description: string }> }>;
  };
}
interface Operation {
  operationId: string;
  summary: string;
  description: string;
  requestBody?: { content: Record<string, { example: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { example: unknown }> }>;
}

const asText = (value: unknown): string => JSON.stringify(value, null, 2).replace(/\s+/g, " ");

test("openapi.json names the addresses of this mock", async () => {
  const mock = await start();
  const answer = await fetch(`${mock.baseUrl}/openapi.json`);
  expect(answer.headers.get("content-type")).toBe("application/json");
  const addresses = { base_url: mock.baseUrl, campaigns_base_url: mock.campaignsBaseUrl };
  expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(addresses))));
});

test("the page has every operation, schema, field, example and error, and links only to what is there", async () => {
  const mock = await start();
  const html = await pageAt(mock, "/docs");
  const text = textOf(html);
  const { paths, webhooks, components } = openApiDocument() as unknown as Document;
  const operations = [paths, webhooks].flatMap(Object.values).flatMap(Object.values<Operation>);
  expect(operations).toHaveLength(5);
  for (const { operationId, summary, description, requestBody, responses } of operations) {
    expect(html).toContain(`id="${operationId}"`);
    for (const each of [summary, description]) expect(text).toContain(each);
    for (const { content } of [...(requestBody ? [requestBody] : []), ...Object.values(responses)])
      for (const { example } of Object.values(content ?? {})) expect(text).toContain(asText(example));
    for (const [status, answer] of Object.entries(responses)) {
      expect(text).toContain(status);
      expect(text).toContain(answer.description);
    }
  }
  const rows = textsOf(html, "tr");
  for (const [name, { properties }] of Object.entries(components.schemas)) {
    expect(text).toMatch(new RegExp(`(Object|Fields of) ${name}\\b`));
    for (const [field, { description = "" }] of Object.entries(properties))
      expect(
        rows.some((row) => row.startsWith(`${field} `) && row.includes(description)),
        `${name} ${field}`,
      ).toBe(true);
  }
  for (const [, target] of html.matchAll(/href="#([^"]*)"/g)) expect(html).toContain(`id="${target}"`);
});

test("a field says its type, whether it is always there, its values, default and limits", async () => {
  const rows = textsOf(await pageAt(await start(), "/docs"), "tr");
  const row = (name: string): string => rows.find((each) => each.startsWith(`${name} `)) ?? "";
  expect(row("page")).toBe(
    "page optional integer Ask for the next while has_more is true. Default: 1 Limits: minimum 1",
  );
  expect(row("delivery_address")).toMatch(/^delivery_address required string or null /);
  expect(row("domicilio")).toMatch(/^domicilio optional object /);
  expect(row("delivery_type")).toMatch(/Values: pick_up delivery$/);
  expect(row("lineas")).toMatch(/^lineas required array of Linea /);
  expect(row("recipients")).toMatch(/Limits: minItems 1 maxItems 1000$/);
});

test("each operation has a curl example for this mock, which can be copied", async () => {
  const mock = await start();
  const html = await pageAt(mock, "/docs");
  const commands = textsOf(html, "pre").filter((each) => each.startsWith("curl "));
  const calls = ["/v1/orders", "/v1/catalog/items", "/messaging/campaigns", "/messaging/campaigns/cmp_1"];
  expect(commands.map((each) => /'(\S+)'/.exec(each)?.[1])).toEqual(calls.map((path) => mock.baseUrl + path));
  expect(commands[0]).toBe(`curl '${mock.baseUrl}/v1/orders' \\ -H 'X-API-Key: bpk_demo_centro'`);
  const copied = Array.from(html.matchAll(/data-copy="([^"]*)"/g), ([, text = ""]) => textOf(text));
  expect(copied).toEqual(commands);
  const { campaign_id } = await campaign(mock);
  expect(await pageAt(mock, "/docs")).toContain(`${mock.campaignsBaseUrl}/campaigns/${campaign_id}`);
});

test("the page's own words are in the reader's language", async () => {
  const html = await pageAt(await start(), "/docs", { "accept-language": "es-AR" });
  expect(textOf(html)).toContain("Cuerpo de la solicitud Objeto CatalogEvent");
});
