import { columnMissing, isErrorColumn, knownColumn, namedColumn } from "./columns.ts";
import { type InputFile, unusable } from "./file.ts";
import { countryCode, type Phone, readPhone } from "./phone.ts";
import type { LandlineShape, Notice, RowProblem } from "./problems.ts";
import { readTable, type TableOptions } from "./rows.ts";
import type { Row, Table } from "./table.ts";

/** What a person may say about a recipients file. */
export interface RecipientOptions extends TableOptions {
  /** Two letters; makes phones readable that are written without `+`. */
  country?: string;
  /** Header of the phone column, when it is not understood. */
  phoneColumn?: string;
  /** Headers of the columns that hold the template's variables, in order. */
  params?: readonly string[];
  /** Takes the proposal for every phone that looks like a landline. */
  fixPhones?: boolean;
}

/** One person: phone in international form, and the template's variables in order. */
export interface RecipientRow {
  line: number;
  phone: string;
  /** Equal for all written forms of one mobile. */
  person: string;
  params: string[];
  cells: readonly string[];
}

/** A row that is left out; `phone` as read. */
interface InvalidRow {
  line: number;
  phone: string | null;
  problem: RowProblem;
  cells: readonly string[];
}

/** A row whose person stands on an earlier line already. */
interface DuplicateRow {
  line: number;
  phone: string;
  firstLine: number;
}

/** A recipients file, read; `read` = recipients + invalid + duplicates. */
export interface RecipientsReading {
  columns: readonly string[];
  paramNames: readonly string[];
  recipients: RecipientRow[];
  invalid: InvalidRow[];
  duplicates: DuplicateRow[];
  read: number;
  notices: Notice[];
}

const phoneNames = [
  "telefono",
  "telefono celular",
  "tel",
  "phone",
  "celular",
  "cel",
  "movil",
  "mobile",
  "whatsapp",
  "numero",
  "telefone",
];
const longestVariable = 1024;

type UsablePhone = Extract<Phone, { ok: true }>;

/** Where phone and variables stand in a row. */
interface Layout {
  phone: number;
  params: readonly number[];
}

function layoutOf(table: Table, options: RecipientOptions): Layout {
  const phone =
    options.phoneColumn === undefined
      ? knownColumn(table, "phone", phoneNames)
      : namedColumn(table, "--phone-column", options.phoneColumn);
  if (phone === null) throw columnMissing(table, "phone");
  const params =
    options.params?.map((name) => namedColumn(table, "--params", name)) ??
    table.columns.flatMap((header, index) => (index === phone || isErrorColumn(header) ? [] : [index]));
  return { phone, params };
}

function variableProblem(names: readonly string[], values: readonly string[]): RowProblem | null {
  for (const [index, value] of values.entries()) {
    const name = names[index] ?? String(index + 1);
    if (value === "") return { kind: "variable_empty", name };
    if (/[\r\n\t]/.test(value)) return { kind: "variable_line_break", name };
    if (value.length > longestVariable) {
      return { kind: "variable_too_long", name, length: value.length, limit: longestVariable };
    }
  }
  return null;
}

/** Reads row after row: the first usable one says how many variables the others must have. */
class RecipientReader {
  readonly recipients: RecipientRow[] = [];
  readonly invalid: InvalidRow[] = [];
  readonly duplicates: DuplicateRow[] = [];
  readonly landlines: LandlineShape[] = [];
  paramNames: readonly string[];
  private expected: number | null = null;
  private readonly firstLines = new Map<string, number>();
  private readonly layout: Layout;
  private readonly readPhone: (text: string) => Phone;
  private readonly fixPhones: boolean;

  constructor(table: Table, layout: Layout, options: RecipientOptions) {
    this.layout = layout;
    this.paramNames = layout.params.map((index) => table.columns[index] ?? "");
    this.fixPhones = options.fixPhones ?? false;
    const country = options.country === undefined ? null : countryCode(options.country);
    if (options.country !== undefined && country === null) {
      throw unusable(table.file, { kind: "country_unknown", country: options.country });
    }
    const column = table.columns[layout.phone] ?? "";
    this.readPhone = (text) => readPhone(text, { column, country });
  }

  read(row: Row): void {
    const { line, cells } = row;
    const text = row.problem === undefined ? (cells[this.layout.phone]?.trim() ?? "") : "";
    const judged = this.judge(row, text);
    if ("kind" in judged)
      this.invalid.push({ line, phone: text === "" ? null : text, problem: judged, cells });
    else this.keep({ line, params: judged.params, cells }, judged.phone);
  }

  private judge(row: Row, text: string): RowProblem | { phone: UsablePhone; params: string[] } {
    if (row.problem !== undefined) return row.problem;
    const phone = this.readPhone(text);
    if (!phone.ok) return phone.problem;
    const values = row.params ?? this.layout.params.map((index) => row.cells[index] ?? "");
    const params = values.map((value) => value.trim());
    const names = row.params === undefined ? this.paramNames : params.map((_, index) => String(index + 1));
    const problem = variableProblem(names, params);
    if (problem !== null) return problem;
    if (this.expected === null) {
      this.expected = params.length;
      this.paramNames = names;
    }
    if (params.length === this.expected) return { phone, params };
    return { kind: "variable_count", expected: this.expected, found: params.length };
  }

  private keep(row: Omit<RecipientRow, "phone" | "person">, read: UsablePhone): void {
    const phone = this.fixPhones ? (read.proposal ?? read.phone) : read.phone;
    const firstLine = this.firstLines.get(read.person);
    if (firstLine !== undefined) {
      this.duplicates.push({ line: row.line, phone, firstLine });
      return;
    }
    this.firstLines.set(read.person, row.line);
    if (read.proposal !== undefined) {
      this.landlines.push({ line: row.line, phone: read.phone, proposal: read.proposal });
    }
    this.recipients.push({ ...row, phone, person: read.person });
  }
}

/**
 * Reads the recipients of a campaign (`spec.md` 4.3, `design/input.md`): CSV, JSON or NDJSON. A bad row is a value in
 * `invalid`; a person who stands twice is kept once.
 *
 * @throws BposError input_unusable when the file as a whole cannot be read without guessing
 * @example
 * const { recipients } = await readRecipients(file, { country: "AR", params: ["nombre", "pedido"] });
 */
export async function readRecipients(
  file: InputFile,
  options: RecipientOptions = {},
): Promise<RecipientsReading> {
  const table = await readTable(file, options, "recipients");
  const reader = new RecipientReader(table, layoutOf(table, options), options);
  for (const row of table.rows) reader.read(row);
  const { recipients, invalid, duplicates, paramNames, landlines } = reader;
  const shapes: Notice[] =
    landlines.length === 0
      ? []
      : [{ kind: "landline_shapes", phones: landlines, fixed: options.fixPhones ?? false }];
  return {
    columns: table.columns,
    paramNames,
    recipients,
    invalid,
    duplicates,
    read: table.rows.length,
    notices: [...table.notices, ...shapes],
  };
}
