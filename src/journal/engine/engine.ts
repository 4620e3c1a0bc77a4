import type { Detail } from "../../errors/problems.ts";
import { BposError, type ErrorFacts } from "../../errors.ts";

/** The version of the tables, the same in both engines; a journal of another version is refused. */
export const schemaVersion = 1;

export type Value = string | number | null;

/** Statements follow each other in the sequence of the calls; each is durable when its promise resolves. They throw JournalError. */
export interface Sql {
  get<Row>(text: string, ...values: readonly Value[]): Promise<Row | undefined>;
  one<Row>(text: string, ...values: readonly Value[]): Promise<Row>;
  all<Row>(text: string, ...values: readonly Value[]): Promise<Row[]>;
  run(text: string, ...values: readonly Value[]): Promise<number>;
  /** One statement for many rows, of which all or none are written. */
  many(text: string, rows: readonly (readonly Value[])[]): Promise<void>;
  /** One durable transaction; `work` uses the Sql that it is given: all others wait. It is done again where a server cancelled it. One within another is a part of it. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export type Turn = <T>(work: () => Promise<T> | T) => Promise<T>;

/** Runs work in the sequence of the calls: a connection has one transaction at a time. */
export function takingTurns(): Turn {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  return async (work) => {
    if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
    isTaken = true;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) isTaken = false;
      else next();
    }
  };
}

/** A text as the journal holds it: its databases know no half of a character; PostgreSQL knows no NUL, and SQLite's texts end there. */
export const plainText = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, "\ufffd");

/** SQL for a list of values, passed as the JSON text of an array. */
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

export class Records {
  protected readonly sql: Sql;
  constructor(sql: Sql) {
    this.sql = sql;
  }
}

/** busy: another process held it for too long. down: the database cannot be reached. failed: a full disk mostly. */
type Trouble = "busy" | "down" | "failed" | "lock_lost";

type Troubled = ErrorOptions & { detail?: Detail };

/** A step that the journal could not do. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  readonly trouble: Trouble;
  /** The same for people. */
  readonly detail: Detail;
  constructor(message: string, trouble: Trouble, { detail = message, ...options }: Troubled = {}) {
    super(message, options);
    this.trouble = trouble;
    this.detail = detail;
  }
}

/** Another process took the lock meanwhile, or can take it: nothing was written, and nothing more may leave. */
export class LockLost extends JournalError {
  readonly facts: ErrorFacts["lock_lost"];
  constructor(facts: ErrorFacts["lock_lost"]) {
    const { file, pid, host = "" } = facts;
    const by = pid === null ? "" : ` (${host}:${pid})`;
    if (file === undefined) super(`another bpos took over${by}`, "lock_lost");
    else super(`${file} was removed or replaced`, "lock_lost", { detail: { kind: "file_replaced", file } });
    this.facts = facts;
  }
}

/** True for a temporary failure: the same step may be retried. */
export const isJournalAway = (error: unknown): error is JournalError & { trouble: "busy" | "down" } =>
  error instanceof JournalError && (error.trouble === "busy" || error.trouble === "down");

/** @param under what was under way, when something was sent before: its outcome is to be settled. */
export function journalFailure(
  error: unknown,
  under?: Pick<ErrorFacts["journal_write_failed"], "work">,
): BposError {
  if (!(error instanceof JournalError)) throw error;
  const { detail } = error;
  const options = { cause: error };
  // The detail names a file that was replaced.
  const isTaken = error instanceof LockLost && error.facts.file === undefined;
  const lost = isTaken ? { lockLost: error.facts } : {};
  if (error instanceof LockLost && under === undefined)
    return new BposError("lock_lost", error.facts, options);
  return under === undefined
    ? new BposError("journal_unreadable", { file: "of this branch", detail }, options)
    : new BposError("journal_write_failed", { ...under, detail, ...lost }, options);
}
