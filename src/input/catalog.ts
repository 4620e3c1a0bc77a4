import type { CatalogAction, CatalogItem } from "../contract/catalog.ts";
import { listProblems, type RowFaults, type RowProblem } from "../errors/problems.ts";
import {
  type CatalogColumns,
  type ColumnWishes,
  catalogColumns,
  hasMoreThanCodes,
  isCatalogHeader,
} from "./columns/catalog-columns.ts";
import { type InputFile, unusable } from "./files/file.ts";
import { problemRules } from "./files/problem-rules.ts";
import { type FileForm, openRows, type RowSource, type TableOptions } from "./files/rows.ts";
import {
  type Notice,
  type PlainLines,
  type ReadingWatch,
  type RejectedRow,
  type Row,
  restAt,
  type TableHead,
  type TableSink,
  tellHidden,
} from "./files/table.ts";
import { CatalogItems, type LazyList, lazyList } from "./items/catalog-items.ts";
import { judgeCode } from "./items/codes.ts";
import { ItemReader, isTotal, judgesLoneTexts, toText } from "./items/item-reader.ts";
import { type Decimal, DecimalSign, numberCell } from "./items/numbers.ts";
import { PlainItems } from "./items/plain-items.ts";

export interface CatalogOptions extends TableOptions, ColumnWishes {
  decimal?: Decimal;
  /** Selects one of several different rows with the same code; without it, all of them are rejected. */
  onDuplicate?: "first" | "last";
  action?: CatalogAction;
}

/** A catalog file, read; `read` = items + rejected + collapsed. */
export interface CatalogReading {
  /** The decimal sign is null where no price shows it. */
  form: FileForm & { decimal: Decimal | null };
  mapping: {
    fields: Readonly<Record<keyof CatalogItem, string | null>>;
    /** True when the column of `deshabilitado` says "active". */
    inverse: boolean;
    unused: readonly string[];
    /** The place of the price: two columns may have one name. */
    price: number;
  };
  columns: readonly string[];
  items: CatalogItems;
  /** In order of their lines; each is read again when somebody asks for it. */
  rejected: LazyList<RejectedRow>;
  read: number;
  collapsed: number;
  notices: Notice[];
}

const maxLinesShown = 5;
/** From this many rows of one code on, their description is cached: building it for each row would be quadratic. */
const sharedRows = 50;

function describeClash(group: readonly number[], items: CatalogItems): RowProblem {
  const lines = group.slice(0, maxLinesShown).map((row) => items.placeAt(row).line);
  const { codigo } = items.itemAt(group[0] ?? 0);
  return { kind: "duplicate_code", codigo, lines, count: group.length };
}

/** Collapses identical rows of one code; different ones are all rejected unless `keep` says which is right. */
function settleDuplicates(
  groups: Iterable<number[]>,
  items: CatalogItems,
  keep: "first" | "last" | undefined,
): { collapsed: number; notices: Notice[] } {
  let collapsed = 0;
  let dropped = 0;
  for (const group of groups) {
    const [head = 0] = group;
    const first = items.jsonAt(head);
    const identical = group.every((row) => items.jsonAt(row).equals(first));
    if (!identical && keep === undefined) {
      for (const row of group) items.reject(row);
      continue;
    }
    const kept = keep === "last" ? group.at(-1) : head;
    for (const row of group) if (row !== kept) items.drop(row);
    collapsed += group.length - 1;
    if (!identical) dropped += group.length - 1;
  }
  const notices: Notice[] =
    keep === undefined || dropped === 0 ? [] : [{ kind: "duplicates_resolved", kept: keep, dropped }];
  return { collapsed, notices };
}

const maxCodesShown = 5;

function codesAlike(items: CatalogItems): Notice[] {
  const sent = items.alike.filter((pair) => !pair.some((row) => items.isRejected(row)));
  const pairs = sent.slice(0, maxCodesShown).map((pair) => {
    const [first, second] = [Math.min(...pair), Math.max(...pair)];
    return {
      line: items.placeAt(first).line,
      code: items.itemAt(first).codigo,
      otherLine: items.placeAt(second).line,
      otherCode: items.itemAt(second).codigo,
    };
  });
  return sent.length === 0 ? [] : [{ kind: "codes_alike", pairs, count: sent.length }];
}

function doubtfulCodes(rows: readonly number[], items: CatalogItems): Notice[] {
  const sent = rows.filter((row) => items.isSent(row));
  const codes = sent
    .slice(0, maxCodesShown)
    .map((row) => ({ line: items.placeAt(row).line, code: items.itemAt(row).codigo }));
  return sent.length === 0 ? [] : [{ kind: "codes_doubtful", codes, count: sent.length }];
}

/** The number of notes below the last row that are searched for a total. */
const maxNotes = 20;

