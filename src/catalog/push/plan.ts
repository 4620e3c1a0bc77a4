import type { Session } from "../../cli/session/session.ts";
import { listProblems } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import { problemRules } from "../../input/files/problem-rules.ts";
import type { RejectedRow } from "../../input/files/table.ts";
import type { T } from "../../texts/texts.ts";
import { type Comparison, changedPositions, compareItems } from "../compare.ts";
import { type ItemList, pickItems, toCodeItems } from "../item-list.ts";
import { checkDeactivations, checkPriceChanges } from "../limits.ts";
import type { RequestPlan, UnboundRequest } from "../sending/request.ts";
import type { PushFlags } from "./command.ts";

/** Returns whether the code of a rejected row is certain: a wrong one would deactivate a product that is on sale. */
function holdsItsCode(row: RejectedRow): boolean {
  const { codigo } = row;
  return listProblems(row).every((problem) => {
    const { code } = problemRules[problem.kind];
    if (code === "no_product") return true;
    if (codigo === null) return false;
    return code === "certain" || (code === "if_other_cell" && "text" in problem && problem.text !== codigo);
  });
}

/** For `--deactivate-missing`. Throws `rows_unreadable` where a row may be one of the missing products. */
function checkReadable({ rejected }: Pick<CatalogReading, "rejected">): void {
  const rows = Array.from(rejected).filter((row) => !holdsItsCode(row)).length;
  if (rows > 0) throw new BposError("rows_unreadable", { rows });
}

/** Returns the products that the service has not confirmed exactly so. */
function changedItems(items: ItemList, compared: Comparison): ItemList {
  const positions = changedPositions(compared);
  return positions.length === items.length ? items : pickItems(items, positions);
}

const deactivation = (request: UnboundRequest, codes: readonly string[]): UnboundRequest => ({
  ...request,
  action: "delete",
  items: toCodeItems(codes),
  rejected: [],
  read: 0,
  prices: undefined,
});

const needsComparison = (flags: PushFlags): boolean =>
  [flags.changedOnly, flags.deactivateMissing, flags.confirm, flags.dryRun].includes(true) ||
  flags.maxPriceChange !== undefined;

const nothingKnownText = (deactivates: boolean, t: T): string =>
  deactivates
    ? t("Note: this journal has no confirmed products yet, so every row is sent and nothing is deactivated.")
    : t("Note: this journal has no confirmed products yet, so every row is sent.");

/** Returns a notice that is shown once, however often a push is planned. */
function onceOnly({ output }: Pick<Session, "output">): (text: string) => Promise<void> {
  const said = new Set<string>();
  return async (text) => {
    if (!said.has(text)) await output.notice(text);
    said.add(text);
  };
}

/**
 * Returns how the requests of a price list are made from the confirmed products: changed rows only, deactivations of missing
 * products, and what `--max-price-change` and `--max-deactivate` refuse. Undefined where no flag asks for that.
 */
export function planPush(
  session: Pick<Session, "output" | "branchName">,
  flags: PushFlags,
  reading: CatalogReading,
  request: UnboundRequest,
): RequestPlan | undefined {
  const { changedOnly = false, deactivateMissing = false, maxDeactivate, maxPriceChange: limit } = flags;
  if (!needsComparison(flags)) return undefined;
  const { t } = session.output.texts;
  const sayOnce = onceOnly(session);

  return async ({ catalog }, branch) => {
    const { file, items } = request;
    const { rejected } = reading;
    const missing = deactivateMissing ? { kind: "deactivated" as const, rejected } : undefined;
    const compared = await compareItems(items, { catalog, branch, missing });
    const { missing: codes, active, unpriced } = compared;
    if (limit !== undefined) {
      await checkPriceChanges(session, compared, { file, limit });
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
}
