import { join } from "node:path";
import { openDatabase } from "../src/sqlite.ts";
import {
  type Bench,
  customers,
  type Figure,
  priceList,
  type Row,
  type Run,
  sendOf,
  type World,
} from "./support.ts";

const day = 86_400_000;

/** Adds so many delivered orders, and as many people in sends of up to ten thousand, of which each tenth is old, to the journal of a home that watched and sent. */
function fillJournal(home: string, entries: number): void {
  const database = openDatabase(join(home, "state", "journal.db"));
  // The measurement waits for it.
  database.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; BEGIN");
  const numbers = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)";
  const [sendId, person] = ["'bench' || (i / 10000)", "'+54911' || (60000000 + i)"];
  const { branch, at, seq } = database.prepare("SELECT branch, at, seq FROM send").get() as {
    branch: string;
    at: number;
    seq: number;
  };
  const old = at - 400 * day;
  database
    .prepare(
      `${numbers} INSERT INTO watch_order (watch_id, order_id, status, state, created_at)
         SELECT 1, CAST(10000000 + i AS TEXT), 'entregado', 'found', CAST(1760000000000 + i AS TEXT) FROM n`,
    )
    .run(entries);
  database
    .prepare(
      `${numbers} INSERT INTO send (send_id, branch, ref, template_name, template_language, at, param_names)
         SELECT 'bench' || i, '${branch}', 'bench' || i, 'pedido_listo', 'es_AR', CASE i % 10 WHEN 0 THEN ${old} ELSE ${at} END, '[]' FROM n`,
    )
    .run(Math.ceil(entries / 10_000));
  database
    .prepare(
      `${numbers} INSERT INTO send_call
         (send_id, n, idempotency_key, body, people, state, attempted_at, campaign_id, answer, answered_at, lines, ahead_ms, after_seq)
         SELECT ${sendId}, i / 1000 % 10, 'key' || (i / 1000), json_object('recipients', json_group_array(
         json_object('phone', ${person}, 'params', json_array('Ana ' || i, CAST(i AS TEXT))))), count(*), 'sent', ${old},
         'cmp_b' || (i / 1000), '{"status":"sent"}', ${old}, '[]', 0, 1 FROM n GROUP BY i / 1000`,
    )
    .run(entries);
  database
    .prepare(
      `${numbers} INSERT INTO send_person SELECT ${person}, 1 + i / 10000, ${seq} + 1 + i / 10000, i / 1000 % 10 FROM n`,
    )
    .run(entries);
  database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

const once = ["orders", "watch", "--once", "-o", "ndjson"];

/** A home whose branch has watched and sent once, with so many orders and recipients more in its journal. */
export function usedHome(world: World, env: Readonly<Record<string, string>>, entries: number): string {
  const home = world.newFolder();
  world.bpos(once, { ...env, BPOS_HOME: home });
  world.bpos(sendOf(customers(world, 1), "--ref", "first"), { ...env, BPOS_HOME: home });
  if (entries > 0) fillJournal(home, entries);
  return home;
}

type Command = (world: World, size: number) => Promise<() => Run>;
const peak = { peak: true };
const ofFile =
  (file: (world: World, rows: number) => string, argv: (file: string) => readonly string[]): Command =>
  async (world, rows) => {
    const [made, { env }] = [file(world, rows), await world.service()];
    return () => world.bpos(argv(made), env, peak);
  };
const ofOrders =
  (argv: readonly string[]): Command =>
  async (world, orders) => {
    const { env } = await world.service({ orders });
    return () => world.bpos(argv, env, peak);
  };

