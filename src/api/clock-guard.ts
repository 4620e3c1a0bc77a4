import { BposError } from "../errors.ts";
import type { Client } from "./client.ts";

/** From here on a difference between two clocks is worth saying, in milliseconds. */
export const worthSayingMs = 2 * 60_000;
/** So far ahead a stamp does harm: nothing is pushed. */
export const tooFarAheadMs = 60 * 60_000;

/**
 * Compares this machine's clock with the service's by one cheap GET (`flows.md`, "catalog push", 3): a stamp from the future
 * makes every later push stale. Returns by how many milliseconds this machine is ahead (behind, when negative), undefined where no
 * answer told the time, an error's neither. Throws `clock_ahead` at one hour ahead, `access_denied`, `interrupted`, and `unavailable`
 * where there is no way to the service at all.
 *
 * @param clockAheadMs what the answers so far tell.
 */
export async function compareClocks(
  client: Pick<Client, "listOrders">,
  clockAheadMs: () => number | undefined,
  { force, signal }: { force: boolean; signal: AbortSignal },
): Promise<number | undefined> {
  await client.listOrders({}, { signal }).catch((error: unknown) => {
    // Whatever else is wrong with the list of orders need not be wrong with the catalog.
    if (error instanceof BposError && "status" in error.facts && error.reason !== "access_denied") return;
    if (!(error instanceof BposError) || !("endpoint" in error.facts)) throw error;
    const { reason, facts } = error as BposError<"access_denied" | "unavailable">;
    throw new BposError(reason, { ...facts, askedFor: "time", nothingSent: true }, { cause: error });
  });
  const aheadMs = clockAheadMs();
  if (aheadMs !== undefined && aheadMs >= tooFarAheadMs && !force)
    throw new BposError("clock_ahead", { aheadMs });
  return aheadMs;
}
