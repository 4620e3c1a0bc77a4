import { expect, onTestFinished } from "vitest";
import { type AttemptRecord, type Client, type ClientOptions, createClient } from "../../src/api/client.ts";
import type { CampaignRequest } from "../../src/contract/campaign.ts";
import type { CatalogEvent } from "../../src/contract/catalog.ts";
import { BposError, type ErrorFacts, type ErrorReason } from "../../src/errors.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";

export const apiKey = "bpk_test/secret+3f9a";

export interface Harness {
  client: Client;
  clock: FakeClock;
  records: AttemptRecord[];
}

/** A client of a server at `url` (campaigns under /messaging), with a fake clock and no luck: every pause is the longest. */
export function clientOf(url: string, options: Partial<ClientOptions> = {}): Harness {
  const clock = fakeClock();
  const records: AttemptRecord[] = [];
  const client = createClient({
    baseUrl: url,
    campaignsBaseUrl: `${url}/messaging/`,
    apiKey,
    onAttempt: (record) => records.push(record),
    clock,
    random: () => 0.9999999,
    ...options,
  });
  onTestFinished(() => client.close());
  return { client, clock, records };
}

/** The facts of the BposError that `call` must end in; the key must be nowhere in it. */
export async function factsOf<R extends ErrorReason>(
  reason: R,
  call: Promise<unknown>,
): Promise<ErrorFacts[R]> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof BposError)) throw new Error(`no BposError: ${String(error)}`);
  expect(error.reason).toBe(reason);
  expect(error.message + (error.stack ?? "")).not.toContain(apiKey);
  return error.facts as ErrorFacts[R];
}

export const noOrders = { orders: [], page: 1, per_page: 20, total: 0, has_more: false };

export const event: CatalogEvent = {
  event_id: "e1",
  occurred_at: "2026-01-01T12:00:00.000-03:00",
  action: "upsert",
  items: [{ codigo: "00123", nombre: "Piña ☕", precio: 10.5 }],
};

export const campaign: CampaignRequest = {
  idempotency_key: "k1",
  recipients: [{ phone: "+5491161234567", params: ["Ana"] }],
  template_name: "pedido_listo",
};

export const accepted = { duplicate: false, accepted: 1, skipped_stale: 0, rejected: [] };
export const created = { campaign_id: "cmp_1", status: "sent", replayed: false };
