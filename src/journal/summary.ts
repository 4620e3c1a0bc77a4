import { existsSync } from "node:fs";
import { isDatabase } from "../contract/addresses.ts";
import { findDriver } from "../sqlite.ts";
import type { Sql } from "./engine.ts";
import { connectPostgres } from "./postgres.ts";
import type { How } from "./postgres-login.ts";
import { sqlOn } from "./postgres-sql.ts";
import { openReader } from "./sqlite.ts";
import { Upkeep } from "./upkeep.ts";

type Engine = "sqlite" | "postgres";

const open = (table: string, id: string, done: string): string =>
  `(SELECT count(*) FROM ${table} AS o WHERE o.${id} = t.${id} AND o.state <> '${done}') AS pending`;

/** The newest of each kind: an event has a time, a branch and a state of ours, and what it is of. */
const queries = {
  push: `at, branch, action AS state, push_id AS id, ${open("push_event", "push_id", "answered")}
    FROM push AS t ORDER BY seq DESC`,
  send: `at, branch, CASE WHEN is_test = 1 THEN 'test' ELSE 'send' END AS state, send_id AS id,
    (SELECT sum(people) FROM send_call AS o WHERE o.send_id = t.send_id) AS people, ${open("send_call", "send_id", "sent")}
    FROM send AS t ORDER BY seq DESC`,
  call: `coalesce(answered_at, attempted_at) AS at, branch, state, send_id AS id, people
    FROM send_call JOIN send USING (send_id) WHERE attempted_at IS NOT NULL ORDER BY 1 DESC`,
  watch: `state_since AS at, branch, state, consumer, polled_at
    FROM watch WHERE state_since IS NOT NULL ORDER BY 1 DESC`,
  order: `at, branch, from_status AS "from", consumer, order_id
    FROM watch_event JOIN watch USING (watch_id) ORDER BY event DESC`,
  delivery: `at, branch, d.state, consumer, output, order_id
    FROM watch_delivery AS d JOIN watch_event USING (event) JOIN watch ON watch.watch_id = d.watch_id
    ORDER BY event DESC`,
  reply: `at, CASE WHEN again = 1 THEN 'repeated' ELSE 'new' END AS state, person, body,
    (SELECT count(*) FROM reply_delivery AS o WHERE o.arrival = t.arrival) AS pending
    FROM reply_arrival AS t JOIN reply USING (reply) ORDER BY arrival DESC`,
};

type Kind = keyof typeof queries;

/** Something that the journal knows to have happened; much in it is as the service or a person wrote it. */
export interface JournalEvent {
  kind: Kind;
  /** Epoch milliseconds, as `polled_at` is. */
  at: number;
  branch?: string;
  state?: string | null;
  /** Of a push or a send. */
  id?: string;
  people?: number | null;
  pending?: number;
  consumer?: string;
  polled_at?: number | null;
  order_id?: string;
  /** The state before, of an order that changed. */
  from?: string | null;
  output?: string;
  person?: string | null;
  body?: string;
  report?: ReportNumbers;
}

type ReportNumbers = Partial<Record<"outcome" | "accepted" | "rejected", string | number>>;

/** What a push came to. A report may be large, and names products. */
function readReport(text: string): ReportNumbers {
  const { outcome, accepted, rejected } = JSON.parse(text) as Record<string, unknown>;
  return {
    ...(typeof outcome === "string" && { outcome }),
    ...(typeof accepted === "number" && { accepted }),
    ...(Array.isArray(rejected) && { rejected: rejected.length }),
  };
}

async function readEvents(sql: Sql, limit: number): Promise<JournalEvent[]> {
  const all: JournalEvent[] = [];
  for (const [kind, text] of Object.entries(queries)) {
    const rows = await sql.all<Omit<JournalEvent, "kind">>(`SELECT ${text} LIMIT ?`, limit);
    for (const row of rows) all.push({ kind: kind as Kind, ...row });
  }

  const newest = all.sort((one, other) => one.at - other.at).slice(-limit);
  for (const event of newest) {
    if (event.kind !== "push") continue;
    const text = "SELECT report FROM push_report WHERE push_id = ?";
    const row = await sql.get<{ report: string }>(text, event.id ?? "");
    if (row !== undefined) event.report = readReport(row.report);
  }
  return newest;
}

const versions: Readonly<Record<Engine, string>> = {
  sqlite: "SELECT sqlite_version() AS version",
  postgres: "SELECT current_setting('server_version') AS version",
};

async function summarise(sql: Sql, engine: Engine, limit: number) {
  const upkeep = new Upkeep(sql);
  const { version } = await sql.one<{ version: string }>(versions[engine]);
  return {
    engine,
    version,
    driver: engine === "sqlite" ? findDriver() : null,
    bytes: await upkeep.bytes(engine),
    subjects: await upkeep.subjects(),
    owed: await upkeep.owed(),
    events: await readEvents(sql, limit),
  };
}

export type JournalSummary = Awaited<ReturnType<typeof summarise>>;

/** What a journal holds, in numbers, and what happened last; undefined where there is none. Creates and changes nothing. Throws what reading throws. */
export async function readSummary(
  place: string,
  how: How,
  limit: number,
): Promise<JournalSummary | undefined> {
  if (!isDatabase(place) && !existsSync(place)) return undefined;
  if (!isDatabase(place)) {
    const sql = openReader(place);
    return summarise(sql, "sqlite", limit).finally(() => sql.close());
  }
  const connection = connectPostgres(place, how);
  return summarise(sqlOn(connection), "postgres", limit).finally(() => connection.close());
}
