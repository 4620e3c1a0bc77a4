import { createHash } from "node:crypto";
import type { CopyProblem } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import { finds, type Sql, type Value } from "../engine/engine.ts";
import { openSqlite } from "../engine/sqlite.ts";
import { FileLocks } from "../locks/lock-files.ts";
import { aliveHolders } from "../locks/lock-rows.ts";
import type { Holder } from "../locks/locks.ts";

/** Every table that the guarantees depend on, with its key. Locks are not included. */
const keys = {
  push: ["seq"],
  push_event: ["push_id", "first_row"],
  push_change: ["push_id", "first_row"],
  push_report: ["push_id"],
  branch_stamp: ["branch"],
  catalog_kept: ["branch"],
  catalog_item: ["branch", "code"],
  send: ["seq"],
  send_call: ["send_id", "n"],
  send_person: ["person", "scope"],
  send_report: ["send_id"],
  send_left_out: ["branch", "ref", "person"],
  opt_out: ["seq"],
  watch: ["watch_id"],
  watch_output: ["watch_id", "output"],
  watch_order: ["watch_id", "order_id"],
  watch_event: ["event"],
  watch_delivery: ["event", "output"],
  order_file: ["folder", "name"],
  reply: ["reply"],
  reply_arrival: ["arrival"],
  reply_delivery: ["output", "arrival"],
  report_file: ["path", "hash"],
} as const;
type Table = keyof typeof keys;
export const tables = Object.keys(keys) as Table[];

/** Those whose key the database counts up. */
const counted = ["push", "send", "opt_out", "watch", "watch_event", "reply", "reply_arrival"] as const;

type Row = Readonly<Record<string, Value>>;
/** Progress of a table: number of copied rows, and their digest. */
type Progress = { rows: number; digest: string };

export interface Copying {
  /** Its host and file, as people know it. */
  source: string;
  /** Its name for people, and its address without password. */
  to: string;
  address: string;
  holder: Holder;
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

export interface Copied {
  rows: Record<Table, number>;
  /** How many of them an earlier copy had copied. */
  resumed: number;
}

const rowsAtOnce = 5_000;
/** Each row has the products of a batch, the people of a call, or a whole report. */
const largeRowsAtOnce: Partial<Record<Table, number>> = {
  push_change: 100,
  push_report: 20,
  send_call: 100,
  send_report: 20,
};

const refuse = (to: string, problem: CopyProblem): BposError =>
  new BposError("copy_refused", { to, problem });

async function* readChunks(sql: Sql, table: Table): AsyncGenerator<readonly Row[]> {
  const key: readonly string[] = keys[table];
  const after = `WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")})`;
  const most = largeRowsAtOnce[table] ?? rowsAtOnce;
  const rest = `ORDER BY ${key.join(", ")} LIMIT ${most}`;
  let last: Row | undefined;
  do {
    const where = last === undefined ? "" : after;
    const values = last === undefined ? [] : key.map((name) => last?.[name] ?? null);
    const rows: Row[] = await sql.all<Row>(`SELECT * FROM ${table} ${where} ${rest}`, ...values);
    if (rows.length > 0) yield rows;
    last = rows.length < most ? undefined : rows.at(-1);
  } while (last !== undefined);
}

/** The database in which the copy is made: `copying` says how far it is, and keeps every other command out. */
class Target {
  readonly #sql: Sql;
  readonly #copying: Copying;

  constructor(sql: Sql, copying: Copying) {
    this.#sql = sql;
    this.#copying = copying;
  }

  /** How far an unfinished copy is, or undefined for a database that holds no journal. Throws `copy_refused`. */
  async #progress(sql: Sql): Promise<Map<Table, Progress> | undefined> {
    const { source, to } = this.#copying;
    if (await finds(sql, "SELECT 1 FROM pg_tables WHERE schemaname = 'bpos' AND tablename = 'copying'")) {
      const rows = await sql.all<Progress & { source: string; name: Table }>("SELECT * FROM copying");
      const other = rows.find((row) => row.source !== source);
      if (other !== undefined) throw refuse(to, { kind: "other_copy", from: other.source });
      return new Map(rows.map(({ name, rows: done, digest }) => [name, { rows: done, digest }]));
    }
    for (const table of tables)
      if (await finds(sql, `SELECT 1 FROM ${table}`)) throw refuse(to, { kind: "not_empty" });
    const holder = await sql.get<{ host: string; pid: number }>(
      `SELECT host, pid FROM holder WHERE id IN (${aliveHolders}) LIMIT 1`,
    );
    if (holder !== undefined) throw refuse(to, { kind: "in_use", ...holder });
    return undefined;
  }

