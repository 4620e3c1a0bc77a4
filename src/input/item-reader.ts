import type { CatalogItem } from "../contract/catalog.ts";
import { type RowFaults, type RowProblem, rowFaults } from "../errors/problems.ts";
import { type CatalogColumns, hasLostDigits } from "./columns.ts";
import { type DecimalSign, parseBoolean, parseJsonPrice, parsePrice, safeDigits } from "./numbers.ts";
import type { Row } from "./table.ts";

/** What keeps a spreadsheet from changing a text such as `="00123"`; a text that holds quotes is left alone. */
const formula = /^="([^"]*)"$/;

export function textOf(cell: string): string {
  const text = cell.trim();
  return text.startsWith('="') ? (formula.exec(text)?.[1]?.trim() ?? text) : text;
}

/** A workbook's number whose digits its program has lost or its format does not show: `1-2` that became a day, 10.5 as `11`. */
function isHiddenBehind(text: string, number: string | null | undefined): boolean {
  if (number === undefined || number === null) return number === null;
  const digits = (of: string): string => of.replace(/\D/g, "");
  return digits(number).length > safeDigits || !digits(text).includes(digits(number).replace(/^0+(?=.)/, ""));
}

export class ItemReader {
  readonly #header: (column: number) => string;
  readonly #columns: CatalogColumns;
  readonly #codeOnly: boolean;
  readonly #sign: DecimalSign;

  constructor(headers: readonly string[], columns: CatalogColumns, codeOnly: boolean, sign: DecimalSign) {
    this.#header = (column) => headers[column] ?? "";
    this.#columns = columns;
    this.#codeOnly = codeOnly;
    this.#sign = sign;
  }

  /** True for a row that cannot be read before it is known what decimal sign the prices have; takes its price as evidence. */
  mustWait(row: Row): boolean {
    const { precio } = this.#columns;
    if (this.#codeOnly || row.problem !== undefined || this.#numberOf(row, precio) !== undefined)
      return false;
    return this.#sign.mustWait({ line: row.line, text: textOf(row.cells[precio] ?? "") });
  }

  /** The digits of a cell that is a number, and not a text that looks like one; null where they are a date or a share. */
  #numberOf({ cells, kinds, numbers }: Row, column: number): string | null | undefined {
    return kinds?.[column] === "number" ? cells[column] : numbers?.[column];
  }

  /** The item of a row, or all that is wrong with it: who corrects it by hand shall need one go. */
  read(row: Row): CatalogItem | RowFaults {
    if (row.problem !== undefined) return { problem: row.problem };
    const text = (column: number): string => textOf(row.cells[column] ?? "");
    const item: CatalogItem = { codigo: text(this.#columns.codigo) };
    const problems = [this.#codeProblem(row, item.codigo), ...this.#nestedProblems(row)];
    if (!this.#codeOnly) {
      const nombre = text(this.#columns.nombre);
      if (nombre !== "") item.nombre = nombre;
      const categoria = text(this.#columns.categoria);
      if (categoria !== "") item.categoria = categoria;
      problems.push(this.#readPrice(row, item), this.#readDisabled(row, item));
    }
    return rowFaults(problems.filter((problem) => problem !== null)) ?? item;
  }

  #codeProblem(row: Row, text: string): RowProblem | null {
    const { codigo } = this.#columns;
    const column = this.#header(codigo);
    const kind = row.kinds?.[codigo];
    if (kind === "number" || kind === "boolean") return { kind: "code_not_text", column, text };
    if (text === "") return row.faults?.[codigo] === undefined ? { kind: "code_missing" } : null;
    if (/[\r\n]/.test(text)) return { kind: "code_line_break", column };
    // Whether these quotes are part of the code, nobody can tell.
    if (row.salvaged === true && /^"|"$/.test(text)) return { kind: "quote_open" };
    return hasLostDigits(text) || isHiddenBehind(text, row.numbers?.[codigo])
      ? { kind: "digits_lost", column, text }
      : null;
  }

  /** Of cells that hold no plain value. */
  #nestedProblems({ cells, kinds, faults }: Row): RowProblem[] {
    if (kinds?.includes("nested") !== true && faults === undefined) return [];
    const { codigo, nombre, categoria, precio, deshabilitado } = this.#columns;
    const fields = this.#codeOnly ? [codigo] : [codigo, nombre, categoria, precio, deshabilitado];
    return fields.flatMap((field): RowProblem[] => {
      const kind = kinds?.[field] === "nested" ? "value_not_text" : faults?.[field];
      return kind === undefined
        ? []
        : [{ kind, column: this.#header(field), text: textOf(cells[field] ?? "") }];
    });
  }

  #readPrice(row: Row, item: CatalogItem): RowProblem | null {
    const { precio } = this.#columns;
    const text = textOf(row.cells[precio] ?? "");
    const kind = row.kinds?.[precio];
    if (text === "" || kind === "nested" || row.faults?.[precio] !== undefined) return null;
    const number = this.#numberOf(row, precio);
    const doubt = number === undefined ? this.#sign.doubt(text) : null;
    if (doubt !== null) return doubt;
    const written = number === undefined ? parsePrice(text, this.#sign.found ?? ".") : null;
    const price = typeof number === "string" ? parseJsonPrice(number) : written;
    if (price === null) return { kind: "price_unusable", column: this.#header(precio), text: number ?? text };
    item.precio = price;
    return null;
  }

  #readDisabled(row: Row, item: CatalogItem): RowProblem | null {
    const { deshabilitado, inverse } = this.#columns;
    const text = textOf(row.cells[deshabilitado] ?? "");
    const isBroken = row.kinds?.[deshabilitado] === "nested" || row.faults?.[deshabilitado] !== undefined;
    if (text === "" || isBroken) return null;
    const said = parseBoolean(text);
    if (said === null) return { kind: "boolean_unknown", column: this.#header(deshabilitado), text };
    item.deshabilitado = said !== inverse;
    return null;
  }
}
