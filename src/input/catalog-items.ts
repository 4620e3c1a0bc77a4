import type { CatalogAction, CatalogItem } from "../contract/catalog.ts";
import { parseBoolean } from "./booleans.ts";
import { type CatalogColumns, catalogColumns } from "./catalog-columns.ts";
import { hasLostDigits } from "./columns.ts";
import { settleDuplicates } from "./duplicates.ts";
import { type InputFile, unusable } from "./file.ts";
import { type Decimal, inferDecimal, parseAmount, parseJsonAmount } from "./numbers.ts";
import type { Notice, RowProblem } from "./problems.ts";
import { readTable, type TableOptions } from "./rows.ts";
import type { Row, Table } from "./table.ts";

/** What a person may say about a catalog file; everything absent is found out or asked for. */
export interface CatalogOptions extends TableOptions {
  decimal?: Decimal;
  /** Field to header, for headers that are not understood. */
  map?: Readonly<Record<string, string>>;
  /** Which of several different rows with one code counts; absent, all of them are rejected. */
  onDuplicate?: "first" | "last";
  /** With `delete` only codigo is read. */
  action?: CatalogAction;
}

/** A product, the physical line on which it begins, and its row as read. */
export interface CatalogRow {
  line: number;
  item: CatalogItem;
  cells: readonly string[];
}

/** A row that is left out, and why. */
interface RejectedRow {
  line: number;
  codigo: string | null;
  problem: RowProblem;
  cells: readonly string[];
}

/** A catalog file, read; `read` = rows + rejected + collapsed. */
export interface CatalogReading {
  columns: readonly string[];
  rows: CatalogRow[];
  /** In order of their lines. */
  rejected: RejectedRow[];
  /** Rows of the file, blank lines not counted. */
  read: number;
  /** Rows dropped because another row with the same code stands for them. */
  collapsed: number;
  notices: Notice[];
}

type Reading = { ok: true; item: CatalogItem } | { ok: false; problem: RowProblem };

function bad(problem: RowProblem): Reading {
  return { ok: false, problem };
}

/** Reads the rows of one table: its columns and its decimal sign are settled. */
class ItemReader {
  private readonly table: Table;
  private readonly columns: CatalogColumns;
  private readonly decimal: Decimal;
  private readonly codeOnly: boolean;

  constructor(table: Table, columns: CatalogColumns, options: { decimal: Decimal; codeOnly: boolean }) {
    this.table = table;
    this.columns = columns;
    this.decimal = options.decimal;
    this.codeOnly = options.codeOnly;
  }

  /** The first problem of a row wins: one plain reason is enough to fix it. */
  read(row: Row): Reading {
    if (row.problem !== undefined) return bad(row.problem);
    const { codigo, nombre, categoria, precio, deshabilitado } = this.columns;
    const code = cellAt(row, codigo);
    if (row.numbers?.has(codigo)) {
      return bad({ kind: "code_is_number", column: this.header(codigo), text: code });
    }
    if (code === "") return bad({ kind: "code_missing" });
    if (hasLostDigits(code)) return bad({ kind: "digits_lost", column: this.header(codigo), text: code });
    const fields = this.codeOnly ? [codigo] : [codigo, nombre, categoria, precio, deshabilitado];
    const nested = fields.find((field) => row.nested?.has(field));
    if (nested !== undefined) {
      return bad({ kind: "value_not_text", column: this.header(nested), text: cellAt(row, nested) });
    }
    const item: CatalogItem = { codigo: code };
    if (this.codeOnly) return { ok: true, item };
    const name = cellAt(row, nombre);
    if (name !== "") item.nombre = name;
    const category = cellAt(row, categoria);
    if (category !== "") item.categoria = category;
    const problem = this.readPrice(row, item) ?? this.readDisabled(row, item);
    return problem === null ? { ok: true, item } : bad(problem);
  }

  private readPrice(row: Row, item: CatalogItem): RowProblem | null {
    const { precio } = this.columns;
    const text = cellAt(row, precio);
    if (text === "") return null;
    const amount = row.numbers?.has(precio) ? parseJsonAmount(text) : parseAmount(text, this.decimal);
    if (!amount.ok) return { kind: amount.kind, column: this.header(precio), text };
    item.precio = amount.value;
    return null;
  }

  private readDisabled(row: Row, item: CatalogItem): RowProblem | null {
    const { deshabilitado, inverse } = this.columns;
    const text = cellAt(row, deshabilitado);
    if (text === "") return null;
    const said = parseBoolean(text);
    if (said === null) return { kind: "boolean_unknown", column: this.header(deshabilitado), text };
    item.deshabilitado = said !== inverse;
    return null;
  }

  private header(column: number): string {
    return this.table.columns[column] ?? "";
  }
}

function cellAt(row: Row, column: number): string {
  return row.cells[column]?.trim() ?? "";
}

function* amountTexts(rows: readonly Row[], column: number): Generator<{ line: number; text: string }> {
  for (const row of rows) {
    if (row.problem === undefined && !row.numbers?.has(column)) {
      yield { line: row.line, text: cellAt(row, column) };
    }
  }
}

/** The decimal sign of the price column; refuses the file rather than be off by a thousand. */
function decimalOf(table: Table, column: number): Decimal {
  const evidence = inferDecimal(amountTexts(table.rows, column));
  const header = table.columns[column] ?? "";
  switch (evidence.kind) {
    case "found":
      return evidence.decimal;
    case "none":
      return ".";
    case "mixed": {
      const { comma, dot } = evidence;
      throw unusable(table.file, { kind: "decimals_mixed", column: header, comma, dot });
    }
    case "ambiguous": {
      const { text, line } = evidence.sample;
      const shown = (decimal: Decimal): string => {
        const amount = parseAmount(text, decimal);
        return amount.ok ? String(amount.value) : text;
      };
      const readings = { asComma: shown(","), asDot: shown(".") };
      throw unusable(
        table.file,
        { kind: "decimals_ambiguous", column: header, sample: text, ...readings },
        line,
      );
    }
  }
}

/**
 * Reads a catalog (`spec.md` 2.6, `design/input.md`): CSV, JSON or NDJSON. A bad row is a value in `rejected`.
 *
 * @throws BposError input_unusable when the file as a whole cannot be read without guessing
 * @example
 * const { rows, rejected } = await readCatalog(await openInput("precios.csv", stdin, cwd));
 */
export async function readCatalog(file: InputFile, options: CatalogOptions = {}): Promise<CatalogReading> {
  const table = await readTable(file, options, "items");
  const columns = catalogColumns(table, options.map);
  const codeOnly = options.action === "delete";
  const decimal = codeOnly ? "." : (options.decimal ?? decimalOf(table, columns.precio));
  const reader = new ItemReader(table, columns, { decimal, codeOnly });
  const good: CatalogRow[] = [];
  const rejected: RejectedRow[] = [];
  for (const row of table.rows) {
    const { line, cells } = row;
    const reading = reader.read(row);
    if (reading.ok) good.push({ line, item: reading.item, cells });
    else {
      const codigo = row.problem?.kind.startsWith("quote_") ? "" : cellAt(row, columns.codigo);
      rejected.push({ line, codigo: codigo === "" ? null : codigo, problem: reading.problem, cells });
    }
  }
  const settled = settleDuplicates(good, options.onDuplicate);
  return {
    columns: table.columns,
    rows: settled.rows,
    rejected: [...rejected, ...settled.rejected].sort((a, b) => a.line - b.line),
    read: table.rows.length,
    collapsed: settled.collapsed,
    notices: [...table.notices, ...columns.notices, ...settled.notices],
  };
}
