import type { CatalogItem } from "../contract/catalog.ts";
import { columnMissing, fold, isErrorColumn, knownColumn, namedColumn } from "./columns.ts";
import { unusable } from "./file.ts";
import type { Notice } from "./problems.ts";
import type { TableHead } from "./table.ts";

type Field = keyof CatalogItem;

/** Header names, folded, by which each field goes in the exports of points of sale. */
const synonyms: Readonly<Record<Field, readonly string[]>> = {
  codigo: [
    "codigo",
    "cod",
    "codigo producto",
    "codigo de producto",
    "codigo articulo",
    "codigo de articulo",
    "codigo interno",
    "cod producto",
    "cod articulo",
    "sku",
    "plu",
    "code",
  ],
  nombre: [
    "nombre",
    "nombre producto",
    "nombre del producto",
    "descripcion",
    "producto",
    "detalle",
    "name",
    "nome",
    "descricao",
    "produto",
  ],
  categoria: ["categoria", "rubro", "familia", "category"],
  precio: [
    "precio",
    "precio de venta",
    "precio venta",
    "precio unitario",
    "precio final",
    "importe",
    "pvp",
    "price",
    "preco",
  ],
  deshabilitado: ["deshabilitado", "inactivo", "disabled"],
};

/** Header names whose "yes" means that the product is not disabled. */
const activeNames = ["activo", "activa", "habilitado", "ativo", "active", "enabled"];

/** Where each field stands in a row; -1 when the file has no such column. */
export interface CatalogColumns {
  codigo: number;
  nombre: number;
  categoria: number;
  precio: number;
  deshabilitado: number;
  /** True when the column says "active", the inverse of `deshabilitado`. */
  inverse: boolean;
  /** Headers of the columns that no field takes, our own `error` left out. */
  unused: readonly string[];
  notices: Notice[];
}

/** What a person said of the columns: field to header. */
export interface ColumnWishes {
  map?: FieldMap | undefined;
  /** Kept from an earlier file: what it says counts where this file has that header and `map` says nothing else. */
  keptMap?: FieldMap | undefined;
}

type FieldMap = Readonly<Record<string, string>>;

/** `activo` is the inverse of `deshabilitado`: what is said of one is said of both. */
const fieldOf = (name: string): string => (name === "activo" ? "deshabilitado" : name);

/** Two mappings as one, field by field: what `map` says of a field or a header counts, whatever `kept` says of it. */
export function mergedMap(kept: FieldMap, map: FieldMap): FieldMap {
  const fields = new Set(Object.keys(map).map(fieldOf));
  const headers = new Set(Object.values(map).map(fold));
  const rest = Object.entries(kept).filter(
    ([name, header]) => !fields.has(fieldOf(name)) && !headers.has(fold(header)),
  );
  return { ...Object.fromEntries(rest), ...map };
}

function wishesFor(table: TableHead, { map = {}, keptMap = {} }: ColumnWishes): FieldMap {
  const there = new Set(table.columns.map(fold));
  const kept = Object.entries(keptMap).filter(([, header]) => there.has(fold(header)));
  return mergedMap(Object.fromEntries(kept), map);
}

const mappable = [...(Object.keys(synonyms) as Field[]), "activo"];

/**
 * Finds the columns of a catalog by what a person said of them, else by their usual names.
 *
 * @throws BposError input_unusable
 */
export function catalogColumns(table: TableHead, wishes: ColumnWishes = {}): CatalogColumns {
  const map = wishesFor(table, wishes);
  for (const field of Object.keys(map)) {
    if (!mappable.includes(field))
      throw unusable(table.file, { kind: "field_unknown", field, known: mappable });
  }
  const find = (field: Field, names: readonly string[], header = map[field]): number =>
    (header === undefined ? knownColumn(table, field, names) : namedColumn(table, "--map", header)) ?? -1;

  const deshabilitado = find(
    "deshabilitado",
    [...synonyms.deshabilitado, ...activeNames],
    map["activo"] ?? map["deshabilitado"],
  );
  const columns = {
    codigo: find("codigo", synonyms.codigo),
    nombre: find("nombre", synonyms.nombre),
    categoria: find("categoria", synonyms.categoria),
    precio: find("precio", synonyms.precio),
    deshabilitado,
    inverse: map["activo"] !== undefined || activeNames.includes(fold(table.columns[deshabilitado] ?? "")),
  };
  if (columns.codigo < 0) throw columnMissing(table, "codigo");
  const used = [columns.codigo, columns.nombre, columns.categoria, columns.precio, deshabilitado];
  const ignored = table.columns.filter(
    (header, index) => !used.includes(index) && header !== "" && !isErrorColumn(header),
  );
  return {
    ...columns,
    unused: ignored,
    notices: ignored.length === 0 ? [] : [{ kind: "columns_ignored", columns: ignored }],
  };
}
