import { BposError } from "../../errors.ts";
import { finds, listed, type Sql } from "../engine/engine.ts";
import { openBeside } from "../engine/sqlite.ts";
import type { Lock } from "../locks/locks.ts";
import { isActive, type OptOutKey, OptOuts } from "../records/opt-outs.ts";

/** `sent` holds the calls of the last day; `opt_out` who is on the list, without a phone; `older` the journals that were found to know less than this. */
const schema = `
  CREATE TABLE IF NOT EXISTS place (place TEXT PRIMARY KEY, journal TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS seen (
    journal TEXT NOT NULL, name TEXT NOT NULL, steps INTEGER NOT NULL, PRIMARY KEY (journal, name)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS sent (
    journal TEXT NOT NULL, key TEXT NOT NULL, ref TEXT NOT NULL, template TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (journal, key)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS opt_out (
    journal TEXT NOT NULL, person TEXT NOT NULL, at INTEGER NOT NULL, source TEXT NOT NULL,
    PRIMARY KEY (journal, person)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS older (journal TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;`;

/** Columns that go over to a journal that replaced another, by table. */
const columns = { seen: "name, steps", sent: "key, ref, template, at", opt_out: "person, at, source" };

/** Returns the list as one text: a row for each of a hundred thousand people takes ten times as long. */
async function readList(sql: Sql, where: string, ...values: readonly string[]): Promise<string | null> {
  const text = `SELECT string_agg(person || ' ' || at || ' ' || source, ',') AS list
    FROM (SELECT person, at, source FROM opt_out WHERE ${where} ORDER BY person) AS sorted`;
  return (await sql.one<{ list: string | null }>(text, ...values)).list;
}

const dayMs = 86_400_000;

/** A call of a send that leaves: its key, and what people know it by. */
export interface SentCall {
  key: string;
  ref: string;
  template: string;
  /** Epoch milliseconds. */
  at: number;
}

type LostSend = Pick<SentCall, "ref" | "template" | "at">;

/** Work of this machine that is missing in the journal. */
export interface Lost {
  isOlder: boolean;
  place: string;
  /** A reference each, the newest first. */
  sends: readonly LostSend[];
}

/** The counter that a step wrote under a name; `isOlder` when a higher one had been written there before. */
export interface Raised {
  name: string;
  steps: number;
  isOlder: boolean;
}

/**
 * Counts of one journal that this machine has seen, in a file outside it: a journal that was restored, or whose server failed over to a replica that
 * lagged, knows less. In the journal each lock's name has a counter, which every step raises that something leaves after.
 */
export class Seen {
  readonly #own: Sql;
  readonly #id: string;
  readonly place: string;

  private constructor(own: Sql, id: string, place: string) {
    this.#own = own;
    this.#id = id;
    this.place = place;
  }

  /** Throws `journal_unreadable` and `journal_damaged` for that file, and JournalError for the journal. */
  static async open(file: string, journal: Sql, place: string): Promise<Seen> {
    const { id } = await journal.one<{ id: string }>("SELECT id FROM identity");
    const own = openBeside(file, schema);
    await own.transaction(async (sql) => {
      const before = await sql.get<{ journal: string }>("SELECT journal FROM place WHERE place = ?", place);
      if (before?.journal === id) return;
      await sql.run(
        "INSERT INTO place VALUES (?, ?) ON CONFLICT (place) DO UPDATE SET journal = excluded.journal",
        ...[place, id],
      );
      // Another journal replaced it, and knows nothing of its past.
      for (const [table, rest] of Object.entries(columns))
        await sql.run(
          `INSERT INTO ${table} SELECT ?, ${rest} FROM ${table} WHERE journal = ? ON CONFLICT DO NOTHING`,
          ...[id, before?.journal ?? ""],
        );
    });
    return new Seen(own, id, place);
  }

