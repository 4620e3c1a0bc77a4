import { plural, quoted } from "../../texts/phrases.ts";
import type { stations as en } from "../en/stations.ts";

/** Lo que dicen `bpos profile station` y `bpos printer stations`, y los envíos sobre las estaciones. */
export const stations: typeof en = {
  title: "Estaciones",
  routed: "Productos y sus estaciones",
  columns: {
    station: "Estación",
    printer: "Impresora",
    prints: "Imprime",
    copies: "Copias",
    code: "Código",
    product: "Producto",
    category: "‹Categoría›",
    stations: "Estaciones",
  },
  everything: "todo",
  none: "Todavía no hay estaciones: `bpos profile station add NOMBRE --printer URL --category ‹CATEGORÍA›` agrega una.",
  check: "`bpos printer stations` muestra qué estación imprime cada producto.",
  noProducts:
    "El registro no conoce productos de esta sucursal: cada línea sale en todas las estaciones. `bpos catalog push ARCHIVO --changed-only` los da a conocer.",
  all: (products) =>
    `${plural(products, "producto sale", "productos salen")} en las estaciones que lo tienen.`,
  everywhere: (products, categories) =>
    `${plural(products, "producto sale", "productos salen")} en todas las estaciones${categories.length === 0 ? "" : `: ninguna tiene ${categories.map(quoted).join(", ")}`}.`,
  added: (station, profile) =>
    `La estación ${station} está en el perfil ${quoted(profile)}. Un watch la usa desde que arranca de nuevo.`,
  removed: (station, profile) =>
    `La estación ${station} ya no está en el perfil ${quoted(profile)}. Un watch, cuando arranca de nuevo, imprime en las otras lo que la espera.`,
  removedLast: (station, profile) =>
    `La estación ${station} ya no está en el perfil ${quoted(profile)}, que no tiene otra. Un watch, cuando arranca de nuevo, imprime pedidos enteros en la impresora del perfil, o de \`--printer\`, con lo que espera a la estación.`,
  unprinted: (categories) =>
    `Atención: ninguna estación tiene ${categories.length === 1 ? "‹la categoría nueva›" : "‹las categorías nuevas›"} ${categories.slice(0, 5).map(quoted).join(", ")}${categories.length > 5 ? ` y ${categories.length - 5} más` : ""}: sus productos salen en todas.`,
};
