import { type Client, type ClientOptions, createClient as createClientWith } from "./api/client.ts";
import { realClock, realRandom } from "./system.ts";

export {
  type Answer,
  type AttemptRecord,
  type CallOptions,
  type Client,
  type ClientOptions,
  campaignBody,
} from "./api/client.ts";
export { LosslessNumber } from "./api/json.ts";
export * from "./contract/campaign.ts";
export * from "./contract/catalog.ts";
export * from "./contract/endpoints.ts";
export { limits, type OrderState, orderStates, templateLanguage } from "./contract/limits.ts";
export * from "./contract/order.ts";
export * from "./contract/problem.ts";
export type { Detail } from "./errors/problems.ts";
export { BposError, type CallFacts, type ErrorFacts, type ErrorReason, isReason } from "./errors.ts";

/** `ClientOptions` with the clock and the random source of this machine unless others are given. */
export type LibraryOptions = Omit<ClientOptions, "clock" | "random"> &
  Partial<Pick<ClientOptions, "clock" | "random">>;

/**
 * A client of the service, with the clock and randomness of this machine. Throws BposError usage_flag for an address
 * that is none, key_unreadable for a key that no header can carry.
 *
 * @example
 * const client = createClient({ baseUrl, campaignsBaseUrl, apiKey });
 * for await (const { body } of client.orderPages({ status: "pendiente" })) print(body.orders);
 * await client.close();
 */
export function createClient(options: LibraryOptions): Client {
  return createClientWith({ clock: realClock, random: realRandom, ...options });
}
