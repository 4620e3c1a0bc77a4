import * as z from "zod";
import {
  type Endpoint,
  type EndpointError,
  type EndpointId,
  endpoints,
  problemSchema,
  serviceCodes,
} from "./endpoints.ts";

const ordersResponse = {
  orders: [
    {
      order_id: 1042,
      created_at: 1767265200000,
      created_at_iso: "2026-01-01T08:00:00-03:00",
      status: "pendiente",
      delivery_type: "delivery",
      delivery_address: "Av. Corrientes 1234, 5 B, CABA",
      domicilio: {
        calle: "Av. Corrientes",
        numero: "1234",
        piso_depto: "5 B",
        localidad: "CABA",
        referencia: "Timbre roto, llamar",
      },
      cliente: {
        nombre: "Ana Gómez",
        telefono: "+5491161234567",
        telefono_pais: "54",
        telefono_area: "11",
        telefono_numero: "61234567",
      },
      pago: { modo: "en_entrega", pagado: false, monto: 9700 },
      costo_envio: 700,
      total: 9700,
      lineas: [
        {
          codigo: "00123",
          nombre: "Pizza muzzarella",
          cantidad: 1,
          precio_unitario: 9000,
          subtotal: 9000,
          opciones: [{ codigo: null, nombre: "Sin aceitunas", precio_adicional: 0 }],
        },
      ],
    },
  ],
  page: 1,
  per_page: 20,
  total: 1,
  has_more: false,
};

const catalogEvent = {
  event_id: "2f1c6f0e-example",
  occurred_at: "2026-01-01T08:00:00.000-03:00",
  action: "upsert",
  items: [
    { codigo: "00123", nombre: "Pizza muzzarella", categoria: "Pizzas", precio: 9000, deshabilitado: false },
  ],
};

const catalogResult = { duplicate: false, accepted: 1, skipped_stale: 0, rejected: [] };

const campaignRequest = {
  idempotency_key: "9b1d-example",
  recipients: [{ phone: "+5491161234567", params: ["Ana", "1042"] }],
  template_name: "pedido_listo",
  template_language: "es_AR",
  external_ref: "enero-1",
};

const campaign = {
  campaign_id: "cmp_1",
  status: "sent",
  campaign_name: "API - pedido_listo - enero-1",
  external_ref: "enero-1",
};

const campaignStatus = {
  ...campaign,
  counts: { total_recipients: 1, pending: 0, sent: 1, failed: 0, delivered: 1, read: 0, responded: 0 },
  recipients: [
    {
      phone: "+5491161234567",
      status: "delivered",
      sent_at: "2026-01-01T08:00:01-03:00",
      delivered_at: "2026-01-01T08:00:04-03:00",
      read_at: "",
      responded_at: "",
      error_message: "",
    },
  ],
};

/** One example of every body; the tests hold each against its schema. */
export const examples = {
  listOrders: { response: ordersResponse },
  pushCatalog: { body: catalogEvent, response: catalogResult },
  sendCampaign: {
    body: campaignRequest,
    response: { ...campaign, recipients: { added: 1, duplicates: 0, errors: [] }, replayed: false },
  },
  readCampaign: { response: campaignStatus },
  problems: {
    denied: { code: serviceCodes.accessDenied, message: "Invalid API key.", payload: "" },
    refused: {
      code: serviceCodes.inputError,
      message: "Template not found or not approved.",
      payload: { campaign_id: null, external_ref: null },
    },
  },
} as const;

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

const content = (schema: z.ZodType, example: unknown): Json => ({
  "application/json": { schema: { $ref: `#/components/schemas/${idOf(schema)}` }, example },
});

function parameters({ path, query }: Endpoint, components: Json): Json[] {
  const named = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => {
    return { name, in: "path", required: true, schema: { type: "string" } };
  });
  if (!query) return named;
  const { properties } = components[idOf(query)] as { properties: Record<string, Json> };
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    return { name, in: "query", required: false, description, schema };
  });
}

function errorResponse({ code, when }: EndpointError): Json {
  if (code === null) return { description: when };
  const { denied, refused } = examples.problems;
  const example = code === serviceCodes.accessDenied ? denied : refused;
  return { description: `${code}: ${when}`, content: content(problemSchema, example) };
}

function operation(id: EndpointId, components: Json): Json {
  const endpoint: Endpoint = endpoints[id];
  const { summary, resendKey, body, response, errors, base } = endpoint;
  const example: { body?: unknown; response: unknown } = examples[id];
  const done = "Done. The specification does not show the success status; any 2xx may occur.";
  const address = `http://127.0.0.1:4010${base === "base_url" ? "" : "/messaging"}`;
  return {
    operationId: id,
    summary,
    ...(resendKey && { description: `Safe to send again with the same ${resendKey}: it is applied once.` }),
    parameters: parameters(endpoint, components),
    ...(body && { requestBody: { required: true, content: content(body, example.body) } }),
    responses: {
      "200": { description: done, content: content(response, example.response) },
      ...Object.fromEntries(errors.map((error) => [String(error.status), errorResponse(error)])),
    },
    servers: [{ url: `{${base}}`, variables: { [base]: { default: address } } }],
  };
}

/** The OpenAPI 3.1 description of the service, generated from the contract. */
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
