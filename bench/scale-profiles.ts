import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openJournal } from "../src/journal/journal.ts";
import type { Lock } from "../src/journal/locks/locks.ts";
import { branchId } from "../src/journal/records/branches.ts";
import type { Figure, Row, World } from "./support.ts";

const address = "https://pos.example.com";
const commands: Readonly<Record<string, readonly string[]>> = {
  "profile list": ["profile", "list"],
  "profile list --json": ["profile", "list", "--json"],
  "profile use": ["profile", "use", "b00007"],
  "profile show": ["profile", "show", "b00007"],
  "-p <Tab>": ["__complete", "bash", "--", "orders", "list", "-p", ""],
  status: ["status"],
  "status --json": ["status", "--json"],
};

const rowOf = (name: string): string => `profiles ${name}`;

export const scaleProfileRows: readonly Row[] = Object.keys(commands).map((name) => ({
  name: rowOf(name),
  operation: `10,000 profiles: ${name}`,
  unit: "s",
  target: 1,
}));

/** A home with so many profiles, and a journal that says that this process watches them all; to be closed. */
async function openHome(world: World, branches: number) {
  const home = world.newFolder();
  const names = Array.from({ length: branches }, (_, n) => `b${String(n).padStart(5, "0")}`);
  const keyOf = (name: string): string => `bpk_scale_${name}`;
  const profiles = Object.fromEntries(
    names.map((name) => [name, { base_url: address, api_key: keyOf(name) }]),
  );
  writeFileSync(join(home, "config.json"), JSON.stringify({ profiles }, null, 2), { mode: 0o600 });
  mkdirSync(join(home, "state"), { mode: 0o700 });
  const holder = { id: "bench", pid: process.pid, host: "bench" };
  const journal = await openJournal(join(home, "state", "journal.db"), { holder, env: {} });
  const locks = names.map((name): Lock => {
    const branch = branchId({ address, world: undefined, apiKey: keyOf(name) });
    return { work: "watch", branch, consumer: "default" };
  });
  await journal.underFree(locks, () => Promise.resolve());
  const now = Date.now();
  await journal.transaction(async ({ orders, watches }) => {
    const about = { state: "ok", since: now, polledAt: now } as const;
    for (const [n, { branch }] of locks.entries()) {
      const { watchId } = await orders.open(branch, "default");
      await watches.noteAll([{ ...about, watchId, name: names[n] ?? "" }]);
    }
  });
  return { home, close: () => journal.close() };
}

/** Commands where there are thousands of profiles, and a watch of all of them. */
export async function* measureScaleProfiles(world: World): AsyncGenerator<Figure> {
  const { home, close } = await openHome(world, world.size(10_000));
  try {
    for (const [name, argv] of Object.entries(commands)) {
      const { [name]: took } = world.interleave(world.rounds(5), {
        [name]: () => world.bpos(argv, { BPOS_HOME: home }),
      });
      yield [rowOf(name), took?.seconds ?? Number.NaN];
    }
  } finally {
    await close();
  }
}
