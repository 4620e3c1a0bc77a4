import { join } from "node:path";
import pMap from "p-map";
import { wantedMock } from "../../cli/branches.ts";
import { exclusive, given, needsFlag } from "../../cli/flags.ts";
import { age, count, isoTimeToSecond } from "../../cli/format.ts";
import { said, type Ui } from "../../cli/output.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSessions } from "../../cli/session.ts";
import { isTraced } from "../../cli/trace.ts";
import { isLoopback } from "../../contract/addresses.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { quarantineOrder } from "../../delivery/outputs.ts";
import type { PrinterFailure } from "../../delivery/printer.ts";
import { BposError, exitCodes, isReason } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import { folders } from "../../settings/folders.ts";
import type { BoardOrder } from "./board.ts";
import type { WatchFlags } from "./command.ts";
import { checkFolders, watchOutputs } from "./outputs.ts";
import type { Printers } from "./printer.ts";
import { openWatchScreen, type WatchScreen } from "./screen.ts";
import { type WatchNotice, watchOrders } from "./watch.ts";

const defaultIntervalMs = 60_000;
const rehearsalIntervalMs = 3_000;
const politeIntervalMs = 10_000;
const onceConcurrency = 8;
/** From so many branches on, memory counts for more than speed. */
const littleMemoryFrom = 20;
const maxLateLines = 3;
const printerRemindMs = 5 * 60_000;

function checkFlags(runtime: Runtime, flags: WatchFlags): number {
  const mock = wantedMock(runtime);
  const isRehearsal = mock === "embedded" || (mock !== undefined && isLoopback(mock.hostname));
  const intervalMs = flags.interval ?? (isRehearsal ? rehearsalIntervalMs : defaultIntervalMs);
  if (intervalMs < politeIntervalMs && mock === undefined && flags.force !== true && flags.once !== true)
    throw new BposError("usage_flag", { problem: { kind: "interval_impolite" } });
  if (flags.allProfiles === true && runtime.flags.apiKeyFile !== undefined)
    throw exclusive("--all-profiles", "--api-key-file");
  if (flags.exec === undefined && flags.execTimeout !== undefined)
    throw needsFlag("--exec-timeout", "--exec");
  const { paper, printerLanguage, drawer, beep } = flags;
  const ofPrinter = { paper, "printer-language": printerLanguage, drawer, beep };
  const [lost] = Object.keys(given(ofPrinter));
  if (flags.printer === undefined && lost !== undefined) throw needsFlag(`--${lost}`, "--printer");
  if (flags.exec === undefined && flags.execChanges === true) throw needsFlag("--exec-changes", "--exec");
  return intervalMs;
}

interface Watching {
  runtime: Runtime;
  flags: WatchFlags;
  intervalMs: number;
  consumer: string;
  screen: WatchScreen;
  ui: Ui;
  many: boolean;
  quarantineFolder: string;
  printers: Printers | undefined;
  /** What was last said of a branch's printer that does not print. */
  printerSaid: Map<string, { kind: string; at: number }>;
}

/** A created_at as `createdAtText` has it, in ISO 8601 where it is a time that the language's calendar has. */
const instant = (createdAt: string): string =>
  Math.abs(Number(createdAt)) < 8.6e15 ? isoWithOffset(Number(createdAt)) : createdAt;

type Polled = Extract<WatchNotice, { event: "polled" }>;
type Told = Record<"say" | "warn", (text: string) => Promise<void>>;

async function tellPolled(watching: Watching, branch: string, polled: Polled, { say, warn }: Told) {
  const { runtime, flags, screen } = watching;
  const { system, texts } = runtime;
  const { waiting, nextPollAt, found, mismatches, outageMs } = polled;
  if (outageMs !== undefined) await say(texts.watch.outageEnded(age(outageMs)));
  screen.update(branch, { state: "answering", waiting, nextPollAt, lastAnswerAt: system.clock.now() });
  if (flags.once === true && found === 0 && system.stderr.isTerminal)
    await say(texts.watch.nothingNew(waiting, watching.consumer));
  if (mismatches[0] !== undefined) await say(texts.notices.mismatches(mismatches[0], mismatches.length - 1));
  await tellLate(watching, screen.late(branch), warn);
}

/** Says and rings once for each order that has become late; many at once are one sentence. */
async function tellLate(
  { runtime: { texts, system }, flags: { late = 0 }, screen, ui }: Watching,
  orders: readonly BoardOrder[],
  warn: Told["warn"],
): Promise<void> {
  const [oldest] = orders;
  if (oldest === undefined) return;
  const waits = ({ since }: BoardOrder): string => age(system.clock.now() - since);
  if (orders.length > maxLateLines)
    await warn(texts.watch.manyLate(count(orders.length, ui), age(late), oldest.key, waits(oldest)));
  else for (const order of orders) await warn(texts.watch.late(order.key, waits(order)));
  await screen.ring();
}

