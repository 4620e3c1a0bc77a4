import { setTimeout as pause } from "node:timers/promises";
import { BposError } from "../../errors.ts";
import type { Connection } from "../engine/connection.ts";
import { LockLost, listed, type Sql } from "../engine/engine.ts";
import { type LockSessions, openDatabase } from "../engine/postgres.ts";
import type { How } from "../engine/postgres-login.ts";
import { sqlOn } from "../engine/postgres-sql.ts";
import {
  type HeldLock,
  type Holder,
  isWait,
  type Lock,
  type Locks,
  lockName,
  type OwnLock,
  readName,
  type Sharer,
  waitName,
} from "./locks.ts";

const renewMs = 1_000;
/** Time since the last renewal, by the database's clock, after which a lock lapses. */
const lapse = "4 seconds";
/** How long a lock is held at least after a check. */
const margin = "1 second";

interface ClaimRow {
  holder: string;
  token: number;
  host: string;
  pid: number;
  /** Microseconds. */
  expires: number;
  lives: 0 | 1;
}

const selectClaim = `SELECT c.holder, c.token, coalesce(h.host, '') AS host, coalesce(h.pid, 0) AS pid,
    coalesce((extract(epoch FROM h.expires_at) * 1000000)::bigint, 0) AS expires,
    coalesce(h.expires_at > clock_timestamp(), false) AS lives
  FROM claim AS c LEFT JOIN holder AS h ON h.id = c.holder WHERE c.name = ?`;

const selectOwn = `SELECT 1 FROM claim AS c JOIN holder AS h ON h.id = c.holder
  WHERE c.name = ? AND c.holder = ? AND c.token = ? AND h.expires_at > clock_timestamp() + interval '${margin}'`;
/** Whoever takes the lock waits for the end of this transaction; who renews it does not. */
const keepOwn = `${selectOwn} FOR SHARE OF c`;

interface Taken {
  name: string;
  token: number;
}
/** Both give the tokens: where nobody has a lock, and where whoever had it has not renewed it. In one sequence: two who take the same wait for each other. */
const takeFree = `INSERT INTO claim (name, holder, token) SELECT value, ?2, 1 FROM json_each(?1) ORDER BY value
  ON CONFLICT (name) DO NOTHING RETURNING name, token`;
/** Not in the middle of a step of the holder's: after a wait for its end it would be judged by what was known before. */
const takeLapsed = `UPDATE claim SET holder = ?2, token = token + 1 WHERE name IN (
    SELECT c.name FROM claim AS c WHERE c.name IN (SELECT value FROM json_each(?1))
      AND NOT EXISTS (SELECT 1 FROM holder AS h WHERE h.id = c.holder AND h.expires_at > clock_timestamp())
    FOR UPDATE SKIP LOCKED)
  RETURNING name, token`;
/** Takes also what this process has already without knowing it, as the server's answer was lost. */
const takeOwn =
  "UPDATE claim SET token = token + 1 WHERE holder = ?2 AND name IN (SELECT value FROM json_each(?1)) RETURNING name, token";

/** Further ahead than a renewal sets it: the server's clock was set back. It lapses as all do from here on, unless its process renews it. */
const correctExpiries = `UPDATE holder SET expires_at = clock_timestamp() + interval '${lapse}'
  WHERE expires_at > clock_timestamp() + interval '${lapse}'`;

/** Live holders for readers, as if expiries had been corrected. */
export const aliveHolders = `SELECT id FROM holder
  WHERE expires_at > clock_timestamp() AND expires_at < clock_timestamp() + interval '${lapse}' + interval '${margin}'`;

/** The first so many locks of a process share the session of everything else; with more, steps of one need not wait for those of all others. */
const fewLocks = 50;

/** Processes that have been gone for a day. */
const dead = "SELECT id FROM holder WHERE expires_at < clock_timestamp() - interval '1 day'";

/**
 * Rows of the journal, each good for as long as the row of its holder is: that is renewed every second, and lapses after four without it, whether the
 * process was killed or stopped, its network cut or its server lost. Who takes a lapsed one raises its token.
 */
class RowLocks implements Locks {
  readonly #connection: Connection;
  readonly #beat: Connection;
  readonly #lanes: readonly Connection[];
  readonly #holder: Holder;
  readonly #guard: (sql: Sql) => Promise<void>;
  readonly #sql: Sql;
  readonly #beats: Sql;
  #timer: NodeJS.Timeout | undefined;
  readonly #seenAlive = new Set<string>();
  #renewingSince: number | undefined;
  /** Told to the others by the next renewal. */
  #turns = 0;
  #shares: string | null = null;

