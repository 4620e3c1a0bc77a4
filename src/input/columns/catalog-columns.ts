import type { CatalogItem } from "../../contract/catalog.ts";
import type { CompetingColumns } from "../../errors/problems.ts";
import { unusable } from "../files/file.ts";
import { fold, isOwnColumn, isPrice, splitWords, withoutPrice } from "../files/headers.ts";
import type { TableHead } from "../files/table.ts";
import {
  columnMissing,
  columnOfLetter,
  competing,
  decideColumn,
  knownColumns,
  namedColumn,
  sayColumn,
  toCompeting,
} from "./choice.ts";

type Field = keyof CatalogItem;

/**
 * Header names, folded, by which each field goes in the exports of points of sale and shops. A name of a
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

/** Headers of a name beside which a description may be the name, too. */
const products: readonly string[] = ["producto", "produto"];

const namesOf = (field: Field): string[] => synonyms[field].join(",").split(",");

/** Words that tell several prices of a product apart; two headers of one list are prices without saying so. */
const alternatives = [
  ["chica", "chico", "mediana", "mediano", "grande", "familiar", "individual"],
  "lista efectivo contado tarjeta debito credito transferencia promo promocion oferta".split(" "),
  ["con iva", "sin iva", "mas iva", "c iva", "s iva"],
  ["viejo", "anterior", "actual", "nuevo"],
  ["mayorista", "minorista"],
];
/** Places of sale: without a price of another place beside it, such a column may say whether the product is sold there. */
const places = ["mostrador", "salon", "delivery"];

function priceColumns(table: TableHead): readonly number[] {
  const headers = table.columns.map(splitWords);
  const besides = (header: string): string =>
    withoutPrice(header)
      .replace(/\bde\b/g, "")
      .trim();
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
  /** True if the column of `deshabilitado` was taken by guess: it counts while it holds nothing but yes and no. */
  tentative: boolean;
  /** Columns that may say whether a product is for sale, and that no field takes. */
  sale: readonly SaleColumn[];
  /** Headers of the columns that no field takes, our own left out. */
  unused: readonly string[];
  /** Keys of single JSON objects, each with the column that the other objects have instead. */
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

/** Returns whether there is a known column beside the one of codes. */
export const hasMoreThanCodes = (cells: readonly string[]): boolean => {
  const others = (["nombre", "categoria", "precio", "deshabilitado"] as const).flatMap(namesOf);
  const known = [...others, ...activeNames];
  return cells.some((cell) => known.includes(fold(cell)) || isPrice(splitWords(cell)));
};

/** Returns whether a row is the header of a catalog: it names the column of codes. */
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
