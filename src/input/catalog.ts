import type { CatalogAction, CatalogItem } from "../contract/catalog.ts";
import type { RowFaults } from "../errors/problems.ts";
import {
  CatalogItems,
  GrowingNumbers,
  type KeptOfRow,
  type LazyList,
  RejectedRows,
} from "./catalog-items.ts";
import { type CatalogColumns, type ColumnWishes, catalogColumns, isErrorColumn } from "./columns.ts";
import { CodeVariants, clashOf, settleDuplicates, totalWord } from "./duplicates.ts";
import { type InputFile, unusable } from "./file.ts";
import { ItemReader, textOf } from "./item-reader.ts";
import { type Decimal, DecimalSign } from "./numbers.ts";
import { PlainItems } from "./plain-items.ts";
import { type FileForm, openRows, type RowSource, type TableOptions } from "./rows.ts";
import {
  type Notice,
  type PlainLines,
  type ReadingWatch,
  type RejectedRow,
  type Row,
  restAt,
  type TableHead,
  type TableSink,
} from "./table.ts";

export interface CatalogOptions extends TableOptions, ColumnWishes {
  decimal?: Decimal;
  /** Which of several different rows with one code counts; absent, all of them are rejected. */
  onDuplicate?: "first" | "last";
  /** With `delete` only codigo is read. */
  action?: CatalogAction;
}

/** Which header each field was read from; null when the file has none for it. */
interface CatalogMapping {
  fields: Readonly<Record<keyof CatalogItem, string | null>>;
  /** True when the column of `deshabilitado` says "active". */
  inverse: boolean;
  unused: readonly string[];
}

/** How a catalog file is written; the decimal sign is null where no price shows it. */
type CatalogForm = FileForm & { decimal: Decimal | null };

/** A catalog file, read; `read` = items + rejected + collapsed. */
export interface CatalogReading {
  form: CatalogForm;
  mapping: CatalogMapping;
  columns: readonly string[];
  items: CatalogItems;
  /** In order of their lines; each is read again when somebody asks for it. */
  rejected: LazyList<RejectedRow>;
  /** Rows of the file, blank lines not counted. */
  read: number;
  /** Rows dropped because another row with the same code stands for them. */
  collapsed: number;
  notices: Notice[];
}

function mappingOf(columns: readonly string[], found: CatalogColumns): CatalogMapping {
  const header = (column: number): string | null => columns[column] ?? null;
  const fields = {
    codigo: header(found.codigo),
    nombre: header(found.nombre),
    categoria: header(found.categoria),
    precio: header(found.precio),
    deshabilitado: header(found.deshabilitado),
  };
  return { fields, inverse: found.inverse, unused: found.unused };
}

class CatalogReader implements TableSink {
  readonly #file: TableHead["file"];
  readonly #options: CatalogOptions;
  readonly #watch: ReadingWatch;
  readonly #source: RowSource;
  readonly #items: CatalogItems;
  readonly #variants: CodeVariants;
  #columns: readonly string[] = [];
  #isOurs = false;
  #read = 0;
  /** The last row, where it is the sum of the others and had passed for a product. */
  #total: number | undefined;
  #lastFaults: { name: string; kept: KeptOfRow } = { name: "", kept: {} };
  /** The rows whose price can be read in two ways, and those of them that cannot be read again. */
  #waiting = new GrowingNumbers();
  readonly #salvaged = new Map<number, Row>();
  #reader!: ItemReader;
  #found!: CatalogColumns;
  #plain: PlainItems | undefined;
  #sign!: DecimalSign;

  constructor(file: TableHead["file"], source: RowSource, options: CatalogOptions, watch: ReadingWatch) {
    this.#file = file;
    this.#source = source;
    this.#options = options;
    this.#watch = watch;
    this.#items = new CatalogItems(source.cellsAt);
    this.#variants = new CodeVariants(this.#items);
  }

