import { encodedOnce } from "./double-encoded.ts";

/** Returns a header in the form in which headers are compared: without accents, case, punctuation, and remains of an encoding or a web page. */
export function fold(header: string): string {
  return (encodedOnce(header) ?? header)
    .normalize("NFD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Matches a header of a column of prices; other words in it, such as `chica` or `con IVA`, do not matter. */
const saysPrice =
  /(?:^| )(?:precios?|pcios?|prices?|precos?|pvp|p v p)(?= |$)|^(?:p|pr|prec) (?:u|un|uni|unit|unitario|venta|vta|final|publico|lista|contado|efectivo|tarjeta)(?= |$)|^(?:pu|punit|prec)$/;
/** Matches a price at which nothing is sold, or another fact about a price: `Aumento de precio`, but not `Precio con aumento`. */
const saysOther =
  /(?:^| )(?:costos?|coste|cost|custo|compra|purchase|fecha|date|moneda|currency|proveedor|codigo|cod|id)(?= |$)|(?:^| )(?:tipo|cambio|actualizacion|variacion|aumento|diferencia|margen|porcentaje|vigencia|modif|modificacion|compare) (?:.* )?(?:precios?|pcios?|prices?|precos?|pvp)(?= |$)|(?:^| )(?:supply|measure)(?= |$)|^(?:price|precio|preco) (?:type|tipo|unit)$|^dia en que |^lista (?:de )?precios?$/;

/** Returns a folded header as words: `PrecioVenta` and `Precio2` are two each. */
export const splitWords = (header: string): string =>
  fold((encodedOnce(header) ?? header).replace(/(\p{Ll})(?=\p{Lu}|\d)/gu, "$1 "));

export const isPrice = (header: string): boolean => saysPrice.test(header) && !saysOther.test(header);

/** Returns a header without the words by which it says that it is a price. */
export const withoutPrice = (header: string): string =>
  isPrice(header) ? header.replace(saysPrice, "") : header;

/**
 * Returns the names of a header of two rows, such as `Precio` in merged cells above `Chica` and `Grande`: undefined unless the row
 * below holds names under prices only.
 */
export function joinedHeader(
  header: readonly string[],
  below: readonly string[] | undefined,
): string[] | undefined {
  let over = "";
  const names = header.map((name, at) => {
    const under = below?.[at]?.trim() ?? "";
    const isAlone = (header[at + 1] ?? ".") !== "" || !isPrice(splitWords(name));
    over = name === "" ? over : isAlone ? "" : name;
    return under === "" ? name : /\p{L}/u.test(under) && over !== "" ? `${over} ${under}` : null;
  });
  const isJoined = names.some((name, at) => name !== header[at] && header[at] === "");
  return isJoined && !names.includes(null) ? names.map((name) => name ?? "") : undefined;
}

/**
 * The columns that our own rejected files add, in this order; a corrected file is read as if they were not there. The last two
 * only where a row is to stay out until somebody has looked at it: what to do is in one, the mark that holds it in the other.
 */
export const ownColumns = { error: "error", info: "bpos_info", hold: "bpos_hold" } as const;

const ownHeaders = Object.values(ownColumns).map(fold);

export const isOwnColumn = (header: string): boolean => ownHeaders.includes(fold(header));
