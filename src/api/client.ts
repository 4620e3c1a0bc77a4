import * as z from "zod";
import { webUrl } from "../contract/addresses.ts";
import type { CampaignCreated, CampaignRequest, CampaignStatus } from "../contract/campaign.ts";
import type { CatalogEvent, CatalogResult } from "../contract/catalog.ts";
import { type Endpoint, type EndpointId, endpoints } from "../contract/endpoints.ts";
import type { OrdersQuery, OrdersResponse } from "../contract/order.ts";
import { masker, maxKeyLength } from "../errors/mask-key.ts";
import type { Detail } from "../errors/problems.ts";
import { BposError, isReason } from "../errors.ts";
import { type Address, type Answer, type CallContext, type ClientOptions, call } from "./call.ts";
import { orderPages } from "./pages.ts";
import { ownAgent } from "./transport.ts";

export type { Answer, AttemptRecord, ClientOptions, Heard } from "./call.ts";

/** Options of one call. */
export interface CallOptions {
  /** Ends the call at once with BposError interrupted, during a pause too. */
  signal?: AbortSignal;
  /** Time after which no further attempt begins, in epoch milliseconds. */
  until?: number;
  /** Awaited before each attempt, and again once connected, right before its first byte; if it throws, the request does not leave. */
  check?: () => Promise<void>;
  /** Called for each attempt that was told to wait (429, Retry-After), or whose outcome is unknown. */
  onBusy?: () => void;
}

/** The service of `docs/reference/service.md` 4, one method per endpoint. */
export interface Client {
  /** One page of orders of a state, oldest first (`docs/reference/service.md` 4.1). */
  listOrders(query?: OrdersQuery, options?: CallOptions): Promise<Answer<OrdersResponse>>;
  /** All pages of a state, in their order (`docs/reference/service.md` 4.1). `concurrency` requests that many at once, if the first page says how many there are. */
  orderPages(
    query?: OrdersQuery,
    options?: CallOptions & { concurrency?: number },
  ): AsyncGenerator<Answer<OrdersResponse>, void, undefined>;
  /** Adds, changes or deactivates a batch of products (`docs/reference/service.md` 4.2). A body of bytes from `catalogBody` is sent as it is. */
  pushCatalog(event: CatalogEvent | CatalogBody, options?: CallOptions): Promise<Answer<CatalogResult>>;
  /** Sends a campaign (`docs/reference/service.md` 4.3). A string is a body made by `campaignBody` earlier, sent byte for byte. */
  sendCampaign(request: CampaignRequest | string, options?: CallOptions): Promise<Answer<CampaignCreated>>;
  /** Live status of a campaign (`docs/reference/service.md` 4.4). */
  readCampaign(campaignId: string, options?: CallOptions): Promise<Answer<CampaignStatus>>;
  /** Ends the connections of a client without a dispatcher of the caller's; calls under way are interrupted. */
  close(): Promise<void>;
}

function keyProblem(apiKey: string): Detail | undefined {
  const { length } = apiKey;
  if (length === 0) return { kind: "empty" };
  if (length > maxKeyLength) return { kind: "key_too_long", length, max: maxKeyLength };
  const lines = apiKey.split(/\r\n|[\r\n]/).length;
  if (lines > 1) return { kind: "key_lines", lines };
  // Blanks at the ends would be lost on the way, and a header has no agreed encoding beyond ASCII.
  const at = apiKey.search(/^ | $|[^\x20-\x7e]/);
  return at < 0 ? undefined : { kind: "key_not_for_header", at: at + 1, length };
}

/** Throws BposError key_unreadable for a text that cannot be a key; the error does not contain it. */
export function checkKey(apiKey: string, source = "apiKey"): void {
  const detail = keyProblem(apiKey);
  if (detail !== undefined) throw new BposError("key_unreadable", { source, detail });
}

