import type { CatalogAction, CatalogItem } from "../contract/catalog.ts";
import type { RowFaults } from "../errors/row-problem.ts";
import { type CatalogColumns, catalogColumns } from "./catalog-columns.ts";
import { CatalogItems } from "./catalog-rows.ts";
import { CodeGroups } from "./code-groups.ts";
import { CodeIndex } from "./code-index.ts";
import { CodeVariants, totalWord } from "./code-variants.ts";
import { isErrorColumn } from "./columns.ts";
import { DecimalSign } from "./decimal-sign.ts";
import { type CodedRows, clashOf, type Settled, settleDuplicates } from "./duplicates.ts";
import { type InputFile, unusable } from "./file.ts";
import { textOf } from "./formula-text.ts";
import { GrowingNumbers } from "./growing-numbers.ts";
import { ItemReader } from "./item-reader.ts";
import { itemJson } from "./item-store.ts";
import type { Decimal } from "./numbers.ts";
import { PlainItems } from "./plain-items.ts";
import type { Notice } from "./problems.ts";
import { type ReadingWatch, restAt } from "./reading-watch.ts";
import { type KeptOfRow, type LazyList, ListOf, type RejectedRow, type RowPlace } from "./rejected-rows.ts";
import { type FileForm, openRows, type RowSource, type TableOptions } from "./rows.ts";
import type { PlainForm, PlainLines, Row, TableHead, TableSink } from "./table.ts";

/** What a person may say about a catalog file; everything absent is found out or asked for. */
export interface CatalogOptions extends TableOptions {
  decimal?: Decimal;
  /** Field to header, for headers that are not understood. */
  map?: Readonly<Record<string, string>>;
  /** The one that was kept from an earlier file, field by field where `map` says nothing and its header is there. */
  keptMap?: Readonly<Record<string, string>>;
  /** Which of several different rows with one code counts; absent, all of them are rejected. */
  onDuplicate?: "first" | "last";
  /** With `delete` only codigo is read. */
  action?: CatalogAction;
}

/** Which header each field was read from; null when the file has none for it. */
export interface CatalogMapping {
  fields: Readonly<Record<keyof CatalogItem, string | null>>;
  /** True when the column of `deshabilitado` says "active". */
  inverse: boolean;
  unused: readonly string[];
}

/** How a catalog file is written; the decimal sign is null where no price shows it. */
export type CatalogForm = FileForm & { decimal: Decimal | null };

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
  const { codigo, nombre, categoria, precio, deshabilitado, inverse, unused } = found;
  const header = (column: number): string | null => columns[column] ?? null;
  const fields = {
    codigo: header(codigo),
    nombre: header(nombre),
    categoria: header(categoria),
    precio: header(precio),
    deshabilitado: header(deshabilitado),
  };
  return { fields, inverse, unused };
}

type Source = Pick<RowSource, "cellsAt" | "rowAt"> & { file: TableHead["file"] };

/** Takes a file row by row and keeps what is sent of it. */
class CatalogReader implements TableSink {
  readonly kept: CatalogItems;
  columns: readonly string[] = [];
  read = 0;
  mapping!: CatalogMapping;
  readonly #file: TableHead["file"];
  readonly #options: CatalogOptions;
  readonly #watch: ReadingWatch;
  readonly #source: Source;
  readonly #groups = new CodeGroups();
  readonly #codes: CodeIndex;
  readonly #variants: CodeVariants;
  /** The last row, where it is the sum of the others and had passed for a product. */
  #total: number | undefined;
  #lastFaults: { name: string; kept: KeptOfRow } = { name: "", kept: {} };
  /** A rejected file of ours. */
  #isOurs = false;
  readonly #coded: CodedRows;
  /** The places that are kept for rows whose price can be read in two ways, and those of them that cannot be read again. */
  #waiting = new GrowingNumbers();
  readonly #salvaged = new Map<number, Row>();
  #reader!: ItemReader;
  #found!: CatalogColumns;
  #plain: PlainItems | undefined;
  #sign!: DecimalSign;

