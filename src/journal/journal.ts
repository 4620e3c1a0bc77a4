import { dirname, join } from "node:path";
import { holdsState, renameBranches } from "./branches.ts";
import { Catalog } from "./catalog.ts";
import { Part, type Sql } from "./engine.ts";
import { type Holder, Locks } from "./locks.ts";
import { Orders } from "./orders.ts";
import { Pushes } from "./pushes.ts";
import { Replies } from "./replies.ts";
import { Reports } from "./reports.ts";
import { Sends } from "./sends.ts";
import { openSqlite } from "./sqlite.ts";

export class Transaction extends Part {
  readonly catalog = new Catalog(this.sql);
  readonly orders = new Orders(this.sql);
  readonly pushes = new Pushes(this.sql);
  readonly replies = new Replies(this.sql);
  readonly reports = new Reports(this.sql);
  readonly sends = new Sends(this.sql);
}

/** The journal: every step is written down before and after it is done. What a promise says is durable when it resolves. */
export class Journal extends Transaction {
  readonly locks: Locks;

  constructor(sql: Sql, locks: Locks) {
    super(sql);
    this.locks = locks;
  }

  /** Does `work` as one durable step that nothing else interleaves with. `work` uses `tx` alone: all else waits for its end. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.sql.transaction((sql) => work(new Transaction(sql)));
  }

  holdsState(branches: readonly string[]): Promise<boolean> {
    return holdsState(this.sql, branches);
  }

  renameBranches(to: string, earlier: readonly string[]): Promise<void> {
    return renameBranches(this.sql, to, earlier);
  }

  async close(): Promise<void> {
    try {
      await this.locks.release();
    } finally {
      await this.sql.close();
    }
  }
}

/** `:memory:` gives a journal that ends with the process. Throws `journal_damaged` and `journal_unreadable`. */
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

/** Writes what comes up within one turn of the event loop as one transaction, since fsync is slow; after a failure nothing more. */
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

  async flush(): Promise<void> {
    await this.#run();
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
