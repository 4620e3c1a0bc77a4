import { needsFlag } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { isReason } from "../../errors.ts";
import type { T } from "../../texts/texts.ts";
import { type Comparison, changedPositions, compareItems } from "../compare.ts";
import { type ItemList, pickItems } from "../item-list.ts";
import { checkPriceChanges } from "../price-changes.ts";
import { checkDeactivations, checkReadable } from "../sending/confirmed-products.ts";
import type { PushWork, UnboundRequest } from "../sending/push-locked.ts";
import { priceChangesReport } from "../sending/view.ts";
import type { PushFlags } from "./command.ts";
import { type Planner, pushGiven, toItems } from "./prepare.ts";

type PlanSession = Parameters<Planner>[0];

/** Throws `price_change_too_large` below the table of those prices. */
export async function checkPrices(
  { output, branchName }: PlanSession,
  { changes }: Comparison,
  { file, limit }: { file: string | null; limit: number },
): Promise<void> {
  try {
    checkPriceChanges(changes, limit);
  } catch (error) {
    if (isReason(error, "price_change_too_large") && output.format === "table") {
      const source = { file, branch: branchName };
      await output.data(priceChangesReport(error.facts, output.ui, source));
    }
    throw error;
  }
}

/** The products that the service has not confirmed exactly so. */
function changedItems(items: ItemList, compared: Comparison): ItemList {
  const positions = changedPositions(compared);
  return positions.length === items.length ? items : pickItems(items, positions);
}

const deactivation = (request: UnboundRequest, codes: readonly string[]): UnboundRequest => ({
  ...request,
  action: "delete",
  items: toItems(codes),
  rejected: [],
  read: 0,
  prices: undefined,
});

const needsComparison = (flags: PushFlags): boolean =>
  [flags.changedOnly, flags.deactivateMissing, flags.confirm, flags.dryRun].includes(true) ||
  flags.maxPriceChange !== undefined;

const nothingKnownText = (deactivates: boolean, t: T): string =>
  deactivates
    ? t("Note: this journal has no confirmed products yet: every row is sent, and none is deactivated.")
    : t("Note: this journal has no confirmed products yet: every row is sent.");

/** Returns what to send, given the confirmed products: changed rows, and deactivations of missing products. */
const planPush =
  (flags: PushFlags): Planner =>
  (session, reading, request): PushWork["requestsFor"] => {
    const { changedOnly = false, deactivateMissing = false, maxDeactivate, maxPriceChange: limit } = flags;
    if (!needsComparison(flags)) return undefined;
    const { output } = session;
    const { t } = output.texts;
    const said = new Set<string>();
    const sayOnce = async (text: string): Promise<void> => {
      if (!said.has(text)) await output.notice(text);
      said.add(text);
    };

    return async ({ catalog }, branch) => {
      const { file, items } = request;
      const { rejected } = reading;
      const missing = deactivateMissing ? { kind: "deactivated" as const, rejected } : undefined;
      const compared = await compareItems(items, { catalog, branch, missing });
      const { missing: codes, active, unpriced } = compared;
      if (limit !== undefined) {
        await checkPrices(session, compared, { file, limit });
        const unknown = t(
          "Note: {count, plural, one {# code has no known price in this journal, so --max-price-change did not check it} other {# codes have no known price in this journal, so --max-price-change did not check them}}.",
          { count: unpriced },
        );
        if (unpriced > 0) await sayOnce(unknown);
      }
      if (deactivateMissing) {
        checkReadable(reading);
        checkDeactivations(codes.length, active, maxDeactivate);
      }

      if ((changedOnly || deactivateMissing) && (await catalog.isEmpty(branch)))
        await sayOnce(nothingKnownText(deactivateMissing, t));
      const sent = changedOnly ? changedItems(items, compared) : items;
      const push = { ...request, items: sent, unchanged: items.length - sent.length, compared };
      return codes.length > 0 ? [push, deactivation(request, codes)] : [push];
    };
  };

export async function push(runtime: Runtime, path: string, flags: PushFlags): Promise<void> {
  if (flags.maxDeactivate !== undefined && flags.deactivateMissing !== true)
    throw needsFlag("--max-deactivate", "--deactivate-missing");
  await pushGiven(runtime, { action: "upsert", path, codes: [], plan: planPush(flags) }, flags);
}
