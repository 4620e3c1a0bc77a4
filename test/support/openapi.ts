import { createRequire } from "node:module";
import { openApiDocument } from "../../src/contract/openapi.ts";

/** A JSON Schema validator that is not zod: the one that the OpenAPI validator brings along. */
interface JsonSchemaValidator {
  addSchema(schema: object, key: string): void;
  compile(schema: object): ((value: unknown) => boolean) & { errors?: unknown };
}
type AjvModule = { default: new (options: object) => JsonSchemaValidator };

const ofValidator = createRequire(import.meta.resolve("@seriousme/openapi-schema-validator"));
const { default: Ajv } = ofValidator("ajv/dist/2020.js") as AjvModule;
const { default: addFormats } = ofValidator("ajv-formats") as { default: (ajv: JsonSchemaValidator) => void };

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addSchema(openApiDocument(), "openapi");

/** Returns what is wrong with a value, by the schema at a reference such as `#/components/schemas/Order`; null when nothing is. */
export function schemaErrors(reference: string, value: unknown): unknown {
  const validate = ajv.compile({ $ref: `openapi${reference}` });
  return validate(value) ? null : validate.errors;
}
