import { expect } from "vitest";
import type { Sql } from "../../src/journal/engine/engine.ts";
import type { OrderChanged } from "../../src/orders/watch/events.ts";

/** A journal whose every write is an effect, before which the process may die: what it had begun is then taken back. */
export function mortal(sql: Sql, effect: () => void): Sql {
  const dying = <T>(work: () => Promise<T>): Promise<T> => effecting(effect).then(work);
  return {
    get: (text, ...values) => sql.get(text, ...values),
    one: (text, ...values) => sql.one(text, ...values),
    all: (text, ...values) => sql.all(text, ...values),
    run: (text, ...values) => dying(() => sql.run(text, ...values)),
    async many(text, rows) {
      for (const row of rows) await dying(() => sql.many(text, [row]));
    },
    transaction: (work) =>
      dying(() =>
        sql.transaction(async (tx) => {
          const result = await work(mortal(tx, effect));
          effect();
          return result;
        }),
      ),
    close: () => sql.close(),
  };
}

export const effecting = <T>(work: () => T): Promise<T> => new Promise((resolve) => resolve(work()));

/** The history of an order. */
export interface Fate {
  /** For each time that it reached the output: what `repeated` said, and whether it had to say so. */
  given: { repeated: boolean; torn: boolean }[];
  /** A kill fell between its intent and its done. */
  torn: boolean;
  /** The state that was handed on last, and the total. */
  state: string;
  total: number;
  /** A kill fell between the intent and the done of a change. */
  tornChange: boolean;
}

/** Records an edit, which brings something that is new to the output, but for one that a kill tore. */
export function noteEdit(fate: Fate, event: OrderChanged, total: number): void {
  expect(event.changes !== undefined || event.from !== event.to).toBe(true);
  if (event.changes !== undefined) {
    expect(event.changes).toEqual(["total"]);
    if (!fate.tornChange) expect(total, `order ${event.order_id} was not edited`).not.toBe(fate.total);
  }
  fate.total = total;
}