/** Returns a base address, which may have a path; undefined when it is empty. Throws BposError usage_flag unless it is a plain http(s) URL. */
export function parseBase(name: string, value: string): Address | undefined {
  if (value === "") return undefined;
  const url = webUrl(value);
  if (url === undefined || url.username + url.password + url.search + url.hash !== "") {
    // The part before an @ may be a password.
    const shown = value.replace(/^.*@/s, "…@");
    throw new BposError("usage_flag", { problem: { kind: "address_unusable", name, shown } });
  }
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, "") };
}

/** Returns a body in the contract's order of keys, and its JSON. Throws BposError bug for a body that the contract does not allow. */
function validate<S extends z.ZodObject>(id: EndpointId, schema: S, value: object) {
  const { data, error } = z.safeParse(schema, value);
  const issues = error?.issues.slice(0, 3).map(({ path, message }) => `${path.join(".")}: ${message}`);
  if (issues !== undefined) throw new BposError("bug", { detail: `${id}: ${issues.join("; ")}` });
  const json = JSON.stringify(data);
  if (json.length !== JSON.stringify(value).length)
    throw new BposError("bug", { detail: `${id}: a key that the specification does not have` });
  return { data: data as z.output<S>, json };
}

/**
 * Returns the exact body of POST /campaigns (`docs/reference/service.md` 4.3), to be kept and sent as often as needed. `header_media_url` is sent
 * under the name `headerField`, which the specification does not show. Throws BposError bug for a request that
 * the specification refuses, usage_flag for a field name that is taken.
 *
 * @example
 * const body = campaignBody({ idempotency_key: "k1", template_name: "pedido_listo", recipients });
 */
export function campaignBody(request: CampaignRequest, headerField = "header_media_url"): string {
  const { shape } = endpoints.sendCampaign.body;
  if (headerField === "" || (headerField !== "header_media_url" && headerField in shape)) {
    throw new BposError("usage_flag", { problem: { kind: "header_field_taken", name: headerField } });
  }
  const { data, json } = validate("sendCampaign", endpoints.sendCampaign.body, request);
  const { header_media_url: url, ...body } = data;
  return url === undefined ? json : JSON.stringify({ ...body, [headerField]: url });
}

/** Returns the same as `campaignBody`, from recipients that are valid JSON text already: there may be a million of them. */
export function campaignBodyOf(
  request: Omit<CampaignRequest, "recipients">,
  recipients: string,
  headerField?: string,
): string {
  const stand = [{ phone: "+1000000", params: [] }];
  const body = campaignBody({ ...request, recipients: stand }, headerField);
  return body.replace(JSON.stringify(stand), () => recipients);
}

export type CatalogBody = Buffer & { readonly __catalogBody: true };

/** Returns the body of POST /v1/catalog/items from the inside of its array `items`, so that a large file is not parsed again. */
export function catalogBody(envelope: Omit<CatalogEvent, "items">, items: Buffer): CatalogBody {
  const { data } = validate("pushCatalog", endpoints.pushCatalog.body, { ...envelope, items: [] });
  const { items: _none, ...rest } = data;
  const head = JSON.stringify(rest).slice(0, -1);
  return Buffer.concat([Buffer.from(`${head},"items":[`), items, Buffer.from("]}")]) as CatalogBody;
}

