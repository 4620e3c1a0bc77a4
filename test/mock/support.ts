import { afterEach } from "vitest";
import type { CampaignCreated, CampaignStatus } from "../../src/contract/campaign.ts";
import type { CatalogEvent, CatalogResult } from "../../src/contract/catalog.ts";
import { type Order, type OrdersResponse, ordersResponseSchema } from "../../src/contract/order.ts";
import { type RunningMock, type StartMockOptions, startMock } from "../../src/mock/index.ts";

/** The instant at which the clocks of most tests stand. */
export const frozen = "2026-01-01T12:00:00.000-03:00";
export const demoKey = "bpk_demo_centro";
export const norte = "bpk_demo_norte";

const running: RunningMock[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((mock) => mock.close()));
});

/** A mock that ends with its test: the empty scenario with a frozen clock, unless told otherwise. */
export async function start(options: StartMockOptions = {}): Promise<RunningMock> {
  const mock = await startMock({ scenario: "empty", clock: frozen, ...options });
  running.push(mock);
  return mock;
}

/** A mock that ends with its test and starts as it is told, no more. */
export async function startKept(options: StartMockOptions): Promise<RunningMock> {
  const mock = await startMock(options);
  running.push(mock);
  return mock;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

async function request(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const body: unknown = text === "" ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}

/** GET with a key. */
export function get(url: string, key = demoKey): Promise<Answer> {
  return request(url, { headers: { "X-API-Key": key } });
}

/** A change with a JSON body and a key. A string goes out as it is. */
export function send(
  url: string,
  body: unknown,
  {
    key = demoKey,
    method = "POST",
    headers = {},
  }: { key?: string; method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return request(url, {
    method,
    headers: { "X-API-Key": key, "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** The error body of section 7 for refused input. */
export const inputProblem = (message: unknown): object => ({
  code: "ERROR_CODE_INPUT_ERROR",
  message,
  payload: { campaign_id: null, external_ref: null },
});
/** The error body of section 7 for a refused key. */
export const deniedProblem = { code: "ERROR_CODE_ACCESS_DENIED", message: "Invalid API key.", payload: "" };

/** The orders of a page, each held against the contract. */
export async function listOrders(mock: RunningMock, query = "", key = demoKey): Promise<OrdersResponse> {
  const answer = await get(`${mock.baseUrl}/v1/orders${query}`, key);
  return ordersResponseSchema.parse(answer.body);
}

/** All orders of a branch in a state. */
export async function allOrders(mock: RunningMock, status = "pendiente", key = demoKey): Promise<Order[]> {
  const orders: Order[] = [];
  for (let page = 1; ; page++) {
    const answer = await listOrders(mock, `?status=${status}&page=${page}`, key);
    orders.push(...answer.orders);
    if (!answer.has_more) return orders;
  }
}

type Pushed = CatalogResult & { answer: Answer };
type Sent = CampaignCreated & { answer: Answer };

let eventNumber = 0;

/** Pushes items under an event_id of their own, as an upsert of the frozen instant unless told otherwise. */
export async function push(
  mock: RunningMock,
  items: unknown[],
  event: Partial<CatalogEvent> = {},
  key = demoKey,
): Promise<Pushed> {
  eventNumber += 1;
  const body = { event_id: `event-${eventNumber}`, occurred_at: frozen, action: "upsert", ...event, items };
  const answer = await send(`${mock.baseUrl}/v1/catalog/items`, body, { key });
  return { ...(answer.body as CatalogResult), answer };
}

let sendNumber = 0;

/** Sends a campaign of aviso_simple under a key of its own, unless told otherwise. */
export async function campaign(
  mock: RunningMock,
  given: Record<string, unknown> = {},
  key = demoKey,
): Promise<Sent> {
  sendNumber += 1;
  const body = {
    idempotency_key: `send-${sendNumber}`,
    template_name: "aviso_simple",
    recipients: [{ phone: "+5491161234567", params: [] }],
    ...given,
  };
  const answer = await send(`${mock.campaignsBaseUrl}/campaigns`, body, { key });
  return { ...(answer.body as CampaignCreated), answer };
}

/** The live status of a campaign. */
export async function statusOf(mock: RunningMock, id: string, key = demoKey): Promise<CampaignStatus> {
  return (await get(`${mock.campaignsBaseUrl}/campaigns/${id}`, key)).body as CampaignStatus;
}
