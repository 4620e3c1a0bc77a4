import type { CatalogAction, CatalogItem } from "../contract/catalog.ts";
import { type RowFaults, type RowProblem, rowFaults } from "../errors/row-problem.ts";
import { parseBoolean } from "./booleans.ts";
import { type CatalogColumns, catalogColumns } from "./catalog-columns.ts";
import { CatalogItems } from "./catalog-rows.ts";
import { CodeIndex } from "./code-index.ts";
import { CodeVariants, totalWord } from "./code-variants.ts";
import { hasLostDigits } from "./columns.ts";
import { DecimalSign } from "./decimal-sign.ts";
import { type Settled, settleDuplicates } from "./duplicates.ts";
import { type InputFile, unusable } from "./file.ts";
import { FormulaTexts, textOf } from "./formula-text.ts";
import { type ItemTexts, itemJson } from "./item-store.ts";
import { type Decimal, numberCell, parseAmount, parseJsonAmount, plainJsonAmount } from "./numbers.ts";
import { PlainItems } from "./plain-items.ts";
import type { Notice } from "./problems.ts";
import { type ReadingWatch, restAt } from "./reading-watch.ts";
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

/** A row that is left out, and why. */
export interface RejectedRow extends RowFaults {
  line: number;
  codigo: string | null;
  cells: readonly string[];
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
  /** In order of their lines. */
  rejected: RejectedRow[];
  /** Rows of the file, blank lines not counted. */
  read: number;
  /** Rows dropped because another row with the same code stands for them. */
  collapsed: number;
  notices: Notice[];
}

type Reading = { ok: true; item: ItemTexts } | { ok: false; faults: RowFaults };

/** Reads the rows of one table, whose columns are settled. */
class ItemReader {
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

/** Takes a file row by row and keeps what is sent of it. */
class CatalogReader implements TableSink {
  readonly rejected: RejectedRow[] = [];
  readonly kept: CatalogItems;
  columns: readonly string[] = [];
  read = 0;
  mapping!: CatalogMapping;
  readonly #file: TableHead["file"];
  readonly #options: CatalogOptions;
  readonly #watch: ReadingWatch;
  readonly #groups = new Map<number, number[]>();
  readonly #codes: CodeIndex;
  readonly #variants: CodeVariants;
  /** The row that was left out furthest down. */
  #lastBad: RejectedRow | undefined;
  /** Rows whose price can be read in two ways, and the places that are kept for them. */
  #waiting: { row: Row; index: number }[] = [];
  #reader!: ItemReader;
  #found!: CatalogColumns;
  #plain: PlainItems | undefined;
  #sign!: DecimalSign;

  constructor(
    source: Pick<RowSource, "cellsAt"> & { file: TableHead["file"] },
    options: CatalogOptions,
    watch: ReadingWatch,
  ) {
    this.#file = source.file;
    this.#options = options;
    this.#watch = watch;
    this.kept = new CatalogItems(source.cellsAt);
    const codeOf = (row: number): string => this.kept.store.item(row).codigo;
    this.#codes = new CodeIndex(codeOf);
    this.#variants = new CodeVariants(codeOf);
  }

  header(columns: readonly string[]): void {
    const { action, decimal } = this.#options;
    this.columns = columns;
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
      this.#waiting.push({ row, index: this.kept.add(row.line, row.start, row.end) });
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
    const taken = this.#plain.take(lines, (other, index) => this.#twice(other, index));
    this.read += taken.lines;
    return taken;
  }

  #settleWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { row, index } of waiting) this.#take(row, index);
  }

  #take(row: Row, place: number | undefined): void {
    const reading = this.#reader.read(row, this.#sign);
    if (!reading.ok) {
      const { line, numbers } = row;
      const cells = numbers
        ? row.cells.map((cell, at) => (numbers.has(at) ? numberCell(cell) : cell))
        : row.cells;
      const codigo = /^(?:quote_|json_broken)/.test(row.problem?.kind ?? "")
        ? ""
        : cellAt(row, this.#found.codigo);
      const bad = { line, codigo: codigo === "" ? null : codigo, ...reading.faults, cells };
      this.rejected.push(bad);
      if (line > (this.#lastBad?.line ?? 0)) this.#lastBad = bad;
      return;
    }
    const { codigo } = reading.item;
    const index = place ?? this.kept.add(row.line, row.start, row.end);
    this.kept.store.fill(index, itemJson(reading.item, row.isPlain));
    const other = this.#codes.claim(codigo, index);
    if (other !== undefined) this.#twice(other, index);
    else this.#variants.see(codigo, index);
  }

  /** Rejects the last row where it is the sum of the others; its index where it had passed for a product. */
  #rejectTotal(): number | undefined {
    const bad = this.#lastBad;
    const index = this.kept.store.length - 1;
    const { codigo, nombre } = this.#found;
    if (bad !== undefined && (index < 0 || bad.line >= this.kept.lineOf(index))) {
      const code = bad.cells[codigo] ?? "";
      const isOdd = bad.problem.kind === "cell_count";
      const text = totalWord(isOdd ? bad.cells : [code === "" ? (bad.cells[nombre] ?? "") : code]);
      if (text !== null) Object.assign(bad, { problem: { kind: "total_row", text }, also: [] });
      return undefined;
    }
    const code = this.kept.store.item(index).codigo;
    const text = totalWord([code]);
    if (text === null) return undefined;
    const line = this.kept.lineOf(index);
    const problem: RowProblem = { kind: "total_row", text };
    this.rejected.push({ line, codigo: code, problem, cells: this.kept.cellsOf(index) });
    return index;
  }

  /** Two rows have one code. */
  #twice(other: number, index: number): void {
    const group = this.#groups.get(other);
    if (group === undefined) this.#groups.set(other, [other, index]);
    else group.push(index);
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
    const total = this.#rejectTotal();
    const groups = [...this.#groups.values()]
      .map((group) => group.filter((row) => row !== total).sort((a, b) => a - b))
      .filter((group) => group.length > 1);
    const rows = {
      line: (row: number) => this.kept.lineOf(row),
      json: (row: number) => this.kept.store.json(row),
      codigo: (row: number) => this.kept.store.item(row).codigo,
    };
    const settled = settleDuplicates(groups, rows, this.#options.onDuplicate);
    for (const { row, problem } of settled.clashes) {
      const { codigo } = this.kept.store.item(row);
      this.rejected.push({ line: rows.line(row), codigo, problem, cells: this.kept.cellsOf(row) });
    }
    if (total !== undefined) settled.dropped.add(total);
    this.kept.choose(settled.dropped);
    this.rejected.sort((a, b) => a.line - b.line);
    const alike = this.#variants.find(this.#codes, rows.line);
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
  };
  const reader = new CatalogReader(origin, options, watch);
  await source.stream(reader);
  const { collapsed, notices } = reader.finish();
  return {
    form: { ...source.form, decimal: reader.decimal },
    mapping: reader.mapping,
    columns: reader.columns,
    items: reader.kept,
    rejected: reader.rejected,
    read: reader.read,
    collapsed,
    notices: [...source.notices, ...reader.notices, ...notices],
  };
}