async function tell(watching: Watching, branch: string, notice: WatchNotice): Promise<void> {
  const { runtime, flags, screen, many } = watching;
  const { texts } = runtime;
  const { watch: words } = texts;
  const prefix = many ? `${branch}: ` : "";
  const say = (text: string): Promise<void> => screen.say(prefix + text);
  // Why a run ends with another code than 0 is said with -q too.
  const warn = (text: string): Promise<void> => screen.warn(prefix + text);
  // Somebody can put paper in at once.
  const how = { advises: notice.event === "printer.failed" };
  const why = "error" in notice ? await said(notice.error, texts, how) : "";
  if (flags.once === true && (notice.event.endsWith(".failed") || notice.event === "quarantine.full"))
    runtime.exitCode = exitCodes.partial;
  switch (notice.event) {
    case "polled":
      return tellPolled(watching, branch, notice, { say, warn });
    case "outage": {
      const { error, nextPollAt } = notice;
      screen.update(branch, { state: isReason(error, "access_denied") ? "refused" : "silent", nextPollAt });
      return notice.isFirst ? say(words.outageBegan(why)) : undefined;
    }
    case "journal.busy":
      screen.update(branch, { nextPollAt: notice.nextPollAt });
      return say(words.journalBusy);
    case "output.failed":
      await warn(words.outputFailed(notice.orderId, why, flags.once === true ? null : age(notice.againMs)));
      return isReason(notice.error, "printer_failed") ? screen.ring() : undefined;
    case "printer.failed":
      return tellPrinter(watching, branch, { ...notice, why }, warn);
    case "printer.works":
      return watching.printerSaid.delete(branch) ? say(words.printerWorks) : undefined;
    case "order.unfinished":
      return say(words.unfinished(notice.orderId, words.outputs[notice.output]));
    case "quarantine.failed":
      return warn(words.quarantineFailed(why));
    case "quarantine.full":
      return warn(words.quarantineFull(watching.quarantineFolder));
    case "order.quarantined": {
      const { orderId, file } = notice;
      return warn(orderId === undefined ? words.quarantined(file) : words.tooDeep(orderId, file));
    }
    case "number.reused": {
      const [made, before] = [notice.createdAt, notice.before].map((each) =>
        isoTimeToSecond(instant(each), { texts }),
      );
      return warn(words.numberReused(notice.orderId, made ?? "", before ?? ""));
    }
    case "first_run.incomplete":
      // `--since` leaves out the very instant.
      return warn(words.firstRunIncomplete(instant(String(notice.since - 1))));
    case "state.refused":
      return warn(words.stateRefused(notice.state, why));
  }
}

/** Says and rings once for each trouble of a printer, and again where nobody sees to it. */
async function tellPrinter(
  { runtime, flags, screen, printerSaid }: Watching,
  branch: string,
  { error, againMs, why }: { error: PrinterFailure; againMs: number; why: string },
  warn: Told["warn"],
): Promise<void> {
  const { kind } = error.facts.problem;
  const at = runtime.system.clock.now();
  const before = printerSaid.get(branch);
  if (before?.kind === kind && at - before.at < printerRemindMs) return;
  printerSaid.set(branch, { kind, at });
  await warn(runtime.texts.watch.printerFailed(why, flags.once === true ? null : age(againMs)));
  await screen.ring();
}

type Pace = Pick<Parameters<typeof watchOrders>[0], "firstPauseMs" | "signal">;

async function watchBranch(watching: Watching, { session, journal }: Claim, pace: Pace): Promise<void> {
  const { runtime, flags, intervalMs, consumer, screen, quarantineFolder, printers } = watching;
  const { clock, random } = runtime.system;
  const { client, branchName: branch, output, clockAheadMs } = session;
  const board = screen.open(branch, output.ui);
  const { branchNow: branchId } = await session.openJournal();
  await watchOrders({
    ...{ client, clock, random, journal, branch, branchId, consumer, intervalMs, ...pace },
    outputs: watchOutputs(runtime, flags, session, { screen, printers }),
    seen: board && ((key, order) => board.seen(key, order)),
    tell: (notice) => {
      if (notice.event === "polled") board?.polled(notice.pending, clockAheadMs() ?? 0);
      return tell(watching, branch, notice);
    },
    quarantine: (identity, body) => quarantineOrder(quarantineFolder, identity, body),
    once: flags.once === true,
    skipExisting: flags.skipExisting === true,
  });
}

