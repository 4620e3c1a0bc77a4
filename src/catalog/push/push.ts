import { needsFlag } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { isReason } from "../../errors.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import type { Catalog } from "../../journal/catalog.ts";
import type { PushWork, UnboundRequest } from "./carry-out.ts";
import type { PushFlags } from "./command.ts";
import { missingCodes, unchangedItems } from "./memory.ts";
import { type Planner, pushGiven, toItems } from "./prepare.ts";
import { checkPriceChanges } from "./price-changes.ts";
import { priceChangesReport } from "./view.ts";

type PlanSession = Parameters<Planner>[0];

/** Throws `price_change_too_large` below the table of those prices. */
async function checkPrices(
  { output, branchName }: PlanSession,
  known: { catalog: Catalog; branch: string },
  { items }: CatalogReading,
  { file, limit }: { file: string | null; limit: number },
): Promise<void> {
  try {
    const unknown = await checkPriceChanges(known.catalog, known.branch, items, limit);
    if (unknown > 0) await output.notice(output.texts.notices.pricesUnknown(unknown));
  } catch (error) {
    if (isReason(error, "price_change_too_large") && output.format === "table") {
      const source = { file, branch: branchName };
      await output.data(priceChangesReport(error.facts, output.ui, source));
    }
    throw error;
  }
}

/** Leaves out items that the service has confirmed unchanged; returns how many. */
async function leaveOutUnchanged(
  catalog: Catalog,
  branch: string,
  { items }: CatalogReading,
): Promise<number> {
  const known = await unchangedItems(catalog, branch, items);
  return items.keep((position) => known[position] === 0);
}

const deactivation = (request: UnboundRequest, codes: readonly string[]): UnboundRequest => ({
  ...request,
  action: "delete",
  items: toItems(codes),
  rejected: [],
  read: 0,
  prices: undefined,
});

/** Returns what to send, given the confirmed products: changed rows, and deactivations of missing products. */
const planPush =
  (flags: PushFlags): Planner =>
  (session, reading, request): PushWork["requestsFor"] => {
    const { changedOnly = false, deactivateMissing = false, maxDeactivate, maxPriceChange: limit } = flags;
    if (!changedOnly && !deactivateMissing && limit === undefined) return undefined;
    const { output } = session;

    return async (catalog, branch) => {
      const { file } = request;
      if (limit !== undefined) await checkPrices(session, { catalog, branch }, reading, { file, limit });

      // Before the unchanged items are left out: all rows are needed to find what is missing.
      const active = deactivateMissing ? await catalog.activeCodes(branch) : [];
      const codes = deactivateMissing ? missingCodes(active, reading, maxDeactivate) : [];
      const unchanged = changedOnly ? await leaveOutUnchanged(catalog, branch, reading) : 0;

      if ((changedOnly || deactivateMissing) && (await catalog.isEmpty(branch)))
        await output.notice(output.texts.notices.nothingKnown(deactivateMissing));
      const push = { ...request, unchanged };
      return codes.length > 0 ? [push, deactivation(request, codes)] : [push];
    };
  };

export async function push(runtime: Runtime, path: string, flags: PushFlags): Promise<void> {
  if (flags.maxDeactivate !== undefined && flags.deactivateMissing !== true)
    throw needsFlag("--max-deactivate", "--deactivate-missing");
  await pushGiven(runtime, { action: "upsert", path, codes: [], plan: planPush(flags) }, flags);
}
