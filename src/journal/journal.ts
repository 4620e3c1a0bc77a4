import { dirname, join } from "node:path";
import { holdsState, renameBranches } from "./branches.ts";
import { Catalog } from "./catalog.ts";
import type { Sql } from "./engine.ts";
import { type Holder, Locks } from "./locks.ts";
import { Orders } from "./orders.ts";
import { Pushes } from "./pushes.ts";
import { Replies } from "./replies.ts";
import { Reports } from "./reports.ts";
import { Sends } from "./sends.ts";
import { openSqlite } from "./sqlite.ts";

/** What the journal knows, by subject; also within a transaction. */
export class Transaction {
  readonly catalog: Catalog;
  readonly orders: Orders;
  readonly pushes: Pushes;
  readonly replies: Replies;
  readonly reports: Reports;
  readonly sends: Sends;

  constructor(sql: Sql) {
    this.catalog = new Catalog(sql);
    this.orders = new Orders(sql);
    this.pushes = new Pushes(sql);
    this.replies = new Replies(sql);
    this.reports = new Reports(sql);
    this.sends = new Sends(sql);
  }
}

/** The journal: every step is written down before and after it is done. What a promise says is durable when it resolves. */
export class Journal extends Transaction {
  readonly locks: Locks;
  readonly #sql: Sql;

  constructor(sql: Sql, locks: Locks) {
    super(sql);
    this.#sql = sql;
    this.locks = locks;
  }

  /** Does `work` as one durable step that nothing else interleaves with. `work` uses `tx` alone: all else waits for its end. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#sql.transaction((sql) => work(new Transaction(sql)));
  }

  /** Whether it holds state under any of these identities. */
  holdsState(branches: readonly string[]): Promise<boolean> {
    return holdsState(this.#sql, branches);
  }

  /** Gives the state that is kept under `earlier` identities to `to`. */
  renameBranches(to: string, earlier: readonly string[]): Promise<void> {
    return renameBranches(this.#sql, to, earlier);
  }

  /** Gives the locks back, and closes. */
  async close(): Promise<void> {
    try {
      await this.locks.release();
    } finally {
      await this.#sql.close();
    }
  }
}

/**
 * Opens the journal in a file, creating it and its folder (mode 0700) where they are missing. `:memory:` gives one that ends with the
 * process. Throws `journal_damaged` and `journal_unreadable`.
 *
 * @example
 * const journal = await openJournal("/home/ana/.local/state/bpos/journal.db", { id: uuid(), pid: 4711 });
 */
export function openJournal(file: string, holder: Holder): Promise<Journal> {
  return new Promise((resolve) => {
    const sql = openSqlite(file);
    const folder = file === ":memory:" ? undefined : join(dirname(file), "locks");
    resolve(new Journal(sql, new Locks(sql, holder, folder)));
  });
}

type Work = (tx: Transaction) => Promise<void>;

interface Step {
  work: Work;
  resolve?: () => void;
  reject?: (error: unknown) => void;
}

/**
 * Writes steps as few durable transactions: an answer with the intent that follows it, and what comes up within one turn of the
 * event loop, since fsync can be slower than a request. After a failure nothing more is written.
 */
export class Steps {
  readonly #journal: Pick<Journal, "transaction">;
  #waiting: Step[] = [];
  #isDue = false;
  #running: Promise<void> = Promise.resolve();
  #failure: { error: unknown } | undefined;

  constructor(journal: Pick<Journal, "transaction">) {
    this.#journal = journal;
  }

  /** Does `work` together with whatever is written next; `flush` throws what goes wrong. */
  note(work: Work): void {
    this.#waiting.push({ work });
  }

  /** Resolves once `work`, and all before it, is on the disk. */
  write(work: Work): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#isDue) setImmediate(() => void this.#run());
      this.#isDue = true;
      this.#waiting.push({ work, resolve, reject });
    });
  }

  #run(): Promise<void> {
    this.#running = this.#running.then(() => this.#writeWaiting());
    return this.#running;
  }

  async #writeWaiting(): Promise<void> {
    const steps = this.#waiting;
    this.#waiting = [];
    this.#isDue = false;
    try {
      if (this.#failure === undefined && steps.length > 0)
        await this.#journal.transaction(async (tx) => {
          for (const { work } of steps) await work(tx);
        });
    } catch (error) {
      this.#failure = { error };
    }
    for (const { resolve, reject } of steps) {
      if (this.#failure === undefined) resolve?.();
      else reject?.(this.#failure.error);
    }
  }

  /** Writes what waits. Throws what went wrong, now or earlier. */
  async flush(): Promise<void> {
    await this.#run();
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
