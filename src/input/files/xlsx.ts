import { type InputFile, unusable } from "./file.ts";
import { isOwnColumn, joinedHeader } from "./headers.ts";
import { OwnRows } from "./own-rows.ts";
import { displayer, type SheetRow, type SheetTable, sheetTable } from "./sheet-rows.ts";
import {
  type HeaderWish,
  headerAt,
  maxTopRows,
  type Notice,
  type Row,
  type RowPlace,
  type TableSink,
} from "./table.ts";
import {
  BrokenWorkbook,
  cellFormats,
  type Sheet,
  sharedTexts,
  Workbook,
  type WorkbookFacts,
  workbookFacts,
} from "./workbook.ts";

export interface SheetOptions {
  sheet?: string | undefined;
  /** The region for formats of numbers and dates that depend on it. @default "es-AR" */
  locale?: string | undefined;
}

const restRows = 5_000;
/** Columns that are kept behind the last one with a name; cells further out belong to no column. */
const spareColumns = 16;
/** As many as a million rows of 16 columns. */
const maxCells = 16 << 20;
const holdsValue = /<(?:\w+:)?(?:[vt][ >]|f[ />])/;

/** Returns the sheet to read. Throws BposError input_unusable, which names the sheets, where it is not clear which. */
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

const countUsed = (columns: readonly string[]): number => columns.findLastIndex((name) => name !== "") + 1;

/** A sheet of a workbook as rows. */
class SheetSource {
  readonly form;
  readonly notices: Notice[];
  readonly #rows: SheetRow[];
  /** The first row of the products. */
  readonly #first: number;
  readonly #width: number;
  readonly #columns: string[];
  readonly #hidden: ReadonlySet<number>;
  readonly #own: OwnRows | undefined;

  /** Throws BrokenWorkbook, and BposError input_unusable. */
  constructor({ rows, hidden }: SheetTable, sheet: string, top: number) {
    this.form = { format: "xlsx", encoding: "utf-8", marked: false, delimiter: null, sheet } as const;
    this.#rows = rows;
    const most = rows.slice(top).reduce((width, row) => Math.max(width, row.width), 0);
    const header = rows[top]?.cells(rows[top].width).map((name) => name.trim()) ?? [];
    this.#width = Math.min(most, countUsed(header) + spareColumns);
    if (rows.length * this.#width > maxCells)
      throw new BrokenWorkbook(`${rows.length} × ${this.#width} cells`, "too_large");
    const columns = Array.from({ length: this.#width }, (_, at) => header[at] ?? "");
    const joined = joinedHeader(columns, rows[top + 1]?.cells(this.#width));
    this.#columns = joined ?? columns;
    this.#first = top + (joined === undefined ? 1 : 2);
    this.#hidden = new Set([...this.#columns.keys()].filter((at) => hidden[at] === 1));
    if (this.#columns.some(isOwnColumn))
      this.#own = new OwnRows(this.#columns.slice(0, countUsed(this.#columns)));
    this.notices = this.#hiddenNotices();
  }

  #hiddenNotices(): Notice[] {
    const lines = this.#rows.slice(this.#first).flatMap(({ isHidden, line }) => (isHidden ? [line] : []));
    const columns = this.#columns.filter((name, at) => name !== "" && this.#hidden.has(at));
    return [
      ...(lines.length === 0
        ? []
        : [{ kind: "rows_hidden" as const, lines: lines.slice(0, 5), count: lines.length }]),
      ...(columns.length === 0 ? [] : [{ kind: "columns_hidden" as const, columns, areUsed: false }]),
    ];
  }

  async stream(sink: TableSink): Promise<void> {
    sink.header(this.#own?.columns ?? this.#columns, this.#hidden);
    for (let index = this.#first; index < this.#rows.length; index++) {
      sink.row(this.rowAt({ line: 0, start: index, end: index }));
      if (index % restRows === 0) await sink.rest?.();
    }
  }

  /** Returns a row with a cell in each column. Rows are not kept so: one stray cell far out would fill the memory. */
  rowAt({ start }: RowPlace): Row {
    const found = this.#rows[start];
    if (found === undefined) return { line: 0, start, end: start, cells: [] };
    const row = found.asRow(this.#width, start);
    return this.#own?.toRow(row) ?? row;
  }
}

/** Returns the place of the header among the rows. Throws BposError input_unusable. */
function findTop(file: Pick<InputFile, "name">, rows: readonly SheetRow[], wish: HeaderWish): number {
  const { headerRow } = wish;
  if (headerRow === undefined)
    return headerAt(
      rows.slice(0, maxTopRows).map((row) => row.cells(row.width)),
      wish,
    );
  const top = rows.findIndex(({ line }) => line === headerRow);
  if (top < 0) throw unusable(file, { kind: "header_row_empty", row: headerRow });
  return top;
}

/** Opens a sheet of a workbook. Throws BposError input_unusable. */
export async function openSheet(file: InputFile, options: SheetOptions & HeaderWish) {
  const { sheet: wanted, locale = "es-AR", headerRow } = options;
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
    const { recalculates } = facts;
    const table = sheetTable(xml, { texts, display: displayer(formats, facts, locale), recalculates });
    const { rows } = table;
    if (rows.length === 0) throw unusable(named, { kind: "no_rows" });
    const top = findTop(named, rows, options);
    const source = new SheetSource(table, sheet.name, top);
    const others = facts.sheets.filter((each) => each.isHidden && each !== sheet).map(({ name }) => name);
    if (others.length > 0) source.notices.unshift({ kind: "sheets_hidden", sheets: others });
    const line = rows[top]?.line ?? 1;
    if (top > 0 && headerRow === undefined) source.notices.unshift({ kind: "header_row", line });
    return source;
  } catch (error) {
    if (!(error instanceof BrokenWorkbook)) throw error;
    throw unusable(named, {
      kind: error.kind === "too_large" ? "workbook_too_large" : "workbook_broken",
      detail: error.message,
    });
  }
}
