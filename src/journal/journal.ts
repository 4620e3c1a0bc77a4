import { existsSync } from "node:fs";
import { databaseName, isDatabase } from "../contract/addresses.ts";
import { BposError } from "../errors.ts";
import { finds, Records, type Sql } from "./engine/engine.ts";
import type { Reach } from "./engine/postgres-login.ts";
import { openSqlite } from "./engine/sqlite.ts";
import { FileLocks } from "./locks/lock-files.ts";
import {
  type HeldLock,
  type Holder,
  type Lock,
  type Locks,
  lockName,
  type OwnLock,
  type Sharer,
} from "./locks/locks.ts";
import { Catalog } from "./records/catalog.ts";
import { OptOuts } from "./records/opt-outs.ts";
import { OrderFiles } from "./records/order-files.ts";
import { OrderParts } from "./records/order-parts.ts";
import { Orders } from "./records/orders.ts";
import { Pushes } from "./records/pushes.ts";
import { Replies } from "./records/replies.ts";
import { type JournalCall, Sends } from "./records/sends.ts";
import { Watches } from "./records/watches.ts";
import { type Lost, type Seen, SeenFile, type SentCall } from "./upkeep/seen.ts";
import type { Upkeep } from "./upkeep/upkeep.ts";

/** The report files that bpos wrote, each by the hash of its bytes: what somebody changed since is not ours to replace. */
export class Reports extends Records {
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

export class Transaction extends Records {
  readonly catalog = new Catalog(this.sql);
  readonly optOuts = new OptOuts(this.sql);
  readonly orders = new Orders(this.sql);
  readonly orderFiles = new OrderFiles(this.sql);
  readonly orderParts = new OrderParts(this.sql);
  readonly pushes = new Pushes(this.sql);
  readonly replies = new Replies(this.sql);
  readonly reports = new Reports(this.sql);
  readonly sends = new Sends(this.sql);
  readonly watches = new Watches(this.sql);
}

/** The lock that a journal is under, and what this machine has seen written under it. */
interface Under {
  held: Pick<OwnLock, "check" | "release">;
  lock: Lock;
  seen: Seen | undefined;
  isOlder: boolean;
}

interface Leaving {
  /** Called when the journal turns out to be older than this machine's records; without it, that throws `journal_older`. */
  older?: Work;
  /** Looked at once that step is written. */
  sent?: readonly SentCall[];
}

/** The journal: every step is recorded before and after it is done. A record is durable when its promise resolves. */
export class Journal extends Transaction {
  readonly #locks: Locks;
  readonly #under: Under | undefined;
  readonly #seenFile: SeenFile | undefined;
  /** Right before something leaves: throws LockLost when another process took, or can take, the lock that this journal is under. */
  readonly check: () => Promise<void>;
  /** Gives that lock up before `close`: another process may have it at once. */
  readonly release: () => Promise<void>;

  constructor(
    sql: Sql,
    locks: Locks,
    { under, seenFile }: { under?: Under; seenFile?: SeenFile | undefined } = {},
  ) {
    super(sql);
    this.#locks = locks;
    this.#under = under;
    this.#seenFile = seenFile;
    this.check = under?.held.check ?? (() => Promise.resolve());
    this.release = under?.held.release ?? (() => Promise.resolve());
  }

  /** True where a watch found, when it took its lock, that the journal knows less of it than this machine. */
  get isOlder(): boolean {
    return this.#under?.isOlder === true;
  }

  /** The journal under a lock, which is this process's until `close`. Throws as `Locks.take` does, and `journal_older` but for a watch. */
  async under(lock: Lock): Promise<Journal> {
    const held = await this.#locks.take(lock);
    if (lock.work === "watch")
      return this.#underWatch([[lock, held]]).then(([journal]) => journal as Journal);
    try {
      const seen = await this.#seenFile?.under(lock);
      const isOlder = (await seen?.compare(held.sql)) === true;
      const journal = this.#with(held, { lock, seen, isOlder });
      if (seen !== undefined) await journal.refuseOlder();
      // Another machine may be the one that sends, and not know who is missing.
      if (lock.work === "send") await journal.keepOptOuts();
      else await journal.keepOptOuts().catch(() => undefined);
      return journal;
    } catch (error) {
      await held.release().catch(() => undefined);
      throw error;
    }
  }