  /** Returns whether the journal knows less than this machine, and records where it knows more. */
  async compare(journal: Sql): Promise<boolean> {
    return (await this.#compare(journal)).isOlder;
  }

  /** Returns those of some names of which the journal knows less, and records where it knows more. */
  async findOlder(journal: Sql, names: readonly string[]): Promise<ReadonlySet<string>> {
    return (await this.#compare(journal, names)).older;
  }

  async #compare(journal: Sql, names?: readonly string[]) {
    const where = names === undefined ? "" : `AND name IN ${listed}`;
    const values = names === undefined ? [] : [JSON.stringify(names)];
    type Row = { name: string; steps: number };
    const rows = await journal.all<Row>(`SELECT name, steps FROM written WHERE 1 = 1 ${where}`, ...values);
    const known = new Map(rows.map((row) => [row.name, row.steps]));
    const lost = names === undefined ? await this.lostSends(journal) : [];
    return this.#own.transaction(async (sql) => {
      const text = `SELECT name, steps FROM seen WHERE journal = ? ${where}`;
      const seen = await sql.all<Row>(text, this.#id, ...values);
      const before = new Map(seen.map((row) => [row.name, row.steps]));
      const news = rows.filter((row) => row.steps > (before.get(row.name) ?? 0));
      await sql.many(
        "INSERT INTO seen VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET steps = excluded.steps",
        news.map((row) => [this.#id, row.name, row.steps]),
      );
      const older = seen.filter((row) => (known.get(row.name) ?? 0) < row.steps);
      const isOlder = lost.length + older.length > 0;
      if (isOlder) await this.#setOlder(sql);
      return { isOlder, older: new Set(older.map((row) => row.name)) };
    });
  }

  async #setOlder(sql: Sql): Promise<void> {
    await sql.run("INSERT INTO older VALUES (?) ON CONFLICT DO NOTHING", this.#id);
  }

  /** Returns whether any command of this machine found that it knows less, and nobody has accepted that. */
  #isOlder(): Promise<boolean> {
    return finds(this.#own, "SELECT 1 FROM older WHERE journal = ?", this.#id);
  }

  async lost(journal: Sql): Promise<Lost> {
    const isOlder = (await this.compare(journal)) || (await this.#isOlder());
    return { isOlder, place: this.place, sends: isOlder ? await this.lostSends(journal) : [] };
  }

  /** Returns what left here in the last day and the journal does not know to have left; a reference each, the newest first. */
  async lostSends(journal: Sql): Promise<LostSend[]> {
    const sent = await this.#own.all<SentCall>(
      "SELECT key, ref, template, at FROM sent WHERE journal = ? ORDER BY at DESC",
      this.#id,
    );
    if (sent.length === 0) return [];
    const found = await journal.all<{ key: string }>(
      `SELECT idempotency_key AS key FROM send_call WHERE state <> 'planned' AND idempotency_key IN ${listed}`,
      JSON.stringify(sent.map(({ key }) => key)),
    );
    const known = new Set(found.map(({ key }) => key));
    const lost = sent.filter(({ key }) => !known.has(key));
    const refs = new Map(lost.reverse().map(({ ref, template, at }) => [ref, { ref, template, at }]));
    return [...refs.values()].reverse();
  }

  /** Raises the counter of a name, in the step of the journal that something leaves after. */
  async raise(journal: Sql, name: string): Promise<Raised> {
    const { steps } = await journal.one<{ steps: number }>(
      `INSERT INTO written VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET steps = written.steps + 1 RETURNING steps`,
      name,
    );
    const text = "SELECT steps FROM seen WHERE journal = ? AND name = ?";
    const seen = await this.#own.get<{ steps: number }>(text, this.#id, name);
    return { name, steps, isOlder: steps <= (seen?.steps ?? 0) };
  }

  /** Records the counter and the calls, once that step is written and before anything leaves. */
  async note({ name, steps, isOlder }: Raised, sent: readonly SentCall[] = []): Promise<void> {
    await this.#own.transaction(async (sql) => {
      const text = "INSERT INTO seen VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET steps = excluded.steps";
      await sql.run(text, this.#id, name, steps);
      if (isOlder) await this.#setOlder(sql);
      const [first] = sent;
      if (first === undefined) return;
      await sql.run("DELETE FROM sent WHERE journal = ? AND at < ?", this.#id, first.at - dayMs);
      await sql.many(
        "INSERT INTO sent VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at",
        sent.map(({ key, ref, template, at }) => [this.#id, key, ref, template, at]),
      );
    });
  }

  /** Forgets a call that did not leave after all, before the journal says so. */
  async notSent(key: string): Promise<void> {
    await this.#own.run("DELETE FROM sent WHERE journal = ? AND key = ?", this.#id, key);
  }

  /** Returns whether this machine keeps the list as it is. */
  async #keepsAll(journal: Sql): Promise<boolean> {
    return (await readList(journal, isActive)) === (await readList(this.#own, "journal = ?", this.#id));
  }

  /** Puts back who was on the list when this machine last looked and is missing now, unless they were taken off it since; then keeps who is on it. */
  async keepOptOuts(journal: Sql): Promise<void> {
    if (await this.#keepsAll(journal)) return;
    const optOuts = new OptOuts(journal);
    const text = "SELECT person, at, source FROM opt_out WHERE journal = ?";
    const seen = await this.#own.all<OptOutKey>(text, this.#id);
    const { active, takenOff } = await optOuts.keys();
    const isLost = ({ person, at }: OptOutKey): boolean =>
      !active.has(person) && (takenOff.get(person) ?? Number.NEGATIVE_INFINITY) < at;
    const lost = seen.filter(isLost);
    if (lost.length > 0) await optOuts.restore(lost);

    const before = new Map(seen.map(({ person, at }) => [person, at]));
    const news = [...active.values()].filter(({ person, at }) => before.get(person) !== at);
    const gone = seen.filter((each) => !active.has(each.person) && !isLost(each));
    if (news.length + gone.length === 0) return;
    await this.#own.transaction(async (sql) => {
      const put =
        "INSERT INTO opt_out VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at, source = excluded.source";
      await sql.many(
        put,
        news.map(({ person, at, source }) => [this.#id, person, at, source]),
      );
      const remove = "DELETE FROM opt_out WHERE journal = ? AND person = ?";
      await sql.many(
        remove,
        gone.map(({ person }) => [this.#id, person]),
      );
    });
  }

  /** Accepts the journal as complete. */
  async accept(journal: Sql): Promise<void> {
    const rows = await journal.all<{ name: string; steps: number }>("SELECT name, steps FROM written");
    await this.#own.transaction(async (sql) => {
      for (const table of ["seen", "sent", "older"])
        await sql.run(`DELETE FROM ${table} WHERE journal = ?`, this.#id);
      await sql.many(
        "INSERT INTO seen VALUES (?, ?, ?)",
        rows.map(({ name, steps }) => [this.#id, name, steps]),
      );
    });
  }

  /** Lets later notes be lost with the power, though not with the process. */
  async relax(): Promise<void> {
    await this.#own.get("PRAGMA synchronous = NORMAL");
  }

  close(): Promise<void> {
    return this.#own.close();
  }
}

/** The file of what this machine has seen of one journal, opened when it is first needed. */
export class SeenFile {
  readonly #file: string;
  readonly #place: string;
  readonly #journal: Sql;
  #seen: Promise<Seen> | undefined;

  /** @param place of the journal, as people know it: without a password. */
  constructor(file: string, place: string, journal: Sql) {
    this.#file = file;
    this.#place = place;
    this.#journal = journal;
  }

  /** Throws as `Seen.open` does. */
  open(): Promise<Seen> {
    this.#seen ??= Seen.open(this.#file, this.#journal, this.#place).catch((error: unknown) => {
      this.#seen = undefined;
      throw error;
    });
    return this.#seen;
  }

  /** Opens it for work under a lock; undefined where a watch can do without: no order may wait for this file. */
  async under({ work }: Lock): Promise<Seen | undefined> {
    if (work === "listen") return undefined;
    try {
      const seen = await this.open();
      if (work === "watch") await seen.relax();
      return seen;
    } catch (error) {
      if (work === "watch" && error instanceof BposError) return undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#seen?.then((seen) => seen.close()).catch(() => undefined);
  }
}