  constructor(source: Source, options: CatalogOptions, watch: ReadingWatch) {
    this.#source = source;
    this.#file = source.file;
    this.#options = options;
    this.#watch = watch;
    this.kept = new CatalogItems(source.cellsAt);
    const codeOf = (row: number): string => this.kept.store.item(row).codigo;
    this.#codes = new CodeIndex(codeOf);
    this.#variants = new CodeVariants(codeOf);
    this.#coded = {
      line: (row) => this.kept.lineOf(row),
      json: (row) => this.kept.store.json(row),
      codigo: codeOf,
    };
  }

  header(columns: readonly string[]): void {
    const { action, decimal } = this.#options;
    this.columns = columns;
    this.#isOurs = columns.some(isErrorColumn);
    const table = { file: this.#file, columns };
    const found = catalogColumns(table, this.#options);
    this.#found = found;
    this.mapping = mappingOf(columns, found);
    this.#reader = new ItemReader(table, found, action === "delete");
    this.#sign = new DecimalSign(this.#file, this.#reader.header(found.precio), decimal);
  }

  row(row: Row): void {
    this.read += 1;
    const text = this.#reader.priceText(row);
    if (this.#sign.mustWait({ line: row.line, text })) {
      const index = this.kept.add(row.line, row.start, row.end);
      if (row.salvaged === true) this.#salvaged.set(index, row);
      this.#waiting.push(index);
      return;
    }
    if (this.#waiting.length > 0 && this.#sign.found !== undefined) this.#settleWaiting();
    this.#take(row, undefined);
  }

  takeLines(lines: PlainLines, form: PlainForm): { next: number; lines: number } | null {
    if (this.#options.action === "delete") return null;
    this.#plain ??= new PlainItems(form, {
      columns: this.#found,
      kept: this.kept,
      codes: this.#codes,
      sign: this.#sign,
    });
    const taken = this.#plain.take(lines, (other, index) => this.#groups.add(other, index));
    this.read += taken.lines;
    return taken;
  }

  #settleWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = new GrowingNumbers();
    for (let n = 0; n < waiting.length; n++) {
      const index = waiting.at(n);
      this.#take(this.#salvaged.get(index) ?? this.#source.rowAt(this.kept.placeOf(index)), index);
    }
  }

  #take(row: Row, place: number | undefined): void {
    const reading = this.#reader.read(row, this.#sign);
    const index = place ?? this.kept.add(row.line, row.start, row.end);
    if (!reading.ok) {
      this.kept.reject(index, this.#keptOf(row, reading.faults));
      return;
    }
    const { codigo } = reading.item;
    this.kept.store.fill(index, itemJson(reading.item, row.isPlain));
    const other = this.#codes.claim(codigo, index);
    if (other !== undefined) this.#groups.add(other, index);
    else this.#variants.see(codigo, index);
  }

  /** What must be kept of a bad row: what is wrong with its form, and cells that its bytes alone do not give. */
  #keptOf({ problem, salvaged, cells }: Row, faults: RowFaults): KeptOfRow | undefined {
    const kind = problem?.kind ?? "";
    if ((problem === undefined && salvaged !== true) || /^(?:json_broken|not_an_object)$/.test(kind))
      return undefined;
    // Mostly a whole file has one fault.
    const name = JSON.stringify(faults);
    if (name !== this.#lastFaults.name) this.#lastFaults = { name, kept: { faults } };
    const isCut = this.#isOurs || kind.startsWith("quote_");
    return isCut ? { ...this.#lastFaults.kept, cells } : this.#lastFaults.kept;
  }

  /** The rejected row that stands there, read again. */
  readRejected(index: number): RejectedRow {
    const place = this.kept.placeOf(index);
    const kept = this.kept.keptOf(index);
    const cells = kept.cells ?? this.#source.cellsAt(place.start, place.end);
    const faults = kept.faults ?? this.#faultsOf(this.#source.rowAt(place));
    const isTorn = /^(?:quote_|json_broken)/.test(faults.problem.kind);
    const codigo = isTorn ? "" : textOf(cells[this.#found.codigo] ?? "");
    return { source: "file", line: place.line, codigo: codigo === "" ? null : codigo, cells, ...faults };
  }

  /** What is wrong with a row by itself, else with its code. */
  #faultsOf(row: Row): RowFaults {
    const reading = this.#reader.read(row, this.#sign);
    if (!reading.ok) return reading.faults;
    const group = this.#groups.of(this.#codes.find(reading.item.codigo) ?? 0);
    return { problem: clashOf(this.#withoutTotal(group), this.#coded) };
  }

  /** Rejects the last row where it is the sum of the others. */
  #rejectTotal(): void {
    const last = this.kept.store.length - 1;
    const { codigo, nombre } = this.#found;
    const isBad = this.kept.isRejected(last);
    const { cells, problem } = isBad
      ? this.readRejected(last)
      : { cells: [this.kept.store.item(last).codigo], problem: null };
    const code = cells[isBad ? codigo : 0] ?? "";
    const isOdd = problem?.kind === "cell_count";
    const text = totalWord(isOdd ? cells : [code === "" ? (cells[nombre] ?? "") : code]);
    if (text === null) return;
    this.kept.reject(last, { ...this.kept.keptOf(last), faults: { problem: { kind: "total_row", text } } });
    if (!isBad) this.#total = last;
  }

  #withoutTotal(group: number[]): number[] {
    return group.filter((row) => row !== this.#total);
  }

  *#settleable(): Generator<number[]> {
    for (const group of this.#groups) {
      const rest = this.#withoutTotal(group);
      if (rest.length > 1) yield rest;
    }
  }

  rest(): Promise<void> {
    return restAt(this.read, this.#watch);
  }

  /** What a person should know of the file, once it is read. */
  get notices(): Notice[] {
    const { found } = this.#reader.formulas;
    return [
      ...this.#found.notices,
      ...(found === null ? [] : [{ kind: "formula_texts" as const, ...found }]),
    ];
  }

  get decimal(): Decimal | null {
    return this.#sign.found ?? null;
  }

  finish(): Settled {
    if (this.read === 0) throw unusable(this.#file, { kind: "no_rows" });
    this.#sign.refuseAmbiguous();
    this.#settleWaiting();
    this.#rejectTotal();
    const settled = settleDuplicates(this.#settleable(), this.#coded, {
      keep: this.#options.onDuplicate,
      drop: (row, clash) => (clash === null ? this.kept.drop(row) : this.kept.reject(row, clash)),
    });
    this.kept.settle();
    const alike = this.#variants.find(this.#codes, (row) => this.kept.lineOf(row));
    if (alike.count > 0) settled.notices.push({ kind: "codes_alike", ...alike });
    return settled;
  }
}

/**
 * Reads a catalog (`spec.md` 2.6, `design/input.md`): CSV, JSON or NDJSON. A bad row is a value in `rejected`.
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
  const origin = {
    file: { name: file.name },
    cellsAt: (start: number, end: number) => source.cellsAt(start, end),
    rowAt: (place: RowPlace) => source.rowAt(place),
  };
  const reader = new CatalogReader(origin, options, watch);
  await source.stream(reader);
  const { collapsed, notices } = reader.finish();
  return {
    form: { ...source.form, decimal: reader.decimal },
    mapping: reader.mapping,
    columns: reader.columns,
    items: reader.kept,
    rejected: new ListOf(reader.kept.rejected(), (index) => reader.readRejected(index)),
    read: reader.read,
    collapsed,
    notices: [...source.notices, ...reader.notices, ...notices],
  };
}