  /** @param guard what each taking begins with, in its own transaction: it throws where none may be taken. */
  constructor({ connection, beat, lanes }: LockSessions, holder: Holder, guard: (sql: Sql) => Promise<void>) {
    this.#connection = connection;
    this.#beat = beat;
    this.#lanes = lanes;
    this.#holder = holder;
    this.#guard = guard;
    this.#sql = sqlOn(connection);
    this.#beats = sqlOn(beat);
  }

  get holder(): string {
    return this.#holder.id;
  }

  async #renew(sql: Sql): Promise<void> {
    const { id, host, pid } = this.#holder;
    await sql.run(
      `INSERT INTO holder (id, host, pid, turns, shares, expires_at) VALUES (?, ?, ?, ?, ?, clock_timestamp() + interval '${lapse}')
         ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at, turns = excluded.turns, shares = excluded.shares`,
      ...[id, host, pid, this.#turns, this.#shares],
    );
  }

  /** A session that gives no answer for so long that the locks lapse has none to give: neither has the other. */
  async #renewInTime(): Promise<void> {
    const since = this.#renewingSince;
    if (since === undefined) {
      this.#renewingSince = performance.now();
      // The next renewal tries again; a step that needs the lock checks it anyway.
      await this.#renew(this.#beats).catch(() => undefined);
      this.#renewingSince = undefined;
      return;
    }
    if (performance.now() - since < 4 * renewMs) return;
    // The answer may be here already: a process that was stopped, or had much to do, has not read it.
    await pause(renewMs / 5);
    if (this.#renewingSince !== since) return;
    for (const each of [this.#beat, this.#connection, ...this.#lanes]) each.drop();
  }

  async #start(): Promise<void> {
    if (this.#timer !== undefined) return;
    await this.#renew(this.#beats);
    await this.#beats.run(`DELETE FROM claim WHERE holder IN (${dead})`);
    await this.#beats.run(`DELETE FROM claim WHERE ${isWait} AND holder NOT IN (${aliveHolders})`);
    await this.#beats.run(`DELETE FROM holder WHERE id IN (${dead})`);
    this.#timer ??= setInterval(() => void this.#renewInTime(), renewMs);
    this.#timer.unref();
  }

  async take(lock: Lock): Promise<OwnLock> {
    const { branch: _, ...facts } = lock;
    const name = lockName(lock);
    const { host } = this.#holder;
    await this.#start();
    const take = async () => (await this.#take([name]))[0];
    let token = (await take())?.token;
    while (token === undefined) {
      const row = await this.#seeLife(name);
      if (row?.lives === 1)
        throw new BposError("locked", {
          ...facts,
          pid: row.pid,
          ...(row.host !== host && { host: row.host }),
        });
      token = (await take())?.token;
      if (token === undefined) await pause(renewMs / 20);
    }
    return this.#toHeld(lock, token);
  }

  /** @param how whether what this process has already, without knowing it, is taken too: an answer of the server was lost. */
  #take(
    names: readonly string[],
    how: { isOwnToo: boolean; work?: (sql: Sql, taken: readonly Taken[]) => Promise<void> } = {
      isOwnToo: false,
    },
  ): Promise<Taken[]> {
    const { id } = this.#holder;
    return this.#sql.transaction(async (sql) => {
      // Whatever is written under a lock takes this along to the disk.
      await sql.run("SET LOCAL synchronous_commit = off");
      await this.#guard(sql);
      const taken: Taken[] = [];
      for (const text of [takeFree, takeLapsed, ...(how.isOwnToo ? [takeOwn] : [])]) {
        const known = new Set(taken.map(({ name }) => name));
        const others = names.filter((name) => !known.has(name));
        if (others.length > 0) taken.push(...(await sql.all<Taken>(text, JSON.stringify(others), id)));
      }
      if (taken.length > 0) await how.work?.(sql, taken);
      return taken;
    });
  }

