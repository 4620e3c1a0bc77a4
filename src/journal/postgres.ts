import type { Sql } from "./engine.ts";
import type { OpeningJournal } from "./journal.ts";
import type { Holder, Locks } from "./locks.ts";

export function openPostgres(
  _url: string,
  _holder: Holder,
  _how: Omit<OpeningJournal, "holder">,
): Promise<{ sql: Sql; locks: Locks }> {
  return Promise.reject(new Error("not built yet"));
}
