import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase } from "../src/sqlite.ts";
import { journalRows, measureJournal, usedHome } from "./growth.ts";
import { bin, type Figure, type Row, type World } from "./support.ts";

/** Orders, and people: ten million of both. */
const entries = 5_000_000;

/** Prunes a tenth of a journal's people. Returns how long a writer beside it waited at most, in milliseconds. */
async function longestWait(world: World, home: string): Promise<number> {
  const writer = openDatabase(join(home, "state", "journal.db"), { timeout: 60_000 });
  const argv = [process.execPath, bin, "journal", "prune", "--yes", "-q"];
  const { child } = world.spawn(argv, { BPOS_HOME: home });
  let longest = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const began = performance.now();
    writer.exec("UPDATE watch SET polled_at = 1 WHERE watch_id = 1");
    longest = Math.max(longest, performance.now() - began);
    await pause(20);
  }
  writer.close();
  if (child.exitCode !== 0) throw new Error(`journal prune ended with ${child.exitCode}`);
  return longest;
}

export const largeJournalRows: readonly Row[] = [
  ...journalRows("ten million"),
  {
    name: "prune-wait",
    operation: "longest wait of a writer beside journal prune",
    unit: "ms",
    target: 500,
  },
];

export async function* measureLargeJournal(world: World): AsyncGenerator<Figure> {
  yield* measureJournal(world, world.size(entries));
  const { env } = await world.service({ orders: 20 });
  yield ["prune-wait", await longestWait(world, usedHome(world, env, world.size(entries)))];
}
