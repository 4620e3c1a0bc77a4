import { type RowFaults, type RowProblem, rowFaults } from "../errors/problems.ts";
import { columnMissing, isErrorColumn, namedColumn, phoneColumn } from "./columns.ts";
import type { Exclusions } from "./exclusions.ts";
import { type InputFile, unusable } from "./file.ts";
import { type Phone, type PhoneOptions, phoneReader, type UsablePhone } from "./phone.ts";
import { type FileForm, openRows, type TableOptions } from "./rows.ts";
import {
  type LandlineShape,
  type Notice,
  type ReadingWatch,
  type Row,
  restAt,
  type TableHead,
  type TableSink,
} from "./table.ts";

export interface RecipientOptions extends TableOptions, PhoneOptions {
  /** Headers of the columns that hold the template's variables, in order. */
  params?: readonly string[];
  /** Takes the proposal for every phone that looks like a landline. */
  fixPhones?: boolean;
  exclusions?: Exclusions;
}

/** One person: phone in international form, and the template's variables in order. */
export interface RecipientRow {
  line: number;
  phone: string;
  person: string;
  params: string[];
}

/** A row that is left out, and why; `phone` as read. */
export interface LeftOutRow extends RowFaults {
  line: number;
  phone: string | null;
  cells: readonly string[];
}

/** A recipients file, read; `read` = recipients + invalid + duplicates + excluded. */
export interface RecipientsReading {
  form: FileForm;
  columns: readonly string[];
  paramNames: readonly string[];
  recipients: RecipientRow[];
  invalid: LeftOutRow[];
  /** Rows whose person stands on an earlier line already. */
  duplicates: LeftOutRow[];
  excluded: LeftOutRow[];
  read: number;
  notices: Notice[];
}

const longestVariable = 1024;

interface Layout {
  phone: number;
  params: readonly number[];
}

function layoutOf(table: TableHead, options: RecipientOptions): Layout {
  const phone = phoneColumn(table, options.phoneColumn);
  if (phone === null) throw columnMissing(table, "phone");
  const named = options.params?.map((name) => namedColumn(table, "--params", name));
  if (named?.includes(phone))
    throw unusable(table.file, { kind: "params_hold_phone", column: table.columns[phone] ?? "" });
  const others = table.columns.flatMap((header, index) =>
    index === phone || isErrorColumn(header) ? [] : [index],
  );
  return { phone, params: named ?? others };
}

function variableProblem(name: string, value: string): RowProblem | null {
  if (value === "") return { kind: "variable_empty", name };
  if (/[\r\n\t]/.test(value)) return { kind: "variable_line_break", name };
  // Characters as people count them at the least: an emoji is two units of the language's texts.
  const length = value.length > longestVariable ? Array.from(value).length : 0;
  return length > longestVariable
    ? { kind: "variable_too_long", name, length, limit: longestVariable }
    : null;
}

function areEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

/** Whether the phone stands where the header says: in a broken row nobody knows, unless we wrote it. */
function hasItsPhone({ problem }: Row): boolean {
  if (problem === undefined || problem.kind === "excluded_before") return true;
  return problem.kind === "cell_count" && problem.left !== undefined;
}

/** Takes a file row by row: the first usable one says how many variables the others must have. */
class RecipientReader implements TableSink {
  readonly recipients: RecipientRow[] = [];
  readonly invalid: LeftOutRow[] = [];
  readonly duplicates: LeftOutRow[] = [];
  readonly excluded: LeftOutRow[] = [];
  readonly landlines: LandlineShape[] = [];
  columns: readonly string[] = [];
  paramNames: readonly string[] = [];
  read = 0;
  /** Whether a row of JSON had its variables as the list `params`. */
  hasLists = false;
  readonly #file: TableHead["file"];
  readonly #options: RecipientOptions;
  readonly #watch: ReadingWatch;
  /** Of each person, the index in `recipients`. */
  readonly #places = new Map<string, number>();
  #expected: number | null = null;
  #layout!: Layout;
  #readPhone!: (text: string) => Phone;

  constructor(file: TableHead["file"], options: RecipientOptions, watch: ReadingWatch) {
    this.#file = file;
    this.#options = options;
    this.#watch = watch;
  }

