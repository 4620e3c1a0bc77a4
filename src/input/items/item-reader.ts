import type { CatalogItem } from "../../contract/catalog.ts";
import { type RowFaults, type RowProblem, rowFaults } from "../../errors/problems.ts";
import type { CatalogColumns } from "../columns/catalog-columns.ts";
import { fold, isOwnColumn } from "../files/headers.ts";
import type { Row } from "../files/table.ts";
import { isErrorValue, judgeCode } from "./codes.ts";
import { type DecimalSign, parseDisabled, parseJsonPrice, parsePrice, safeDigits } from "./numbers.ts";

/** Matches the wrapper that keeps a spreadsheet from changing a text, as in `="00123"`; not around a text with quotes. */
const formula = /^="([^"]*)"$/;

export function toText(cell: string): string {
  const text = cell.trim();
  return text.startsWith('="') ? (formula.exec(text)?.[1]?.trim() ?? text) : text;
}

/** As a row's code or name. Section totals can be anywhere, an average is below the rows. */
export const isTotal = (text: string): boolean =>
  /^(?:grand? )?(?:sub ?)?tota(?:l|ls|les|is)(?: genera(?:l|les)| geral)?$/.test(fold(text));
const isSummary = (text: string): boolean =>
  isTotal(text) ||
  /^(?:total (?:final|parcial|neto|bruto|(?:de )?(?:productos|articulos|items|produtos))|promedio(?: general| de precios)?|average)$/.test(
    fold(text),
  );

/** In the place of a code, where a name is missing: `Total Pizzas`, `Suma`. A code `TOTAL-1` has no blank. */
const beginsAsTotal =
  /^(?:sub ?)?tota(?:l|ls|les|is)(?:\s+\p{L}|\s*:)|^(?:suma|cantidad|promedio)(?:[\s:]|$)/iu;

/** Returns whether a text is the result of a formula in a row that has nothing to calculate. */
const isNothing = (text: string): boolean => /^(?:-|\$? *-? *0*(?:[.,]0+)?)$/.test(text);

/** Returns whether a row with one text only is no product in this table: in a list of codes, or of codes and what is disabled, it is one. */
export const judgesLoneTexts = (
  { nombre, categoria, precio }: CatalogColumns,
  { codeOnly, isTable }: { codeOnly: boolean; isTable: boolean },
): boolean => isTable && !codeOnly && Math.max(nombre, categoria, precio) >= 0;

/** A workbook's number whose digits its program has lost or its format does not show: `1-2` that became a day, 10.5 as `11`. */
function isHiddenBehind(text: string, number: string | null | undefined): boolean {
  if (number === undefined || number === null) return number === null;
  const digits = (of: string): string => of.replace(/\D/g, "");
  return digits(number).length > safeDigits || !digits(text).includes(digits(number).replace(/^0+(?=.)/, ""));
}

/** Returns whether a workbook's number is displayed with signs that are not its own: 1234 as `1.234`. */
const isGrouped = (text: string, number: string | null | undefined): boolean =>
  typeof number === "string" && /^\d{1,3}(?:[., ]\d{3})+$/.test(text) && /^\d+$/.test(number);

/** Returns the problem of a code that a spreadsheet has spoiled; null for any other. */
function spoiledProblem(column: string, text: string): RowProblem | null {
  const judged = judgeCode(text);
  if (judged === null || judged === "doubtful") return null;
  const { spoiled: as } = judged;
  if (as === "digits") return { kind: "digits_lost", column, text };
  return as === "error" ? { kind: "cell_error", column, text } : { kind: "code_spoiled", column, text, as };
}

export class ItemReader {
  readonly #header: (column: number) => string;
  readonly #columns: CatalogColumns;
  readonly #codeOnly: boolean;
  readonly #isTable: boolean;
  readonly #judgesLone: boolean;
  /** The places of bpos's own columns, which say nothing about a product. */
  readonly #own: readonly number[];
  readonly #sign: DecimalSign;

