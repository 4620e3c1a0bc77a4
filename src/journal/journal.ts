import { dirname, join } from "node:path";
import { holdsState, renameBranches } from "./branches.ts";
import { Catalog } from "./catalog.ts";
import { finds, Part, type Sql } from "./engine.ts";
import { type Holder, Locks } from "./locks.ts";
import { Orders } from "./orders.ts";
import { Pushes } from "./pushes.ts";
import { Replies } from "./replies.ts";
import { Sends } from "./sends.ts";
import { openSqlite } from "./sqlite.ts";

/** The report files that bpos wrote, each by the hash of its bytes: what somebody changed since is not ours to replace. */
export class Reports extends Part {
  isOurs(path: string, hash: string): Promise<boolean> {
    return finds(this.sql, "SELECT 1 FROM report_file WHERE path = ? AND hash = ?", path, hash);
  }

  async add(path: string, hash: string): Promise<void> {
    await this.sql.run("INSERT INTO report_file VALUES (?, ?) ON CONFLICT DO NOTHING", path, hash);
  }

  /** Forgets what stood there; without `hash` all of it, else what is not that. */
  async forget(path: string, hash = ""): Promise<void> {
    await this.sql.run("DELETE FROM report_file WHERE path = ? AND hash <> ?", path, hash);
  }
}

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
    await this.locks.release().finally(() => this.sql.close());
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

/** Writes what comes up within one turn of the event loop as one transaction, since fsync is slow; after a failure nothing more. */
export class Steps {
  readonly #journal: Pick<Journal, "transaction">;
  #waiting: Work[] = [];
  #next: Promise<void> | undefined;
  #running = Promise.resolve();

  constructor(journal: Pick<Journal, "transaction">) {
    this.#journal = journal;
  }

  /** Does `work` together with whatever is written next; `flush` throws what goes wrong. */
  note(work: Work): void {
    this.#waiting.push(work);
  }

  write(work: Work): Promise<void> {
    this.#waiting.push(work);
    this.#next ??= new Promise(setImmediate).then(() => this.flush());
    return this.#next;
  }

  flush(): Promise<void> {
    this.#running = this.#running.then(async () => {
      const works = this.#waiting;
      this.#waiting = [];
      this.#next = undefined;
      if (works.length === 0) return;
      await this.#journal.transaction(async (tx) => {
        for (const work of works) await work(tx);
      });
    });
    return this.#running;
  }
}
