import { amount, count, currencyDecimals, number, shown } from "../../cli/display/format.ts";
import type { Output } from "../../cli/display/output.ts";
import { type Column, column, table } from "../../cli/display/table.ts";
import { heading } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session/session.ts";
import { BposError } from "../../errors.ts";
import type { JournalCall } from "../../journal/sends.ts";
import { configFile } from "../../settings/folders.ts";
import { type RateCard, toRateCard } from "../../settings/rates.ts";
import { digits } from "../status/read.ts";
import type { SendPlan } from "./plan.ts";
import { type Cost, computeCost, decimals, type Pricing, toUnits } from "./prices.ts";
import { leftOutByPhone, type SentCampaign } from "./report.ts";
import { phonesIn } from "./schedule.ts";

/** The rate card of the profile; undefined without one. Throws `rates_unusable`. */
export const readRates = (
  { system }: Pick<Runtime, "system">,
  { rates }: Session["settings"],
): RateCard | undefined => rates && toRateCard(rates, configFile(system));

function* phonesOf<C>(calls: readonly C[], phones: (call: C) => readonly string[]): Generator<string> {
  for (const call of calls) yield* phones(call);
}

/** What a plan would cost; undefined without a rate card. */
export function planCost({ pending, calls }: SendPlan, { rates }: Partial<Pricing> = {}): Cost | undefined {
  return rates && computeCost(phonesOf([...pending, ...calls], phonesIn), rates);
}

/** The phones of a call that was answered, without those that the service left out. */
function phonesAccepted(call: { body: string }, errors: readonly string[]): string[] {
  const leftOut = leftOutByPhone(errors);
  return phonesIn(call).filter((phone) => !leftOut.has(digits(phone)));
}

/** What these calls, which went out, cost; undefined without a rate card. */
export function spentCost(
  calls: readonly JournalCall[],
  campaigns: readonly SentCampaign[],
  rates: RateCard | undefined,
): Cost | undefined {
  const errors = new Map(campaigns.map((each) => [each.idempotency_key, each.recipients.errors]));
  const accepted = (call: JournalCall): string[] =>
    phonesAccepted(call, errors.get(call.idempotency_key) ?? []);
  return rates && computeCost(phonesOf(calls, accepted), rates);
}

const unpricedCountries = ({ countries }: Cost): string[] =>
  countries.flatMap(({ country, price }) => (price === null ? (country ?? "?") : []));

/** Throws `cost_unknown` and `cost_too_high` where `--max-cost` was given. */
export function checkCost(plan: SendPlan, { rates, maxCost }: Partial<Pricing> = {}): void {
  if (maxCost === undefined) return;
  const cost = planCost(plan, { rates });
  if (cost === undefined) throw new BposError("cost_unknown", { countries: [], people: plan.planned });
  const { unpriced: people, total, currency } = cost;
  if (people > 0) throw new BposError("cost_unknown", { countries: unpricedCountries(cost), people });
  const scale = Math.max(decimals(total), decimals(maxCost));
  if (toUnits(total, scale) > toUnits(maxCost, scale))
    throw new BposError("cost_too_high", { cost: total, maxCost, currency });
}

export async function warnOfUnpriced(output: Output, cost: Cost | undefined): Promise<void> {
  if (cost === undefined || cost.unpriced === 0) return;
  const people = count(cost.unpriced, output.errorUi);
  await output.warning(output.texts.cost.unpriced(people, unpricedCountries(cost).join(", ")));
}

/** Writes the amounts of a column with equally many decimals: of a price none is lost, a sum is rounded as its currency is paid, unless one would be nothing then. */
export function amountWriters({ currency, total, countries }: Cost, ui: Pick<Ui, "money" | "texts">) {
  const paid = currencyDecimals(currency);
  const prices = countries.flatMap(({ price }) => price ?? []);
  const sums = [total, ...countries.flatMap(({ cost }) => cost ?? [])];
  const most = (amounts: readonly string[]): number => Math.max(paid, ...amounts.map(decimals));
  const isNothing = (sum: string): boolean => Number(sum) > 0 && Number(sum) < 0.5 * 10 ** -paid;
  const write =
    (scale: number) =>
    (text: string | null): string =>
      text === null ? ui.texts.cost.noPrice : amount(text, currency, scale, ui);
  return { price: write(most(prices)), sum: write(sums.some(isNothing) ? most(sums) : paid) };
}

/** A country by its name in the language of the texts. */
export const countryName = (country: string | null, { texts }: Pick<Ui, "texts">): string =>
  country === null
    ? texts.cost.noCountry
    : (new Intl.DisplayNames(texts.language, { type: "region" }).of(country) ?? country);

export function costLines(cost: Cost | undefined, ui: Ui): string[] {
  if (cost === undefined || cost.countries.length === 0) return [];
  const words = ui.texts.cost;
  const write = amountWriters(cost, ui);
  type Row = Cost["countries"][number];
  const { warn, strong } = ui.theme;
  const style = (text: string, { price }: Row): string => (price === null ? warn(text) : text);
  const columns: Column<Row>[] = [
    column(words.columns.country, 1, ({ country }) => shown(countryName(country, ui)), { shrinkTo: 8 }),
    column(words.columns.recipients, 1, (row) => number(row.recipients, ui), { align: "right" }),
    column(words.columns.price, 2, (row) => write.price(row.price), { align: "right", style }),
    column(words.columns.cost, 1, (row) => write.sum(row.cost), { align: "right", style }),
  ];
  const total = words.total(write.sum(cost.total));
  return ["", ...heading(words.title, ui), table(columns, cost.countries, ui).trimEnd(), strong(total)];
}
