import type { RowProblem } from "../errors/problems.ts";
import { isReason } from "../errors.ts";
import { columnMissing, phoneColumn } from "./columns.ts";
import type { InputFile } from "./file.ts";
import { type Phone, type PhoneOptions, phoneReader } from "./phone.ts";
import { openRows } from "./rows.ts";
import { type Row, restAt, type TableHead, type TableSink } from "./table.ts";

/** Where a person is excluded. */
export interface Exclusion {
  file: string;
  line: number;
}

/** The people who must not be messaged, by person. */
export type Exclusions = ReadonlyMap<string, Exclusion>;

/** A row that stands for somebody, and nobody knows for whom. */
interface UnreadableExclusion {
  line: number;
  problem: RowProblem;
}

/** A file of people who must not be messaged, read. */
export interface ExclusionsReading {
  people: Map<string, Exclusion>;
  unreadable: UnreadableExclusion[];
}

class ExclusionReader implements TableSink {
  readonly people = new Map<string, Exclusion>();
  readonly unreadable: UnreadableExclusion[] = [];
  readonly #file: TableHead["file"];
  readonly #options: PhoneOptions;
  readonly #signal: AbortSignal | undefined;
  #column = 0;
  #read!: (text: string) => Phone;

  constructor(file: TableHead["file"], options: PhoneOptions, signal: AbortSignal | undefined) {
    this.#file = file;
    this.#options = options;
    this.#signal = signal;
  }

  header(columns: readonly string[]): void {
    const table = { file: this.#file, columns };
    const column = this.#columnOf(table);
    this.#column = column ?? 0;
    this.#read = phoneReader(table, this.#column, this.#options);
    const [first = "", ...more] = columns;
    if (column !== null || columns.length === 0) return;
    // A plain list of phones has no header: its first line is one of them.
    if (more.length > 0 || !/\d/.test(first)) throw columnMissing(table, "phone");
    this.#take(1, this.#read(first));
  }

  /** The column that the recipients' phones were said to be in counts here too, if it is there. */
  #columnOf(table: TableHead): number | null {
    try {
      return phoneColumn(table, this.#options.phoneColumn);
    } catch (error) {
      if (isReason(error, "input_unusable") && error.facts.problem.kind === "column_unknown")
        return phoneColumn(table, undefined);
      throw error;
    }
  }

  row({ line, cells, problem }: Row): void {
    // A list of texts in JSON is a list of phones.
    if (problem?.kind === "not_an_object") this.#take(line, this.#read(problem.text));
    else if (problem !== undefined) this.unreadable.push({ line, problem });
    else this.#take(line, this.#read(cells[this.#column] ?? ""));
  }

  #take(line: number, phone: Phone): void {
    if (!phone.ok) this.unreadable.push({ line, problem: phone.problem });
    else if (!this.people.has(phone.person)) this.people.set(phone.person, { file: this.#file.name, line });
  }

  rest(): Promise<void> {
    return restAt(this.people.size, { signal: this.#signal });
  }
}

/**
 * Reads the people who must not be messaged: CSV, JSON or NDJSON with a phone column, or phones alone, one a line. A row
 * that is no phone is a value in `unreadable`. A file without rows excludes nobody.
 *
 * @throws BposError input_unusable, interrupted
 * @example
 * const { people, unreadable } = await readExclusions(file, { country: "AR" });
 */
export async function readExclusions(
  file: InputFile,
  options: PhoneOptions = {},
  signal?: AbortSignal,
): Promise<ExclusionsReading> {
  const reader = new ExclusionReader({ name: file.name }, options, signal);
  try {
    await openRows(file, {}, "recipients").stream(reader);
  } catch (error) {
    if (!isReason(error, "input_unusable") || error.facts.problem.kind !== "no_rows") throw error;
  }
  const { people, unreadable } = reader;
  return { people, unreadable };
}
