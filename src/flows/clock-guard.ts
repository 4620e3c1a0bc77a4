import type { Client } from "../api/client.ts";
import { BposError } from "../errors.ts";

/** From here on a difference between two clocks is worth saying, in milliseconds. */
export const worthSayingMs = 2 * 60_000;
/** So far ahead a stamp does harm: nothing is pushed. */
export const tooFarAheadMs = 60 * 60_000;

/**
 * Compares this machine's clock with the service's by one cheap GET (`flows.md`, "catalog push", 3): a stamp from the future
 * makes every later push stale. Returns by how many milliseconds this machine is ahead (behind, when negative) where that is
 * two minutes or more. Throws `clock_ahead` at one hour ahead, `access_denied`, `interrupted`, and `unavailable` where there is no
 * way to the service at all.
 */
export async function compareClocks(
  client: Pick<Client, "listOrders">,
  clock: { now(): number },
  { force, signal }: { force: boolean; signal: AbortSignal },
): Promise<number | undefined> {
  const askedAt = clock.now();
  const date = await client.listOrders({}, { signal }).then(
    (answer) => answer.date,
    (error: unknown) => {
      // Whatever else is wrong with the list of orders need not be wrong with the catalog.
      if (error instanceof BposError && "status" in error.facts && error.reason !== "access_denied")
        return undefined;
      if (!(error instanceof BposError) || !("endpoint" in error.facts)) throw error;
      const { reason, facts } = error as BposError<"access_denied" | "unavailable">;
      throw new BposError(reason, { ...facts, askedFor: "time", nothingSent: true }, { cause: error });
    },
  );
  if (date === undefined) return undefined;
  // The service told the time somewhere between the question and the answer, in whole seconds.
  const aheadMs = (askedAt + clock.now()) / 2 - date - 500;
  if (aheadMs >= tooFarAheadMs && !force)
    throw new BposError("clock_ahead", { aheadMs: Math.round(aheadMs) });
  return Math.abs(aheadMs) >= worthSayingMs ? Math.round(aheadMs) : undefined;
}
