import { type RowFaults, type RowProblem, rowFaults } from "../errors/row-problem.ts";
import { parseBoolean } from "./booleans.ts";
import type { CatalogColumns } from "./catalog-columns.ts";
import { hasLostDigits } from "./columns.ts";
import type { DecimalSign } from "./decimal-sign.ts";
import { FormulaTexts, textOf } from "./formula-text.ts";
import type { ItemTexts } from "./item-store.ts";
import { parseAmount, parseJsonAmount, plainJsonAmount } from "./numbers.ts";
import type { Row, TableHead } from "./table.ts";

type Reading = { ok: true; item: ItemTexts } | { ok: false; faults: RowFaults };

/** Reads the rows of one table, whose columns are settled. */
export class ItemReader {
  private readonly table: TableHead;
  private readonly columns: CatalogColumns;
  private readonly codeOnly: boolean;
  readonly formulas = new FormulaTexts();

  constructor(table: TableHead, columns: CatalogColumns, codeOnly: boolean) {
    this.table = table;
    this.columns = columns;
    this.codeOnly = codeOnly;
  }

  /** The text of a row's price where it is one that a decimal sign decides about, else empty. */
  priceText(row: Row): string {
    const { precio } = this.columns;
    return this.codeOnly || row.problem !== undefined || row.numbers?.has(precio) ? "" : cellAt(row, precio);
  }

  /** The item of a row, or all that is wrong with it: who corrects it by hand shall need one go. */
  read(row: Row, sign: DecimalSign): Reading {
    if (row.problem !== undefined) return { ok: false, faults: { problem: row.problem } };
    const { codigo, nombre, categoria } = this.columns;
    const item: ItemTexts = { codigo: this.text(row, codigo) };
    const problems = [this.codeProblem(row, item.codigo), ...this.nestedProblems(row)];
    if (!this.codeOnly) {
      const name = this.text(row, nombre);
      if (name !== "") item.nombre = name;
      const category = this.text(row, categoria);
      if (category !== "") item.categoria = category;
      problems.push(this.readPrice(row, item, sign), this.readDisabled(row, item));
    }
    const faults = rowFaults(problems.filter((problem) => problem !== null));
    return faults === undefined ? { ok: true, item } : { ok: false, faults };
  }

  private codeProblem(row: Row, code: string): RowProblem | null {
    const { codigo } = this.columns;
    const column = this.header(codigo);
    if (row.numbers?.has(codigo)) return { kind: "code_is_number", column, text: code };
    if (row.booleans?.has(codigo)) return { kind: "code_is_boolean", column, text: code };
    if (code === "") return { kind: "code_missing" };
    if (row.isPlain !== true && /[\r\n]/.test(code)) return { kind: "code_line_break", column };
    // Whether these quotes are part of the code, nobody can tell.
    if (row.salvaged === true && /^"|"$/.test(code)) return { kind: "quote_open" };
    return hasLostDigits(code) ? { kind: "digits_lost", column, text: code } : null;
  }

  private nestedProblems(row: Row): RowProblem[] {
    const { nested } = row;
    if (nested === undefined) return [];
    const { codigo, nombre, categoria, precio, deshabilitado } = this.columns;
    const fields = this.codeOnly ? [codigo] : [codigo, nombre, categoria, precio, deshabilitado];
    return fields
      .filter((field) => nested.has(field))
      .map((field) => ({ kind: "value_not_text", column: this.header(field), text: cellAt(row, field) }));
  }

  private readPrice(row: Row, item: ItemTexts, sign: DecimalSign): RowProblem | null {
    const { precio } = this.columns;
    const text = this.text(row, precio);
    if (text === "" || row.nested?.has(precio)) return null;
    const isNumber = row.numbers?.has(precio) === true;
    const column = this.header(precio);
    const doubt = isNumber ? null : sign.doubt(text);
    if (doubt !== null) return doubt;
    const decimal = sign.found ?? ".";
    const plain = plainJsonAmount(text, isNumber ? "." : decimal);
    if (plain === null) {
      const amount = isNumber ? parseJsonAmount(text) : parseAmount(text, decimal);
      if (!amount.ok) return { kind: amount.kind, column, text };
      item.precio = String(amount.value);
    } else item.precio = plain;
    return null;
  }

  private readDisabled(row: Row, item: ItemTexts): RowProblem | null {
    const { deshabilitado, inverse } = this.columns;
    const text = this.text(row, deshabilitado);
    if (text === "" || row.nested?.has(deshabilitado)) return null;
    const said = parseBoolean(text);
    if (said === null) return { kind: "boolean_unknown", column: this.header(deshabilitado), text };
    item.deshabilitado = said !== inverse;
    return null;
  }

  private text(row: Row, column: number): string {
    return this.formulas.take(row.cells[column] ?? "", row.line);
  }

  header(column: number): string {
    return this.table.columns[column] ?? "";
  }
}

function cellAt(row: Row, column: number): string {
  return textOf(row.cells[column] ?? "");
}
