import { count, shown } from "../../cli/display/format.ts";
import { type Column, column, listing, listText } from "../../cli/display/table.ts";
import { note, paragraph, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session/session.ts";
import type { CatalogItem } from "../../contract/catalog.ts";
import { exitCodes } from "../../errors.ts";
import { readStationMap, routeProduct, toStations } from "../../printing/printing.ts";
import { quoted } from "../../texts/phrases.ts";
import type { StationsFlags } from "./command.ts";
import type { StationsReport } from "./report.ts";

/** Shows which station prints each product that the journal knows; the exit code is 3 if one has none, so that all stations print it. */
export async function showStations(runtime: Runtime, { stationMap }: StationsFlags): Promise<void> {
  const needs = { address: "base_url", formats: ["table", "json"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { settings, output } = session;
    const stations = toStations(settings.stations, settings.profile);
    const map =
      stationMap === undefined
        ? undefined
        : await readStationMap(runtime.system, stationMap, output, [stations]);
    const known = stations.length === 0 ? [] : await readProducts(session);
    const rows = known.map((product): RoutedProduct => {
      const { codigo, categoria } = product;
      const { names, isEverywhere } = routeProduct(stations, { codigo, categoria }, map);
      return { ...product, stations: names, isEverywhere };
    });

    const everywhere = rows.filter(({ isEverywhere }) => isEverywhere).map(({ codigo }) => codigo);
    if (everywhere.length > 0) runtime.exitCode = exitCodes.partial;
    if (output.format === "table") return output.data(productsTable(rows, stations.length > 0, output.ui));
    const report: StationsReport = {
      stations: stations.map(({ name, printer, categories }) => {
        const products = rows.filter((row) => row.stations.includes(name)).map(({ codigo }) => codigo);
        return { name, printer: printer.url, categories: [...categories], products };
      }),
      everywhere,
    };
    await output.document(report);
  });
}

type Product = Pick<CatalogItem, "codigo" | "nombre" | "categoria">;

interface RoutedProduct extends Product {
  stations: string[];
  isEverywhere: boolean;
}

/** Returns the active products as the journal knows them, sorted by code. */
async function readProducts(session: Session): Promise<Product[]> {
  const { journal, branch } = await session.openJournal();
  const products: Product[] = [];
  for await (const page of journal.catalog.activePages(branch)) {
    for (const item of JSON.parse(`[${page.list.toString()}]`) as CatalogItem[]) products.push(item);
    const uncertain = await journal.catalog.get(branch, page.uncertain);
    for (const [codigo, { item }] of uncertain) products.push({ ...item, codigo });
  }
  return products.sort((a, b) => (a.codigo < b.codigo ? -1 : 1));
}

/** Says where the products print: those without a station print at every one. */
function footWords(rows: readonly RoutedProduct[], hasStations: boolean, ui: Ui): string[] {
  const { t } = ui.texts;
  const everywhere = rows.filter(({ isEverywhere }) => isEverywhere);
  if (everywhere.length > 0) {
    const products = count(everywhere.length, ui);
    const categories = [...new Set(everywhere.flatMap(({ categoria }) => categoria ?? []))];
    const said =
      categories.length === 0
        ? t("{products, plural, one {# product prints} other {# products print}} at every station.", {
            products,
          })
        : t(
            "{products, plural, one {# product prints} other {# products print}} at every station. No station has {categories}.",
            { products, categories: categories.map(quoted).join(", ") },
          );
    return paragraph(said, ui).map(ui.theme.warn);
  }
  if (rows.length > 0) {
    const facts = { products: count(rows.length, ui) };
    return note(
      t(
        "{products, plural, one {# product prints at its stations} other {# products print at their stations}}.",
        facts,
      ),
      ui,
    );
  }
  return note(
    t(
      hasStations
        ? "The journal has no products of this branch, so every item prints at every station. To record them, run `bpos catalog push FILE --changed-only`."
        : "No stations yet: `bpos profile station add NAME --printer URL --category CATEGORY` adds one.",
    ),
    ui,
  );
}

function productsTable(rows: readonly RoutedProduct[], hasStations: boolean, ui: Ui): string {
  const { t } = ui.texts;
  const all: Column<RoutedProduct>[] = [
    column(t("Code"), 1, ({ codigo }) => codigo, { shrinkTo: 8 }),
    column(t("Product"), 3, ({ nombre }) => shown(nombre), { shrinkTo: 12 }),
    column(t("Category // of the menu"), 2, ({ categoria }) => shown(categoria), { shrinkTo: 8 }),
    column(t("Stations"), 1, ({ stations }) => stations.join(", "), {
      style: (cell, { isEverywhere }) => (isEverywhere ? ui.theme.warn(cell) : cell),
    }),
  ];
  const foot = footWords(rows, hasStations, ui);
  return listText(listing(all, rows, { head: title(t("Products and their stations"), ui), foot }, ui), ui);
}