  /** Throws `copy_refused` for a database that holds anything else. */
  begin(isCopied: boolean): Promise<Map<Table, Progress>> {
    const { source, to } = this.#copying;
    return this.#sql.transaction(async (sql) => {
      // A process that opened it earlier can no longer take a lock or write, even one that was stopped while it held a lock.
      await sql.run("UPDATE version SET copies = copies + 1");
      await sql.run(`DELETE FROM claim WHERE holder NOT IN (${aliveHolders})`);
      const before = await this.#progress(sql);
      if (before !== undefined) return before;
      // The file was copied to its end, and not here.
      if (isCopied) throw refuse(to, { kind: "copied_before" });
      await sql.run(
        "CREATE TABLE copying (source text NOT NULL, name text PRIMARY KEY, rows bigint NOT NULL, digest text NOT NULL)",
      );
      const rows = tables.map((table) => [source, table]);
      await sql.many("INSERT INTO copying VALUES (?, ?, 0, '')", rows);
      return new Map<Table, Progress>();
    });
  }

  add(table: Table, text: string, { rows, digest }: Progress): Promise<void> {
    return this.#sql.transaction(async (sql) => {
      // Rows lost in a power cut of the server are copied again: only the last step waits for fsync.
      await sql.run("SET LOCAL synchronous_commit = off");
      await sql.run(
        `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, ?::json)`,
        text,
      );
      await sql.run("UPDATE copying SET rows = ?, digest = ? WHERE name = ?", rows, digest, table);
    });
  }

  clear(table: Table): Promise<void> {
    return this.#sql.transaction(async (sql) => {
      // Each statement has a limit of time: millions of rows one by one would exceed it.
      await sql.run(`TRUNCATE ${table}`);
      await sql.run("UPDATE copying SET rows = 0, digest = '' WHERE name = ?", table);
    });
  }

  /** Throws `copy_refused` where a table has other rows than these. */
  async check(rows: Readonly<Record<Table, number>>): Promise<void> {
    for (const table of tables) {
      const { found } = await this.#sql.one<{ found: number }>(`SELECT count(*) AS found FROM ${table}`);
      const problem = { kind: "differs", table, rows: rows[table], found } as const;
      if (found !== rows[table]) throw refuse(this.#copying.to, problem);
    }
    for (const table of counted) {
      const [key] = keys[table];
      await this.#sql.get(
        `SELECT setval(pg_get_serial_sequence('${table}', '${key}'), max(${key})) FROM ${table} HAVING max(${key}) IS NOT NULL`,
      );
    }
    for (const table of tables) await this.#sql.run(`ANALYZE ${table}`);
  }

  async finish(): Promise<void> {
    await this.#sql.run("DROP TABLE copying");
  }
}

/** Returns whether the copied rows of a table are those at its beginning, and adds what is missing. */
async function copyTable(
  { source, target }: { source: Sql; target: Target },
  table: Table,
  before: Progress,
  onRows: (rows: number) => void,
): Promise<boolean> {
  let { rows, digest }: Progress = { rows: 0, digest: "" };
  for await (const chunk of readChunks(source, table)) {
    const text = JSON.stringify(chunk);
    rows += chunk.length;
    digest = createHash("sha256").update(digest).update(text).digest("hex");
    onRows(chunk.length);
    if (rows > before.rows) {
      if (rows - chunk.length < before.rows) return false;
      await target.add(table, text, { rows, digest });
    } else if (rows === before.rows && digest !== before.digest) return false;
  }
  return rows >= before.rows;
}

async function copyAll(source: Sql, target: Target, copying: Copying, before: Map<Table, Progress>) {
  const counts: [Table, number][] = [];
  for (const table of tables) {
    const { rows } = await source.one<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`);
    counts.push([table, rows]);
  }
  const total = counts.reduce((sum, [, rows]) => sum + rows, 0);
  let done = 0;
  const onRows = (rows: number): void => {
    if (copying.signal.aborted) throw new BposError("interrupted", { during: "upkeep" });
    done += rows;
    copying.onProgress(Math.min(done, total), total);
  };
  let resumed = 0;
  const nothing: Progress = { rows: 0, digest: "" };
  for (const table of tables) {
    const kept = before.get(table) ?? nothing;
    if (await copyTable({ source, target }, table, kept, onRows)) resumed += kept.rows;
    else {
      // The file was used since.
      await target.clear(table);
      await copyTable({ source, target }, table, nothing, onRows);
    }
  }
  const rows = Object.fromEntries(counts) as Copied["rows"];
  await target.check(rows);
  return { rows, resumed };
}

/**
 * Copies a journal of SQLite to a database, or what is missing of it. Nobody writes to the file meanwhile, and afterwards it says that it was copied.
 * Throws `copy_refused`, `interrupted`, and what opening the file throws.
 */
export async function copyJournal(file: string, to: Sql, copying: Copying): Promise<Copied> {
  const source = openSqlite(file, { isCopiedFine: true });
  const target = new Target(to, copying);
  try {
    const copied = await source.transaction(async (sql) => {
      const [held] = await new FileLocks(sql, copying.holder, file).held();
      if (held !== undefined)
        throw refuse(copying.source, { kind: "in_use", host: held.host, pid: held.pid });
      const isCopied = await finds(sql, "SELECT 1 FROM copied");
      const result = await copyAll(sql, target, copying, await target.begin(isCopied));
      // Before anybody can use the copy: never are both in use.
      if (!isCopied) await sql.run("INSERT INTO copied (target) VALUES (?)", copying.address);
      return result;
    });
    await target.finish();
    return copied;
  } finally {
    await source.close();
  }
}
