import { describeError } from "../../cli/display/output.ts";
import type { Session } from "../../cli/session/session.ts";
import type { CatalogAction, CatalogItem } from "../../contract/catalog.ts";
import { BposError } from "../../errors.ts";
import type { Catalog } from "../../journal/records/catalog.ts";
import { foldName, routeProduct, type Station, toStations } from "../../printing/printing.ts";
import { quoted } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import { type ItemList, sliceItems } from "../item-list.ts";

const atOnce = 2_000;

interface Pushed {
  action: CatalogAction;
  items: Pick<ItemList, "length" | "item">;
}

/** Returns the categories of these products that no station has, as first written, by their folded names. */
function findUnprinted(
  items: readonly Partial<CatalogItem>[],
  stations: readonly Station[],
): Map<string, string> {
  const found = new Map<string, string>();
  for (const { categoria } of items) {
    if (typeof categoria !== "string" || categoria.trim() === "" || found.has(foldName(categoria))) continue;
    if (routeProduct(stations, { codigo: null, categoria }).isEverywhere)
      found.set(foldName(categoria), categoria);
  }
  return found;
}

function unprintedWords(all: readonly string[], t: T): string {
  const categories = all.slice(0, 5).map(quoted).join(", ");
  const more = all.length - 5;
  return more > 0
    ? t(
        "Warning: no station has the new categories {categories} and {more} more. Their products print at every station.",
        { categories, more },
      )
    : t(
        "Warning: no station has the new {count, plural, one {category} other {categories}} {categories}. {count, plural, one {Its} other {Their}} products print at every station.",
        { categories, count: all.length },
      );
}

/** Warns of categories that no station has, and that no product had before this push. A problem with the stations never stops a push. */
export async function warnOfCategories(
  { settings, output }: Session,
  catalog: Catalog,
  branch: string,
  requests: readonly Pushed[],
): Promise<void> {
  let stations: Station[];
  try {
    stations = toStations(settings.stations, settings.profile);
  } catch (error) {
    if (!(error instanceof BposError)) throw error;
    return output.warning(await describeError(error, output.texts));
  }
  if (stations.length === 0) return;

  const found = new Map<string, string>();
  for (const { action, items } of requests)
    for (let from = 0; action === "upsert" && from < items.length; from += atOnce)
      for (const [key, category] of findUnprinted(sliceItems(items, from, atOnce), stations))
        found.set(key, category);
  if (found.size === 0) return;
  for await (const { list } of catalog.activePages(branch))
    for (const { categoria } of JSON.parse(`[${list.toString()}]`) as CatalogItem[])
      found.delete(foldName(categoria ?? ""));
  if (found.size > 0) await output.warning(unprintedWords([...found.values()], output.texts.t));
}