async function giveUp({ runtime, screen }: Watching, name: string, error: BposError): Promise<void> {
  await screen.say(`${name}: ${runtime.texts.watch.givenUp(await said(error, runtime.texts))}`);
}

/** A branch that is this process's to watch, and the journal under the lock for it. */
interface Claim {
  session: Session;
  journal: Journal;
}

/** The branches that are this process's to watch: each once, and none that another process watches for this consumer. */
async function claimed(watching: Watching, sessions: readonly Session[]): Promise<Claim[]> {
  const { runtime, screen, many, consumer } = watching;
  const taken = new Map<string, string>();
  const own: Claim[] = [];
  let refusal: unknown;
  for (const session of sessions) {
    const { branchName } = session;
    const { branch, lock } = await session.openJournal();
    const other = taken.get(branch);
    if (other !== undefined) {
      await screen.say(`${branchName}: ${runtime.texts.watch.watchedAlready(other)}`);
      continue;
    }
    try {
      const journal = await lock("watch", { consumer });
      taken.set(branch, branchName);
      own.push({ session, journal });
      screen.update(branchName, {});
    } catch (error) {
      if (!many || !isReason(error, "locked")) throw error;
      refusal = error;
      await giveUp(watching, branchName, error);
    }
  }
  if (own.length === 0) throw refusal;
  return own;
}

/** What ends one leaves the others alone. */
async function watchAll(watching: Watching, claims: readonly Claim[]): Promise<void> {
  const { runtime, flags, intervalMs, screen, many } = watching;
  const stop = new AbortController();
  const failures: BposError[] = [];
  const fatal: unknown[] = [];
  const one = async (claim: Claim, firstPauseMs: number): Promise<void> => {
    const { session } = claim;
    // A signal of its own: hundreds of listeners on one look like a leak.
    const signal = AbortSignal.any([runtime.signal, stop.signal]);
    try {
      await watchBranch(watching, claim, { firstPauseMs, signal });
    } catch (error) {
      // All branches share standard output.
      const isShared = isReason(error, "output_unwritable") && error.facts.file === "standard output";
      if (!many || isShared || !(error instanceof BposError)) {
        stop.abort();
        fatal.push(error);
        return;
      }
      failures.push(error as BposError);
      const state = isReason(error, "access_denied") ? "refused" : "silent";
      screen.update(session.branchName, { state, nextPollAt: undefined });
      await giveUp(watching, session.branchName, error as BposError);
    }
  };
  // Those that never end each need a place; those that poll once take turns.
  const concurrency = flags.once === true ? onceConcurrency : Number.POSITIVE_INFINITY;
  const pauseMs = flags.once === true ? 0 : intervalMs / claims.length;
  await pMap(claims, (claim, index) => one(claim, index * pauseMs), { concurrency });
  if (fatal.length > 0) throw fatal[0];
  const [failure] = failures;
  if (failure !== undefined && (flags.once === true || failures.length === claims.length)) throw failure;
}

export async function watch(runtime: Runtime, flags: WatchFlags): Promise<void> {
  const { system, texts } = runtime;
  const intervalMs = checkFlags(runtime, flags);
  const many = flags.allProfiles === true;
  const { consumer = "default" } = flags;
  const quarantineFolder = join(folders(system).state, "quarantine");
  const needs = { address: "base_url", formats: ["table", "ndjson"], quietRetries: true, all: many } as const;
  await withSessions(runtime, needs, async (sessions, unusable) => {
    const [first] = sessions;
    if (first === undefined) return;
    if (many && flags.outDir !== undefined) checkFolders(sessions.map(({ branchName }) => branchName));
    if (sessions.length > littleMemoryFrom) system.preferLittleMemory("waiting");
    const { output } = first;
    const printers =
      flags.printer === undefined
        ? undefined
        : (await import("./printer.ts")).openPrinters(runtime, flags, sessions);
    const live = flags.once !== true && !isTraced(runtime.flags);
    const screen = openWatchScreen(runtime, output, { ...flags, live });
    const how = { intervalMs, consumer, many, quarantineFolder, printers, printerSaid: new Map() };
    const watching = { runtime, flags, screen, ui: output.ui, ...how };
    try {
      for (const { name, error } of unusable) await giveUp(watching, name, error);
      const own = await claimed(watching, sessions);
      const what = many ? texts.orders.status.branches(count(own.length, output.ui)) : first.branchName;
      if (flags.once !== true) {
        await screen.say(texts.watch.watching(what, age(intervalMs), consumer));
        if (printers !== undefined) await screen.say(texts.watch.printing(printers.urls.join(", ")));
      }
      await watchAll(watching, own);
    } finally {
      await screen.close();
    }
    if (runtime.signal.aborted) throw new BposError("interrupted", { during: "watch" });
  });
}