/** Cells as they are written out again: a number with three decimals would be taken for thousands there; of a workbook only a price is one. */
function readCells({ cells, kinds, numbers }: Row, precio: number | undefined): readonly string[] {
  if (kinds === undefined && numbers === undefined) return cells;
  return cells.map((cell, column) => {
    const number = column === precio ? numbers?.[column] : undefined;
    return kinds?.[column] === "number" ? numberCell(cell) : number == null ? cell : numberCell(number);
  });
}

/** The column that was taken for the one that says what is for sale holds something else than yes and no. */
class NotPlain extends Error {}

function saleNotices(
  { tentative, deshabilitado, inverse, sale }: CatalogColumns,
  columns: readonly string[],
): Notice[] {
  if (tentative) return [{ kind: "sale_used", column: columns[deshabilitado] ?? "", inverse }];
  return sale.length === 0 ? [] : [{ kind: "sale_unused", columns: sale }];
}

class CatalogReader implements TableSink {
  readonly #file: TableHead["file"];
  readonly #options: CatalogOptions;
  readonly #watch: ReadingWatch;
  readonly #source: RowSource;
  readonly #items: CatalogItems;
  #columns: readonly string[] = [];
  /** The rows whose price can be read in two ways, and those whose code a spreadsheet may have changed. */
  readonly #waiting: number[] = [];
  readonly #doubtful: number[] = [];
  #total: { row: number; text: string } | undefined;
  readonly #clashes = new Map<number, RowProblem>();
  #reader!: ItemReader;
  #found!: CatalogColumns;
  #plain: PlainItems | undefined;
  #sign!: DecimalSign;
  #kind = { codeOnly: false, isTable: true };

  constructor(file: TableHead["file"], source: RowSource, options: CatalogOptions, watch: ReadingWatch) {
    this.#file = file;
    this.#source = source;
    this.#options = options;
    this.#watch = watch;
    this.#items = new CatalogItems((place) => this.#writtenCells(source.rowAt(place)));
  }

  header(columns: readonly string[], hidden?: ReadonlySet<number>, filled?: TableHead["filled"]): void {
    const { action, decimal } = this.#options;
    const { format } = this.#source.form;
    this.#columns = columns;
    this.#found = catalogColumns({ file: this.#file, columns, hidden, format, filled }, this.#options);
    this.#sign = new DecimalSign(this.#file, columns[this.#found.precio] ?? "", decimal);
    this.#kind = { codeOnly: action === "delete", isTable: format === "csv" || format === "xlsx" };
    this.#reader = new ItemReader(columns, this.#found, { ...this.#kind, sign: this.#sign });
  }

  row(row: Row): void {
    const index = this.#items.add(row.line, row.start, row.end);
    if (this.#reader.mustWait(row)) this.#waiting.push(index);
    else this.#take(row, index);
  }

  takeLines(lines: PlainLines): { next: number; lines: number } {
    if (this.#options.action === "delete") return { next: lines.from, lines: 0 };
    this.#plain ??= new PlainItems(lines, {
      items: this.#items,
      columns: this.#found,
      sign: this.#sign,
      judgesLone: judgesLoneTexts(this.#found, this.#kind),
    });
    return this.#plain.take(lines);
  }

  rest(): Promise<void> {
    return restAt(this.#items.rows, this.#watch);
  }

  #rowAt(index: number): Row {
    const row = this.#source.rowAt(this.#items.placeAt(index));
    // A whole document can be on one line.
    return this.#source.form.format === "json" ? { ...row, element: index + 1 } : row;
  }

  #take(row: Row, index: number): void {
    const read = this.#reader.read(row);
    if ("problem" in read) {
      const isOther =
        this.#found.tentative && listProblems(read).some(({ kind }) => kind === "boolean_unknown");
      if (isOther) throw new NotPlain();
      this.#items.reject(index);
      return;
    }
    const { codigo } = read;
    this.#items.fill(index, read);
    if (judgeCode(codigo) === "doubtful") this.#doubtful.push(index);
  }

  /** The cells of a row as they are written out again: what stood under the key of a single object, under that of the others. */
  #writtenCells(row: Row): readonly string[] {
    const { precio, odd } = this.#found;
    const cells = readCells(row, precio);
    if (odd.length === 0) return cells;
    const moved = [...cells];
    for (const { column, usual } of odd) moved[usual] ||= moved[column] ?? "";
    return moved.filter((_, at) => this.#isWritten(at));
  }

  readonly #isWritten = (column: number): boolean => !this.#found.odd.some((each) => each.column === column);

  #readRejected(index: number): RejectedRow {
    const row = this.#rowAt(index);
    const cells = this.#writtenCells(row);
    const faults = this.#findFaults(row, index);
    const isTorn = problemRules[faults.problem.kind].code === "torn";
    const codigo = isTorn ? "" : toText(cells[this.#place(this.#found.codigo)] ?? "");
    return { source: "file", line: row.line, codigo: codigo === "" ? null : codigo, cells, ...faults };
  }

  /** Returns the position of a column in the output. */
  #place(column: number): number {
    return column - this.#found.odd.filter((each) => each.column < column).length;
  }

