import { plainText, Records } from "../engine/engine.ts";
import { toPseudonym } from "./pseudonyms.ts";

export interface OptOut {
  /** The phone as `toPerson` writes it; null once it was pruned, or where it came back after a restore. */
  phone: string | null;
  /** Epoch milliseconds. */
  at: number;
  /** How a person came onto the list: by a reply, by hand, or from a file. */
  source: "reply" | "added" | "import";
  /** The text of their reply. */
  text: string | null;
}

/** One to be put on the list: of somebody whose phone is known. */
export type NewOptOut = OptOut & { phone: string };

/** A message that contains a word of refusal among others. */
export type Doubt = Pick<OptOut, "phone" | "at" | "text"> & { seq: number };

/** One that was taken off the list again. */
export type RemovedOptOut = OptOut & { removed_at: number; reason: string };

/** An opt-out as this machine keeps it outside the journal: no phone, no text. */
export type OptOutKey = Pick<OptOut, "at" | "source"> & { person: string };

/** The list as it was when it was read; `has` takes a person as `toPerson` names them. */
export type OptedOut = { size: number; has: (person: string) => boolean };

/** Its counter in `written`: whoever changes the list raises it in the same transaction. */
const counter = "opt-out";
const maxText = 1_000;
/** Condition for a list of everybody: SQLite would otherwise go through the index of persons, and look up each row somewhere else in the file. */
export const isActive = "coalesce(state, '') = 'active'";
const columns = "phone, at, source, text";

/** Opt-outs of all branches of the journal. Each person has a pseudonym, so pruning forgets nobody. */
export class OptOuts extends Records {
  /** A number that changes with the list. */
  async version(): Promise<number> {
    const row = await this.sql.get<{ steps: number }>("SELECT steps FROM written WHERE name = ?", counter);
    return row?.steps ?? 0;
  }

  /** Every person on the list, by phone where it is known, and by pseudonym. */
  async all(): Promise<OptedOut> {
    // Two texts: a row for each person takes ten times as long.
    const { size, known, named } = await this.sql.one<
      { size: number } & Record<"known" | "named", string | null>
    >(
      `SELECT count(*) AS size, string_agg(phone, ' ') AS known,
         string_agg(CASE WHEN phone IS NULL THEN person END, ' ') AS named FROM opt_out WHERE ${isActive}`,
    );
    const phones = new Set(known?.split(" "));
    // A pseudonym of each of a hundred thousand people takes longer than all the rest.
    const pruned = new Set(named?.split(" "));
    const has = (person: string): boolean =>
      phones.has(person) || (pruned.size > 0 && pruned.has(toPseudonym(person)));
    return { size, has };
  }

  /** Adds people to the list; returns the number of new ones. */
  add(people: readonly NewOptOut[]): Promise<number> {
    return this.#change(async (own) => {
      let added = 0;
      for (const { phone, at, source, text } of people) {
        const person = toPseudonym(phone);
        added += await own.#insert({ person, phone, at, source, text: cut(text), state: "active" });
        await own.#settle("person = ? AND state = 'doubtful'", [person], { state: "dismissed", at });
      }
      return added;
    });
  }

  /** Puts people back on the list, as this machine keeps them. */
  restore(people: readonly OptOutKey[]): Promise<void> {
    return this.#change(async (own) => {
      for (const key of people) await own.#insert({ ...key, phone: null, text: null, state: "active" });
    });
  }

  /** Keeps the entry with the reason; false where they are not on the list. */
  remove(phone: string, how: { at: number; reason: string }): Promise<boolean> {
    const where = "person = ? AND state = 'active'";
    return this.#change(
      async (own) => (await own.#settle(where, [toPseudonym(phone)], { state: "removed", ...how })) > 0,
    );
  }

  list(): Promise<OptOut[]> {
    return this.sql.all(`SELECT ${columns} FROM opt_out WHERE state = 'active' ORDER BY at, seq`);
  }

  /** Returns the entries of one person, the newest first; those taken off the list have a reason. */
  of(phone: string): Promise<(OptOut & Partial<RemovedOptOut>)[]> {
    return this.sql.all(
      `SELECT ${columns}, settled_at AS removed_at, reason FROM opt_out
         WHERE person = ? AND state IN ('active', 'removed') ORDER BY seq DESC`,
      toPseudonym(phone),
    );
  }

  /** Keeps a doubtful message of somebody who is not on the list, once. */
  doubt({ phone, at, text }: Omit<NewOptOut, "source">): Promise<void> {
    return this.sql.transaction(async (sql) => {
      const own = new OptOuts(sql);
      const person = toPseudonym(phone);
      const known = await sql.get(
        "SELECT 1 FROM opt_out WHERE person = ? AND (state = 'active' OR (state = 'doubtful' AND text = ?))",
        ...[person, cut(text)],
      );
      const entry = { person, phone, at, source: "reply", text: cut(text), state: "doubtful" } as const;
      if (known === undefined) await own.#insert(entry);
    });
  }

  /** The oldest first. */
  doubts(): Promise<Doubt[]> {
    return this.sql.all("SELECT seq, phone, at, text FROM opt_out WHERE state = 'doubtful' ORDER BY seq");
  }

  async dismiss({ seq }: Doubt, at: number): Promise<void> {
    await this.#settle("seq = ? AND state = 'doubtful'", [seq], { state: "dismissed", at });
  }

  /** Everyone on the list, and the times of the last removals. */
  async keys(): Promise<{ active: Map<string, OptOutKey>; takenOff: Map<string, number> }> {
    const rows = await this.sql.all<OptOutKey & { until: number | null }>(
      `SELECT person, at, source, settled_at AS until FROM opt_out WHERE state IN ('active', 'removed')
         ORDER BY settled_at`,
    );
    const active = new Map<string, OptOutKey>();
    const takenOff = new Map<string, number>();
    for (const { until, ...key } of rows)
      if (until === null) active.set(key.person, key);
      else takenOff.set(key.person, until);
    return { active, takenOff };
  }

  #change<T>(work: (own: OptOuts) => Promise<T>): Promise<T> {
    return this.sql.transaction(async (sql) => {
      // First of all: its row keeps two who change the list apart, so that a higher number knows all of a lower one.
      await sql.run(
        "INSERT INTO written VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET steps = written.steps + 1",
        counter,
      );
      return work(new OptOuts(sql));
    });
  }

  #insert(row: OptOut & { person: string; state: string }): Promise<number> {
    const { person, phone, at, source, text, state } = row;
    return this.sql.run(
      `INSERT INTO opt_out (person, phone, at, source, text, state) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (person) WHERE state = 'active' DO NOTHING`,
      ...[person, phone, at, source, text, state],
    );
  }

  #settle(
    where: string,
    values: readonly (string | number)[],
    { state, at, reason = null }: { state: string; at: number; reason?: string | null },
  ): Promise<number> {
    // After the clock is set back, the opt-out must not look later than its removal.
    const settled = "settled_at = CASE WHEN at > ? THEN at ELSE ? END";
    const text = `UPDATE opt_out SET state = ?, ${settled}, reason = ? WHERE ${where}`;
    return this.sql.run(text, state, at, at, reason, ...values);
  }
}

const cut = (text: string | null): string | null =>
  text === null ? null : plainText(text.slice(0, maxText));