/** Throws for an earlier body that has lost its key: repeating it could message people twice. */
function checkResendKey(body: string): string {
  const { idempotency_key } = endpoints.sendCampaign.body.shape;
  // Searched as `campaignBody` writes it: parsing a thousand recipients takes longer than sending them.
  const hasOne = body.lastIndexOf('"idempotency_key"') === 1 && body.endsWith("}");
  if (hasOne && /^\{"idempotency_key":"[^"\\]{1,128}",/.test(body)) return body;
  try {
    if (z.object({ idempotency_key }).safeParse(JSON.parse(body)).success) return body;
  } catch {
    // A text that is not JSON has no key.
  }
  throw new BposError("bug", { detail: "sendCampaign: a body without an idempotency_key" });
}

/** Turns the service's refusal of a campaign's id into `campaign_not_found`; other errors stay as they are. */
function toNotFound(error: unknown, campaignId: string): unknown {
  if (!isReason(error, "input_refused")) return error;
  const { facts } = error;
  const isOurs = facts.serviceCode !== undefined && [400, 404].includes(facts.status ?? 0);
  return isOurs ? new BposError("campaign_not_found", { ...facts, campaignId }, { cause: error }) : error;
}

/** Returns the options of a call that also ends with another signal. */
const endingWith = (end: AbortSignal, how: CallOptions): CallOptions => ({
  ...how,
  signal: how.signal === undefined ? end : AbortSignal.any([end, how.signal]),
});

/** Creates a client. Throws BposError usage_flag for an invalid address, key_unreadable for a key that no header can carry. */
export function createClient(options: ClientOptions): Client {
  checkKey(options.apiKey);
  return buildClient(options);
}

function buildContext(options: ClientOptions): CallContext {
  const { apiKey, timeoutMs = 30_000, retries = 4, maxResponseBytes = 32 * 1024 * 1024 } = options;
  return {
    ...options,
    timeoutMs,
    retries,
    maxResponseBytes,
    mask: masker(apiKey),
    dispatcher: options.dispatcher ?? ownAgent({ timeoutMs }),
  };
}

function ordersPath(query: OrdersQuery): string {
  const endpoint = endpoints.listOrders;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(validate("listOrders", endpoint.query, query).data))
    if (value !== undefined) search.set(name, String(value));
  return `${endpoint.path}${search.size === 0 ? "" : "?"}${search.toString()}`;
}

/** Creates a client, also without a key: the service refuses its calls, which shows that it is there. */
export function buildClient(options: ClientOptions): Client {
  const bases = {
    base_url: parseBase("base_url", options.baseUrl),
    campaigns_base_url: parseBase("campaigns_base_url", options.campaignsBaseUrl),
  };
  const context = buildContext(options);

  function buildAddress(endpoint: Endpoint, path: string = endpoint.path): Address {
    const base = bases[endpoint.base];
    if (base === undefined) throw new BposError("address_missing", { which: endpoint.base });
    return { origin: base.origin, path: base.path + path };
  }

  const client: Client = {
    async listOrders(query = {}, how) {
      const endpoint = endpoints.listOrders;
      const address = buildAddress(endpoint, ordersPath(query));
      return call(context, endpoint, { ...how, address });
    },
    orderPages: (query, { concurrency, ...how } = {}) =>
      orderPages(
        (page, end) => client.listOrders(page, end ? { ...endingWith(end, how), until: 0 } : how),
        query,
        concurrency,
      ),
    async pushCatalog(event, how) {
      const endpoint = endpoints.pushCatalog;
      const body = Buffer.isBuffer(event)
        ? event
        : Buffer.from(validate("pushCatalog", endpoint.body, event).json);
      return call(context, endpoint, { ...how, address: buildAddress(endpoint), body });
    },
    async sendCampaign(request, how) {
      const endpoint = endpoints.sendCampaign;
      const body = Buffer.from(typeof request === "string" ? checkResendKey(request) : campaignBody(request));
      return call(context, endpoint, { ...how, address: buildAddress(endpoint), body });
    },
    async readCampaign(campaignId, { signal } = {}) {
      // Dots are the two segments that servers and proxies resolve away, percent-encoded or not.
      if (/^\.{0,2}$|\p{Cs}/u.test(campaignId))
        throw new BposError("usage_flag", { problem: { kind: "campaign_id_unusable", id: campaignId } });
      const endpoint = endpoints.readCampaign;
      const withId = (id: string): string => endpoint.path.replace("{campaign_id}", () => id);
      const address = buildAddress(endpoint, withId(encodeURIComponent(campaignId)));
      return call(context, endpoint, { address, path: withId(campaignId), signal }).catch(
        (error: unknown) => {
          throw toNotFound(error, context.mask(campaignId));
        },
      );
    },
    async close() {
      // Not a graceful close: that one would wait for a connection that is still being tried.
      if (options.dispatcher === undefined) await context.dispatcher.destroy();
    },
  };
  return client;
}
