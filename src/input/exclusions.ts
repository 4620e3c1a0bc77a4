import type { RowProblem } from "../errors/problems.ts";
import { isReason } from "../errors.ts";
import { columnMissing, phoneColumn } from "./columns.ts";
import type { InputFile } from "./file.ts";
import { type Phone, type PhoneOptions, phoneReader } from "./phone.ts";
import { openRows } from "./rows.ts";
import { restAt, type TableHead, type TableSink } from "./table.ts";

interface Exclusion {
  file: string;
  line: number;
}

export type Exclusions = ReadonlyMap<string, Exclusion>;

interface ExclusionsReading {
  people: Map<string, Exclusion>;
  /** Rows that stand for somebody, and nobody knows for whom. */
  unreadable: { line: number; problem: RowProblem }[];
}

/** The column that the recipients' phones were said to be in counts here too, if it is there. */
function columnOf(table: TableHead, named: string | undefined): number | null {
  try {
    return phoneColumn(table, named);
  } catch (error) {
    if (isReason(error, "input_unusable") && error.facts.problem.kind === "column_unknown")
      return phoneColumn(table, undefined);
    throw error;
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
  const reading: ExclusionsReading = { people: new Map(), unreadable: [] };
  const { people, unreadable } = reading;
  let index = 0;
  let read: (text: string) => Phone;
  const take = (line: number, phone: Phone): void => {
    if (!phone.ok) unreadable.push({ line, problem: phone.problem });
    else if (!people.has(phone.person)) people.set(phone.person, { file: file.name, line });
  };
  const sink: TableSink = {
    header(columns) {
      const table = { file: { name: file.name }, columns };
      const column = columnOf(table, options.phoneColumn);
      index = column ?? 0;
      read = phoneReader(table, index, options);
      const [first = "", ...more] = columns;
      if (column !== null || columns.length === 0) return;
      // A plain list of phones has no header: its first line is one of them.
      if (more.length > 0 || !/\d/.test(first)) throw columnMissing(table, "phone");
      take(1, read(first));
    },
    row({ line, cells, problem }) {
      // A list of texts in JSON is a list of phones.
      if (problem?.kind === "not_an_object") take(line, read(problem.text));
      else if (problem !== undefined) unreadable.push({ line, problem });
      else take(line, read(cells[index] ?? ""));
    },
    rest: () => restAt(people.size, { signal }),
  };
  try {
    await openRows(file, {}, "recipients").stream(sink);
  } catch (error) {
    if (!isReason(error, "input_unusable") || error.facts.problem.kind !== "no_rows") throw error;
  }
  return reading;
}
