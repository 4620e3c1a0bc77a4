import { format, getFormatFromId, isDateFormat, isPercentFormat, isValidFormat } from "numfmt";
import { isErrorColumn } from "./columns.ts";
import { type InputFile, unusable } from "./file.ts";
import { rowOfOurs, unguardCell } from "./own-rows.ts";
import type { CellFault, Notice, Row, RowPlace, TableSink } from "./table.ts";
import {
  BrokenWorkbook,
  cellFormats,
  readXml,
  type Sheet,
  sharedTexts,
  Workbook,
  type WorkbookFacts,
  workbookFacts,
} from "./workbook.ts";

export interface SheetOptions {
  sheet?: string | undefined;
  /** How numbers and dates are displayed where their format goes by the region. @default "es-AR" */
  locale?: string | undefined;
}

/** Days between the first of January of 1900 and of 1904, as the two kinds of workbooks count them. */
const daysTo1904 = 1462;
const restRows = 5_000;
/** As many digits as a workbook's program shows of a number: what is behind them comes from calculating with halves. */
const shownDigits = 15;

type Cell = { text: string; stored?: string | null; fault?: CellFault };

/** Lists, not objects a cell: there may be a million of them. */
class SheetRow {
  readonly line: number;
  readonly isHidden: boolean;
  readonly cells: string[] = [];
  numbers: (string | null | undefined)[] | undefined;
  faults: (CellFault | undefined)[] | undefined;
  isBlank = true;

  constructor(line: number, isHidden: boolean) {
    this.line = line;
    this.isHidden = isHidden;
  }

  put(at: number, { text, stored, fault }: Cell): void {
    if (text === "" && fault === undefined) return;
    while (this.cells.length < at) this.cells.push("");
    this.cells[at] = text;
    this.isBlank &&= text.trim() === "" && fault === undefined;
    if (stored !== undefined) {
      this.numbers ??= [];
      this.numbers[at] = stored;
    }
    if (fault !== undefined) {
      this.faults ??= [];
      this.faults[at] = fault;
    }
  }
}

/** A stored number as plain digits: `1.8149999999999998E3` is 1815, which is what the program shows of it. */
function plainDigits(stored: string): string {
  if (/^-?\d+$/.test(stored)) return stored;
  const value = Number(stored);
  if (stored.trim() === "" || !Number.isFinite(value)) return stored;
  const rounded = Number(value.toPrecision(shownDigits));
  // Of a small one the language would write an exponent; no price is so large that it has one.
  const isSmall = rounded !== 0 && Math.abs(rounded) < 1e-6;
  return isSmall ? rounded.toFixed(20).replace(/\.?0+$/, "") : String(rounded);
}

/**
 * A number as its cell displays it, and its digits unless that is a date or a share: a price `12.50` may have become a month.
 * Whole numbers with all their digits, which a narrow column or an exponent would hide.
 */
function displayer(formats: readonly (string | number)[], { from1904 }: WorkbookFacts, locale: string) {
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

const column = (reference: string): number =>
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
}

function cellOf(
  { type, style, value, inline, isFormula }: CellUnderway,
  { texts, display }: CellReader,
): Cell {
  if (type === "inlineStr") return { text: inline };
  if (value === undefined) return isFormula ? { text: "", fault: "formula_unstored" } : { text: "" };
  if (type === "s") {
    const text = /^\d+$/.test(value) ? texts[Number(value)] : undefined;
    if (text === undefined) throw new BrokenWorkbook(`it has no text "${value}"`);
    return { text };
  }
  if (type === "b") return { text: value === "1" || value === "true" ? "TRUE" : "FALSE" };
  if (type === "e") return { text: value, fault: "cell_error" };
  if (type !== "n") return { text: value };
  return display(plainDigits(value), style);
}

/** The rows of a sheet that hold anything, each with the cells that are written down. */
function sheetRows(xml: string, reader: CellReader): SheetRow[] {
  const rows: SheetRow[] = [];
  let row = new SheetRow(0, false);
  let next = 0;
  let cell: CellUnderway | undefined;
  let within = "";
  let phonetic = 0;
  readXml(xml, {
    open(name, attribute) {
      if (name === "row") {
        const line = Number(attribute("r") ?? row.line + 1);
        if (!Number.isSafeInteger(line) || line < 1) throw new BrokenWorkbook("a row has no number");
        row = new SheetRow(line, /^(1|true)$/.test(attribute("hidden") ?? ""));
        next = 0;
      } else if (name === "c") {
        const reference = attribute("r");
        const at = reference === undefined ? next : column(reference);
        const style = Number(attribute("s") ?? 0);
        const type = attribute("t") ?? "n";
        cell = { at, type, style, value: undefined, inline: "", isFormula: false };
      } else if (name === "rPh") phonetic += 1;
      else if (cell !== undefined && name === "f") cell.isFormula = true;
      else if (cell !== undefined && name === "v") cell.value = "";
      within = name;
    },
    text(text) {
      if (cell === undefined) return;
      if (within === "v") cell.value = (cell.value ?? "") + text;
      if (within === "t" && phonetic === 0) cell.inline += text;
    },
    close(name) {
      within = "";
      if (name === "rPh") phonetic -= 1;
      if (name === "c" && cell !== undefined) {
        if (cell.at < 0 || cell.at >= 16_384) throw new BrokenWorkbook(`row ${row.line}: no such column`);
        row.put(cell.at, cellOf(cell, reader));
        next = cell.at + 1;
        cell = undefined;
      }
      if (name === "row" && !row.isBlank) rows.push(row);
    },
  });
  return rows;
}

