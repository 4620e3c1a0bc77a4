import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { endpoints } from "../../src/contract/endpoints.ts";
import { openApiDocument } from "../../src/contract/openapi.ts";
import { schemaErrors } from "../support/openapi.ts";

interface Media {
  schema: { $ref: string };
  example: unknown;
}
interface Operation {
  operationId: string;
  parameters: { name: string; in: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
  servers: Server[];
}
interface Server {
  url: string;
}
interface Document {
  servers: Server[];
  paths: Record<string, Record<string, Operation>>;
}

const document = openApiDocument();
const { paths } = document as unknown as Document;
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

const media: [string, Media][] = operations.flatMap(({ operationId, requestBody, responses }) => [
  ...Object.values(requestBody?.content ?? {}).map((each): [string, Media] => [
    `${operationId} request`,
    each,
  ]),
  ...Object.entries(responses).flatMap(([status, { content }]) =>
    Object.values(content ?? {}).map((each): [string, Media] => [`${operationId} ${status}`, each]),
  ),
]);

describe("the OpenAPI page", () => {
  it("is valid OpenAPI 3.1 to an independent validator", async () => {
    const validator = new Validator();
    // The validator resolves references in place.
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  it("describes every endpoint of the table", () => {
    expect(operations.map(({ operationId }) => operationId)).toEqual(Object.keys(endpoints));
    expect(media).toHaveLength(14);
    const parameters = operations.map((each) =>
      each.parameters.map(({ name, in: place }) => `${place} ${name}`),
    );
    expect(parameters).toEqual([["query status", "query since", "query page"], [], [], ["path campaign_id"]]);
  });

  it.each(media)("has an example that its schema accepts: %s", (_name, each) => {
    expect(schemaErrors(each.schema.$ref, each.example)).toBeNull();
    expect(schemaErrors(each.schema.$ref, [each.example])).not.toBeNull();
  });

  it("names the addresses it is given, for the whole and for each operation", () => {
    const addresses = { base_url: "http://localhost:1", campaigns_base_url: "http://localhost:2/x" };
    const { servers, paths: served } = openApiDocument(addresses) as unknown as Document;
    expect(servers.map(({ url }) => url)).toEqual(["http://localhost:1", "http://localhost:2/x"]);
    const own = Object.values(served)
      .flatMap(Object.values<Operation>)
      .map((each) => each.servers[0]?.url);
    expect(own).toEqual([
      "http://localhost:1",
      "http://localhost:1",
      "http://localhost:2/x",
      "http://localhost:2/x",
    ]);
    expect(document).toMatchObject({ servers: [{ url: "{base_url}" }, { url: "{campaigns_base_url}" }] });
  });

  it("speaks of templates only where campaigns are sent", () => {
    const speaking = operations.filter(({ responses }) =>
      JSON.stringify(responses["400"]).includes("emplate"),
    );
    expect(speaking.map(({ operationId }) => operationId)).toEqual(["sendCampaign"]);
  });

  it("promises two fields of a reply and nothing else", () => {
    const reply = { campaign_id: "cmp_1", external_ref: "" };
    expect(schemaErrors("#/components/schemas/Reply", { ...reply, phone: 7 })).toBeNull();
    for (const name of ["campaign_id", "external_ref"])
      expect(schemaErrors("#/components/schemas/Reply", { ...reply, [name]: null })).not.toBeNull();
  });

  it.each([
    ["a name or an id", {}, { template_name: "a" }],
    [
      "the language with its country",
      { template_name: "a", template_language: "es" },
      { template_name: "a" },
    ],
    ["an https URL", { template_id: "1", header_media_url: "http://a.b/c.png" }, { template_id: "1" }],
    ["one of the two", { template_name: "a", template_id: "1" }, { template_id: "1" }],
  ])("asks of a campaign for %s", (_, wrong, right) => {
    const send = { idempotency_key: "k", recipients: [{ phone: "+5491161234567", params: [] }] };
    expect(schemaErrors("#/components/schemas/CampaignRequest", { ...send, ...wrong })).not.toBeNull();
    expect(schemaErrors("#/components/schemas/CampaignRequest", { ...send, ...right })).toBeNull();
  });

  it("lets an order_id have any number of digits", () => {
    const order = document as { components?: { schemas: { Order: { properties: { order_id: object } } } } };
    expect(order.components?.schemas.Order.properties.order_id).toMatchObject({ type: "integer" });
  });
});
