import * as z from "zod";
import { type Endpoint, type EndpointId, endpoints } from "./endpoints.ts";
import { examples } from "./examples.ts";
import { problemSchema, serviceCodes } from "./problem.ts";

type Json = Record<string, unknown>;

/** Every schema that has an id, by id; each refers to the others by `#/components/schemas/ID`. */
function componentSchemas(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    io: "input",
    unrepresentable: "any",
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      // order_id: bigint is how this program keeps all digits; on the wire it is an integer of any size.
      if (def.type === "union" && def.options.some((option) => option._zod.def.type === "bigint")) {
        delete jsonSchema.anyOf;
        jsonSchema.type = "integer";
      }
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _id, ...schema }]) => [id, schema]),
  );
}

const idOf = (schema: z.ZodType): string => schema.meta()?.id ?? "Unnamed";
const reference = (schema: z.ZodType): Json => ({ $ref: `#/components/schemas/${idOf(schema)}` });

function parameters(endpoint: Endpoint, components: Json): Json[] {
  const path = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  if (!endpoint.query) return path;
  const { properties } = components[idOf(endpoint.query)] as { properties: Record<string, Json> };
  const query = Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: false,
    description,
    schema,
  }));
  return [...path, ...query];
}

function errorResponses(endpoint: Endpoint): Json {
  return Object.fromEntries(
    endpoint.errors.map(({ status, code, when }) => [
      String(status),
      {
        description: code === null ? when : `${code}: ${when}`,
        ...(code !== null && {
          content: {
            "application/json": {
              schema: reference(problemSchema),
              example:
                code === serviceCodes.accessDenied ? examples.problems.denied : examples.problems.refused,
            },
          },
        }),
      },
    ]),
  );
}

function operation(id: EndpointId, components: Json): Json {
  const endpoint: Endpoint = endpoints[id];
  const example: { body?: unknown; response: unknown } = examples[id];
  return {
    operationId: id,
    summary: endpoint.summary,
    ...(endpoint.resendKey !== null && {
      description: `Safe to send again with the same ${endpoint.resendKey}: it is applied once.`,
    }),
    parameters: parameters(endpoint, components),
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: reference(endpoint.body), example: example.body } },
      },
    }),
    responses: {
      "200": {
        description: "Done. The specification does not show the success status; any 2xx may occur.",
        content: { "application/json": { schema: reference(endpoint.response), example: example.response } },
      },
      ...errorResponses(endpoint),
    },
    servers: [
      {
        url: `{${endpoint.base}}`,
        variables: {
          [endpoint.base]: {
            default:
              endpoint.base === "base_url" ? "http://127.0.0.1:4010" : "http://127.0.0.1:4010/messaging",
          },
        },
      },
    ],
  };
}

/**
 * The OpenAPI 3.1 description of the service, generated from the contract (`spec.md`, all sections).
 *
 * @example
 * const { paths } = openApiDocument();
 */
export function openApiDocument(): Json {
  const components = componentSchemas();
  const paths: Record<string, Json> = {};
  for (const id of Object.keys(endpoints) as EndpointId[]) {
    const { path, method } = endpoints[id];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(id, components) };
  }
  // The query of GET /v1/orders is spelled out as parameters; nothing refers to it as a whole.
  delete components["OrdersQuery"];
  return {
    openapi: "3.1.0",
    info: {
      title: "Point-of-sale bridge and template-messaging service",
      version: "1.0.0",
      description: "Orders to poll, catalogs to push, campaigns to send. Keys are per branch.",
      license: { name: "MIT", identifier: "MIT" },
    },
    security: [{ apiKey: [] }],
    paths,
    components: {
      schemas: components,
      securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "X-API-Key" } },
    },
  };
}
