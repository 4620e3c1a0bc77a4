import type Database from "libsql";
import { Catalog } from "./catalog.ts";
import { Orders } from "./orders.ts";
import { Pushes } from "./pushes.ts";
import { Replies } from "./replies.ts";
import { Sends } from "./sends.ts";
import type { Sql } from "./sql.ts";
import { openSqlite, sqlOn } from "./sqlite.ts";

/** What the journal knows, by subject. */
class Subjects {
  readonly catalog: Catalog;
  readonly orders: Orders;
  readonly pushes: Pushes;
  readonly sends: Sends;
  readonly replies: Replies;
  protected readonly sql: Sql;

  constructor(sql: Sql) {
    this.sql = sql;
    this.catalog = new Catalog(sql);
    this.orders = new Orders(sql);
    this.pushes = new Pushes(sql);
    this.sends = new Sends(sql);
    this.replies = new Replies(sql);
  }
}

/** The subjects within one transaction. */
export type Transaction = Subjects;

/** The journal: every step is written down before and after it is done. All of it is durable when a promise resolves. */
export class Journal extends Subjects {
  readonly #database: Database.Database;

  constructor(database: Database.Database, sql = sqlOn(database)) {
    super(sql);
    this.#database = database;
  }

  /** Does `work` as one durable step that nothing else interleaves with; within it only `tx` may be used, others wait for its end. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.sql.transaction((sql) => work(new Subjects(sql)));
  }

  prepare(text: string): Database.Statement {
    return this.#database.prepare(text);
  }

  exec(text: string): void {
    this.#database.exec(text);
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  close(): void {
    this.#database.close();
  }
}

/**
 * Opens the journal, creating it and its folder (mode 0700) where they are missing. `:memory:` gives one that ends with the process.
 * Throws `journal_damaged` and `journal_unreadable`.
 */
export const openJournal = (file: string): Journal => new Journal(openSqlite(file));

const statements = new WeakMap<Journal, Map<string, Database.Statement>>();

/** A statement of a journal, compiled once for all its uses. */
export function prepared(journal: Journal, sql: string): Database.Statement {
  const own = statements.get(journal) ?? new Map<string, Database.Statement>();
  statements.set(journal, own);
  const statement = own.get(sql) ?? journal.prepare(sql);
  own.set(sql, statement);
  return statement;
}

/** Does `work` as one durable transaction that no other bpos process can interleave with. */
export function atomically<T>(journal: Journal, work: () => T): T {
  journal.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    journal.exec("COMMIT");
    return result;
  } catch (error) {
    // A full disk, for one, makes SQLite roll back by itself; to do it again would hide why.
    if (journal.inTransaction) journal.exec("ROLLBACK");
    throw error;
  }
}
