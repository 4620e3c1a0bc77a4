import { knownColumn, namedColumn } from "./columns.ts";
import { unusable } from "./file.ts";
import { countryCode, type Phone, readPhone } from "./phone.ts";
import type { TableHead } from "./table.ts";

/** What a person may say about the phones of a file. */
export interface PhoneOptions {
  /** Two letters; makes phones readable that are written without `+`. */
  country?: string;
  /** Header of the phone column, when it is not understood. */
  phoneColumn?: string;
}

const phoneNames = [
  "telefono",
  "telefono celular",
  "telefono movil",
  "numero de telefono",
  "tel",
  "phone",
  "phone number",
  "celular",
  "numero de celular",
  "cel",
  "movil",
  "mobile",
  "whatsapp",
  "numero",
  "telefone",
];

/**
 * The index of the column with the phones, or null.
 *
 * @throws BposError input_unusable when several may be meant, or the one that a person named is not there
 */
export function phoneColumn(table: TableHead, { phoneColumn: named }: PhoneOptions): number | null {
  return named === undefined
    ? knownColumn(table, "phone", phoneNames)
    : namedColumn(table, "--phone-column", named);
}

/**
 * How the phones of one column are read.
 *
 * @throws BposError input_unusable when there is no such country
 */
export function phoneReader(
  { file, columns }: TableHead,
  index: number,
  options: PhoneOptions,
): (text: string) => Phone {
  const country = options.country === undefined ? null : countryCode(options.country);
  if (options.country !== undefined && country === null) {
    throw unusable(file, { kind: "country_unknown", country: options.country });
  }
  const column = columns[index] ?? "";
  return (text) => readPhone(text, { column, country });
}
