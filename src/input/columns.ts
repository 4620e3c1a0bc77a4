import type { CatalogItem } from "../contract/catalog.ts";
import type { CompetingColumns } from "../errors/problems.ts";
import { encodedOnce } from "./files/decode.ts";
import { unusable } from "./files/file.ts";
import type { TableHead } from "./files/table.ts";

/** A header as it is compared: without accents, case, punctuation, and what an encoding or a web page left in it. */
export function fold(header: string): string {
  return (encodedOnce(header) ?? header)
    .normalize("NFD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** `A` is the first column, as in a spreadsheet. */
function toLetter(column: number): string {
  const before = Math.floor(column / 26) - 1;
  return (before < 0 ? "" : toLetter(before)) + String.fromCharCode(65 + (column % 26));
}

const columnOfLetter = (letter: string): number =>
  /^[A-Z]{1,3}$/.test(letter)
    ? Array.from(letter).reduce((sum, each) => sum * 26 + each.charCodeAt(0) - 64, 0) - 1
    : -1;

/** What a flag cannot carry through a shell as it stands, or a person cannot type. */
const unsayable = /[,="'`$\\!%]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

function toCompeting(table: TableHead, field: string, found: readonly number[]): CompetingColumns {
  const columns = found.map((index) => table.columns[index] ?? "");
  return { field, columns, choices: found.map((index) => sayColumn(table, index)) };
}

/** How `--map` names a column: by its header, or by its letter. */
function sayColumn(table: TableHead, index: number): string {
  const header = table.columns[index] ?? "";
  const isOne = table.columns.filter((each) => each === header).length === 1;
  return isOne && !unsayable.test(header) ? header : toLetter(index);
}

const competing = (table: TableHead, fields: readonly CompetingColumns[]): Error =>
  unusable(table.file, { kind: "columns_compete", fields });

/** The column of that header, of its letter where no header is called so; `field` where two of one name compete for it. */
export function namedColumn(table: TableHead, flag: string, name: string, field?: string): number {
  const { columns } = table;
  const where = (matches: (column: string) => boolean): number[] =>
    columns.flatMap((column, index) => (matches(column) ? [index] : []));
  const exact = where((column) => column === name);
  const alike = exact.length > 0 ? exact : where((column) => fold(column) === fold(name));
  const found = alike.length > 0 ? onlyVisible(table, alike) : [columnOfLetter(name)];
  const [index = -1, other] = found;
  if (index < 0 || index >= columns.length)
    throw unusable(table.file, { kind: "column_unknown", flag, column: name, headers: columns });
  if (other !== undefined && field !== undefined) throw competing(table, [toCompeting(table, field, found)]);
  return index;
}

/** The visible ones of these columns; the hidden ones where all are. */
function onlyVisible({ hidden }: TableHead, found: readonly number[]): readonly number[] {
  const visible = found.filter((index) => hidden?.has(index) !== true);
  return visible.length > 0 ? visible : found;
}

/** The only one of the columns, or the one of them that `letter` names; -1 for none, undefined where nobody can tell. */
function decideColumn(table: TableHead, found: readonly number[], letter = ""): number | undefined {
  const [index = -1, ...others] = found;
  if (others.length === 0) return index;
  const chosen = columnOfLetter(letter);
  return found.includes(chosen) ? chosen : defaultColumn(table, found);
}

/** The key that most objects of a JSON have, where the others stand in objects without it: those are odd, and no second column. */
function defaultColumn({ filled }: TableHead, found: readonly number[]): number | undefined {
  if (filled === undefined) return undefined;
  const { rows, counts } = filled;
  const count = (index: number): number => counts[index] ?? 0;
  const [usual = -1, ...others] = [...found].sort((one, other) => count(other) - count(one));
  const odd = others.reduce((sum, index) => sum + count(index), 0);
  return count(usual) * 2 > rows && odd <= rows - count(usual) ? usual : undefined;
}

function knownColumns({ columns }: TableHead, names: readonly string[]): number[] {
  return columns.flatMap((column, index) => (names.includes(fold(column)) ? [index] : []));
}

export function columnMissing(
  table: TableHead,
  field: string,
  also: readonly CompetingColumns[] = [],
): Error {
  const of = table.format === "csv" ? "text" : table.format === "xlsx" ? "sheet" : "json";
  return unusable(table.file, { kind: "column_missing", field, headers: table.columns, of, also });
}

/**
 * The columns that our own rejected files add, in this order; a corrected file is read as if they were not there. The last two
 * only where a row is to stay out until somebody has looked at it: what to do is in one, the mark that holds it in the other.
 */
export const ownColumns = { error: "error", info: "bpos_info", hold: "bpos_hold" } as const;

const ownHeaders = Object.values(ownColumns).map(fold);

export const isOwnColumn = (header: string): boolean => ownHeaders.includes(fold(header));

const phoneNames =
  "telefono,telefono celular,telefono movil,numero de telefono,tel,phone,phone number,celular,numero de celular,cel,movil,mobile,whatsapp,numero,telefone".split(
    ",",
  );

/** -1 where none is called so. */
export function phoneColumn(table: TableHead, named: string | undefined): number {
  if (named !== undefined) return namedColumn(table, "--phone-column", named, "phone");
  const found = onlyVisible(table, knownColumns(table, phoneNames));
  const column = decideColumn(table, found);
  if (column === undefined) throw competing(table, [toCompeting(table, "phone", found)]);
  return column;
}

export const isPhoneHeader =
  (named: string | undefined) =>
  (cells: readonly string[]): boolean => {
    const names = named === undefined || columnOfLetter(named) >= 0 ? phoneNames : [fold(named)];
    return cells.some((cell) => names.includes(fold(cell)));
  };

const personNames =
  "nombre,nombre completo,nombre y apellido,nombre cliente,nombre del cliente,cliente,name,full name,first name,customer,customer name,nome".split(
    ",",
  );

/** The place of the column with a person's name; -1 where none is called so. */
export const nameColumn = (columns: readonly string[]): number =>
  columns.findIndex((column) => personNames.includes(fold(column)));

type Field = keyof CatalogItem;

/**
 * Header names, folded, by which each field goes in the exports of points of sale and shops (docs/catalog-files.md). A name of a
 * later list counts only where no column has one of an earlier.
 */
const synonyms: Readonly<Record<Field, readonly string[]>> = {
  codigo: [
    "codigo,cod,codigo producto,codigo de producto,codigo del producto,codigo do produto,codigo articulo,codigo de articulo,codigo del articulo,codigo interno,codigo sku,cod producto,cod articulo,sku,plu,code",
    "variant sku,product sku,product code,item code,internal reference,referencia interna,default code,reference,referencia",
  ],
  nombre: [
    "nombre,nombre producto,nombre del producto,nombre de producto,nombre del articulo,name,product name,item name,title,titulo,nome,nome do produto,producto,produto",
    "descripcion,detalle,descricao,description",
  ],
  categoria: [
    "categoria,rubro,familia,category",
    "categorias,categories,categories x y z,product category,categoria de producto,categoria del producto,categoria do produto",
  ],
  precio: ["importe,valor"],
  deshabilitado: ["deshabilitado,inactivo,disabled"],
};

/** Whichever of them holds the name of a product, a description may, too. */
const products: readonly string[] = ["producto", "produto"];

const namesOf = (field: Field): string[] => synonyms[field].join(",").split(",");

/** A header that says that its column holds a price. What it says besides, `chica` or `con IVA`, decides nothing. */
const saysPrice =
  /(?:^| )(?:precios?|pcios?|prices?|precos?|pvp|p v p)(?= |$)|^(?:p|pr|prec) (?:u|un|uni|unit|unitario|venta|vta|final|publico|lista|contado|efectivo|tarjeta)(?= |$)|^(?:pu|punit|prec)$/;
/** A price at which nothing is sold, or something else about a price: `Aumento de precio` is, `Precio con aumento` is a price. */
const saysOther =
  /(?:^| )(?:costos?|coste|cost|custo|compra|purchase|fecha|date|moneda|currency|proveedor|codigo|cod|id)(?= |$)|(?:^| )(?:tipo|cambio|actualizacion|variacion|aumento|diferencia|margen|porcentaje|vigencia|modif|modificacion|compare) (?:.* )?(?:precios?|pcios?|prices?|precos?|pvp)(?= |$)|(?:^| )(?:supply|measure)(?= |$)|^(?:price|precio|preco) (?:type|tipo|unit)$|^dia en que |^lista (?:de )?precios?$/;
/** What tells several prices of a product apart; two headers of one list are prices without saying so. */
const alternatives = [
  ["chica", "chico", "mediana", "mediano", "grande", "familiar", "individual"],
  "lista efectivo contado tarjeta debito credito transferencia promo promocion oferta".split(" "),
  ["con iva", "sin iva", "mas iva", "c iva", "s iva"],
  ["viejo", "anterior", "actual", "nuevo"],
  ["mayorista", "minorista"],
];
/** Where it is sold: without a price of another such place beside it a column may say whether it is. */
const places = ["mostrador", "salon", "delivery"];

/** `PrecioVenta` and `Precio2` are two words each. */
const splitWords = (header: string): string =>
  fold((encodedOnce(header) ?? header).replace(/(\p{Ll})(?=\p{Lu}|\d)/gu, "$1 "));

const isPrice = (header: string): boolean => saysPrice.test(header) && !saysOther.test(header);

/**
 * The names of a header of two rows, such as `Precio` in merged cells above `Chica` and `Grande`: undefined unless the row
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

function priceColumns(table: TableHead): readonly number[] {
  const headers = table.columns.map(splitWords);
  const besides = (header: string): string =>
    (isPrice(header) ? header.replace(saysPrice, "") : header).replace(/\bde\b/g, "").trim();
  const isBeside = (list: readonly string[], others: readonly string[], header: string): boolean =>
    list.includes(header) && others.some((other) => other !== header && list.includes(besides(other)));
  const prices = headers.filter(isPrice);
  const isAmong = (header: string): boolean =>
    alternatives.some((list) => isBeside(list, headers, header)) || isBeside(places, prices, header);
  const isHidden = (index: number): boolean => table.hidden?.has(index) === true;
  const certain = headers.flatMap((each, index) => (isPrice(each) || isAmong(each) ? [index] : []));
  const visible = certain.filter((index) => !isHidden(index));
  if (visible.length > 0) return visible;
  // An amount beside a price is something else; alone it is the price.
  const amounts = knownColumns(table, namesOf("precio"));
  const rest = [...certain, ...amounts.filter((index) => !isHidden(index))];
  return rest.length > 0 ? rest : amounts;
}

const activeNames = [
  "activo",
  "activa",
  "habilitado",
  "ativo",
  "active",
  "enabled",
  "active 0 1",
  "activo 0 1",
];

/** Headers, folded, of columns that may say whether a product is for sale, or that it is not. */
const saysOnSale =
  /^(?:available(?: for sale)?|for sale|sellable|sale ok|can be sold|published(?: on online store)?|visible(?: en .+)?|visibility(?: in catalog)?|square online item visibility|status|online|enabled .+|show (?:in|on) .+|a la venta|en venta|disponible(?: para (?:la )?venta)?|se vende|se puede vender|puede ser vendido|vendible|habilitado para (?:la )?venta|publicado|publicada|visibilidad(?: en el catalogo)?|mostrar(?: en .+)?|estado(?: de la publicacion)?|situacion|a venda|disponivel|pode ser vendido|visibilidade|exibir(?: na loja)?|permitir inclusao nas vendas|situacao)$/;
const saysOffSale =
  /^(?:not for sale|discontinued|hidden|archived|inactive|deleted|no vender|discontinuado|discontinuada|descontinuado|descontinuada|oculto|oculta|archivado|archivada|pausado|pausada|suspendido|suspendida|dado de baja|de baja|baja|inactiva|bloqueado|bloqueada|inativo|arquivado|suspenso)$/;

/** The field that a column would be, which says whether a product is for sale; a branch may stand behind its name. */
function saleField(header: string): "activo" | "deshabilitado" | undefined {
  const name = fold(header.replace(/\s*[[(][^\])]*[\])]\s*$/, ""));
  if (saysOnSale.test(name)) return "activo";
  return saysOffSale.test(name) ? "deshabilitado" : undefined;
}

type SaleColumn = { column: string; field: "activo" | "deshabilitado"; choice: string };

function saleColumns(table: TableHead): { at: number; field: SaleColumn["field"] }[] {
  return table.columns.flatMap((header, at) => {
    const field = table.hidden?.has(at) === true ? undefined : saleField(header);
    return field === undefined ? [] : { at, field };
  });
}

export type CatalogColumns = Readonly<Record<Field, number>> & {
  inverse: boolean;
  /** Whether the column of `deshabilitado` is the only one that may say it: it counts while it holds nothing but yes and no. */
  tentative: boolean;
  /** Columns that may say whether a product is for sale, and that no field takes. */
  sale: readonly SaleColumn[];
  /** Headers of the columns that no field takes, our own left out. */
  unused: readonly string[];
  /** Of JSON: keys of single objects, each with the column that the others have for it. */
  odd: readonly { column: number; usual: number }[];
};

type FieldMap = Readonly<Record<string, string>>;

export interface ColumnWishes {
  map?: FieldMap | undefined;
  /** Kept from an earlier file: what it says counts where this file has that header and `map` says nothing else. */
  keptMap?: FieldMap | undefined;
  /** False where the only column that may say what is for sale holds something else. */
  trustsSale?: boolean;
}

/** `activo` is the inverse of `deshabilitado`: what is said of one is said of both. */
const findField = (name: string): string => (name === "activo" ? "deshabilitado" : name);

/** Two mappings as one, field by field: what `map` says of a field or a header counts, whatever `kept` says of it. */
export function mergedMap(kept: FieldMap, map: FieldMap): FieldMap {
  const fields = new Set(Object.keys(map).map(findField));
  const headers = new Set(Object.values(map).map(fold));
  const rest = Object.entries(kept).filter(
    ([name, header]) => !fields.has(findField(name)) && !headers.has(fold(header)),
  );
  return { ...Object.fromEntries(rest), ...map };
}

/** Whether another column than that of codes is there. */
export const hasMoreThanCodes = (cells: readonly string[]): boolean => {
  const others = (["nombre", "categoria", "precio", "deshabilitado"] as const).flatMap(namesOf);
  const known = [...others, ...activeNames];
  return cells.some((cell) => known.includes(fold(cell)) || isPrice(splitWords(cell)));
};

/** Whether a row is the header of a catalog: the column of codes is there. */
export const isCatalogHeader =
  ({ map = {}, keptMap = {} }: ColumnWishes) =>
  (cells: readonly string[]): boolean => {
    const { codigo } = map;
    const isNamed = codigo !== undefined && columnOfLetter(codigo) < 0;
    const kept = keptMap["codigo"] ?? "";
    const names = isNamed ? [fold(codigo)] : [...namesOf("codigo"), fold(kept)];
    const known = codigo === undefined || isNamed ? names : [...names, ...namesOf("nombre")];
    return cells.some((cell) => cell.trim() !== "" && known.includes(fold(cell)));
  };

/** The columns that may hold a field, by their headers. */
function likelyColumns(table: TableHead, field: Field, more: readonly string[]): readonly number[] {
  if (field === "precio") return priceColumns(table);
  const lists = synonyms[field].map((names) => knownColumns(table, [...names.split(","), ...more]));
  const isVisible = (index: number): boolean => table.hidden?.has(index) !== true;
  const found = lists.map((list) => list.filter(isVisible)).find((list) => list.length > 0);
  if (found === undefined) return lists.find((list) => list.length > 0) ?? [];
  const isPlain =
    field !== "nombre" || found.some((index) => !products.includes(fold(table.columns[index] ?? "")));
  return isPlain
    ? found
    : [
        ...found,
        ...lists
          .slice(1)
          .flat()
          .filter((index) => isVisible(index) && !found.includes(index)),
      ];
}

/** The columns of a catalog, by what a person said of them, else by their usual names; -1 for one that is not there. */
export function catalogColumns(
  table: TableHead,
  { map = {}, keptMap = {}, trustsSale = true }: ColumnWishes,
): CatalogColumns {
  const there = new Set(table.columns.map(fold));
  const kept = Object.entries(keptMap).filter(([, header]) => there.has(fold(header)));
  const wishes = mergedMap(Object.fromEntries(kept), map);
  const known = [...Object.keys(synonyms), "activo"];
  const field = Object.keys(wishes).find((name) => !known.includes(name));
  if (field !== undefined) throw unusable(table.file, { kind: "field_unknown", field, known });
  const doubts: CompetingColumns[] = [];
  const odd: { column: number; usual: number }[] = [];
  const find = (field: Field, header = wishes[field], more: readonly string[] = []): number => {
    if (header !== undefined) return namedColumn(table, "--map", header, field);
    const found = likelyColumns(table, field, more);
    // A letter that was kept only decides between columns that mean the same: other files have others there.
    const column = decideColumn(table, found, keptMap[field]);
    if (column === undefined) doubts.push(toCompeting(table, field, found));
    else if (table.filled !== undefined)
      odd.push(...found.flatMap((each) => (each === column ? [] : [{ column: each, usual: column }])));
    return column ?? -1;
  };
  const saysActive = wishes["activo"];
  const columns = {
    codigo: find("codigo"),
    nombre: find("nombre"),
    categoria: find("categoria"),
    precio: find("precio"),
    deshabilitado: find("deshabilitado", saysActive ?? wishes["deshabilitado"], activeNames),
  };
  // All at once: who names one column a run needs as many runs.
  if (columns.codigo < 0 && !doubts.some(({ field }) => field === "codigo"))
    throw columnMissing(table, "codigo", doubts);
  if (doubts.length > 0) throw competing(table, doubts);
  const { deshabilitado, inverse, tentative, sale } = decideSale(table, columns, { saysActive, trustsSale });
  const used = [...Object.values(columns), deshabilitado];
  const unused = table.columns.filter(
    (header, index) => !used.includes(index) && header !== "" && !isOwnColumn(header),
  );
  return { ...columns, deshabilitado, inverse, tentative, sale, unused, odd };
}

/** The column of `deshabilitado`: the one that was found, else the only one that may say what is for sale. */
function decideSale(
  table: TableHead,
  columns: Readonly<Record<Field, number>>,
  { saysActive, trustsSale }: { saysActive: string | undefined; trustsSale: boolean },
): Pick<CatalogColumns, "deshabilitado" | "inverse" | "tentative" | "sale"> {
  const { deshabilitado } = columns;
  if (deshabilitado >= 0) {
    const inverse =
      saysActive !== undefined || activeNames.includes(fold(table.columns[deshabilitado] ?? ""));
    return { deshabilitado, inverse, tentative: false, sale: [] };
  }
  const used = Object.values(columns);
  const found = saleColumns(table).filter(({ at }) => !used.includes(at));
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0 && trustsSale)
    return { deshabilitado: only.at, inverse: only.field === "activo", tentative: true, sale: [] };
  const sale = found.map(({ at, field }) => ({
    column: table.columns[at] ?? "",
    field,
    choice: sayColumn(table, at),
  }));
  return { deshabilitado, inverse: false, tentative: false, sale };
}
