type Rows = Record<string, unknown>[];

/** The engine of the tests of commands: `npm run test:e2e` gives every home a database of PostgreSQL instead of SQLite. */
export const journals = {
  /** Returns variables for a command, so that the journal of this home is elsewhere. */
  envOf: (() => ({})) as (home: string | undefined) => Record<string, string>,
  /** Asks the journal of a home; undefined where that is the file in it. */
  ask: undefined as ((home: string, sql: string) => Promise<Rows>) | undefined,
  /** Does what time does to the locks of a process that was killed. */
  killed: (() => Promise.resolve()) as (pid: number | undefined) => Promise<void>,
  /** How much the journals are asked at the moment, and how often they were. */
  running: 0,
  steps: 0,
};
