import type { ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import { type PostgresServer, password, start, startServer, stop } from "./postgres-server.ts";

type Rows = Record<string, unknown>[];

/** A PostgreSQL of tests. */
export interface Server {
  /** An address that opens a database of it, as the role `bpos`, which is no superuser. */
  url: (database: string, user?: "bpos" | "postgres") => string;
  /** Asks it as its superuser. */
  psql: (sql: string, database?: string) => Promise<Rows>;
  /** A new database that `bpos` owns. */
  create: (how?: { locale?: string }) => Promise<Database>;
  /** The same, dropped when the test ends. */
  database: (how?: { locale?: string }) => Promise<Database>;
  /** The folder of its log, its data and its socket. */
  folder: string;
  port: number;
  start: () => Promise<void>;
  stop: (mode?: "fast" | "immediate") => Promise<void>;
  restart: (mode?: "fast" | "immediate") => Promise<void>;
}

export interface Database {
  name: string;
  url: string;
  /** Asks it as the superuser. */
  psql: (sql: string) => Promise<Rows>;
  /** Ends every session with it, as an administrator or a broken network would; returns how many there were. */
  terminateBackends: () => Promise<number>;
  drop: () => Promise<void>;
}

/** Asks on a connection of its own. */
async function ask(url: string, sql: string): Promise<Rows> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = (await client.query(sql)) as pg.QueryResult | pg.QueryResult[];
    return [result].flat().at(-1)?.rows as Rows;
  } finally {
    await client.end();
  }
}

/** Sorts as in Spanish, and by capitals last: what relies on the sequence of bytes shows. */
const collated = (locale: string): string =>
  `LOCALE_PROVIDER icu ICU_LOCALE '${locale}' LC_COLLATE 'C' LC_CTYPE 'C'`;

let databases = 0;

function handle(server: PostgresServer): Server {
  const url = (database: string, user = "bpos"): string =>
    `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${server.port}/${database}`;
  const psql = (sql: string, database = "postgres") => ask(url(database, "postgres"), sql);
  const create: Server["create"] = async ({ locale } = {}) => {
    databases += 1;
    const name = `test_${process.pid}_${databases}`;
    const order = locale === undefined ? "LC_COLLATE 'C' LC_CTYPE 'C'" : collated(locale);
    await psql(`CREATE DATABASE ${name} OWNER bpos TEMPLATE template0 ENCODING 'UTF8' ${order}`);
    const ends = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
    return {
      name,
      url: url(name),
      psql: (sql) => psql(sql, name),
      terminateBackends: async () => (await psql(ends)).length,
      async drop() {
        await psql(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      },
    };
  };
  return {
    url,
    psql,
    create,
    async database(how) {
      const made = await create(how);
      // A server that a test stopped takes its databases with it.
      onTestFinished(() => made.drop().catch(() => undefined));
      return made;
    },
    folder: server.folder,
    port: server.port,
    start: () => start(server),
    stop: (mode) => stop(server, mode),
    async restart(mode) {
      await stop(server, mode);
      await start(server);
    },
  };
}

/** The server of this run, which no test may stop. */
export const shared = (): Server => handle(inject("postgres"));

/** A new database on the server of this run; it is dropped when the test ends. */
export const database = (how?: { locale?: string }): Promise<Database> => shared().database(how);

/** A server of the test's own, which it may stop; it is gone when the test ends. `settings` are lines of postgresql.conf. */
export async function server(...settings: string[]): Promise<Server> {
  const { server: own, end } = await startServer(settings);
  onTestFinished(end);
  return handle(own);
}

/** Stops a process while it has no step under way: the server ends one that is not finished. */
export async function stopBetweenSteps({ psql }: Database, child: ChildProcess): Promise<void> {
  const midway = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`;
  for (;;) {
    child.kill("SIGSTOP");
    if ((await psql(midway)).length === 0) return;
    child.kill("SIGCONT");
    await pause(10);
  }
}
