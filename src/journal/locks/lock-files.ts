import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { BposError, isReason } from "../../errors.ts";
import { isSqliteError, openDatabase } from "../../sqlite.ts";
import { insert, JournalError, LockLost, type Sql } from "../engine/engine.ts";
import {
  type HeldLock,
  type Holder,
  isWait,
  type Lock,
  type Locks,
  lockName,
  type OwnLock,
  readName,
  waitName,
} from "./locks.ts";

function using<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new BposError("journal_unreadable", { file, detail: (error as Error).message }, { cause: error });
  }
}

function holdAt(address: string, timeout: number) {
  const database = openDatabase(address, { timeout });
  try {
    // Nothing is ever written there: a rollback journal on the disk would only be one more file to leave behind.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    throw error;
  }
  return { release: () => database.close() };
}

/** Created with its folder where missing. Throws `journal_unreadable`, also when another process holds it after `timeout` milliseconds. */
export const holdFile = (file: string, timeout = 0) =>
  using(file, () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return holdAt(file, timeout);
  });

/** Returns whether a live process holds that lock file, which it never creates. Throws `journal_unreadable`. */
export const isHeld = (file: string): boolean =>
  using(file, () => {
    if (!existsSync(file)) return false;
    try {
      // mode=rw: a file that goes away right now stays away.
      holdAt(`${pathToFileURL(file).href}?mode=rw`, 0).release();
      return false;
    } catch (error) {
      if (isSqliteError(error, "SQLITE_BUSY")) return true;
      if (!existsSync(file)) return false;
      throw error;
    }
  });

/** Only for a dead process or this one: another process's lock would seem free while it is held. */
const removeLockFile = (file: string): void => using(file, () => rmSync(file, { force: true }));

/** The identity of the file at a path: its device and inode; empty if the file system has none, undefined if there is no file. */
function standing(file: string): string | undefined {
  try {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found && (found.ino === 0n ? "" : `${found.dev} ${found.ino}`);
  } catch (error) {
    throw new JournalError((error as Error).message, "failed", { cause: error });
  }
}

/** Rows of the journal, each good for as long as the lock file of its holder is held: it dies with the process, however that ends. */
export class FileLocks implements Locks {
  readonly #sql: Sql;
  readonly #holder: Holder;
  readonly #journal: string | undefined;
  /** The files that this process has open, and what stood there then. */
  readonly #open = new Map<string, string>();
  #held: ReturnType<typeof holdFile> | undefined;

  /** @param journal the file that was opened right now, beside which the lock files of all processes are; undefined where there is nobody to hold apart. */
  constructor(sql: Sql, holder: Holder, journal: string | undefined) {
    this.#sql = sql;
    this.#holder = holder;
    this.#journal = journal;
    if (journal === undefined) return;
    this.#open.set(journal, standing(journal) ?? "gone");
    // These tell the last write and where it is; both stay for as long as anybody has the journal open.
    for (const file of [`${journal}-wal`, `${journal}-shm`]) {
      const what = standing(file);
      if (what !== undefined) this.#open.set(file, what);
    }
  }

  get holder(): string {
    return this.#holder.id;
  }

