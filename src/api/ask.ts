import type { Endpoint } from "../contract/endpoints.ts";
import { BposError } from "../errors.ts";
import { type CallReason, type Heard, heardIn, userAgent } from "./call.ts";
import type { Client } from "./client.ts";
import { type Dispatcher, send, TransportError } from "./transport.ts";

export type AskError = BposError<CallReason | "campaign_not_found">;

/** The result of one cheap request to the service; `waiting` is the number of orders where it said so. */
export type Asked =
  | { kind: "accepted"; waiting: number | null }
  /** `not_service`: another program answers there; `silent`: no complete answer came. */
  | { kind: "denied" | "not_service" | "busy" | "silent"; error: AskError };

/** An id that no campaign has: the answer shows only whether the service accepts the key. */
const nobodysCampaign = "bpos-doctor";

function readError(which: Endpoint["base"], error: AskError): Asked {
  const { reason, facts } = error;
  const { status, detail } = facts;
  if (status === undefined) return { kind: "silent", error };
  if (reason === "access_denied") {
    const isPage = typeof detail === "object" && detail.kind === "answer_html";
    return { kind: isPage ? "not_service" : "denied", error };
  }
  const isOurs = facts.serviceCode !== undefined || facts.serviceMessage !== undefined;
  const isUnknown = reason === "campaign_not_found" || (reason === "input_refused" && isOurs);
  if (isUnknown && which === "campaigns_base_url") return { kind: "accepted", waiting: null };
  return { kind: reason === "unavailable" && status >= 400 ? "busy" : "not_service", error };
}

export async function askService(
  client: Pick<Client, "listOrders" | "readCampaign">,
  which: Endpoint["base"],
  signal: AbortSignal,
): Promise<Asked> {
  try {
    if (which === "campaigns_base_url") {
      await client.readCampaign(nobodysCampaign, { signal });
      return { kind: "accepted", waiting: null };
    }
    const { body } = await client.listOrders({ status: "pendiente" }, { signal });
    const { total }: { total?: unknown } = body;
    return { kind: "accepted", waiting: typeof total === "number" ? total : null };
  } catch (error) {
    if (!(error instanceof BposError) || !("endpoint" in error.facts)) throw error;
    return readError(which, error as AskError);
  }
}

/** The clock difference that is reported, and the one at which timestamps do harm and nothing is pushed. */
export const worthSayingMs = 2 * 60_000;
export const tooFarAheadMs = 60 * 60_000;

/** Returns the milliseconds that this clock is ahead, undefined where no answer told the time. Throws `clock_ahead` from one hour on: a stamp from the future makes every later push stale. */
export async function compareClocks(
  client: Client,
  clockAheadMs: () => number | undefined,
  { force, signal }: { force: boolean; signal: AbortSignal },
): Promise<number | undefined> {
  const asked = await askService(client, "base_url", signal);
  // Another problem with the list of orders says nothing about the catalog.
  if (asked.kind === "silent" || (asked.kind !== "accepted" && asked.error.reason === "access_denied")) {
    const { error: cause } = asked;
    throw new BposError(cause.reason, { ...cause.facts, askedFor: "time", nothingSent: true }, { cause });
  }
  const aheadMs = clockAheadMs();
  if (aheadMs !== undefined && aheadMs >= tooFarAheadMs && !force)
    throw new BposError("clock_ahead", { aheadMs });
  return aheadMs;
}

const maxWorldBytes = 8 * 1024 * 1024;

/** Asks a mock for its world, without a key. Returns undefined where nobody answers within 2 s: a mock on this machine answers at once. */
export async function askWorld(
  origin: string,
  dispatcher: Dispatcher,
  { signal, clock }: { signal: AbortSignal; clock: { now(): number } },
): Promise<Heard | undefined> {
  const askedAt = clock.now();
  const request = { method: "GET", origin, path: "/_mock/world", body: undefined } as const;
  const headers = { "user-agent": userAgent };
  // Its own signal: all branches of a watch ask at once, and many listeners on one signal look like a leak.
  const limits = { timeoutMs: 2_000, maxBytes: maxWorldBytes, signal: AbortSignal.any([signal]) };
  const answer = await send(dispatcher, { ...request, headers, ...limits }).catch((error: unknown) => {
    if (!(error instanceof TransportError)) throw error;
    return undefined;
  });
  return answer && heardIn(answer, askedAt, clock.now());
}
