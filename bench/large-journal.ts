import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { type PostgresServer, password, startServer } from "../e2e/support/postgres-server.ts";
import { tables } from "../src/journal/upkeep/copy.ts";
import { openDatabase } from "../src/sqlite.ts";
import { type JournalCommands, journalCommands, journalRows, measureCommands, usedHome } from "./growth.ts";
import { bin, type Figure, priceList, type Row, type World } from "./support.ts";

type Env = Readonly<Record<string, string>>;

/** Orders, and people: ten million of both. The database gets a tenth of that by `journal copy`, which is measured. */
const entries = 5_000_000;

const commands: JournalCommands = {
  ...journalCommands,
  push: ["catalog push of 500 rows", (world, n) => ["catalog", "push", priceList(world, 500, n), "-q"]],
  list: ["campaign list", () => ["campaign", "list", "--json"]],
  find: ["campaign find", () => ["campaign", "find", "+5491140000000", "--json"]],
  "campaign-status": ["campaign status", () => ["campaign", "status", "--ref", "first", "--json"]],
  "opt-out": [
    "campaign optout add",
    (_, n) => ["campaign", "optout", "add", `+54911${50_000_000 + n}`, "-q"],
  ],
  status: ["status", () => ["status", "--json"]],
};

const rowsOf = (prefix: string, size: string): Row[] => [
  ...journalRows(commands, size, { target: 1.2, prefix }),
  { name: `${prefix}journal-status`, operation: `journal status, ${size}`, unit: "s", target: 1 },
  {
    name: `${prefix}prune-wait`,
    operation: `longest wait of a writer beside journal prune, ${size}`,
    unit: "ms",
    target: 500,
  },
];
const tenth = "PostgreSQL, a million orders and people (a tenth)";
const postgresRows: readonly Row[] = [
  ...rowsOf("postgres-", tenth),
  { name: "copy", operation: `journal copy, ${tenth}`, against: "psql COPY out and in", target: 4 },
  { name: "copy-memory", operation: `journal copy, ${tenth}`, unit: "MB", target: 300 },
];
export const largeJournalRows: readonly Row[] = [
  ...rowsOf("", "ten million orders and people"),
  ...postgresRows,
];

const journalStatus = (world: World, env: Env): number =>
  world.interleave(world.rounds(5), { run: () => world.bpos(["journal", "status", "--json"], env) }).run
    .seconds;

/** Prunes a tenth of a journal's people. Returns how long a writer beside it waited at most, in milliseconds. */
async function longestWait(world: World, env: Env, write: () => unknown): Promise<number> {
  const argv = [process.execPath, bin, "journal", "prune", "--yes", "-q"];
  const { child } = world.spawn(argv, env);
  let longest = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const began = performance.now();
    await write();
    longest = Math.max(longest, performance.now() - began);
    await pause(20);
  }
  if (child.exitCode !== 0) throw new Error(`journal prune ended with ${child.exitCode}`);
  return longest;
}

async function* measureFile(world: World, service: Env): AsyncGenerator<Figure> {
  const [full, empty] = [usedHome(world, service, world.size(entries)), usedHome(world, service, 0)].map(
    (home) => ({ ...service, BPOS_HOME: home }),
  ) as [Env & { BPOS_HOME: string }, Env];
  yield* measureCommands(world, commands, { full, empty });
  yield ["journal-status", journalStatus(world, full)];
  const writer = openDatabase(join(full.BPOS_HOME, "state", "journal.db"), { timeout: 60_000 });
  const write = (): void => writer.exec("UPDATE watch SET polled_at = 1 WHERE watch_id = 1");
  yield ["prune-wait", await longestWait(world, full, write)];
  writer.close();
}

/** Seconds that psql takes to copy every table of one journal out, and into another. */
function psqlCopy({ bin: folder }: PostgresServer, from: string, to: string): number {
  const psql = (url: string, text: string, input?: Buffer): Buffer => {
    const options = { maxBuffer: 1e9, ...(input !== undefined && { input }) };
    const { status, stdout, stderr } = spawnSync(join(folder, "psql"), ["-qc", text, url], options);
    if (status !== 0) throw new Error(String(stderr));
    return stdout;
  };
  const began = performance.now();
  for (const table of tables) {
    const rows = psql(from, `COPY bpos.${table} TO STDOUT`);
    psql(to, `COPY bpos.${table} FROM STDIN`, rows);
  }
  return (performance.now() - began) / 1000;
}

async function* measureDatabase(world: World, service: Env, server: PostgresServer): AsyncGenerator<Figure> {
  const address = { host: "127.0.0.1", port: server.port, user: "postgres", password };
  const client = new pg.Client(address);
  await client.connect();
  const database = async (name: string): Promise<string> => {
    await client.query(`CREATE DATABASE ${name} OWNER bpos`);
    return `postgres://bpos:${encodeURIComponent(password)}@127.0.0.1:${server.port}/${name}`;
  };
  const [to, beside, other] = [await database("copied"), await database("beside"), await database("other")];
  await client.end();

  const BPOS_HOME = usedHome(world, service, world.size(entries / 10));
  const copy = world.bpos(["journal", "copy", "--to", to, "-q"], { BPOS_HOME }, { peak: true });
  const full = { ...service, BPOS_HOME, BPOS_JOURNAL: to };
  yield ["copy-memory", copy.megabytes];
  world.bpos(["catalog", "history"], { ...service, BPOS_JOURNAL: other });
  yield [
    "copy",
    existsSync(join(server.bin, "psql")) ? copy.seconds / psqlCopy(server, to, other) : "there is no psql",
  ];

  const empty = { ...service, BPOS_JOURNAL: beside };
  const home = usedHome(world, empty, 0);
  yield* measureCommands(world, commands, { full, empty: { ...empty, BPOS_HOME: home } }, "postgres-");
  yield ["postgres-journal-status", journalStatus(world, full)];
  const writer = new pg.Client(to);
  await writer.connect();
  // As a process with a lock writes.
  const text =
    "BEGIN; SELECT copies FROM bpos.version FOR SHARE; UPDATE bpos.watch SET polled_at = 1; COMMIT";
  yield ["postgres-prune-wait", await longestWait(world, full, () => writer.query(text))];
  await writer.end();
}

export async function* measureLargeJournal(world: World): AsyncGenerator<Figure> {
  const { env } = await world.service({ orders: 20 });
  yield* measureFile(world, env);
  const started = await startServer().catch((error: unknown) => (error as Error).message);
  if (typeof started === "string") {
    for (const { name } of postgresRows) yield [name, `there is no PostgreSQL: ${started}`];
    return;
  }
  try {
    yield* measureDatabase(world, env, started.server);
  } finally {
    await started.end();
  }
}
