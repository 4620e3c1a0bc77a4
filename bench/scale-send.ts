import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase } from "../src/sqlite.ts";
import { bin, customers, type Figure, type Row, type Run, sendOf, type World } from "./support.ts";

const people = 1_000_000;
const [delayMs, inFlight, perCall] = [20, 8, 1_000];

export const scaleSendRows: readonly Row[] = [
  {
    name: "million-send",
    operation: "send to 1,000,000, 20 ms, --in-flight 8",
    against: "--dry-run and the calls",
    target: 1.2,
  },
  { name: "million-send-memory", operation: "that send, peak memory", unit: "MB", target: 400 },
  { name: "million-send-growth", operation: "that send", against: "a tenth of the people", target: 10.5 },
  { name: "million-status", operation: "campaign status of a thousand campaigns", unit: "s", target: 10 },
  { name: "million-find", operation: "campaign find of one of 1,000,000", unit: "s", target: 0.3 },
  {
    name: "million-resume",
    operation: "resume after a kill at 90 %, to its first call",
    unit: "s",
    target: 5,
  },
];

const send = (file: string): readonly string[] =>
  sendOf(file, "--ref", "scale", "--in-flight", String(inFlight));

type Env = Readonly<Record<string, string>>;

/** Waits until so many calls of the send in a home have left, while the program goes on. */
async function whenLeft(
  world: World,
  argv: readonly string[],
  env: Env & { BPOS_HOME: string },
  calls: number,
) {
  const { child } = world.spawn([process.execPath, bin, ...argv], env);
  const file = join(env.BPOS_HOME, "state", "journal.db");
  const database = openDatabase(file, { timeout: 60_000 });
  const left = database.prepare("SELECT count(*) AS calls FROM send_call WHERE state <> 'planned'");
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  while (!isOver() && (left.get() as { calls: number }).calls < calls) await pause(5);
  database.close();
  if (isOver()) throw new Error(`${argv[1]} ended with ${child.exitCode}`);
  return child;
}

/** Seconds until a resume of a send that was killed at 90 % sends its first call. */
async function resumed(world: World, file: string, env: Env, calls: number): Promise<number> {
  const home = { ...env, BPOS_HOME: world.newFolder() };
  world.bpos(["campaign", "list"], home);
  // So that there is a journal to read.
  world.bpos(sendOf(customers(world, 1, 2 * people), "--ref", "first"), home);
  const killed = await whenLeft(world, send(file), home, 1 + Math.floor(0.9 * calls));
  killed.kill("SIGKILL");
  await new Promise((resolve) => killed.once("close", resolve));

  const database = openDatabase(join(home.BPOS_HOME, "state", "journal.db"), { timeout: 60_000 });
  const { left } = database.prepare("SELECT count(*) AS left FROM send_call WHERE state = 'sent'").get() as {
    left: number;
  };
  database.close();
  const began = performance.now();
  // Those that were under way leave again first, under their keys.
  const resume = ["campaign", "resume", "scale", "-q"];
  const child = await whenLeft(world, resume, home, left + inFlight + 1);
  const seconds = (performance.now() - began) / 1000;
  await world.stop(child);
  return seconds;
}

/** A campaign to a million people, and what is asked about it afterwards. */
export async function* measureScaleSend(world: World): AsyncGenerator<Figure> {
  const size = world.size(people);
  const [all, tenth] = [customers(world, size), customers(world, size / 10)];
  const { env } = await world.service({ delay: delayMs });
  const sent = { ...env, BPOS_HOME: world.newFolder() };
  const peak = { peak: true };
  const runs: Record<"dry" | "all" | "tenth", Run> = world.interleave(1, {
    dry: () => world.bpos(sendOf(all, "--dry-run"), env),
    all: () => world.bpos(send(all), sent, peak),
    tenth: () => world.bpos(send(tenth), env, peak),
  });
  const calls = size / perCall;
  yield ["million-send", runs.all.seconds / (runs.dry.seconds + (calls * delayMs) / inFlight / 1000)];
  yield ["million-send-memory", runs.all.megabytes];
  yield ["million-send-growth", runs.all.seconds / runs.tenth.seconds];

  const asked = world.interleave(world.rounds(3), {
    status: () => world.bpos(["campaign", "status", "--ref", "scale", "--json"], sent),
    find: () => world.bpos(["campaign", "find", "+5491140000007", "--json"], sent),
  });
  for (const name of ["status", "find"] as const) yield [`million-${name}`, asked[name].seconds];
  yield ["million-resume", await resumed(world, all, env, calls)];
}