  async takeFree(
    locks: readonly Lock[],
    work: (sql: Sql, taken: readonly Lock[]) => Promise<void>,
  ): Promise<Map<string, OwnLock>> {
    await this.#start();
    const named = new Map(locks.map((lock) => [lockName(lock), lock]));
    const locksOf = (taken: readonly Taken[]) => taken.flatMap(({ name }) => named.get(name) ?? []);
    const taken = await this.#take([...named.keys()], {
      isOwnToo: true,
      work: (sql, some) => work(sql, locksOf(some)),
    });
    return new Map(taken.map(({ name, token }) => [name, this.#toHeld(named.get(name) as Lock, token)]));
  }

  async share(what: string): Promise<Sharer[]> {
    await this.#start();
    if (this.#shares !== what) {
      this.#shares = what;
      await this.#renew(this.#beats);
    }
    await this.#sql.run(correctExpiries);
    return this.#sql.all<Sharer>(
      "SELECT id, turns, shares FROM holder WHERE expires_at > clock_timestamp() ORDER BY id",
    );
  }

  #toHeld(lock: Lock, token: number): OwnLock {
    const name = lockName(lock);
    const { id } = this.#holder;
    const own = { lock, token };
    this.#turns += 1;
    const lane = this.#turns <= fewLocks ? undefined : this.#lanes[this.#turns % this.#lanes.length];
    const connection = lane ?? this.#connection;
    const plain = sqlOn(connection);
    return {
      sql: sqlOn(connection, (sql) => this.#ensure(sql, keepOwn, own)),
      check: () => this.#ensure(plain, selectOwn, own),
      release: async () => {
        const text = "DELETE FROM claim WHERE name = ? AND holder = ? AND token = ?";
        await this.#sql.run(text, name, id, token);
        this.#turns += 1;
      },
    };
  }

  /** The claim once its holder renewed it, or it has lapsed: what was killed a moment ago does not hold off the next run. */
  async #seeLife(name: string): Promise<ClaimRow | undefined> {
    const look = async () => {
      await this.#sql.run(correctExpiries);
      return this.#sql.get<ClaimRow>(selectClaim, name);
    };
    let first = await look();
    const isKnown = first?.holder === this.#holder.id || this.#seenAlive.has(first?.holder ?? "");
    if (first === undefined || isKnown) return first;
    for (let row: ClaimRow | undefined = first; ; row = await look()) {
      if (row?.lives !== 1) return row;
      if (row.holder !== first.holder || row.expires > first.expires) {
        this.#seenAlive.add(row.holder);
        return row;
      }
      // Earlier, after the server's clock was set back, it may be what another process corrected.
      first = row;
      await pause(renewMs / 5);
    }
  }

  /** Throws LockLost unless the lock is held, and will be for a while. One that lapsed and that nobody took is held again. */
  async #ensure(sql: Sql, text: string, { lock, token }: { lock: Lock; token: number }): Promise<void> {
    const name = lockName(lock);
    const { id } = this.#holder;
    const isHeld = async (): Promise<boolean> => (await sql.get(text, name, id, token)) !== undefined;
    if (await isHeld()) return;
    // The other session renews: this one would wait for the end of its transaction.
    await this.#renew(this.#beats);
    if (await isHeld()) return;
    const { branch: _, ...facts } = lock;
    const row = await sql.get<ClaimRow>(selectClaim, name);
    throw new LockLost({ ...facts, pid: row?.pid ?? null, ...(row && { host: row.host }) });
  }

  async standBy(locks: readonly Lock[]): Promise<void> {
    await this.#start();
    const { id } = this.#holder;
    // Whoever waits for many holds up no look at the locks.
    const waiting = (locks.length > fewLocks && this.#lanes.at(-1)) || this.#connection;
    await sqlOn(waiting).transaction(async (sql) => {
      await sql.run("SET LOCAL synchronous_commit = off");
      const waits = JSON.stringify(locks.map((lock) => waitName(lock, this.#holder)));
      await sql.run(`DELETE FROM claim WHERE holder = ? AND ${isWait} AND name NOT IN ${listed}`, id, waits);
      const text = "INSERT INTO claim (name, holder, token) SELECT value, ?2, 1 FROM json_each(?1)";
      await sql.run(`${text} ON CONFLICT (name) DO NOTHING`, waits, id);
    });
  }

  async held({ waits } = { waits: false }): Promise<HeldLock[]> {
    const ms = (column: string): string => `floor(extract(epoch FROM ${column}) * 1000)::bigint`;
    await this.#sql.run(correctExpiries);
    const rows = await this.#sql.all<HeldLock>(
      `SELECT name, claim.holder, host, pid, ${ms("since")} AS since, ${ms("expires_at")} AS "expiresAt"
         FROM claim JOIN holder ON holder.id = claim.holder
         WHERE expires_at > clock_timestamp() AND ${waits ? isWait : `NOT ${isWait}`} ORDER BY name`,
    );
    return rows.map((row) => ({ ...row, name: readName(row.name) }));
  }

  async release(): Promise<void> {
    const isHolder = this.#timer !== undefined;
    clearInterval(this.#timer);
    this.#timer = undefined;
    try {
      if (!isHolder) return;
      const { id } = this.#holder;
      await this.#sql.transaction(async (sql) => {
        await sql.run("DELETE FROM claim WHERE holder = ?", id);
        await sql.run("DELETE FROM holder WHERE id = ?", id);
      });
    } finally {
      // They are open even where the first lock could not be taken, and a process does not end before its sessions.
      await this.#beat.close();
      await Promise.all(this.#lanes.map((lane) => lane.end()));
    }
  }
}

/** Opens a journal on PostgreSQL with its locks. Throws as `openDatabase` does. */
export async function openPostgres(url: string, holder: Holder, how: How) {
  const { sql, sessions, guard } = await openDatabase(url, how);
  return { sql, locks: new RowLocks(sessions, holder, guard) };
}
