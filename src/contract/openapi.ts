import * as z from "zod";
import { replySchema } from "./campaign.ts";
import { type Endpoint, type EndpointError, type EndpointId, endpoints, serviceCodes } from "./endpoints.ts";
import { examples } from "./examples.ts";
import { plainJsonSchema } from "./json-schema.ts";
import { problemSchema } from "./problem.ts";

type Json = Record<string, unknown>;

/** Addresses of the service: orders and catalog have one, campaigns another. */
export type BaseAddresses = Readonly<Record<Endpoint["base"], string>>;

/** A field of a document that the service sends: null only where its schema has the mark for it. */
function sentField({ sent, anyOf: [value] = [], ...field }: Schema): Schema {
  if (sent === "or null" || !Array.isArray(field.type)) return { ...value, ...field };
  return { ...field, type: field.type[0] as string };
}

/**
 * Answers of the service are read generously, in loose objects: null and nothing pass for any field that this program can do without.
 * The description promises what the specification does.
 */
function tightened(schema: Schema): Schema {
  const { properties, additionalProperties, items } = schema;
  if (items) return { ...schema, items: tightened(items) };
  if (!properties || !additionalProperties) return schema;
  const fields = Object.entries(properties);
  const always = fields.filter(([, { sent }]) => sent !== "or nothing");
  return {
    ...schema,
    properties: Object.fromEntries(fields.map(([name, field]) => [name, tightened(sentField(field))])),
    required: always.map(([name]) => name),
  };
}
interface Schema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly sent?: "or null" | "or nothing";
}

/** Every schema that has an id, by id; each refers to the others by `#/components/schemas/ID`. */
function componentSchemas(): Json {
  const asked = Object.values<Endpoint>(endpoints).flatMap(({ query, body, response }) => [
    ...[query, body].filter((schema) => schema !== undefined),
    response,
  ]);
  // A schema enters the registry when it is built, and asking for it builds it.
  for (const schema of [...asked, problemSchema, replySchema])
    if (!z.globalRegistry.has(schema)) throw new Error("a schema of an endpoint has no id");
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    io: "input",
    unrepresentable: "any",
    uri: (id) => `#/components/schemas/${id}`,
    override: plainJsonSchema,
  });
  const described = Object.entries(schemas).map(
    ([id, { $schema: _dialect, $id: _id, ...schema }]) => [id, tightened(schema as Schema)] as const,
  );
  return Object.fromEntries(described.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const readId = (schema: z.ZodType): string => schema.meta()?.id ?? "Unnamed";

const content = (schema: z.ZodType, example: unknown): Json => ({
  "application/json": { schema: { $ref: `#/components/schemas/${readId(schema)}` }, example },
});

const listProperties = (components: Json, schema: z.ZodType): [string, Json][] =>
  Object.entries((components[readId(schema)] as { properties: Record<string, Json> }).properties);

function parameters({ path, query, response }: Endpoint, components: Json): Json[] {
  const named = listProperties(components, response).filter(([name]) => path.includes(`{${name}}`));
  const asked = query === undefined ? [] : listProperties(components, query);
  const parameter = (place: string, [name, { description, examples, ...schema }]: Field) => {
    return { name, in: place, required: place === "path", description, example: examples?.[0], schema };
  };
  return [...named.map((each) => parameter("path", each)), ...asked.map((each) => parameter("query", each))];
}
type Field = [string, { description?: string; examples?: unknown[] } & Json];

function errorResponse({ code, when, message }: EndpointError): Json {
  if (code === null) return { description: when };
  const payload = code === serviceCodes.accessDenied ? "" : { campaign_id: null, external_ref: null };
  return { description: `${code}: ${when}`, content: content(problemSchema, { code, message, payload }) };
}

const bases = {
  base_url: { name: "orders and catalog", default: "http://127.0.0.1:4010" },
  campaigns_base_url: { name: "campaigns", default: "http://127.0.0.1:4010/messaging" },
} as const;

/** Without addresses they are variables, whose defaults are those of `bpos mock`. */
function server(base: Endpoint["base"], addresses: BaseAddresses | undefined): Json {
  const { name, default: local } = bases[base];
  const description = `Base address of ${name}`;
  if (addresses) return { url: addresses[base], description };
  return { url: `{${base}}`, description, variables: { [base]: { default: local, description } } };
}

function operation(id: EndpointId, components: Json, addresses: BaseAddresses | undefined): Json {
  const endpoint: Endpoint = endpoints[id];
  const { tag, summary, description, resendKey, body, response, errors, base } = endpoint;
  const example: { body?: unknown; response: unknown } = examples[id];
  const done =
    id === "listOrders"
      ? "Done."
      : "Done. The specification does not show the success status; any 2xx may occur.";
  const safe =
    resendKey === null ? [] : [`Safe to send again with the same ${resendKey}: it is applied once.`];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, ...safe].join(" "),
    parameters: parameters(endpoint, components),
    ...(body && { requestBody: { required: true, content: content(body, example.body) } }),
    responses: {
      "200": { description: done, content: content(response, example.response) },
      ...Object.fromEntries(errors.map((error) => [String(error.status), errorResponse(error)])),
    },
    servers: [server(base, addresses)],
  };
}

/** Section 6: the one request that the service makes. */
const webhooks = {
  reply: {
    post: {
      operationId: "receiveReply",
      tags: ["campaigns"],
      summary: "A recipient of a campaign replied",
      description:
        "The service posts replies to an address of yours. Other fields, how the address is registered, retries and signing are " +
        "not specified: rely on these two fields alone, and take the same reply twice without harm.",
      security: [],
      requestBody: { required: true, content: content(replySchema, examples.reply) },
      responses: { "200": { description: "The reply was taken." } },
    },
  },
};

const tags = [
  { name: "orders", description: "Orders taken by the ordering bot. Poll every 1 to 2 minutes." },
  { name: "catalog", description: "The branch's products, pushed in batches as they change." },
  { name: "campaigns", description: "Approved message templates, sent to recipients, and their replies." },
];

/** The OpenAPI 3.1 description of the service, generated from the contract; with addresses, as it is served there. */
export function openApiDocument(addresses?: BaseAddresses): Json {
  const components = componentSchemas();
  const paths: Record<string, Json> = {};
  for (const id of Object.keys(endpoints) as EndpointId[]) {
    const { path, method } = endpoints[id];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(id, components, addresses) };
  }
  // The query of GET /v1/orders is spelled out as parameters; nothing refers to it as a whole.
  delete components["OrdersQuery"];
  return {
    openapi: "3.1.0",
    info: {
      title: "Point-of-sale bridge and template-messaging service",
      version: "1.0.0",
      description:
        "Orders to poll, catalogs to push, campaigns to send. A key belongs to one branch, and so do its orders and its catalog. " +
        "Clients should ignore unknown fields.",
      // The package's author: this description is written by the project, not by the service.
      contact: { name: "The bpos authors" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [server("base_url", addresses), server("campaigns_base_url", addresses)],
    tags,
    security: [{ apiKey: [] }],
    paths,
    webhooks,
    components: {
      schemas: components,
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "The key of the branch." },
      },
    },
  };
}
