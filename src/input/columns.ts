import type { CatalogItem } from "../contract/catalog.ts";
import { encodedOnce } from "./decode.ts";
import { unusable } from "./file.ts";
import type { TableHead } from "./table.ts";

/** A header as it is compared: without accents, case, punctuation, and what an encoding or a web page left in it. */
export function fold(header: string): string {
  return (encodedOnce(header) ?? header)
    .normalize("NFD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

export function namedColumn(table: TableHead, flag: string, name: string): number {
  const exact = table.columns.indexOf(name);
  const index = exact >= 0 ? exact : table.columns.findIndex((column) => fold(column) === fold(name));
  if (index < 0)
    throw unusable(table.file, { kind: "column_unknown", flag, column: name, headers: table.columns });
  return index;
}

function knownColumn(table: TableHead, field: string, names: readonly string[]): number | null {
  const found = table.columns.flatMap((column, index) => (names.includes(fold(column)) ? [index] : []));
  if (found.length > 1) {
    const columns = found.map((index) => table.columns[index] ?? "");
    throw unusable(table.file, { kind: "columns_compete", field, columns });
  }
  return found[0] ?? null;
}

export function columnMissing(table: TableHead, field: string): Error {
  return unusable(table.file, { kind: "column_missing", field, headers: table.columns });
}

/** The column that our own rejected files add; a corrected one is read as if it were not there. */
export const isErrorColumn = (header: string): boolean => fold(header) === "error";

/** True for what a spreadsheet leaves of a long number, such as `7,79123E+12`. */
export const hasLostDigits = (text: string): boolean => /^\+?\d(?:[.,]\d+)?E\+\d{2,}$/i.test(text);

const phoneNames =
  "telefono,telefono celular,telefono movil,numero de telefono,tel,phone,phone number,celular,numero de celular,cel,movil,mobile,whatsapp,numero,telefone".split(
    ",",
  );

export function phoneColumn(table: TableHead, named: string | undefined): number | null {
  return named === undefined
    ? knownColumn(table, "phone", phoneNames)
    : namedColumn(table, "--phone-column", named);
}

const personNames =
  "nombre,nombre completo,nombre y apellido,nombre cliente,nombre del cliente,cliente,name,full name,first name,customer,customer name,nome".split(
    ",",
  );

/** The place of the column with a person's name; -1 where none is called so. */
export const nameColumn = (columns: readonly string[]): number =>
  columns.findIndex((column) => personNames.includes(fold(column)));

type Field = keyof CatalogItem;

/** Header names, folded, by which each field goes in the exports of points of sale. */
const synonyms: Readonly<Record<Field, string>> = {
  codigo:
    "codigo,cod,codigo producto,codigo de producto,codigo articulo,codigo de articulo,codigo interno,cod producto,cod articulo,sku,plu,code",
  nombre:
    "nombre,nombre producto,nombre del producto,descripcion,producto,detalle,name,nome,descricao,produto",
  categoria: "categoria,rubro,familia,category",
  precio: "precio,precio de venta,precio venta,precio unitario,precio final,importe,pvp,price,preco",
  deshabilitado: "deshabilitado,inactivo,disabled",
};

const activeNames = ["activo", "activa", "habilitado", "ativo", "active", "enabled"];

export type CatalogColumns = Readonly<Record<Field, number>> & {
  inverse: boolean;
  /** Headers of the columns that no field takes, our own `error` left out. */
  unused: readonly string[];
};

type FieldMap = Readonly<Record<string, string>>;

export interface ColumnWishes {
  map?: FieldMap | undefined;
  /** Kept from an earlier file: what it says counts where this file has that header and `map` says nothing else. */
  keptMap?: FieldMap | undefined;
}

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

/** The columns of a catalog, by what a person said of them, else by their usual names; -1 for one that is not there. */
export function catalogColumns(table: TableHead, { map = {}, keptMap = {} }: ColumnWishes): CatalogColumns {
  const there = new Set(table.columns.map(fold));
  const kept = Object.entries(keptMap).filter(([, header]) => there.has(fold(header)));
  const wishes = mergedMap(Object.fromEntries(kept), map);
  const known = [...Object.keys(synonyms), "activo"];
  const field = Object.keys(wishes).find((name) => !known.includes(name));
  if (field !== undefined) throw unusable(table.file, { kind: "field_unknown", field, known });
  const find = (field: Field, header = wishes[field], more: readonly string[] = []): number =>
    (header === undefined
      ? knownColumn(table, field, [...synonyms[field].split(","), ...more])
      : namedColumn(table, "--map", header)) ?? -1;
  const saysActive = wishes["activo"];
  const deshabilitado = find("deshabilitado", saysActive ?? wishes["deshabilitado"], activeNames);
  const columns = {
    ...{ codigo: find("codigo"), nombre: find("nombre"), categoria: find("categoria") },
    ...{ precio: find("precio"), deshabilitado },
  };
  if (columns.codigo < 0) throw columnMissing(table, "codigo");
  const used = Object.values(columns);
  const unused = table.columns.filter(
    (header, index) => !used.includes(index) && header !== "" && !isErrorColumn(header),
  );
  const inverse = saysActive !== undefined || activeNames.includes(fold(table.columns[deshabilitado] ?? ""));
  return { ...columns, inverse, unused };
}
