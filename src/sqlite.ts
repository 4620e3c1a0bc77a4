import { createRequire } from "node:module";
import type Libsql from "libsql";

type Value = string | number | null;

export interface Statement {
  get(...values: readonly Value[]): unknown;
  all(...values: readonly Value[]): unknown[];
  run(...values: readonly Value[]): { changes: number; lastInsertRowid: number };
}

/** One connection. Foreign keys are enforced, text stands between single quotes, and what is set aside while sorting stays in memory. */
export interface Database {
  exec(text: string): void;
  prepare(text: string): Statement;
  readonly isInTransaction: boolean;
  /** Rolls back what is under way; does nothing the second time. */
  close(): void;
}

/** `node:sqlite` is a part of Node; `libsql` is a package with a binary for each system. */
export type Driver = "node:sqlite" | "libsql";

/** By the number of SQLite's result codes; what stands for none of them is SQLITE_ERROR. */
const codes = {
  3: "SQLITE_PERM",
  5: "SQLITE_BUSY",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  20: "SQLITE_MISMATCH",
  26: "SQLITE_NOTADB",
} as const;
type Code = (typeof codes)[keyof typeof codes] | "SQLITE_ERROR";

/** An error of SQLite, from either driver. */
class SqliteError extends Error {
  override readonly name = "SqliteError";
  readonly code: Code;
  constructor(message: string, number: number, cause: unknown) {
    super(message, { cause });
    // The upper bits tell more about the same.
    const known: Readonly<Record<number, Code>> = codes;
    this.code = known[number & 0xff] ?? "SQLITE_ERROR";
  }
}

/** True for an SQLite error with one of those codes; for any when none is named. */
export const isSqliteError = (error: unknown, ...of: readonly Code[]): error is Error =>
  error instanceof SqliteError && (of.length === 0 || of.includes(error.code));

/** An error as a driver throws it: `errcode` is node:sqlite's, `rawCode` libsql's. */
type Thrown = Error & { code?: unknown; errcode?: number; rawCode?: number };

function toSqliteError(thrown: Thrown): Error {
  const { message, errcode, rawCode = errcode } = thrown;
  if (rawCode !== undefined) return new SqliteError(message, rawCode, thrown);
  // node:sqlite gives no integer that a number cannot hold. bpos writes none: somebody else did.
  if (thrown.code === "ERR_OUT_OF_RANGE") return new SqliteError(message, 20, thrown);
  const unopened = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(message)?.[1];
  if (unopened !== undefined)
    return new SqliteError("unable to open database file", Number(unopened), thrown);
  return thrown;
}

function trying<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toSqliteError(error as Thrown);
  }
}

type Open = (file: string, timeout: number) => Database;

/** The parts of `node:sqlite` that are used: the types of Node 20 have none. */
interface NodeSqlite {
  DatabaseSync: new (
    file: string,
    options: { timeout: number },
  ) => {
    exec(text: string): void;
    prepare(text: string): Statement;
    readonly isOpen: boolean;
    readonly isTransaction: boolean;
    close(): void;
  };
}

function loadNodeSqlite(): NodeSqlite | undefined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  // Node 22 has it too, with fewer options. Before 24.7 it takes no numbered parameters (https://github.com/nodejs/node/pull/59350).
  if (major < 24 || (major === 24 && minor < 7)) return undefined;
  const warns: { emitWarning: unknown } = process;
  const { emitWarning } = warns;
  // Before 24.15 it tells the user that it is experimental.
  warns.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule("node:sqlite") as NodeSqlite | undefined;
  } finally {
    warns.emitWarning = emitWarning;
  }
}

const openWithNode =
  ({ DatabaseSync }: NodeSqlite): Open =>
  (file, timeout) => {
    const database = trying(() => new DatabaseSync(file, { timeout }));
    // The same as in libsql: a temporary file would hold phones of customers.
    database.exec("PRAGMA temp_store = MEMORY");
    return {
      exec: (text) => trying(() => database.exec(text)),
      prepare(text) {
        const statement = trying(() => database.prepare(text));
        return {
          get: (...values) => trying(() => statement.get(...values)),
          all: (...values) => trying(() => statement.all(...values)),
          run: (...values) => trying(() => statement.run(...values)),
        };
      },
      get isInTransaction() {
        return database.isOpen && database.isTransaction;
      },
      close() {
        if (database.isOpen) database.close();
      },
    };
  };

const openWithLibsql =
  (Connection: typeof Libsql): Open =>
  (file, timeout) => {
    const database = trying(() => new Connection(file, { timeout }));
    return {
      exec: (text) => trying(() => void database.exec(text)),
      prepare(text) {
        const statement = trying(() => database.prepare(text));
        let isAtEnd = false;
        const all = (values: readonly Value[]): unknown[] => {
          isAtEnd = true;
          return trying(() => statement.all(values));
        };
        return {
          get(...values) {
            // There its own `get` would run with the values before.
            if (isAtEnd) return all(values)[0];
            const row = trying(() => statement.get(values)) as { _metadata?: unknown } | undefined;
            // The library puts it into each row.
            if (row !== undefined) delete row._metadata;
            return row;
          },
          all: (...values) => all(values),
          run(...values) {
            isAtEnd = true;
            const { changes, lastInsertRowid } = trying(() => statement.run(values));
            return { changes, lastInsertRowid: Number(lastInsertRowid) };
          },
        };
      },
      get isInTransaction() {
        return database.inTransaction;
      },
      close: () => void database.close(),
    };
  };

/** Each loads its driver at the first use of it, and nothing before. */
const loaders: Record<Driver, () => Open | undefined> = {
  "node:sqlite"() {
    const own = loadNodeSqlite();
    return own && openWithNode(own);
  },
  libsql: () => openWithLibsql(createRequire(import.meta.url)("libsql") as typeof Libsql),
};
const loaded = new Map<Driver, Open>();

/** Opens a file; undefined if this Node does not have the driver. */
function opener(driver: Driver): Open | undefined {
  const open = loaded.get(driver) ?? loaders[driver]();
  if (open !== undefined) loaded.set(driver, open);
  return open;
}

/** Which one bpos uses here: Node's own wherever it is finished. */
export const findDriver = (): Driver => (opener("node:sqlite") === undefined ? "libsql" : "node:sqlite");

interface Options {
  /** For how many milliseconds it waits for another process. @default 0 */
  timeout?: number;
  /** Another one than bpos uses here, for tests: one process must never open a file with both, or each loses its locks. */
  driver?: Driver;
}

/** Opens a file, which is created where missing, or an address (`file:///…?mode=ro`). */
export function openDatabase(file: string, { timeout = 0, driver = findDriver() }: Options = {}): Database {
  const open = opener(driver);
  if (open === undefined) throw new Error(`Node ${process.version} has no ${driver}`);
  return open(file, timeout);
}