const holdsValue = /<(?:\w+:)?(?:v|t)[ >]/;

/** The sheet that is meant; the others are named where nobody said which. */
async function chosenSheet(
  file: Pick<InputFile, "name">,
  workbook: Workbook,
  { sheets }: WorkbookFacts,
  wanted: string | undefined,
): Promise<Sheet> {
  if (sheets.length === 0) throw new BrokenWorkbook("it has no sheet");
  const names = sheets.map(({ name }) => name);
  if (wanted !== undefined) {
    const same = (name: string): boolean => name.trim().toLowerCase() === wanted.trim().toLowerCase();
    const sheet = sheets.find(({ name }) => name === wanted) ?? sheets.find(({ name }) => same(name));
    if (sheet === undefined) throw unusable(file, { kind: "sheet_unknown", sheet: wanted, sheets: names });
    return sheet;
  }
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  const [first] = visible;
  if (first === undefined) throw unusable(file, { kind: "no_rows" });
  if (visible.length === 1) return first;
  const used: Sheet[] = [];
  for (const sheet of visible) if (holdsValue.test(await workbook.part(sheet.part))) used.push(sheet);
  if (used.length > 1) throw unusable(file, { kind: "sheets_several", sheets: used.map(({ name }) => name) });
  return used[0] ?? first;
}

function hiddenNotices({ sheets }: WorkbookFacts, sheet: Sheet, rows: readonly SheetRow[]): Notice[] {
  const hidden = sheets.filter((each) => each.isHidden && each !== sheet).map(({ name }) => name);
  const lines = rows.filter(({ isHidden }) => isHidden).map(({ line }) => line);
  return [
    ...(hidden.length === 0 ? [] : [{ kind: "sheets_hidden" as const, sheets: hidden }]),
    ...(lines.length === 0
      ? []
      : [{ kind: "rows_hidden" as const, lines: lines.slice(0, 5), count: lines.length }]),
  ];
}

/** A sheet of a workbook as rows. */
class SheetSource {
  readonly form;
  readonly notices: Notice[];
  readonly #rows: SheetRow[];
  readonly #width: number;
  readonly #columns: string[];
  readonly #own: readonly string[] | undefined;

  constructor(rows: SheetRow[], notices: Notice[], sheet: string) {
    this.form = { format: "xlsx", encoding: "utf-8", marked: false, delimiter: null, sheet } as const;
    this.notices = notices;
    this.#rows = rows;
    this.#width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
    this.#columns = this.#whole(rows[0]?.cells ?? []).map((name) => name.trim());
    const used = this.#columns.findLastIndex((name) => name !== "") + 1;
    if (this.#columns.some(isErrorColumn)) this.#own = this.#columns.map(unguardCell).slice(0, used);
  }

  async stream(sink: TableSink): Promise<void> {
    sink.header(this.#own ?? this.#columns);
    for (let index = 1; index < this.#rows.length; index++) {
      sink.row(this.rowAt({ line: 0, start: index, end: index }));
      if (index % restRows === 0) await sink.rest?.();
    }
  }

  /** With a cell in each column. Not kept so: of a stray cell far out all rows together would fill the memory. */
  #whole(cells: readonly string[]): readonly string[] {
    if (cells.length === this.#width) return cells;
    return [...cells, ...Array<string>(this.#width - cells.length).fill("")];
  }

  rowAt({ start }: RowPlace): Row {
    const { line = 0, cells = [], numbers, faults } = this.#rows[start] ?? {};
    const row: Row = { line, start, end: start, cells: this.#whole(cells), numbers, faults };
    return this.#own === undefined ? row : rowOfOurs(row, this.#own);
  }
}

/** Opens a sheet of a workbook. Throws BposError input_unusable. */
export async function openSheet(file: InputFile, { sheet: wanted, locale = "es-AR" }: SheetOptions) {
  const named = { name: file.name };
  try {
    const workbook = await Workbook.open(file.bytes);
    if (!workbook.has("[Content_Types].xml")) throw unusable(named, { kind: "workbook_other" });
    const facts = await workbookFacts(workbook);
    const sheet = await chosenSheet(named, workbook, facts, wanted);
    const texts = facts.sharedPart === undefined ? [] : sharedTexts(await workbook.part(facts.sharedPart));
    const formats = facts.stylesPart === undefined ? [] : cellFormats(await workbook.part(facts.stylesPart));
    const xml = await workbook.part(sheet.part);
    if (xml === "") throw new BrokenWorkbook(`it has no ${sheet.part}`);
    const rows = sheetRows(xml, { texts, display: displayer(formats, facts, locale) });
    if (rows.length === 0) throw unusable(named, { kind: "no_rows" });
    return new SheetSource(rows, hiddenNotices(facts, sheet, rows), sheet.name);
  } catch (error) {
    if (!(error instanceof BrokenWorkbook)) throw error;
    throw unusable(named, {
      kind: error.kind === "too_large" ? "workbook_too_large" : "workbook_broken",
      detail: error.message,
    });
  }
}
