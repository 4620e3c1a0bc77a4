import { format, getFormatFromId, isDateFormat, isPercentFormat, isValidFormat } from "numfmt";
import type { CellFault, Row } from "./table.ts";
import { BrokenWorkbook, readXml, type WorkbookFacts } from "./workbook.ts";

/** Days between the first of January of 1900 and of 1904, as the two kinds of workbooks count them. */
const daysTo1904 = 1462;
/** Digits that a spreadsheet program shows of a number: the rest are binary rounding errors. */
const shownDigits = 15;
const maxColumns = 16_384;
/** As many as fit into the largest part that bpos reads. */
const maxStored = 8 << 20;

type Cell = { text: string; stored?: string | null; fault?: CellFault; isFormula?: true };
type CellList<T> = (T | undefined)[];

/** The cells of a row that hold anything, as lists instead of objects: there may be millions of them, and one in the last column. */
export class SheetRow {
  readonly line: number;
  readonly isHidden: boolean;
  readonly #texts: string[] = [];
  /** The columns of the texts, unless these are the first ones without a gap. */
  #places: number[] | undefined;
  #numbers: CellList<string | null> | undefined;
  #faults: CellList<CellFault> | undefined;
  #formulas: CellList<true> | undefined;
  width = 0;
  isBlank = true;

  constructor(line: number, isHidden: boolean) {
    this.line = line;
    this.isHidden = isHidden;
  }

  get stored(): number {
    return this.#texts.length;
  }

  put(at: number, { text, stored, fault, isFormula }: Cell): void {
    if (text === "" && fault === undefined) return;
    const next = this.#texts.length;
    if (at !== next) this.#places ??= Array.from(this.#texts.keys());
    this.#places?.push(at);
    this.#texts.push(text);
    this.width = Math.max(this.width, at + 1);
    this.isBlank &&= text.trim() === "" && fault === undefined;
    if (stored !== undefined) {
      this.#numbers ??= [];
      this.#numbers[next] = stored;
    }
    if (fault !== undefined) {
      this.#faults ??= [];
      this.#faults[next] = fault;
    }
    if (isFormula === true) {
      this.#formulas ??= [];
      this.#formulas[next] = true;
    }
  }

  has(at: number): boolean {
    return this.#places?.includes(at) ?? at < this.#texts.length;
  }

  /** Returns the row with a text in each of so many columns. */
  cells(width: number): string[] {
    const cells = Array<string>(width).fill("");
    this.#spread(this.#texts, cells);
    return cells;
  }

