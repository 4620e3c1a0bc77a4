import { databaseName } from "../../contract/addresses.ts";
import type { Detail } from "../../errors/problems.ts";
import { JournalError, listed, type Sql } from "../engine/engine.ts";
import { connectPostgres } from "../engine/postgres.ts";
import type { How } from "../engine/postgres-login.ts";
import { inspectServer, type Server, serverTrouble } from "../engine/postgres-server.ts";
import { sqlOn } from "../engine/postgres-sql.ts";
import { aliveHolders } from "../locks/lock-rows.ts";
import type { Holder } from "../locks/locks.ts";
import {
  locksOfWork,
  newestValues,
  noWork,
  type PendingWork,
  pendingWork,
  type Remembered,
  type RememberedValue,
} from "./inspect-queries.ts";

export interface DatabaseLook {
  /** Host, port and name. */
  name: string;
  /** Undefined where it was not reached; `ms` is how long one question takes. */
  server?: Server & { tls: 0 | 1; ms: number };
  /** Why no command can use it. */
  trouble?: Detail;
  work: PendingWork;
}

async function work(sql: Sql, branches: readonly string[], ownHost: string): Promise<PendingWork> {
  const pending = await pendingWork(sql, branches);
  if (pending.sends.length === 0 && pending.push === null) return noWork;
  const holders = await sql.all<Pick<Holder, "pid" | "host">>(
    `SELECT DISTINCT holder.pid, holder.host FROM claim JOIN holder ON holder.id = claim.holder
       WHERE holder.id IN (${aliveHolders}) AND name IN ${listed}`,
    locksOfWork(branches),
  );
  return {
    ...pending,
    processes: holders.map(({ pid, host }) => (host === ownHost ? { pid } : { pid, host })),
  };
}

async function look(sql: Sql, branches: readonly string[], now: () => number, ownHost: string) {
  const server = await inspectServer(sql);
  const askedAt = now();
  const { tls } = await sql.one<{ tls: 0 | 1 }>(
    "SELECT coalesce(bool_or(ssl), false) AS tls FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
  );
  const seen = { ...server, tls, ms: now() - askedAt };
  const trouble = serverTrouble(server);
  if (trouble !== undefined) return { server: seen, trouble, work: noWork };
  return { server: seen, work: server.schema === null ? noWork : await work(sql, branches, ownHost) };
}

/** Checks a database and lists the pending work of a branch. Read-only: does not create the schema. */
export async function inspectDatabase(
  url: string,
  branches: readonly string[],
  { now, host, ...how }: How & { now: () => number; host: string },
): Promise<DatabaseLook> {
  const name = databaseName(url, how.env);
  const connection = connectPostgres(url, how);
  try {
    return { name, ...(await look(sqlOn(connection), branches, now, host)) };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return { name, trouble: error.detail, work: noWork };
  } finally {
    await connection.close();
  }
}

/** The newest values over all branches, from a journal that is there. Throws JournalError. */
export async function readRememberedIn(
  url: string,
  how: How,
  what: Remembered,
  limit: number,
): Promise<RememberedValue[]> {
  const connection = connectPostgres(url, how);
  try {
    const sql = sqlOn(connection);
    const { schema } = await inspectServer(sql);
    return schema === null ? [] : await newestValues(sql, what, limit);
  } finally {
    await connection.close();
  }
}
