import { BposError, type ErrorFacts } from "../errors.ts";

export type Value = string | number | null;

/** Statements follow each other in the sequence of the calls; each is durable when its promise resolves. They throw JournalError. */
export interface Sql {
  get<Row>(text: string, ...values: readonly Value[]): Promise<Row | undefined>;
  one<Row>(text: string, ...values: readonly Value[]): Promise<Row>;
  all<Row>(text: string, ...values: readonly Value[]): Promise<Row[]>;
  run(text: string, ...values: readonly Value[]): Promise<number>;
  /** One statement for many rows, of which all or none are written. */
  many(text: string, rows: readonly (readonly Value[])[]): Promise<void>;
  /** One durable transaction; `work` uses the Sql that it is given: all others wait. One within another is a part of it. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** What stands for a list of values, which is given as the JSON text of an array. */
export const listed = "(SELECT value FROM json_each(?))";

/** Adds rows of the same columns; `conflict` is what becomes of one that is there. */
export function insert(
  sql: Sql,
  table: string,
  rows: readonly Readonly<Record<string, Value>>[],
  conflict = "",
): Promise<void> {
  if (rows[0] === undefined) return Promise.resolve();
  const names = Object.keys(rows[0]);
  const places = names.map(() => "?").join(", ");
  return sql.many(
    `INSERT INTO ${table} (${names.join(", ")}) VALUES (${places}) ${conflict}`,
    rows.map((row) => names.map((name) => row[name] ?? null)),
  );
}

export const finds = async (sql: Sql, text: string, ...values: readonly Value[]): Promise<boolean> =>
  (await sql.get(`${text} LIMIT 1`, ...values)) !== undefined;

export class Part {
  protected readonly sql: Sql;
  constructor(sql: Sql) {
    this.sql = sql;
  }
}

/** What the journal could not do: a full disk mostly, or with `isBusy` another process that held it for too long. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  readonly isBusy: boolean;
  constructor(message: string, isBusy: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isBusy = isBusy;
  }
}

export const isJournalBusy = (error: unknown): boolean => error instanceof JournalError && error.isBusy;

/** @param under what was under way, when something was sent before: its outcome is to be settled. */
export function journalFailure(
  error: unknown,
  under?: Omit<ErrorFacts["journal_write_failed"], "detail">,
): BposError {
  if (!(error instanceof JournalError)) throw error;
  const { message: detail } = error;
  return under === undefined
    ? new BposError("journal_unreadable", { file: "of this branch", detail }, { cause: error })
    : new BposError("journal_write_failed", { ...under, detail }, { cause: error });
}