  #file(id: string): string {
    return join(dirname(this.#journal ?? ""), "locks", `${id}.lock`);
  }

  /** Throws LockLost once a file was removed or replaced: another process takes the same lock with what stands there now. */
  #ensureStanding({ branch: _, ...facts }: Lock): void {
    for (const [file, what] of this.#open)
      if (standing(file) !== what) throw new LockLost({ ...facts, pid: null, file });
  }

  /** Throws LockLost also where the journal's content was replaced in place: then it does not have this lock. */
  async #ensure(sql: Sql, lock: Lock): Promise<void> {
    this.#ensureStanding(lock);
    const text = "SELECT holder, pid FROM claim WHERE name = ?";
    const row = await sql.get<{ holder: string; pid: number }>(text, lockName(lock));
    if (row?.holder === this.#holder.id) return;
    const { branch: _, ...facts } = lock;
    throw new LockLost({ ...facts, pid: row?.pid ?? null, file: this.#journal ?? "" });
  }

  /** Readers are not held up: nothing leaves without a step before it. */
  #under(lock: Lock): Sql {
    const sql = this.#sql;
    return {
      ...sql,
      run: (...statement) => this.#within(sql, lock, (own) => own.run(...statement)),
      many: (...statement) => this.#within(sql, lock, (own) => own.many(...statement)),
      transaction: (work) => this.#within(sql, lock, work),
    };
  }

  #within<T>(sql: Sql, lock: Lock, work: (sql: Sql) => Promise<T>): Promise<T> {
    return sql.transaction(async (own) => {
      await this.#ensure(own, lock);
      return work(own);
    });
  }

  async take(lock: Lock): Promise<OwnLock> {
    await this.#claiming((sql) => this.#claim(sql, lock));
    return this.#toHeld(lock);
  }

  /** Takes also what this process has already without knowing it, as a later step failed. */
  async takeFree(
    locks: readonly Lock[],
    work: (sql: Sql, taken: readonly Lock[]) => Promise<void>,
  ): Promise<Map<string, OwnLock>> {
    const taken: Lock[] = [];
    await this.#claiming(async (sql) => {
      for (const lock of locks)
        try {
          await this.#claim(sql, lock, this.#holder.id);
          taken.push(lock);
        } catch (error) {
          if (!isReason(error, "locked")) throw error;
        }
      if (taken.length > 0) await work(sql, taken);
    });
    return new Map(taken.map((lock) => [lockName(lock), this.#toHeld(lock)]));
  }

  /** Looking whether a file is held means holding it: two who look at once would each take the other for a live holder. */
  async #claiming(work: (sql: Sql) => Promise<void>): Promise<void> {
    // First of all: a lock whose holder has no lock file counts as a dead one's.
    if (this.#journal !== undefined) this.#hold();
    await this.#sql.transaction(work);
  }

  /** Throws `locked` where a process that lives has it, but for `own`. */
  async #claim(sql: Sql, lock: Lock, own?: string): Promise<void> {
    if (this.#journal === undefined) return;
    this.#ensureStanding(lock);
    const name = lockName(lock);
    const { id, pid } = this.#holder;
    const text = "SELECT holder, pid FROM claim WHERE name = ?";
    const found = await sql.get<{ holder: string; pid: number }>(text, name);
    if (found !== undefined) {
      if (found.holder === own) return;
      const file = this.#file(found.holder);
      const { branch: _, ...facts } = lock;
      if (isHeld(file)) throw new BposError("locked", { pid: found.pid, ...facts });
      removeLockFile(file);
      await sql.run("DELETE FROM claim WHERE holder = ?", found.holder);
    }
    await insert(sql, "claim", [{ name, holder: id, pid }]);
  }

  #toHeld(lock: Lock): OwnLock {
    const name = lockName(lock);
    return {
      sql: this.#journal === undefined ? this.#sql : this.#under(lock),
      check: () => (this.#journal === undefined ? Promise.resolve() : this.#ensure(this.#sql, lock)),
      release: async () => {
        await this.#sql.run("DELETE FROM claim WHERE name = ? AND holder = ?", name, this.#holder.id);
      },
    };
  }

  share(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  #hold(): void {
    if (this.#held !== undefined) return;
    const file = this.#file(this.#holder.id);
    this.#held = holdFile(file);
    this.#open.set(file, standing(file) ?? "gone");
  }

  async standBy(locks: readonly Lock[]): Promise<void> {
    if (this.#journal === undefined) return;
    this.#hold();
    const { id, pid } = this.#holder;
    await this.#sql.transaction(async (sql) => {
      const rows = await sql.all<{ holder: string }>(`SELECT DISTINCT holder FROM claim WHERE ${isWait}`);
      for (const { holder } of rows) {
        const file = this.#file(holder);
        if (holder !== id && isHeld(file)) continue;
        // A process that was killed while it waited is in nobody's way, so nobody else would remove its file.
        if (holder !== id) removeLockFile(file);
        await sql.run(`DELETE FROM claim WHERE holder = ? AND ${isWait}`, holder);
      }
      const waits = locks.map((lock) => ({ name: waitName(lock, this.#holder), holder: id, pid }));
      await insert(sql, "claim", waits);
    });
  }

  held({ waits } = { waits: false }): Promise<HeldLock[]> {
    // The transaction has the same reason as above.
    return this.#sql.transaction(async (sql) => {
      type Row = { name: string; holder: string; pid: number };
      const which = waits ? isWait : `NOT ${isWait}`;
      const rows = await sql.all<Row>(`SELECT name, holder, pid FROM claim WHERE ${which} ORDER BY name`);
      const since = new Map<string, number>();
      for (const id of new Set(rows.map(({ holder }) => holder))) {
        const file = this.#file(id);
        // Nothing is ever written there: it is as old as its process.
        if (isHeld(file)) since.set(id, Math.round(statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0));
      }
      const { host } = this.#holder;
      return rows.flatMap(({ name, holder, pid }) => {
        const began = since.get(holder);
        return began === undefined
          ? []
          : [{ name: readName(name), holder, pid, host, since: began, expiresAt: null }];
      });
    });
  }

  async release(): Promise<void> {
    if (this.#held === undefined) return;
    try {
      // Before the file goes, so that nobody looks for it afterwards.
      await this.#sql.run("DELETE FROM claim WHERE holder = ?", this.#holder.id);
    } finally {
      this.#held.release();
      this.#held = undefined;
      removeLockFile(this.#file(this.#holder.id));
    }
  }
}