  /** Returns the row as the readers take it; `index` is its place in the sheet. */
  asRow(width: number, index: number): Row {
    const spread = <T>(of: CellList<T> | undefined): CellList<T> | undefined =>
      of && this.#spread(of, Array<T | undefined>(width).fill(undefined));
    const row = { line: this.line, start: index, end: index, cells: this.cells(width) };
    const facts = { numbers: spread(this.#numbers), faults: spread(this.#faults) };
    return { ...row, ...facts, formulas: spread(this.#formulas) };
  }

  #spread<T>(from: readonly T[], to: T[]): T[] {
    for (const [n, value] of from.entries()) {
      const at = this.#places?.[n] ?? n;
      if (at < to.length) to[at] = value;
    }
    return to;
  }
}

/** Returns a stored number as plain digits: `1.8149999999999998E3` is 1815, as its program shows it. */
function plainDigits(stored: string): string {
  if (/^-?\d+$/.test(stored)) return stored;
  const value = Number(stored);
  if (stored.trim() === "" || !Number.isFinite(value)) return stored;
  const rounded = Number(value.toPrecision(shownDigits));
  // JavaScript would write a small number with an exponent; no price is so large that it has one.
  const isSmall = rounded !== 0 && Math.abs(rounded) < 1e-6;
  return isSmall ? rounded.toFixed(20).replace(/\.?0+$/, "") : String(rounded);
}

/**
 * Returns a number as its cell displays it, and its digits unless that is a date or a share: a price `12.50` may have become a month.
 * Whole numbers with all their digits, which a narrow column or an exponent would hide.
 */
export function displayer(
  formats: readonly (string | number)[],
  { from1904 }: WorkbookFacts,
  locale: string,
) {
  const options = { locale: locale.replace("-", "_") };
  const codes = formats.map((each) => {
    const given = typeof each === "number" ? getFormatFromId(each, options.locale) : each;
    const code = isValidFormat(given) ? given : "General";
    const isDate = isDateFormat(code);
    const isPlain = /^(General|@|[#0.,]*E\+0+)?$/i.test(code);
    return { code, isDate, isPlain, isAmount: !isDate && !isPercentFormat(code) };
  });
  const general = { code: "General", isDate: false, isPlain: true, isAmount: true };
  return (digits: string, style: number): Cell => {
    const { code, isDate, isPlain, isAmount } = codes[style] ?? general;
    const value = Number(digits);
    const stored = isAmount ? digits : null;
    if (digits === "" || Number.isNaN(value) || (isPlain && /^-?\d+$/.test(digits)))
      return { text: digits, stored };
    const shown = format(code, isDate && from1904 ? value + daysTo1904 : value, options);
    return { text: shown.includes("###") ? digits : shown.replaceAll(/[\u00a0\u202f]/g, " ").trim(), stored };
  };
}

const parseColumn = (reference: string): number =>
  Array.from(/^[A-Z]{1,3}/i.exec(reference)?.[0].toUpperCase() ?? "").reduce(
    (sum, letter) => sum * 26 + letter.charCodeAt(0) - 64,
    0,
  ) - 1;

interface CellUnderway {
  at: number;
  type: string;
  style: number;
  value: string | undefined;
  inline: string;
  isFormula: boolean;
}

interface CellReader {
  texts: readonly string[];
  display: ReturnType<typeof displayer>;
  /** The program that wrote the workbook left calculation to the one that opens it: a result of 0 means none. */
  recalculates: boolean;
}

const unstored = { text: "", fault: "formula_unstored" } as const;

function numberIn(digits: string, { style, isFormula }: CellUnderway, reader: CellReader): Cell {
  if (isFormula && reader.recalculates && Number(digits) === 0) return { ...unstored, text: digits };
  return { ...reader.display(digits, style), ...(isFormula && { isFormula }) };
}

function toCell(cell: CellUnderway, reader: CellReader): Cell {
  const { type, value, inline, isFormula } = cell;
  const stored = type === "inlineStr" ? inline || undefined : value;
  // The result of a formula may be an empty text; a number without digits is none.
  const isMissing = stored === undefined || (type !== "str" && stored.trim() === "");
  if (isFormula && isMissing) return unstored;
  if (stored === undefined) return { text: "" };
  const more = isFormula ? { isFormula } : {};
  if (type === "s") {
    const text = /^\d+$/.test(stored) ? reader.texts[Number(stored)] : undefined;
    if (text === undefined) throw new BrokenWorkbook(`it has no text "${stored}"`);
    return { text, ...more };
  }
  if (isMissing) return { text: "" };
  if (type === "b") return { text: stored === "1" || stored === "true" ? "TRUE" : "FALSE" };
  if (type === "e") return { text: stored, fault: "cell_error" };
  if (type !== "n") return { text: stored, ...more };
  return numberIn(plainDigits(stored.trim()), cell, reader);
}

/** The columns that a formula of several cells, above or beside them, fills with its results; by their last line. */
class Spills {
  readonly #lasts = new Map<number, number>();

  add(reference: string): void {
    const [first = "", last = ""] = reference.split(":");
    const line = Number(/\d+$/.exec(last)?.[0] ?? 0);
    const from = parseColumn(first);
    const to = Math.min(parseColumn(last), from + maxSpill);
    for (let at = from; at <= to; at++) this.#lasts.set(at, Math.max(line, this.#lasts.get(at) ?? 0));
  }

  reach(at: number, line: number): boolean {
    return line <= (this.#lasts.get(at) ?? 0);
  }

  /** Marks the cells of formulas that are missing in the file, since they have no result either. */
  complete(row: SheetRow): void {
    for (const [at, last] of this.#lasts) {
      if (last < row.line) this.#lasts.delete(at);
      else if (!row.isBlank && !row.has(at)) row.put(at, unstored);
    }
  }
}

const maxSpill = 255;

/** The rows of a sheet that hold anything, and which columns are hidden. */
export interface SheetTable {
  rows: SheetRow[];
  hidden: Uint8Array;
}

function hide(hidden: Uint8Array, attribute: (name: string) => string | undefined): void {
  const isHidden = /^(1|true)$/.test(attribute("hidden") ?? "") || Number(attribute("width") ?? 1) === 0;
  if (isHidden) hidden.fill(1, Number(attribute("min") ?? 1) - 1, Number(attribute("max") ?? 0));
}

function rowFrom(attribute: (name: string) => string | undefined, before: SheetRow): SheetRow {
  const line = Number(attribute("r") ?? before.line + 1);
  if (!Number.isSafeInteger(line) || line < 1) throw new BrokenWorkbook("a row has no number");
  return new SheetRow(line, /^(1|true)$/.test(attribute("hidden") ?? ""));
}

/** Makes rows of the elements of a sheet as they are read. */
class SheetReader {
  readonly rows: SheetRow[] = [];
  readonly hidden = new Uint8Array(maxColumns);
  readonly #reader: CellReader;
  readonly #spills = new Spills();
  #row = new SheetRow(0, false);
  #nextColumn = 0;
  #stored = 0;
  #cell: CellUnderway | undefined;
  #within = "";
  /** Depth within texts that say how others are pronounced. */
  #phonetic = 0;

  constructor(reader: CellReader) {
    this.#reader = reader;
  }

  open(name: string, attribute: (name: string) => string | undefined): void {
    const cell = this.#cell;
    if (name === "row") {
      this.#row = rowFrom(attribute, this.#row);
      this.#nextColumn = 0;
    } else if (name === "c") this.#beginCell(attribute);
    else if (name === "rPh") this.#phonetic += 1;
    else if (name === "col") hide(this.hidden, attribute);
    else if (cell !== undefined && name === "f") {
      cell.isFormula = true;
      if (attribute("t") === "array") this.#spills.add(attribute("ref") ?? "");
    } else if (cell !== undefined && name === "v") cell.value = "";
    this.#within = name;
  }

  text(text: string): void {
    const cell = this.#cell;
    if (cell === undefined) return;
    if (this.#within === "v") cell.value = (cell.value ?? "") + text;
    if (this.#within === "t" && this.#phonetic === 0) cell.inline += text;
  }

  close(name: string): void {
    this.#within = "";
    if (name === "rPh") this.#phonetic -= 1;
    if (name === "c" && this.#cell !== undefined) this.#endCell(this.#cell);
    if (name === "row") this.#endRow();
  }

  #beginCell(attribute: (name: string) => string | undefined): void {
    const reference = attribute("r");
    this.#cell = {
      at: reference === undefined ? this.#nextColumn : parseColumn(reference),
      type: attribute("t") ?? "n",
      style: Number(attribute("s") ?? 0),
      value: undefined,
      inline: "",
      isFormula: false,
    };
  }

  #endCell(cell: CellUnderway): void {
    const { at } = cell;
    const row = this.#row;
    if (at < 0 || at >= maxColumns) throw new BrokenWorkbook(`row ${row.line}: no such column`);
    cell.isFormula ||= this.#spills.reach(at, row.line);
    row.put(at, toCell(cell, this.#reader));
    this.#nextColumn = at + 1;
    this.#cell = undefined;
  }

  #endRow(): void {
    const row = this.#row;
    this.#spills.complete(row);
    this.#stored += row.stored;
    if (this.#stored > maxStored) throw new BrokenWorkbook(`${this.#stored} cells`, "too_large");
    if (!row.isBlank) this.rows.push(row);
  }
}

export function sheetTable(xml: string, reader: CellReader): SheetTable {
  const sheet = new SheetReader(reader);
  readXml(xml, {
    open: (name, attribute) => sheet.open(name, attribute),
    text: (text) => sheet.text(text),
    close: (name) => sheet.close(name),
  });
  const { rows, hidden } = sheet;
  return { rows, hidden };
}