  get phoneHeader(): string {
    return this.columns[this.#layout.phone] ?? "";
  }

  header(columns: readonly string[]): void {
    const table = { file: this.#file, columns };
    this.columns = columns;
    this.#layout = layoutOf(table, this.#options);
    this.paramNames = this.#layout.params.map((index) => columns[index] ?? "");
    this.#readPhone = phoneReader(table, this.#layout.phone, this.#options);
  }

  row(row: Row): void {
    this.read += 1;
    if (row.params !== undefined) this.hasLists = true;
    const text = hasItsPhone(row) ? (row.cells[this.#layout.phone]?.trim() ?? "") : "";
    const judged = this.#judge(row, text);
    if (!("problem" in judged)) this.#keep(row.line, judged.phone, judged.params);
    else {
      const cells = row.params === undefined ? row.cells : [text, ...row.params];
      const leftOut = { line: row.line, phone: text === "" ? null : text, ...judged, cells };
      this.#listOf(judged.problem).push(leftOut);
    }
  }

  #listOf({ kind }: RowProblem): LeftOutRow[] {
    if (kind === "person_repeated") return this.duplicates;
    return kind === "person_excluded" || kind === "excluded_before" ? this.excluded : this.invalid;
  }

  /** Who is excluded is so whatever else is wrong with the row: nobody shall correct it. */
  #judge(row: Row, text: string): RowFaults | { phone: UsablePhone; params: string[] } {
    if (row.problem !== undefined) return { problem: row.problem };
    const phone = this.#readPhone(text);
    const exclusion = phone.ok ? this.#options.exclusions?.get(phone.person) : undefined;
    if (exclusion !== undefined) return { problem: { kind: "person_excluded", ...exclusion } };
    const { names, params, problems } = this.#paramsOf(row);
    if (!phone.ok) return { problem: phone.problem, also: problems };
    const faults = rowFaults(problems);
    if (faults !== undefined) return faults;
    if (this.#expected === null) {
      this.#expected = params.length;
      this.paramNames = names;
    }
    const earlier = this.recipients[this.#places.get(phone.person) ?? -1];
    if (earlier === undefined) return { phone, params };
    const same = areEqual(earlier.params, params);
    return { problem: { kind: "person_repeated", firstLine: earlier.line, same } };
  }

  #paramsOf(row: Row): { names: readonly string[]; params: string[]; problems: RowProblem[] } {
    const { params: columns } = this.#layout;
    const values = row.params ?? columns.map((index) => row.cells[index] ?? "");
    const params = values.map((value) => value.trim());
    const names = row.params === undefined ? this.paramNames : params.map((_, index) => String(index + 1));
    const problems = params.flatMap((value, index): RowProblem[] => {
      const name = names[index] ?? String(index + 1);
      const isNested =
        row.params === undefined
          ? row.kinds?.[columns[index] ?? -1] === "nested"
          : row.nestedParams?.has(index);
      const problem = isNested
        ? ({ kind: "value_not_text", column: name, text: value } as const)
        : variableProblem(name, value);
      return problem === null ? [] : [problem];
    });
    const expected = this.#expected ?? params.length;
    if (params.length !== expected) problems.push({ kind: "variable_count", expected, found: params.length });
    return { names, params, problems };
  }

  #keep(line: number, read: UsablePhone, params: string[]): void {
    const { person, proposal } = read;
    const phone = this.#options.fixPhones === true ? (proposal ?? read.phone) : read.phone;
    if (proposal !== undefined) this.landlines.push({ line, phone: read.phone, proposal });
    this.#places.set(person, this.recipients.length);
    this.recipients.push({ line, phone, person, params });
  }

  rest(): Promise<void> {
    return restAt(this.read, this.#watch);
  }
}

/** Columns for rows whose variables are a list, and their cells: read again as a CSV they mean the same. */
function asColumns(reader: RecipientReader): readonly string[] {
  if (!reader.hasLists) return reader.columns;
  return [reader.phoneHeader, ...reader.paramNames.map((_, index) => String(index + 1))];
}

/**
 * Reads the recipients of a campaign (`docs/service.md` 4.3): CSV, JSON or NDJSON. A bad row is a value in
 * `invalid`; a person who stands twice is kept once, and one who is excluded not at all.
 *
 * @throws BposError input_unusable when the file as a whole cannot be read without guessing, interrupted
 * @example
 * const { recipients } = await readRecipients(file, { country: "AR", params: ["nombre", "pedido"] });
 */
export async function readRecipients(
  file: InputFile,
  options: RecipientOptions = {},
  watch: ReadingWatch = {},
): Promise<RecipientsReading> {
  const source = openRows(file, options, "recipients");
  const reader = new RecipientReader({ name: file.name }, options, watch);
  await source.stream(reader);
  if (reader.read === 0) throw unusable(file, { kind: "no_rows" });
  const { recipients, invalid, duplicates, excluded, read, paramNames, landlines } = reader;
  const shapes: Notice[] =
    landlines.length === 0
      ? []
      : [{ kind: "landline_shapes", phones: landlines, fixed: options.fixPhones ?? false }];
  return {
    form: source.form,
    columns: asColumns(reader),
    paramNames,
    recipients,
    invalid,
    duplicates,
    excluded,
    read,
    notices: [...source.notices, ...shapes],
  };
}
