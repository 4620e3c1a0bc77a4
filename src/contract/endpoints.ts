import * as z from "zod";
import { campaignCreatedSchema, campaignRequestSchema, campaignStatusSchema } from "./campaign.ts";
import { catalogEventSchema, catalogResultSchema } from "./catalog.ts";
import { ordersQuerySchema, ordersResponseSchema, usableOrdersSchema } from "./order.ts";

/** The two error codes that `docs/service.md` 7 shows; the complete list is not shown, so any string is read. */
export const serviceCodes = {
  accessDenied: "ERROR_CODE_ACCESS_DENIED",
  inputError: "ERROR_CODE_INPUT_ERROR",
} as const;

/** The error body of `docs/service.md` 7. */
export const problemSchema = z
  .looseObject({
    code: z
      .string()
      .nullish()
      .describe("ERROR_CODE_ACCESS_DENIED, ERROR_CODE_INPUT_ERROR, or one not shown."),
    message: z.string().nullish().describe("A short text for people."),
    payload: z
      .unknown()
      .optional()
      .describe(
        "An empty string for access denied; campaign_id and external_ref, both null, for input errors.",
      ),
  })
  .meta({ id: "Problem", description: "The error body." });
export type Problem = z.infer<typeof problemSchema>;

/** An error that an endpoint is known to answer with (`docs/service.md` 7). */
export interface EndpointError {
  readonly status: number;
  readonly code: string | null;
  readonly when: string;
}

/** One row of the table of endpoints: everything that client, mock and OpenAPI page share. */
export interface Endpoint {
  readonly method: "GET" | "POST";
  /** Path below its base address; `{campaign_id}` stands for a parameter. */
  readonly path: string;
  readonly base: "base_url" | "campaigns_base_url";
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** The answer as the specification describes it. */
  readonly response: z.ZodType;
  /** The least that makes an answer usable; what differs beyond it is reported, never refused. */
  readonly usable: z.ZodType;
  readonly errors: readonly EndpointError[];
  /** The body field that makes sending again safe, or null for a read. */
  readonly resendKey: "event_id" | "idempotency_key" | null;
}

const denied: EndpointError = {
  status: 403,
  code: serviceCodes.accessDenied,
  when: "The key is invalid or inactive, or store_id does not match it.",
};
const inputError: EndpointError = {
  status: 400,
  code: serviceCodes.inputError,
  when: "The input is invalid, for example a template that is not found or not approved.",
};

/** Every endpoint of `docs/service.md` 4, once. */
export const endpoints = {
  listOrders: {
    method: "GET",
    path: "/v1/orders",
    base: "base_url",
    summary: "List the orders of the key's branch, oldest first, 20 a page.",
    query: ordersQuerySchema,
    response: ordersResponseSchema,
    usable: usableOrdersSchema,
    errors: [inputError, denied],
    resendKey: null,
  },
  pushCatalog: {
    method: "POST",
    path: "/v1/catalog/items",
    base: "base_url",
    summary: "Add, change or deactivate products in a batch.",
    body: catalogEventSchema,
    response: catalogResultSchema,
    usable: z.looseObject({ accepted: z.int() }),
    errors: [inputError, denied],
    resendKey: "event_id",
  },
  sendCampaign: {
    method: "POST",
    path: "/campaigns",
    base: "campaigns_base_url",
    summary: "Create a campaign, load its recipients and send it.",
    body: campaignRequestSchema,
    response: campaignCreatedSchema,
    usable: z.looseObject({ campaign_id: z.string().min(1) }),
    errors: [
      inputError,
      denied,
      { status: 502, code: null, when: "Upstream failure: send again with the same key." },
    ],
    resendKey: "idempotency_key",
  },
  readCampaign: {
    method: "GET",
    path: "/campaigns/{campaign_id}",
    base: "campaigns_base_url",
    summary: "Live status of a campaign and of at most 100 of its recipients.",
    response: campaignStatusSchema,
    usable: z.looseObject({ campaign_id: z.string() }),
    errors: [inputError, denied],
    resendKey: null,
  },
} as const satisfies Record<string, Endpoint>;

/** The name of an endpoint; also its operationId. */
export type EndpointId = keyof typeof endpoints;