  #findFaults(row: Row, index: number): RowFaults {
    if (index === this.#total?.row) return { problem: { kind: "total_row", text: this.#total.text } };
    const read = this.#reader.read(row);
    if ("problem" in read) return read;
    const head = this.#items.find(read.codigo) ?? index;
    const known = this.#clashes.get(head);
    if (known !== undefined) return { problem: known };
    const group = this.#withoutTotal(this.#items.listTwins(head));
    const problem = describeClash(group, this.#items);
    if (group.length > sharedRows) this.#clashes.set(head, problem);
    return { problem };
  }

  /** The last row that is no note. */
  #lastRow(): number {
    const last = this.#items.rows - 1;
    const isNote = (row: number): boolean => {
      const read = this.#items.isRejected(row) ? this.#reader.read(this.#rowAt(row)) : undefined;
      return read !== undefined && "problem" in read && read.problem.kind === "text_alone";
    };
    let row = last;
    while (row > 0 && last - row < maxNotes && isNote(row)) row -= 1;
    return row;
  }

  #rejectTotal(): void {
    const row = this.#lastRow();
    const { cells, problem } = this.#rowAt(row);
    const code = toText(cells[this.#found.codigo] ?? "");
    const name = code === "" ? toText(cells[this.#found.nombre] ?? "") : code;
    const isShifted = problem?.kind === "cell_count" || problem?.kind === "row_held";
    const names = isShifted ? cells : [name];
    const text = names.find((cell) => isTotal(cell))?.trim();
    if (text === undefined) return;
    this.#items.reject(row);
    this.#total = { row, text };
  }

  #withoutTotal(group: number[]): number[] {
    return group.filter((row) => row !== this.#total?.row);
  }

  *#settleable(): Generator<number[]> {
    for (const group of this.#items.groups()) yield this.#withoutTotal(group);
  }

  #mapping(): CatalogReading["mapping"] {
    const { codigo, nombre, categoria, precio, deshabilitado, inverse, unused } = this.#found;
    const header = (column: number): string | null => this.#columns[column] ?? null;
    const fields = {
      codigo: header(codigo),
      nombre: header(nombre),
      categoria: header(categoria),
      precio: header(precio),
      deshabilitado: header(deshabilitado),
    };
    return { fields, inverse, unused, price: this.#place(precio) };
  }

  finish(): CatalogReading {
    const items = this.#items;
    if (items.rows === 0) throw unusable(this.#file, { kind: "no_rows" });
    this.#rejectTotal();
    const waiting = this.#waiting.filter((index) => index !== this.#total?.row);
    if (waiting.length > 0) this.#sign.refuseAmbiguous();
    for (const index of waiting) this.#take(this.#rowAt(index), index);
    const { unused, sale } = this.#found;
    const notices = tellHidden(
      this.#source.notices,
      this.#kind.codeOnly
        ? [this.#columns[this.#found.codigo] ?? ""]
        : this.#columns.filter((header) => !unused.includes(header)),
    );
    const told = new Set([
      ...sale.map(({ column }) => column),
      ...notices.flatMap((notice) => (notice.kind === "columns_hidden" ? notice.columns : [])),
    ]);
    const ignored = unused.filter((header) => !told.has(header));
    const settled = settleDuplicates(this.#settleable(), items, this.#options.onDuplicate);
    return {
      form: { ...this.#source.form, decimal: this.#sign.found ?? null },
      mapping: this.#mapping(),
      columns: this.#columns.filter((_, at) => this.#isWritten(at)),
      items,
      rejected: lazyList(items.settle(), (index) => this.#readRejected(index)),
      read: items.rows,
      collapsed: settled.collapsed,
      notices: [
        ...notices,
        ...(this.#kind.codeOnly ? [] : saleNotices(this.#found, this.#columns)),
        ...(ignored.length === 0 ? [] : [{ kind: "columns_ignored" as const, columns: ignored }]),
        ...settled.notices,
        ...codesAlike(items),
        ...doubtfulCodes(this.#doubtful, items),
      ],
    };
  }
}

/** Reads a catalog. Throws `input_unusable` when the file as a whole cannot be read without guessing, and `interrupted`. */
export async function readCatalog(
  file: InputFile,
  options: CatalogOptions = {},
  watch: ReadingWatch = {},
): Promise<CatalogReading> {
  const wish = { isHeader: isCatalogHeader(options), isFuller: hasMoreThanCodes };
  const read = async (trustsSale: boolean): Promise<CatalogReading> => {
    const source = await openRows(file, { ...options, ...wish }, "items");
    const reader = new CatalogReader({ name: file.name }, source, { ...options, trustsSale }, watch);
    await source.stream(reader);
    return reader.finish();
  };
  try {
    return await read(true);
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    return read(false);
  }
}
