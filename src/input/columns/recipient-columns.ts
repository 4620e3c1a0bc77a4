import { fold } from "../files/headers.ts";
import type { TableHead } from "../files/table.ts";
import {
  columnOfLetter,
  competing,
  decideColumn,
  knownColumns,
  namedColumn,
  onlyVisible,
  toCompeting,
} from "./choice.ts";

const phoneNames =
  "telefono,telefono celular,telefono movil,numero de telefono,tel,phone,phone number,celular,numero de celular,cel,movil,mobile,whatsapp,numero,telefone".split(
    ",",
  );

/** Returns the column of phones; -1 if there is none. Throws `input_unusable` where several compete. */
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

/** Returns the place of the column with a person's name; -1 if there is none. */
export const nameColumn = (columns: readonly string[]): number =>
  columns.findIndex((column) => personNames.includes(fold(column)));
