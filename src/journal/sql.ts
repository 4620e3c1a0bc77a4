/** What a row holds. */
export type Value = string | number | null;

/**
 * One engine of the journal. Statements of one call follow each other in the sequence of the calls; each is durable when its promise
 * resolves. They throw JournalError.
 */
export interface Sql {
  get(text: string, ...values: readonly Value[]): Promise<unknown>;
  all(text: string, ...values: readonly Value[]): Promise<unknown[]>;
  /** How many rows it changed. */
  run(text: string, ...values: readonly Value[]): Promise<number>;
  /** One statement for many rows, of which all or none are written. */
  many(text: string, rows: readonly (readonly Value[])[]): Promise<void>;
  /**
   * Does `work` as one durable transaction that nothing else interleaves with. `work` uses the Sql that it is given: all others wait
   * for it to end. A transaction within one is a part of it.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