  /** The journal under each lock of a watch that nobody holds, by its name, and what `read` returned in the step that took them; undefined where it took none. */
  async underFree<T>(locks: readonly Lock[], read: (tx: Transaction, taken: readonly Lock[]) => Promise<T>) {
    let known: T | undefined;
    const taken = await this.#locks.takeFree(locks, async (sql, some) => {
      known = await read(new Transaction(sql), some);
    });
    const pairs = locks.flatMap((lock): [Lock, OwnLock][] => {
      const held = taken.get(lockName(lock));
      return held === undefined ? [] : [[lock, held]];
    });
    const journals = await this.#underWatch(pairs);
    return { journals: new Map(pairs.map(([lock], n) => [lockName(lock), journals[n] as Journal])), known };
  }

  async #underWatch(taken: readonly (readonly [Lock, OwnLock])[]): Promise<Journal[]> {
    const [first] = taken;
    if (first === undefined) return [];
    try {
      const seen = await this.#seenFile?.under(first[0]);
      const older = await seen?.findOlder(
        this.sql,
        taken.map(([lock]) => lockName(lock)),
      );
      return taken.map(([lock, held]) =>
        this.#with(held, { lock, seen, isOlder: older?.has(lockName(lock)) === true }),
      );
    } catch (error) {
      for (const [, { release }] of taken) await release().catch(() => undefined);
      throw error;
    }
  }

  #with(held: OwnLock, under: Omit<Under, "held">): Journal {
    return new Journal(held.sql, this.#locks, { under: { held, ...under }, seenFile: this.#seenFile });
  }

  /** Before anybody is asked anything: throws `journal_older`. */
  async refuseOlder(): Promise<void> {
    const lost = await this.lost();
    if (lost.isOlder) throw new BposError("journal_older", { file: lost.place, sends: lost.sends });
  }

  /** Returns whether it knows less than this machine, and which sends it does not know. */
  async lost(): Promise<Lost> {
    const seen = await this.#seenFile?.open();
    return (await seen?.lost(this.sql)) ?? { isOlder: false, place: "", sends: [] };
  }

  /** Continues with this journal: anything done in between counts as unknown. */
  async acceptOlder(now: number): Promise<void> {
    const seen = await this.#seenFile?.open();
    await this.sql.transaction(async (sql) => {
      await sql.run("UPDATE watch SET older_at = ?", now);
      await sql.run("UPDATE catalog_item SET open = 1");
    });
    await seen?.keepOptOuts(this.sql);
    await seen?.accept(this.sql);
  }

  /** After each change of the list, and before anybody is messaged: it survives a journal that is restored or replaced. */
  async keepOptOuts(): Promise<void> {
    const seen = await this.#seenFile?.open();
    await seen?.keepOptOuts(this.sql);
  }

  /** Does `work` as `transaction` does; what leaves after it, this machine remembers outside the journal, too. */
  async step<T>(work: (tx: Transaction) => Promise<T>, { older, sent }: Leaving = {}): Promise<T> {
    const { seen, lock } = this.#under ?? {};
    if (seen === undefined || lock === undefined) return this.transaction(work);
    const { result, raised } = await this.sql.transaction(async (sql) => {
      const tx = new Transaction(sql);
      const raised = await seen.raise(sql, lockName(lock));
      if (raised.isOlder && older === undefined)
        throw new BposError("journal_older", { file: seen.place, sends: await seen.lostSends(sql) });
      if (raised.isOlder) await older?.(tx);
      return { raised, result: await work(tx) };
    });
    // No order waits for that file.
    await seen.note(raised, sent).catch((error: unknown) => {
      if (lock.work !== "watch") throw error;
    });
    return result;
  }

  /** Records that a call of a send did not leave after all. */
  async notSent(call: JournalCall): Promise<void> {
    await this.#under?.seen?.notSent(call.idempotency_key);
    await this.sends.notSent(call);
  }

  /** All locks that somebody who lives seems to hold. */
  held(): Promise<HeldLock[]> {
    return this.#locks.held();
  }

  /** This process, as `held` and `share` name it. */
  get holder(): string {
    return this.#locks.holder;
  }

  /** Says what this process shares, and who else lives; undefined where that is not known. */
  share(what: string): Promise<Sharer[] | undefined> {
    return this.#locks.share(what);
  }

  /** Says which locks this process waits for, in place of what it said before, until it ends. */
  standBy(locks: readonly Lock[]): Promise<void> {
    return this.#locks.standBy(locks);
  }

  /** Live processes, and the locks that they wait for. */
  waiting(): Promise<HeldLock[]> {
    return this.#locks.held({ waits: true });
  }

  /** Loads what only `bpos journal` does. */
  async upkeep(): Promise<Upkeep> {
    const { Upkeep } = await import("./upkeep/upkeep.ts");
    return new Upkeep(this.sql);
  }

  /** Does `work` as one durable step that nothing else interleaves with. `work` uses `tx` alone: all else waits for its end. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.sql.transaction((sql) => work(new Transaction(sql)));
  }

  async close(): Promise<void> {
    await this.#seenFile?.close();
    await this.#locks.release().finally(() => this.sql.close());
  }
}

export interface OpeningJournal extends Reach {
  holder: Holder;
  /** The file in which this machine remembers what it has seen of its journals; without it, it remembers nothing. */
  seenFile?: string;
}

/**
 * Opens a journal: of SQLite by its file, `:memory:` giving one that ends with the process, or of PostgreSQL by its address.
 * Throws `journal_damaged` and `journal_unreadable`.
 */
export async function openJournal(
  place: string,
  { holder, seenFile, ...how }: OpeningJournal,
): Promise<Journal> {
  const openSeen = (shown: string, sql: Sql) =>
    seenFile === undefined || place === ":memory:" ? undefined : new SeenFile(seenFile, shown, sql);
  if (isDatabase(place)) {
    const { openPostgres } = await import("./locks/lock-rows.ts");
    const { sql, locks } = await openPostgres(place, holder, how);
    return new Journal(sql, locks, { seenFile: openSeen(databaseName(place, how.env), sql) });
  }
  const sql = openSqlite(place);
  const file = place === ":memory:" ? undefined : place;
  return new Journal(sql, new FileLocks(sql, holder, file), { seenFile: openSeen(place, sql) });
}

/** Returns whether there is a journal, and creates none. Throws `journal_unreadable`. */
export async function hasJournal(place: string, how: Reach): Promise<boolean> {
  return isDatabase(place) ? (await import("./engine/postgres.ts")).isMade(place, how) : existsSync(place);
}

/** A journal that ends with the process, for commands without a stored one. */
export const openMemoryJournal = (): Journal => {
  const sql = openSqlite(":memory:");
  return new Journal(sql, new FileLocks(sql, { id: "", pid: 0, host: "" }, undefined));
};

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
