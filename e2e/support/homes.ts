// Gives every home of a test a database of its own: what the tests of commands show on SQLite they show on PostgreSQL.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type pg from "pg";
import { beforeEach, expect, onTestFinished } from "vitest";
import { journals } from "../../test/support/journals.ts";
import { root } from "../../test/support/run.ts";
import { type Database, shared } from "./postgres.ts";

/** So many homes a test may have: a process is started at once, when there is no time to make a database. */
const enough = 6;
const free: Database[] = [];
const taken = new Map<string, Database>();

/** Tests that are about SQLite itself, by their names. */
const leftOut: Record<string, string> = {
  "goes on handing on when the journal can be written again, and says what may be there twice":
    "a trigger of SQLite makes the journal fail",
  "from a file has to end the path, and is shown nowhere": "reads the bytes of the file",
  "from the environment has to end the path, and is shown nowhere": "reads the bytes of the file",
};

function databaseOf(home: string): Database {
  const known = taken.get(home) ?? free.pop();
  if (known === undefined) throw new Error(`a test has more than ${enough} homes: e2e/support/homes.ts`);
  if (taken.has(home)) return known;
  taken.set(home, known);
  // It was taken before its processes began, so that this comes after their end.
  onTestFinished(async () => {
    taken.delete(home);
    expect(existsSync(join(home, "state/journal.db")), "the journal was in a file").toBe(false);
    await known.terminateBackends();
    await known.psql("DROP SCHEMA IF EXISTS bpos CASCADE");
    free.push(known);
  });
  return known;
}

journals.envOf = (home) => (home === undefined ? {} : { BPOS_JOURNAL: databaseOf(home).url });
journals.ask = (home, sql) => databaseOf(home).psql(`SET search_path = bpos; ${sql}`);
journals.killed = async (pid) => {
  for (const { psql } of taken.values()) {
    if ((await psql("SELECT 1 FROM pg_namespace WHERE nspname = 'bpos'")).length === 0) continue;
    // Its sessions finish what they were told last; what renews the locks is without effect on them from here on.
    await psql(
      `INSERT INTO bpos.holder SELECT 'killed ' || id, host, pid, since, now() FROM bpos.holder WHERE pid = ${pid};
       UPDATE bpos.claim SET holder = 'killed ' || holder WHERE 'killed ' || holder IN (SELECT id FROM bpos.holder)`,
    );
  }
};

beforeEach(async ({ task, skip }) => {
  const reason = leftOut[task.name];
  if (reason !== undefined) skip(reason);
  while (free.length < enough) free.push(await shared().create());
});

/** The driver that commands use; the packages of e2e have another one. */
const { Client } = createRequire(join(root, "package.json"))("pg") as typeof pg;

/** Counts what is under way, since a clock that stands still has to wait for it. */
function count(name: "connect" | "query" | "end"): void {
  const methods = Client.prototype as unknown as Record<string, (...how: unknown[]) => unknown>;
  const original = methods[name];
  methods[name] = function (...how) {
    const result = original?.apply(this, how);
    // Many rows at once have no other promise.
    const promise = (result as { done?: unknown } | undefined)?.done ?? result;
    if (!(promise instanceof Promise)) return result;
    journals.running += 1;
    const ended = (): void => {
      journals.running -= 1;
      journals.steps += 1;
    };
    promise.then(ended, ended);
    return result;
  };
}
for (const name of ["connect", "query", "end"] as const) count(name);
