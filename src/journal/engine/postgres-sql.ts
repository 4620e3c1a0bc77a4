import { createHash } from "node:crypto";
import type { QueryResultRow, Submittable, Connection as Wire } from "pg";
import type { Connection, Session } from "./connection.ts";
import { JournalError, type Sql, type Value } from "./engine.ts";

// A text of this server holds no NUL.
const wire = (value: Value): Value => (typeof value === "string" ? value.replaceAll("\0", "\ufffd") : value);

interface Statement {
  name: string;
  text: string;
}

const statements = new Map<string, Statement>();

/** Converts a statement to numbered places and no bytes, which the driver gives as a text. The server keeps its plan by a name that means the same to all who use the session. */
function statement(text: string): Statement {
  const known = statements.get(text);
  if (known !== undefined) return known;
  let places = 0;
  const numbered = text
    .replace(/\?(\d*)/g, (_, number: string) => `$${number || ++places}`)
    .replace(/CAST\((\w+) AS BLOB\)/g, "$1");
  const name = `bpos_${createHash("sha256").update(numbered).digest("hex").slice(0, 32)}`;
  const made = { name, text: numbered };
  statements.set(text, made);
  return made;
}

/** One statement for many rows in one message each way: to wait for the answer to each row takes ten times as long. */
class Batch implements Submittable {
  readonly done: Promise<void>;
  readonly #text: string;
  readonly #rows: readonly (readonly Value[])[];
  #settle!: { resolve: () => void; reject: (error: Error) => void };

  constructor(text: string, rows: readonly (readonly Value[])[]) {
    this.#text = statement(text).text;
    this.#rows = rows;
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  submit(connection: Wire): void {
    connection.stream.cork();
    connection.parse({ text: this.#text, name: "", types: [] }, true);
    for (const row of this.#rows) {
      const values = row.map((value) => (value === null ? null : String(wire(value))));
      connection.bind({ values }, true);
      connection.execute({}, true);
    }
    // Everything before it is one transaction.
    connection.sync();
    connection.stream.uncork();
  }

  handleError(error: Error): void {
    this.#settle.reject(error);
  }

  handleReadyForQuery(): void {
    this.#settle.resolve();
  }

  handleCommandComplete(): void {
    // Comes once for each row.
  }
}

/** Statements in a session that is the caller's. */
function sqlIn(session: Session): Sql {
  const query = <Row>(text: string, values: readonly Value[]) =>
    session.step((client) =>
      client.query<Row & QueryResultRow>({ ...statement(text), values: values.map(wire) }),
    );
  const sql: Sql = {
    get: async <Row>(text: string, ...values: readonly Value[]) =>
      (await query<Row>(text, values)).rows[0] as Row | undefined,
    one: async <Row>(text: string, ...values: readonly Value[]) =>
      (await query<Row>(text, values)).rows[0] as Row,
    all: async <Row>(text: string, ...values: readonly Value[]) => (await query<Row>(text, values)).rows,
    run: async (text, ...values) => (await query(text, values)).rowCount ?? 0,
    many: async (text, rows) => {
      if (rows.length > 0) await session.step((client) => client.query(new Batch(text, rows)).done);
    },
    transaction: (work) => work(sql),
    close: () => session.close(),
  };
  return sql;
}

export type Work<T> = (sql: Sql, session: Session) => Promise<T>;

/** One transaction in its own session. If the session is lost, either nothing was written or, at the end, everything. */
export function inTransaction<T>(connection: Connection, work: Work<T>): Promise<T> {
  return connection.use(async (session) => {
    const command = (text: string) => session.step(async (client) => (await client.query(text)).command);
    await command("BEGIN");
    try {
      const result = await work(sqlIn(session), session);
      if ((await command("COMMIT")) === "COMMIT") return result;
    } catch (error) {
      await command("ROLLBACK").catch(() => session.drop());
      throw error;
    }
    throw new JournalError("a step was rolled back", "failed");
  });
}

/** @param guard what each write begins with, in its own transaction: it throws where nothing may be written. */
export function sqlOn(connection: Connection, guard?: (sql: Sql) => Promise<void>): Sql {
  const once = <T>(work: Work<T>): Promise<T> => connection.use((session) => work(sqlIn(session), session));
  const transaction = <T>(work: (sql: Sql) => Promise<T>): Promise<T> =>
    inTransaction(connection, async (sql) => {
      await guard?.(sql);
      return work(sql);
    });
  const write = guard === undefined ? once : transaction;
  return {
    get: (...how) => once((sql) => sql.get(...how)),
    one: (...how) => once((sql) => sql.one(...how)),
    all: (...how) => once((sql) => sql.all(...how)),
    run: (...how) => write((sql) => sql.run(...how)),
    many: (...how) => write((sql) => sql.many(...how)),
    transaction,
    close: () => connection.end(),
  };
}
