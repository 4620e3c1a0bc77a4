import type * as z from "zod";
import {
  campaignCreatedSchema,
  campaignRequestSchema,
  campaignStatusSchema,
  usableCampaignSchema,
  usableStatusSchema,
} from "./campaign.ts";
import { catalogEventSchema, catalogResultSchema, usableCatalogSchema } from "./catalog.ts";
import { ordersQuerySchema, ordersResponseSchema, usableOrdersSchema } from "./order.ts";

/** The two error codes that `docs/reference/service.md` 7 shows; the complete list is not shown, so any string is read. */
export const serviceCodes = {
  accessDenied: "ERROR_CODE_ACCESS_DENIED",
  inputError: "ERROR_CODE_INPUT_ERROR",
} as const;

/** A known error of an endpoint (`docs/reference/service.md` 7). */
export interface EndpointError {
  readonly status: number;
  readonly code: string | null;
  readonly when: string;
  /** An example of what the service says. */
  readonly message?: string;
}

/** One row of the table of endpoints: everything that client, mock and OpenAPI page share. */
export interface Endpoint {
  readonly method: "GET" | "POST";
  /** Path below its base address; `{campaign_id}` stands for a parameter. */
  readonly path: string;
  readonly base: "base_url" | "campaigns_base_url";
  /** Its group in the OpenAPI description. */
  readonly tag: "orders" | "catalog" | "campaigns";
  readonly summary: string;
  readonly description: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** The answer as the specification describes it. */
  readonly response: z.ZodType;
  /** The minimum for a usable answer; other differences are reported, never refused. */
  readonly usable: z.ZodType;
  readonly errors: readonly EndpointError[];
  /** The body field that makes sending again safe, or null for a read. */
  readonly resendKey: "event_id" | "idempotency_key" | null;
}

const denied: EndpointError = {
  status: 403,
  code: serviceCodes.accessDenied,
  when: "The key is invalid or inactive, or store_id does not match it.",
  message: "Invalid API key.",
};
const inputError = (when: string, message: string): EndpointError => {
  return { status: 400, code: serviceCodes.inputError, when, message };
};

/** Every endpoint of `docs/reference/service.md` 4, once. The schemas are getters, so that the command builds only those of the endpoint that it calls. */
export const endpoints = {
  listOrders: {
    method: "GET",
    path: "/v1/orders",
    base: "base_url",
    tag: "orders",
    summary: "List the orders of the key's branch",
    description:
      "Oldest first, 20 a page: page 1 has the most urgent ones. Read further pages while has_more is true.",
    get query() {
      return ordersQuerySchema;
    },
    get response() {
      return ordersResponseSchema;
    },
    get usable() {
      return usableOrdersSchema;
    },
    errors: [
      inputError("The query is invalid, for example a status that no order has.", "Unknown status."),
      denied,
    ],
    resendKey: null,
  },
  pushCatalog: {
    method: "POST",
    path: "/v1/catalog/items",
    base: "base_url",
    tag: "catalog",
    summary: "Add, change or deactivate products in a batch",
    description:
      "occurred_at sets the order between events: what is older than what was applied is discarded and counted.",
    get body() {
      return catalogEventSchema;
    },
    get response() {
      return catalogResultSchema;
    },
    get usable() {
      return usableCatalogSchema;
    },
    errors: [
      inputError("The event is invalid as a whole, for example without items.", "items is required."),
      denied,
    ],
    resendKey: "event_id",
  },
  sendCampaign: {
    method: "POST",
    path: "/campaigns",
    base: "campaigns_base_url",
    tag: "campaigns",
    summary: "Create a campaign, load its recipients and send it",
    description: "One call does it all; the template is given by name or by id.",
    get body() {
      return campaignRequestSchema;
    },
    get response() {
      return campaignCreatedSchema;
    },
    get usable() {
      return usableCampaignSchema;
    },
    errors: [
      inputError(
        "The input is invalid, for example a template that is not found or not approved, or a missing header file.",
        "Template not found or not approved.",
      ),
      denied,
      {
        status: 502,
        code: null,
        when:
          "Upstream failure: the campaign may have been sent or not. Send the same body again with the same " +
          "idempotency_key, which never sends twice. The specification shows no body.",
      },
    ],
    resendKey: "idempotency_key",
  },
  readCampaign: {
    method: "GET",
    path: "/campaigns/{campaign_id}",
    base: "campaigns_base_url",
    tag: "campaigns",
    summary: "Read the live status of a campaign and of its recipients",
    description: "Of campaigns that were sent with the same key, with at most 100 recipients.",
    get response() {
      return campaignStatusSchema;
    },
    get usable() {
      return usableStatusSchema;
    },
    errors: [
      inputError("No campaign that was sent with this key has this id.", "Campaign not found."),
      denied,
    ],
    resendKey: null,
  },
} as const satisfies Record<string, Endpoint>;

/** The name of an endpoint; also its operationId. */
export type EndpointId = keyof typeof endpoints;
