import { count, number, price, shown } from "../cli/display/format.ts";
import { type Column, column, table } from "../cli/display/table.ts";
import { note, paragraph, type ReportSource, reportTitle } from "../cli/display/text.ts";
import type { Ui } from "../cli/display/ui.ts";
import type { Session } from "../cli/session/session.ts";
import type { PriceChange } from "../errors/problems.ts";
import { BposError, type ErrorFacts } from "../errors.ts";
import type { Comparison, NamedChange } from "./compare.ts";
import { changeBeyond, priceFactor } from "./price-changes.ts";
import { moreText } from "./tables.ts";

const maxNamed = 10;

/** Lists the known prices that would change by more than `limit` per cent. */
function pricesBeyond(changes: Iterable<NamedChange>, limit: number): PriceChange[] {
  const beyond: PriceChange[] = [];
  for (const { codigo, nombre, fields } of changes) {
    const { from, to } = fields.precio ?? {};
    if (typeof from !== "number" || typeof to !== "number") continue;
    const change = changeBeyond(limit, from, to);
    if (change === undefined) continue;
    beyond.push({ codigo, nombre, old_price: from, new_price: to, change_percent: change });
  }
  return beyond;
}

/** Returns the table of the prices that `--max-price-change` refused; it ends with the number of those not shown. */
function priceChangesReport(
  { count: all, limit, prices }: ErrorFacts["price_change_too_large"],
  ui: Ui,
  source: ReportSource,
): string {
  const { t } = ui.texts;
  const fromZero = t("from 0");
  const formatShare = ({ change_percent: share }: PriceChange): string =>
    share === null ? fromZero : `${share > 0 ? "+" : ""}${number(share, ui)} %`;
  const columns: (Column<PriceChange> | false)[] = [
    column(t("Code"), 1, (row) => shown(row.codigo), { shrinkTo: 8 }),
    prices.some(({ nombre }) => nombre !== null) &&
      column(t("Name"), 3, (row) => shown(row.nombre), { shrinkTo: 12 }),
    column(t("Old price"), 1, (row) => price(row.old_price, ui), { align: "right" }),
    column(t("New price"), 1, (row) => price(row.new_price, ui), { align: "right" }),
    column(t("Change"), 2, formatShare, { align: "right", style: ui.theme.bad }),
  ];
  const rest = all - prices.length;
  const refused = t(
    "Nothing was sent: {count, plural, one {# known price} other {# known prices}} would change by more than {limit}.",
    { count: count(all, ui), limit },
  );
  return `${[
    ...reportTitle(t("Catalog push"), source, ui),
    ...paragraph(refused, ui).map(ui.theme.bad),
    "",
    table(columns, prices, ui).trimEnd(),
    ...(rest > 0 ? note(moreText(rest, ui), ui) : []),
  ].join("\n")}\n`;
}

/** Refuses a push for `--max-price-change`. Throws `price_change_too_large`, below the table of those prices. */
export async function checkPriceChanges(
  { output, branchName }: Pick<Session, "output" | "branchName">,
  { changes }: Pick<Comparison, "changes">,
  { file, limit }: { file: string | null; limit: number },
): Promise<void> {
  const beyond = pricesBeyond(changes, limit);
  if (beyond.length === 0) return;

  const worst = beyond.toSorted((a, b) => priceFactor(b) - priceFactor(a)).slice(0, maxNamed);
  const facts = { limit: `${limit}%`, count: beyond.length, prices: worst };
  if (output.format === "table")
    await output.data(priceChangesReport(facts, output.ui, { file, branch: branchName }));
  throw new BposError("price_change_too_large", facts);
}

/** Refuses to deactivate too many products. Throws `too_many_missing` beyond `--max-deactivate`: a file that was cut off must not empty a shop. */
export function checkDeactivations(
  missing: number,
  known: number,
  limit: { share: number } | { count: number } = { share: 0.2 },
  isUndo = false,
): void {
  const max = "count" in limit ? limit.count : known * limit.share;
  if (missing <= max) return;
  const said = "count" in limit ? String(limit.count) : `${Math.round(limit.share * 100)}%`;
  throw new BposError("too_many_missing", { missing, known, limit: said, ...(isUndo && { isUndo }) });
}
