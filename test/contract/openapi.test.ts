import { createRequire } from "node:module";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { endpoints } from "../../src/contract/endpoints.ts";
import { openApiDocument } from "../../src/contract/openapi.ts";

interface Media {
  schema: { $ref: string };
  example: unknown;
}
interface Operation {
  operationId: string;
  parameters: { name: string; in: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
}

/** A JSON Schema validator that is not zod: the one that the OpenAPI validator brings along. */
interface JsonSchemaValidator {
  addSchema(schema: object, key: string): void;
  compile(schema: object): ((value: unknown) => boolean) & { errors?: unknown };
}
type AjvModule = { default: new (options: object) => JsonSchemaValidator };

const ofValidator = createRequire(import.meta.resolve("@seriousme/openapi-schema-validator"));
const { default: Ajv } = ofValidator("ajv/dist/2020.js") as AjvModule;
const { default: addFormats } = ofValidator("ajv-formats") as { default: (ajv: JsonSchemaValidator) => void };

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

function errorsOf({ schema }: Media, value: unknown): unknown {
  const ajv = new Ajv({ strict: false });
  addFormats(ajv);
  ajv.addSchema(document, "openapi");
  const validate = ajv.compile({ $ref: `openapi${schema.$ref}` });
  return validate(value) ? null : validate.errors;
}

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
    expect(errorsOf(each, each.example)).toBeNull();
    expect(errorsOf(each, [each.example])).not.toBeNull();
  });

  it("lets an order_id have any number of digits", () => {
    const order = document as { components?: { schemas: { Order: { properties: { order_id: object } } } } };
    expect(order.components?.schemas.Order.properties.order_id).toMatchObject({ type: "integer" });
  });
});