  constructor(
    headers: readonly string[],
    columns: CatalogColumns,
    { sign, ...kind }: { codeOnly: boolean; isTable: boolean; sign: DecimalSign },
  ) {
    this.#header = (column) => headers[column] ?? "";
    this.#columns = columns;
    this.#codeOnly = kind.codeOnly;
    this.#isTable = kind.isTable;
    this.#judgesLone = judgesLoneTexts(columns, kind);
    this.#own = headers.flatMap((header, at) => (isOwnColumn(header) ? [at] : []));
    this.#sign = sign;
  }

  /** Returns true for a row that cannot be read before the decimal sign is known; takes its price as evidence. */
  mustWait(row: Row): boolean {
    const { precio } = this.#columns;
    if (this.#codeOnly || row.problem !== undefined || this.#readNumber(row, precio) !== undefined)
      return false;
    if (this.#noProduct(row) !== null) return false;
    return this.#sign.mustWait({ line: row.line, text: toText(row.cells[precio] ?? "") });
  }

  /** Returns the digits of a cell that is a number, not a text that looks like one; null for a date or a share. */
  #readNumber({ cells, kinds, numbers }: Row, column: number): string | null | undefined {
    return kinds?.[column] === "number" ? cells[column] : numbers?.[column];
  }

  /** Returns the item of a row, or all its problems at once, so that it is corrected in one go. */
  read(row: Row): CatalogItem | RowFaults {
    const problem = row.problem ?? this.#noProduct(row);
    const { element } = row;
    if (problem?.kind === "not_an_object" && element !== undefined)
      return { problem: { ...problem, element } };
    if (problem !== null) return { problem };
    const text = (column: number): string => toText(row.cells[column] ?? "");
    const item: CatalogItem = { codigo: text(this.#columns.codigo) };
    const problems = [
      ...this.#oddKeys(row),
      this.#codeProblem(row, item.codigo),
      ...this.#nestedProblems(row),
    ];
    if (!this.#codeOnly) {
      const nombre = text(this.#columns.nombre);
      if (nombre !== "") item.nombre = nombre;
      const categoria = text(this.#columns.categoria);
      if (categoria !== "") item.categoria = categoria;
      problems.push(
        this.#errorProblem(row, this.#columns.nombre, nombre),
        this.#errorProblem(row, this.#columns.categoria, categoria),
        this.#readPrice(row, item),
        this.#readDisabled(row, item),
      );
    }
    return rowFaults(problems.filter((problem) => problem !== null)) ?? item;
  }

  /** Returns the problem of a heading, a note or a total between the products. */
  #noProduct({ cells, faults }: Row): RowProblem | null {
    if (!this.#isTable) return null;
    const { codigo, nombre, categoria, precio, deshabilitado } = this.#columns;
    const [label = "", ...more] = [codigo, nombre, categoria].flatMap((at) => toText(cells[at] ?? "") || []);
    const isSum = nombre >= 0 && label === toText(cells[codigo] ?? "") && beginsAsTotal.test(label);
    if (label !== "" && more.length === 0 && (isSum || isSummary(label)))
      return { kind: "total_row", text: label };
    const fields = [codigo, nombre, categoria, precio, deshabilitado];
    if (!this.#judgesLone || fields.some((at) => faults?.[at] !== undefined)) return null;
    const texts = cells.flatMap((cell, at) => {
      const text = this.#own.includes(at) ? "" : toText(cell);
      const isLeft = text === "" || (!fields.includes(at) && (faults?.[at] !== undefined || isNothing(text)));
      return isLeft ? [] : text;
    });
    const [text = "", ...others] = texts;
    const isPrice = text !== "" && toText(cells[precio] ?? "") !== "";
    if (text === "" || others.length > 0 || isPrice) return null;
    // In a list of codes and prices a product without a price has nothing else either.
    const isCode = Math.max(nombre, categoria) < 0 && /^(?=.*\d)\S+$/.test(text);
    return isCode ? null : { kind: "text_alone", text };
  }

  #codeProblem(row: Row, text: string): RowProblem | null {
    const { codigo } = this.#columns;
    const column = this.#header(codigo);
    const kind = row.kinds?.[codigo];
    if (kind === "number" || kind === "boolean") return { kind: "code_not_text", column, text };
    // It has its code under the other key.
    const isElsewhere = this.#columns.odd.some(
      ({ column, usual }) => usual === codigo && row.cells[column] !== "",
    );
    if (text === "" && isElsewhere) return null;
    if (text === "") return row.faults?.[codigo] === undefined ? { kind: "code_missing" } : null;
    if (/[\r\n]/.test(text)) return { kind: "code_line_break", column };
    // Nobody can tell whether these quotes are part of the code.
    if (row.salvaged === true && /^"|"$/.test(text)) return { kind: "quote_open" };
    const number = row.numbers?.[codigo];
    const spoiled = row.faults?.[codigo] === undefined ? spoiledProblem(column, text) : null;
    if (spoiled !== null) return spoiled;
    if (isGrouped(text, number)) return { kind: "code_spoiled", column, text, as: "number" };
    return isHiddenBehind(text, number) ? { kind: "digits_lost", column, text } : null;
  }

  /** Returns the problem of a name or a category in a file of texts: a workbook says itself which cells failed. */
  #errorProblem(row: Row, column: number, text: string): RowProblem | null {
    if (!isErrorValue(text) || row.faults?.[column] !== undefined) return null;
    return { kind: "cell_error", column: this.#header(column), text };
  }

  /** Returns the problem of an object that has another key for a field than the others. */
  #oddKeys({ cells, element }: Row): RowProblem[] {
    return this.#columns.odd.flatMap(({ column, usual }): RowProblem[] =>
      (cells[column] ?? "") === ""
        ? []
        : [
            {
              kind: "key_differs",
              column: this.#header(column),
              usual: this.#header(usual),
              ...(element !== undefined && { element }),
            },
          ],
    );
  }

  /** Returns the problems of cells that hold no plain value. */
  #nestedProblems({ cells, kinds, faults, formulas, numbers }: Row): RowProblem[] {
    if (kinds?.includes("nested") !== true && faults === undefined && formulas === undefined) return [];
    const { codigo, nombre, categoria, precio, deshabilitado } = this.#columns;
    const fields = this.#codeOnly ? [codigo] : [codigo, nombre, categoria, precio, deshabilitado];
    return fields.flatMap((field): RowProblem[] => {
      const isText = field !== precio && field !== deshabilitado;
      // A text that refers to an empty cell becomes 0; so may a price, which is judged by its amount.
      const isZero = isText && formulas?.[field] === true && Number(numbers?.[field] ?? Number.NaN) === 0;
      const fault = faults?.[field] ?? (isZero ? "formula_zero" : undefined);
      const kind = kinds?.[field] === "nested" ? "value_not_text" : fault;
      return kind === undefined
        ? []
        : [{ kind, column: this.#header(field), text: toText(cells[field] ?? "") }];
    });
  }

  #readPrice(row: Row, item: CatalogItem): RowProblem | null {
    const { precio } = this.#columns;
    const text = toText(row.cells[precio] ?? "");
    const kind = row.kinds?.[precio];
    if (text === "" || kind === "nested" || row.faults?.[precio] !== undefined) return null;
    const number = this.#readNumber(row, precio);
    const doubt = number === undefined ? this.#sign.doubt(text) : null;
    if (doubt !== null) return doubt;
    const written = number === undefined ? parsePrice(text, this.#sign.found ?? ".") : null;
    const price = typeof number === "string" ? parseJsonPrice(number) : written;
    if (price === null) return { kind: "price_unusable", column: this.#header(precio), text: number ?? text };
    if (price === 0 && row.formulas?.[precio] === true)
      return { kind: "formula_zero", column: this.#header(precio), text };
    item.precio = price;
    return null;
  }

  #readDisabled(row: Row, item: CatalogItem): RowProblem | null {
    const { deshabilitado } = this.#columns;
    const text = toText(row.cells[deshabilitado] ?? "");
    const isBroken = row.kinds?.[deshabilitado] === "nested" || row.faults?.[deshabilitado] !== undefined;
    if (text === "" || isBroken) return null;
    const said = parseDisabled(text, this.#columns);
    if (said === null) return { kind: "boolean_unknown", column: this.#header(deshabilitado), text };
    item.deshabilitado = said;
    return null;
  }
}
