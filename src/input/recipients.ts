import { type RowFaults, type RowProblem, rowFaults, toFaults } from "../errors/problems.ts";
import { isReason } from "../errors.ts";
import { columnMissing, namedColumn } from "./columns/choice.ts";
import { isPhoneHeader, phoneColumn } from "./columns/recipient-columns.ts";
import { type InputFile, unusable } from "./files/file.ts";
import { fold, isOwnColumn } from "./files/headers.ts";
import { type FileForm, openRows, type TableOptions } from "./files/rows.ts";
import {
  type CellFault,
  type Kind,
  type LandlineShape,
  type Notice,
  type ReadingWatch,
  type Row,
  restAt,
  type TableHead,
  type TableSink,
  tellHidden,
} from "./files/table.ts";
import { type Phone, type PhoneOptions, phoneReader, type UsablePhone } from "./phone.ts";

export type Exclusions = ReadonlyMap<string, { file: string; line: number }>;

export interface RecipientOptions extends TableOptions, PhoneOptions {
  params?: readonly string[];
  fixPhones?: boolean;
  exclusions?: Exclusions;
  /** The characters of the whole message with these variables, where the template's text is known. */
  messageLength?: (params: readonly string[]) => number;
}

export type ExclusionOptions = PhoneOptions & Pick<TableOptions, "sheet" | "locale">;

/** `params` is the JSON text of the variables' list: one text takes a third of the memory of a list, and is what a call is made of. */
export type RecipientRow = { line: number; phone: string; person: string; params: string };

/** A row that is left out; `phone` is what stands there. */
export type UnusedRow = RowFaults & { line: number; phone: string | null };

/** `person` is whose row it is, of one that is excluded. */
export type LeftOutRow = UnusedRow & { cells: readonly string[]; person?: string };

/** A recipients file, read; `read` = recipients + invalid + duplicates + excluded. */
export interface RecipientsReading {
  form: FileForm;
  columns: readonly string[];
  /** Its header. */
  phoneColumn: string;
  paramNames: readonly string[];
  recipients: RecipientRow[];
  invalid: LeftOutRow[];
  duplicates: LeftOutRow[];
  excluded: LeftOutRow[];
  read: number;
  notices: Notice[];
}

// The rules of WhatsApp for a template's parameters (errors 132000, 132005, 132012, 132018): it refuses a call that breaks one.
const maxVariableLength = 1024;
const maxMessageLength = 1024;
const maxSpaces = 4;
const tooManySpaces = /[ \u00a0\u2000-\u200a\u202f\u205f\u3000]{5,}/;
/** Matches line breaks of every kind, and tabs: workbooks and JSON may hold any of them. */
const lineBreak = /[\t-\r\u0085\u2028\u2029]/;
/** Matches a text without visible characters: the platform refuses it, too. */
const invisible = /^[\s\p{Cc}\p{Cf}\p{M}\u115f\u1160\u2800\u3164\uffa0]*$/u;

function findLayout(
  table: TableHead,
  options: RecipientOptions,
): { phone: number; params: readonly number[] } {
  const phone = phoneColumn(table, options.phoneColumn);
  if (phone < 0) throw columnMissing(table, "phone");
  const named = options.params?.map((name) => namedColumn(table, "--params", name));
  if (named?.includes(phone))
    throw unusable(table.file, { kind: "params_hold_phone", column: table.columns[phone] ?? "" });
  const others = [...table.columns.keys()].filter(
    (index) =>
      index !== phone && !isOwnColumn(table.columns[index] ?? "") && table.hidden?.has(index) !== true,
  );
  return { phone, params: named ?? others };
}

function variableProblem(name: string, value: string): RowProblem | null {
  if (invisible.test(value)) return { kind: "variable_empty", name };
  if (lineBreak.test(value)) return { kind: "variable_line_break", name };
  if (tooManySpaces.test(value)) return { kind: "variable_spaces", name, limit: maxSpaces };
  // Characters as people count them at the least: an emoji is two units of the language's texts.
  const length = value.length > maxVariableLength ? Array.from(value).length : 0;
  if (length <= maxVariableLength) return null;
  return { kind: "variable_too_long", name, length, limit: maxVariableLength };
}

