import { LockLost, type Sql } from "../../src/journal/engine/engine.ts";
import {
  type HeldLock,
  type Lock,
  type Locks,
  lockName,
  type OwnLock,
  type Sharer,
} from "../../src/journal/locks/locks.ts";

const lapseMs = 4_000;

/** The locks of a model of a shared journal, and who renews them; instants are of its clock. */
export class LockTable {
  readonly claims = new Map<string, { holder: string; token: number }>();
  readonly holders = new Map<string, { expiresAt: number; turns: number; shares: string | null }>();
  readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  lives(holder: string): boolean {
    return (this.holders.get(holder)?.expiresAt ?? 0) > this.now();
  }
}

/** Those of one machine. */
export class FleetLocks implements Locks {
  readonly holder: string;
  readonly #table: LockTable;
  readonly #sql: Sql;

  constructor(holder: string, table: LockTable, sql: Sql) {
    this.holder = holder;
    this.#table = table;
    this.#sql = sql;
    table.holders.set(holder, { expiresAt: table.now() + lapseMs, turns: 0, shares: null });
  }

  get #own() {
    return this.#table.holders.get(this.holder)!;
  }

  /** To be done every second while the machine lives. */
  renew(): void {
    this.#own.expiresAt = this.#table.now() + lapseMs;
  }

  #held(lock: Lock, token: number): OwnLock {
    const name = lockName(lock);
    const { claims } = this.#table;
    const ensure = (): void => {
      const claim = claims.get(name);
      if (claim?.holder !== this.holder || claim.token !== token || !this.#table.lives(this.holder))
        throw new LockLost({ ...lock, pid: null, host: claim?.holder ?? "" });
    };
    const sql: Sql = {
      ...this.#sql,
      run: (...statement) => this.#sql.run(...statement),
      transaction: (work) =>
        this.#sql.transaction((tx) => {
          ensure();
          return work(tx);
        }),
    };
    return {
      sql,
      check: () => Promise.resolve().then(ensure),
      release: () =>
        Promise.resolve().then(() => {
          ensure();
          claims.delete(name);
          this.#own.turns += 1;
        }),
    };
  }

  take(): Promise<OwnLock> {
    throw new Error("this machine stands by");
  }

  async takeFree(locks: readonly Lock[], work: (sql: Sql, taken: readonly Lock[]) => Promise<void>) {
    const { claims } = this.#table;
    const taken = locks.filter((lock) => !this.#table.lives(claims.get(lockName(lock))?.holder ?? ""));
    const held = taken.map((lock): [string, OwnLock] => {
      const name = lockName(lock);
      const token = (claims.get(name)?.token ?? 0) + 1;
      claims.set(name, { holder: this.holder, token });
      this.#own.turns += 1;
      return [name, this.#held(lock, token)];
    });
    if (taken.length > 0) await this.#sql.transaction((tx) => work(tx, taken));
    return new Map(held);
  }

  share(what: string): Promise<Sharer[]> {
    this.#own.shares = what;
    const living = [...this.#table.holders].filter(([id]) => this.#table.lives(id));
    return Promise.resolve(living.map(([id, { turns, shares }]) => ({ id, turns, shares })));
  }

  held(): Promise<HeldLock[]> {
    const held = [...this.#table.claims].filter(([, { holder }]) => this.#table.lives(holder));
    const about = { pid: 1, since: 0, expiresAt: null };
    return Promise.resolve(held.map(([name, { holder }]) => ({ ...about, name, holder, host: holder })));
  }

  standBy(): Promise<void> {
    return Promise.resolve();
  }

  release(): Promise<void> {
    return Promise.resolve();
  }
}