/** Each with the largest of its three inputs. */
const commands: Readonly<Record<string, readonly [largest: number, of: string, Command]>> = {
  "orders list": [20_000, "orders", ofOrders(["orders", "list", "--all", "--json"])],
  "catalog push": [500_000, "rows", ofFile(priceList, (file) => ["catalog", "push", file, "-q"])],
  "catalog check": [500_000, "rows", ofFile(priceList, (file) => ["catalog", "check", file, "--json"])],
  "campaign send --dry-run": [100_000, "recipients", ofFile(customers, (file) => sendOf(file, "--dry-run"))],
  "campaign send": [100_000, "recipients", ofFile(customers, (file) => sendOf(file))],
  "campaign status -o csv": [
    100_000,
    "recipients",
    async (world, rows) => {
      const { env } = await world.service();
      const own = { ...env, BPOS_HOME: world.newFolder() };
      world.bpos(sendOf(customers(world, rows), "--ref", "bench", "--track-all"), own);
      return () => world.bpos(["campaign", "status", "--ref", "bench", "-o", "csv"], own, peak);
    },
  ],
  "orders watch --once": [10_000, "orders", ofOrders(once)],
  "journal status": [
    1_000_000,
    "orders and people",
    async (world, entries) => {
      const { env } = await world.service();
      const home = usedHome(world, env, entries);
      return () => world.bpos(["journal", "status", "--json"], { ...env, BPOS_HOME: home }, peak);
    },
  ],
};

const measures = { seconds: "time", megabytes: "memory" } as const;
const nameOf = (command: string, what: string): string => `${command.replaceAll(/ (--)?/g, "-")}-${what}`;

const growth: Bench = {
  name: "growth",
  rows: Object.entries(commands).flatMap(([command, [largest, of]]) =>
    Object.values(measures).map((what) => ({
      name: nameOf(command, what),
      operation: `${command}, ${what}, to ${largest.toLocaleString("en-US")} ${of}`,
      against: "a tenth, the worse step",
      target: 10,
    })),
  ),
  async *measure(world) {
    for (const [command, [largest, , prepare]] of Object.entries(commands)) {
      try {
        const sizes = [1, 10, 100].map((times) => (world.size(largest) * times) / 100);
        const [one, ten, hundred] = (await Promise.all(sizes.map((size) => prepare(world, size)))) as [
          () => Run,
          () => Run,
          () => Run,
        ];
        const runs = world.interleave(world.rounds(3), { one, ten, hundred });
        for (const [measure, what] of Object.entries(measures)) {
          const [a, b, c] = [runs.one, runs.ten, runs.hundred].map((each) => each[measure as keyof Run]) as [
            number,
            number,
            number,
          ];
          yield [nameOf(command, what), Math.max(b / a, c / b)];
        }
      } catch (error) {
        for (const what of Object.values(measures)) yield [nameOf(command, what), (error as Error).message];
      }
    }
  },
};

/** Its name, and its arguments in the nth run. */
type JournalCommand = readonly [title: string, argv: (world: World, n: number) => readonly string[]];
export type JournalCommands = Readonly<Record<string, JournalCommand>>;

export const journalCommands: JournalCommands = {
  open: ["catalog history", () => ["catalog", "history", "--json"]],
  poll: ["orders watch --once", () => once],
  // New recipients each time: those who got the template today would be left out.
  send: ["campaign send of 100", (world, n) => sendOf(customers(world, 100, 100 * n), "--ref", `send-${n}`)],
};

export const journalRows = (
  commands: JournalCommands,
  large: string,
  { target, prefix = "" }: { target: number; prefix?: string },
): Row[] =>
  Object.entries(commands).map(([name, [title]]) => ({
    name: `${prefix}${name}`,
    operation: `${title}, ${large}`,
    against: "empty journal",
    target,
  }));

/** Measures each command with one journal against an empty one; both are a command's settings. */
export function* measureCommands(
  world: World,
  commands: JournalCommands,
  journals: Record<"full" | "empty", Readonly<Record<string, string>>>,
  prefix = "",
): Generator<Figure> {
  let runs = 0;
  for (const [name, [, argv]] of Object.entries(commands)) {
    const { full, empty } = world.interleave(world.rounds(11), {
      full: () => world.bpos(argv(world, ++runs), journals.full),
      empty: () => world.bpos(argv(world, ++runs), journals.empty),
    });
    yield [`${prefix}${name}`, full.seconds / empty.seconds];
  }
}

const journal: Bench = {
  name: "journal",
  rows: journalRows(journalCommands, "million orders and people", { target: 1.1 }),
  async *measure(world) {
    const { env } = await world.service({ orders: 20 });
    const [full, empty] = [usedHome(world, env, world.size(1_000_000)), usedHome(world, env, 0)];
    const journals = { full: { ...env, BPOS_HOME: full }, empty: { ...env, BPOS_HOME: empty } };
    yield* measureCommands(world, journalCommands, journals);
  },
};

export const growths: readonly Bench[] = [growth, journal];