/** A number of a workbook with all its digits, however it is displayed; a plus that its format shows is meant. */
function phoneText({ cells, numbers }: Row, column: number): string {
  const shown = (cells[column] ?? "").trim();
  const digits = numbers?.[column];
  return digits == null || shown.replace(/[\s()-]/g, "") === `+${digits}` ? shown : digits;
}

/** Returns whether the phone is where the header says: in a broken row nobody knows, unless bpos wrote it. */
function hasItsPhone({ problem }: Row): boolean {
  return problem === undefined || problem.kind === "excluded_before" || problem.kind === "row_held";
}

/** Finds a row by its person, with an eighth of the memory of a Map. */
class Places {
  readonly #rows: readonly RecipientRow[];
  /** One more than the row's place, by the hash of its person; 0 where there is none. */
  #slots = new Int32Array(1 << 10);

  constructor(rows: readonly RecipientRow[]) {
    this.#rows = rows;
  }

  #slot(person: string): number {
    const mask = this.#slots.length - 1;
    // A person is a plus and up to 15 digits; the last digits differ most.
    let slot = Math.imul(Number(person) % 0xffff_fffb, 0x9e37_79b1) >>> Math.clz32(mask);
    for (;;) {
      const row = this.#rows[(this.#slots[slot] ?? 0) - 1];
      if (row === undefined || row.person === person) return slot;
      slot = (slot + 1) & mask;
    }
  }

  find(person: string): RecipientRow | undefined {
    return this.#rows[(this.#slots[this.#slot(person)] ?? 0) - 1];
  }

  /** Called with a row that was added at the end. */
  added({ person }: RecipientRow): void {
    const { length } = this.#rows;
    this.#slots[this.#slot(person)] = length;
    if (length * 2 < this.#slots.length) return;
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (const [at, row] of this.#rows.entries()) this.#slots[this.#slot(row.person)] = at + 1;
  }
}

/** Reads recipients row by row: the first usable one decides how many variables the others must have. */
class RecipientReader implements TableSink {
  readonly reading: RecipientsReading;
  readonly landlines: LandlineShape[] = [];
  /** The headers of the hidden columns that count. */
  usedHidden: readonly string[] = [];
  #hasLists = false;
  readonly #file: TableHead["file"];
  readonly #options: RecipientOptions;
  readonly #watch: ReadingWatch;
  readonly #places: Places;
  #expected: number | null = null;
  #layout!: ReturnType<typeof findLayout>;
  #readPhone!: (text: string) => Phone;

  constructor(file: TableHead["file"], form: FileForm, options: RecipientOptions, watch: ReadingWatch) {
    this.#file = file;
    this.#options = options;
    this.#watch = watch;
    const lists = { recipients: [], invalid: [], duplicates: [], excluded: [], notices: [] };
    this.reading = { form, columns: [], phoneColumn: "", paramNames: [], ...lists, read: 0 };
    this.#places = new Places(this.reading.recipients);
  }

  header(columns: readonly string[], hidden?: ReadonlySet<number>): void {
    const table = { file: this.#file, columns, hidden, format: this.reading.form.format };
    this.#layout = findLayout(table, this.#options);
    this.reading.columns = columns;
    this.reading.phoneColumn = columns[this.#layout.phone] ?? "";
    this.reading.paramNames = this.#layout.params.map((index) => columns[index] ?? "");
    const used = [this.#layout.phone, ...this.#layout.params];
    this.usedHidden = used.flatMap((index) => (hidden?.has(index) ? [columns[index] ?? ""] : []));
    this.#readPhone = phoneReader(table, this.#layout.phone, this.#options);
  }

  row(row: Row): void {
    this.reading.read += 1;
    this.#hasLists ||= row.params !== undefined;
    const text = hasItsPhone(row) ? phoneText(row, this.#layout.phone) : "";
    const judged = this.#judge(row, text);
    if (!("problem" in judged)) {
      this.#keep(row.line, judged.phone, judged.params);
      return;
    }
    // A format may round a phone to another person's.
    const isNumber = row.numbers?.[this.#layout.phone] != null && text !== "";
    const read = isNumber ? row.cells.with(this.#layout.phone, text) : row.cells;
    const cells = row.params === undefined ? read : [text, ...row.params.map((each) => each.text)];
    const leftOut = { line: row.line, phone: text === "" ? null : text, ...judged, cells };
    this.#chooseList(judged.problem).push(leftOut);
  }

  #chooseList({ kind }: RowProblem): LeftOutRow[] {
    const { invalid, duplicates, excluded } = this.reading;
    if (kind === "person_repeated") return duplicates;
    return kind === "person_excluded" || kind === "excluded_before" ? excluded : invalid;
  }

  /** Returns the phone and variables of a row, or its problems. A person who is excluded comes first: nobody needs to correct the row. */
  #judge(row: Row, text: string): (RowFaults & { person?: string }) | { phone: UsablePhone; params: string } {
    if (row.problem !== undefined) return { problem: row.problem };
    const phone = this.#readPhone(text);
    const person = phone.ok ? phone.person : "";
    const exclusion = this.#options.exclusions?.get(person);
    if (exclusion !== undefined) return { person, problem: { kind: "person_excluded", ...exclusion } };
    const { names, params: values, problems } = this.#readParams(row);
    if (!phone.ok) return toFaults(phone.problem, problems);
    const faults = rowFaults(problems);
    if (faults !== undefined) return faults;
    if (this.#expected === null) {
      this.#expected = values.length;
      this.reading.paramNames = names;
    }
    const params = JSON.stringify(values);
    const earlier = this.#places.find(phone.person);
    if (earlier === undefined) return { phone, params };
    this.#takeMobileForm(earlier, phone);
    const same = params === earlier.params;
    return { problem: { kind: "person_repeated", firstLine: earlier.line, same } };
  }

  /** Sends a number that looks like a landline as a mobile where another line shows that it is one. */
  #takeMobileForm(earlier: RecipientRow, { phone, person }: UsablePhone): void {
    const at = this.landlines.findIndex(({ line }) => line === earlier.line);
    if (phone !== person || at < 0) return;
    earlier.phone = person;
    this.landlines.splice(at, 1);
  }

  #readParams(row: Row): { names: readonly string[]; params: string[]; problems: RowProblem[] } {
    const inColumns = (index: number) => ({
      text: row.cells[index] ?? "",
      kind: row.kinds?.[index],
      fault: row.faults?.[index],
    });
    const values: readonly { text: string; kind: Kind | undefined; fault?: CellFault | undefined }[] =
      row.params ?? this.#layout.params.map(inColumns);
    const params = values.map(({ text }) => text.trim());
    const names = row.params ? params.map((_, index) => String(index + 1)) : this.reading.paramNames;
    const problems = params.flatMap((text, index): RowProblem[] => {
      const column = names[index] ?? String(index + 1);
      const kind = values[index]?.kind === "nested" ? "value_not_text" : values[index]?.fault;
      if (kind !== undefined) return [{ kind, column, text }];
      const problem = variableProblem(column, text);
      return problem === null ? [] : [problem];
    });
    const expected = this.#expected ?? params.length;
    if (params.length !== expected) problems.push({ kind: "variable_count", expected, found: params.length });
    const length = problems.length === 0 ? (this.#options.messageLength?.(params) ?? 0) : 0;
    if (length > maxMessageLength)
      problems.push({ kind: "message_too_long", length, limit: maxMessageLength });
    return { names, params, problems };
  }

  #keep(line: number, read: UsablePhone, params: string): void {
    const { person, proposal } = read;
    const phone = this.#options.fixPhones === true ? (proposal ?? read.phone) : read.phone;
    if (proposal !== undefined) this.landlines.push({ line, phone: read.phone, proposal });
    const row = { line, phone, person, params };
    this.reading.recipients.push(row);
    this.#places.added(row);
  }

  rest(): Promise<void> {
    return restAt(this.reading.read, this.#watch);
  }

  /** Ends the reading. Variables that were lists get columns, so that the cells mean the same when read again as a CSV. */
  finish(): RecipientsReading {
    const { reading, landlines: phones } = this;
    if (reading.read === 0) throw unusable(this.#file, { kind: "no_rows" });
    const fixed = this.#options.fixPhones ?? false;
    if (phones.length > 0) reading.notices.push({ kind: "landline_shapes", phones, fixed });
    if (this.#hasLists)
      reading.columns = [reading.phoneColumn, ...reading.paramNames.map((_, n) => String(n + 1))];
    return reading;
  }
}

/** Reads a recipients file. Throws `input_unusable` when the file as a whole cannot be read without guessing, and `interrupted`. */
export async function readRecipients(
  file: InputFile,
  options: RecipientOptions = {},
  watch: ReadingWatch = {},
): Promise<RecipientsReading> {
  const { form, notices, stream } = await openRows(
    file,
    { ...options, isHeader: isPhoneHeader(options.phoneColumn) },
    "recipients",
  );
  const reader = new RecipientReader({ name: file.name }, form, options, watch);
  await stream(reader);
  reader.reading.notices.push(...tellHidden(notices, reader.usedHidden));
  return reader.finish();
}

/** Reads people who must not be messaged, row by row. */
class ExclusionReader implements TableSink {
  readonly people = new Map<string, { file: string; line: number }>();
  readonly unreadable: UnusedRow[] = [];
  /** The headers of the hidden columns that count. */
  usedHidden: readonly string[] = [];
  readonly #name: string;
  readonly #options: ExclusionOptions;
  readonly #signal: AbortSignal | undefined;
  #column = 0;
  #readPhone!: (text: string) => Phone;

  constructor(name: string, options: ExclusionOptions, signal: AbortSignal | undefined) {
    this.#name = name;
    this.#options = options;
    this.#signal = signal;
  }

  header(columns: readonly string[], hidden?: ReadonlySet<number>): void {
    const table = { file: { name: this.#name }, columns, hidden };
    // The column that the recipients' phones were said to be in counts here too, if it is there.
    const wanted = this.#options.phoneColumn;
    const isThere = columns.some((each) => fold(each) === fold(wanted ?? ""));
    const column = phoneColumn(table, isThere ? wanted : undefined);
    this.#column = Math.max(0, column);
    this.usedHidden = hidden?.has(column) ? [columns[column] ?? ""] : [];
    this.#readPhone = phoneReader(table, this.#column, this.#options);

    const [first = "", ...more] = columns;
    if (column >= 0 || columns.length === 0) return;
    // A plain list of phones has no header: its first line is one of them.
    if (more.length > 0 || !/\d/.test(first)) throw columnMissing(table, "phone");
    this.#take(1, first);
  }

  row(row: Row): void {
    const { line, problem } = row;
    // A list of texts in JSON is a list of phones.
    if (problem?.kind === "not_an_object") this.#take(line, problem.text);
    else if (problem !== undefined) this.unreadable.push({ line, phone: null, problem });
    else this.#take(line, phoneText(row, this.#column));
  }

  rest(): Promise<void> {
    return restAt(this.people.size, { signal: this.#signal });
  }

  #take(line: number, text: string): void {
    const phone = this.#readPhone(text);
    if (!phone.ok) this.unreadable.push({ line, phone: text, problem: phone.problem });
    else if (!this.people.has(phone.person)) this.people.set(phone.person, { file: this.#name, line });
  }
}

/**
 * Reads the people who must not be messaged, by a phone column or from phones alone, one a line. A row for
 * somebody unknown is in `unreadable`. A file without rows excludes nobody.
 */
export async function readExclusions(
  file: InputFile,
  options: ExclusionOptions = {},
  signal?: AbortSignal,
): Promise<{ people: Exclusions; unreadable: UnusedRow[]; notices: Notice[] }> {
  const reader = new ExclusionReader(file.name, options, signal);
  const { people, unreadable } = reader;
  const notices: Notice[] = [];
  try {
    const source = await openRows(file, options, "recipients");
    const told = source.form.format === "xlsx" ? source.notices : [];
    await source.stream(reader).finally(() => notices.push(...tellHidden(told, reader.usedHidden)));
  } catch (error) {
    if (!isReason(error, "input_unusable") || error.facts.problem.kind !== "no_rows") throw error;
  }
  return { people, unreadable, notices };
}
