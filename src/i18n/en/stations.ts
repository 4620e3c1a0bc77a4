import type { Count } from "../../texts/phrases.ts";
import { plural, quoted } from "../../texts/phrases.ts";

/** What `bpos profile station` and `bpos printer stations` say, and pushes of the stations. */
export const stations = {
  title: "Stations",
  routed: "Products and their stations",
  columns: {
    station: "Station",
    printer: "Printer",
    prints: "Prints",
    copies: "Copies",
    code: "Code",
    product: "Product",
    category: "Category",
    stations: "Stations",
  },
  everything: "everything",
  none: "No stations yet: `bpos profile station add NAME --printer URL --category CATEGORY` adds one.",
  check: "`bpos printer stations` shows which station prints each product.",
  noProducts:
    "The journal knows no products of this branch: every line prints at every station. `bpos catalog push FILE --changed-only` makes them known.",
  all: (products: Count) =>
    `${plural(products, "product prints", "products print")} at the stations that have it.`,
  everywhere: (products: Count, categories: readonly string[]) =>
    `${plural(products, "product prints", "products print")} at every station${categories.length === 0 ? "" : `: no station has ${categories.map(quoted).join(", ")}`}.`,
  added: (station: string, profile: string) =>
    `The station ${station} is in the profile ${quoted(profile)}. A watch uses it from its next start on.`,
  removed: (station: string, profile: string) =>
    `The station ${station} is no longer in the profile ${quoted(profile)}. From its next start on a watch prints what waits for it at the others.`,
  removedLast: (station: string, profile: string) =>
    `The station ${station} is no longer in the profile ${quoted(profile)}, which has no other. From its next start on a watch prints whole orders at the printer of the profile, or of \`--printer\`, with what waits for the station.`,
  unprinted: (categories: readonly string[]) =>
    `Warning: no station has the new ${categories.length === 1 ? "category" : "categories"} ${categories.slice(0, 5).map(quoted).join(", ")}${categories.length > 5 ? ` and ${categories.length - 5} more` : ""}: every station prints ${categories.length === 1 ? "its" : "their"} products.`,
};