  header(columns: readonly string[]): void {
    const { action, decimal } = this.#options;
    const table = { file: this.#file, columns };
    this.#columns = columns;
    this.#isOurs = columns.some(isErrorColumn);
    this.#found = catalogColumns(table, this.#options);
    this.#sign = new DecimalSign(this.#file, columns[this.#found.precio] ?? "", decimal);
    this.#reader = new ItemReader(table, this.#found, action === "delete", this.#sign);
  }

  row(row: Row): void {
    this.#read += 1;
    const mustWait = this.#reader.mustWait(row);
    const index = this.#items.add(row.line, row.start, row.end);
    if (mustWait) {
      if (row.salvaged === true) this.#salvaged.set(index, row);
      this.#waiting.push(index);
      return;
    }
    if (this.#waiting.length > 0 && this.#sign.found !== undefined) this.#settleWaiting();
    this.#take(row, index);
  }

  takeLines(lines: PlainLines): { next: number; lines: number } {
    if (this.#options.action === "delete") return { next: lines.from, lines: 0 };
    this.#plain ??= new PlainItems(lines, { items: this.#items, columns: this.#found, sign: this.#sign });
    const taken = this.#plain.take(lines);
    this.#read += taken.lines;
    return taken;
  }

  #settleWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = new GrowingNumbers();
    for (let n = 0; n < waiting.length; n++) {
      const index = waiting.at(n);
      this.#take(this.#salvaged.get(index) ?? this.#source.rowAt(this.#items.placeOf(index)), index);
    }
  }

  #take(row: Row, index: number): void {
    const reading = this.#reader.read(row);
    if (!reading.ok) this.#items.reject(index, this.#keptOf(row, reading.faults));
    else if (this.#items.fill(index, reading.item)) this.#variants.see(reading.item.codigo, index);
  }

  /** What must be kept of a bad row: what is wrong with its form, and cells that its bytes alone do not give. */
  #keptOf({ problem, salvaged, cells }: Row, faults: RowFaults): KeptOfRow | undefined {
    const kind = problem?.kind ?? "";
    if ((problem === undefined && salvaged !== true) || /^(?:json_broken|not_an_object)$/.test(kind))
      return undefined;
    // Mostly a whole file has one fault.
    const name = JSON.stringify(faults);
    if (name !== this.#lastFaults.name) this.#lastFaults = { name, kept: { faults } };
    const isCut = kind.startsWith("quote_") || this.#isOurs;
    return isCut ? { faults, cells } : this.#lastFaults.kept;
  }

  #readRejected(index: number): RejectedRow {
    const place = this.#items.placeOf(index);
    const kept = this.#items.keptOf(index);
    const cells = kept.cells ?? this.#source.cellsAt(place.start, place.end);
    const faults = kept.faults ?? this.#faultsOf(this.#source.rowAt(place));
    const isTorn = /^(?:quote_|json_broken)/.test(faults.problem.kind);
    const codigo = isTorn ? "" : textOf(cells[this.#found.codigo] ?? "");
    return { source: "file", line: place.line, codigo: codigo === "" ? null : codigo, cells, ...faults };
  }

  /** What is wrong with a row by itself, else with its code. */
  #faultsOf(row: Row): RowFaults {
    const reading = this.#reader.read(row);
    if (!reading.ok) return reading.faults;
    const group = this.#items.twinsOf(this.#items.codes.find(reading.item.codigo) ?? 0);
    return { problem: clashOf(this.#withoutTotal(group), this.#items) };
  }

  #rejectTotal(): void {
    const last = this.#items.rows - 1;
    const isBad = this.#items.isRejected(last);
    const { codigo, nombre } = this.#found;
    const { cells, problem } = isBad
      ? this.#readRejected(last)
      : { cells: [this.#items.itemAt(last).codigo], problem: null };
    const code = cells[isBad ? codigo : 0] ?? "";
    const isOdd = problem?.kind === "cell_count";
    const text = totalWord(isOdd ? cells : [code === "" ? (cells[nombre] ?? "") : code]);
    if (text === null) return;
    this.#items.reject(last, {
      ...this.#items.keptOf(last),
      faults: { problem: { kind: "total_row", text } },
    });
    if (!isBad) this.#total = last;
  }

  #withoutTotal(group: number[]): number[] {
    return group.filter((row) => row !== this.#total);
  }

  *#settleable(): Generator<number[]> {
    for (const group of this.#items.groups()) {
      const rest = this.#withoutTotal(group);
      if (rest.length > 1) yield rest;
    }
  }

  rest(): Promise<void> {
    return restAt(this.#read, this.#watch);
  }

  finish(): CatalogReading {
    if (this.#read === 0) throw unusable(this.#file, { kind: "no_rows" });
    this.#sign.refuseAmbiguous();
    this.#settleWaiting();
    this.#rejectTotal();
    const items = this.#items;
    const settled = settleDuplicates(this.#settleable(), items, this.#options.onDuplicate);
    const rejected = new RejectedRows(items.settle(), (index) => this.#readRejected(index));
    const { formulas } = this.#reader;
    return {
      form: { ...this.#source.form, decimal: this.#sign.found ?? null },
      mapping: mappingOf(this.#columns, this.#found),
      columns: this.#columns,
      items,
      rejected,
      read: this.#read,
      collapsed: settled.collapsed,
      notices: [
        ...this.#source.notices,
        ...this.#found.notices,
        ...(formulas === undefined ? [] : [{ kind: "formula_texts" as const, ...formulas }]),
        ...settled.notices,
        ...this.#variants.notices(),
      ],
    };
  }
}

/**
 * Reads a catalog: CSV, JSON or NDJSON. A bad row is a value in `rejected`.
 *
 * @throws BposError input_unusable when the file as a whole cannot be read without guessing, interrupted
 * @example
 * const { items, rejected } = await readCatalog(await openInput("precios.csv", stdin, cwd));
 */
export async function readCatalog(
  file: InputFile,
  options: CatalogOptions = {},
  watch: ReadingWatch = {},
): Promise<CatalogReading> {
  const source = openRows(file, options, "items");
  const reader = new CatalogReader({ name: file.name }, source, options, watch);
  await source.stream(reader);
  return reader.finish();
}
