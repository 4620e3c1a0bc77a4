import { join } from "node:path";
import pMap from "p-map";
import { age } from "../../cli/display/format.ts";
import { toJson } from "../../cli/display/json.ts";
import type { Output } from "../../cli/display/output.ts";
import { exclusive, needsFlag, onlyGiven } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { readWantedMock } from "../../cli/session/branches.ts";
import { type Session, withSessions } from "../../cli/session/session.ts";
import { isTraced } from "../../cli/session/trace.ts";
import { isLoopback } from "../../contract/addresses.ts";
import { JournalOutage } from "../../delivery/outage.ts";
import { keepInQuarantine } from "../../delivery/outputs.ts";
import { BposError, isReason } from "../../errors.ts";
import { isJournalAway, journalFailure, LockLost } from "../../journal/engine.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Lock } from "../../journal/locks.ts";
import { folders } from "../../settings/folders.ts";
import type { WatchFlags } from "./command.ts";
import type { WatchContext } from "./context.ts";
import { giveUp, tell, tellBegin, tellShares, tellStopped, type Watching } from "./notices.ts";
import { checkFolders, printsOrders, watchOutputs } from "./outputs.ts";
import { openWatchScreen, type WatchScreen } from "./screen.ts";
import { Standby } from "./standby.ts";
import { watchOrders } from "./watch.ts";

const defaultIntervalMs = 60_000;
const rehearsalIntervalMs = 3_000;
const politeIntervalMs = 10_000;
const onceConcurrency = 8;
/** From so many branches on, memory counts for more than speed. */
const littleMemoryFrom = 20;
/** Of many branches that are to be polled at once each gets so long. */
const spreadOfOneMs = 20;

function checkFlags(runtime: Runtime, flags: WatchFlags): number {
  const mock = readWantedMock(runtime);
  const isRehearsal = mock === "embedded" || (mock !== undefined && isLoopback(mock.hostname));
  const intervalMs = flags.interval ?? (isRehearsal ? rehearsalIntervalMs : defaultIntervalMs);
  if (intervalMs < politeIntervalMs && mock === undefined && flags.force !== true && flags.once !== true)
    throw new BposError("usage_flag", { problem: { kind: "interval_impolite" } });
  if (flags.allProfiles === true && runtime.flags.apiKeyFile !== undefined)
    throw exclusive("--all-profiles", "--api-key-file");
  if (flags.standby === true && flags.once === true) throw exclusive("--standby", "--once");
  if (flags.exec === undefined && flags.execTimeout !== undefined)
    throw needsFlag("--exec-timeout", "--exec");
  const { paper, printerLanguage, drawer, beep } = flags;
  const ofPrinter = { paper, "printer-language": printerLanguage, drawer, beep };
  const [lost] = Object.keys(onlyGiven(ofPrinter));
  if (flags.printer === undefined && lost !== undefined) throw needsFlag(`--${lost}`, "--printer");
  if (flags.exec === undefined && flags.execChanges === true) throw needsFlag("--exec-changes", "--exec");
  return intervalMs;
}

type Pace = Pick<WatchContext, "spreadMs" | "signal"> & { firstPauseMs: number };

async function watchBranch(
  watching: Watching,
  session: Session,
  journal: Journal,
  pace: Pace,
): Promise<void> {
  const { runtime, flags, intervalMs, consumer, screen, quarantineFolder, printers, outage } = watching;
  const { clock, random } = runtime.system;
  const { client, branchName: branch, output, clockAheadMs } = session;
  const board = screen.open(branch, output.ui);
  const { branchNow: branchId } = await session.openJournal();
  await watchOrders({
    serviceNow: () => clock.now() - (clockAheadMs() ?? 0),
    ...{ client, clock, random, journal, outage, branch, branchId, consumer, intervalMs, ...pace },
    outputs: watchOutputs(runtime, flags, session, { screen, printers, journal }),
    seen: board && ((key, order) => board.seen(key, order)),
    tell: (notice) => {
      if (notice.event === "polled") board?.polled(notice.pending, clockAheadMs() ?? 0);
      return tell(watching, branch, notice);
    },
    quarantine: (identity, body) => keepInQuarantine(quarantineFolder, identity, body),
    once: flags.once === true,
    skipExisting: flags.skipExisting === true,
  });
}

/** A branch to watch, and the journal under the lock for it, which with --standby is still to be had. */
interface Claim {
  session: Session;
  shared: Journal;
  lock: Lock;
  journal: Journal | undefined;
}

/** The branches to watch: each once, and without --standby none that another process watches for this consumer. */
async function claimBranches(watching: Watching, sessions: readonly Session[]): Promise<Claim[]> {
  const { runtime, screen, many, consumer, standby } = watching;
  const taken = new Map<string, string>();
  const claims: Claim[] = [];
  let refusal: unknown;
  for (const session of sessions) {
    const { branchName } = session;
    const { branch, journal: shared } = await session.openJournal();
    const other = taken.get(branch);
    if (other !== undefined) {
      await screen.say(`${branchName}: ${runtime.texts.watch.watchedAlready(other)}`);
      continue;
    }
    const lock = { work: "watch", branch, consumer } as const;
    try {
      const journal = standby === undefined ? await shared.under(lock) : undefined;
      taken.set(branch, branchName);
      claims.push({ session, shared, lock, journal });
      screen.update(branchName, {});
    } catch (error) {
      if (!many || !isReason(error, "locked")) throw error;
      refusal = error;
      await giveUp(watching, branchName, error);
    }
  }
  if (claims.length === 0) throw refusal;
  return claims;
}

/** Whoever stands by may watch what this process watches no more. */
async function giveBack({ flags, outage }: Watching, { release, check }: Journal, signal: AbortSignal) {
  for (let isHeld = true; isHeld && !signal.aborted; ) {
    try {
      await release();
      isHeld = false;
    } catch (error) {
      // With a journal that cannot be reached it lapses by itself only where this process ends.
      if (flags.once === true || !isJournalAway(error)) return;
      await outage.wait(error, check, signal);
    }
  }
}

/** Watches a branch for as long as it is this process's, with --standby whenever it is. Throws `lock_lost` too. */
async function keepWatching(watching: Watching, { session, shared, lock, ...claim }: Claim, pace: Pace) {
  const { runtime, flags, standby, outage } = watching;
  const { branchName } = session;
  const { clock, random } = runtime.system;
  const soonMs = (): number => pace.spreadMs * random();
  const dueAt = clock.now() + pace.firstPauseMs;
  for (let { journal } = claim, { firstPauseMs } = pace; ; firstPauseMs = soonMs()) {
    if (journal === undefined) {
      journal = await standby?.wait(branchName, shared, lock);
      firstPauseMs = Math.max(soonMs(), dueAt - clock.now());
    }
    // What was under way when it is stopped may end with a journal that is away.
    if (journal === undefined || pace.signal.aborted) return;
    try {
      await watchBranch(watching, session, journal, { ...pace, firstPauseMs });
      return;
    } catch (error) {
      if (flags.once !== true && isJournalAway(error)) await outage.wait(error, journal.check, pace.signal);
      else if (!(error instanceof LockLost) || error.facts.file !== undefined) {
        await giveBack(watching, journal, pace.signal);
        standby?.leave(branchName);
        throw error instanceof LockLost ? journalFailure(error) : error;
      } else if (standby === undefined) throw journalFailure(error);
      else {
        journal = undefined;
        watching.outages.delete(branchName);
        standby.standBy(branchName, error.facts);
      }
    }
  }
}

/** What ends one leaves the others alone. */
async function watchAll(watching: Watching, claims: readonly Claim[]): Promise<void> {
  const { flags, intervalMs, screen, many, ending } = watching;
  const failures: BposError[] = [];
  // Those that never end each need a place; those that poll once take turns.
  const concurrency = flags.once === true ? onceConcurrency : Number.POSITIVE_INFINITY;
  const pauseMs = flags.once === true ? 0 : intervalMs / claims.length;
  const spreadMs = Math.min(intervalMs, (claims.length - 1) * spreadOfOneMs);
  const one = async (claim: Claim, firstPauseMs: number): Promise<void> => {
    const { session } = claim;
    // A signal of its own: hundreds of listeners on one look like a leak.
    const signal = AbortSignal.any([ending.signal]);
    try {
      await keepWatching(watching, claim, { firstPauseMs, spreadMs, signal });
    } catch (error) {
      // All branches share standard output.
      const isShared = isReason(error, "output_unwritable") && error.facts.file === "standard output";
      if (!many || isShared || !(error instanceof BposError)) {
        if (error instanceof BposError && !isShared) tellStopped(watching, session.branchName, error);
        ending.fail(error);
        return;
      }
      failures.push(error);
      const state = isReason(error, "access_denied") ? "refused" : "silent";
      screen.update(session.branchName, { state, nextPollAt: undefined });
      await giveUp(watching, session.branchName, error);
    }
  };
  await pMap(claims, (claim, index) => one(claim, index * pauseMs), { concurrency });
  if (ending.failures.length > 0) throw ending.failures[0];
  const [failure] = failures;
  if (failure !== undefined && (flags.once === true || failures.length === claims.length)) throw failure;
}

function openEnding({ signal }: Runtime) {
  const over = new AbortController();
  const failures: unknown[] = [];
  const fail = (error: unknown): void => {
    failures.push(error);
    over.abort();
  };
  return { signal: AbortSignal.any([signal, over.signal]), failures, fail, stop: () => over.abort() };
}

/** Lines of `-o ndjson` beside the orders: a reader who takes nothing for a while must not keep the orders from the other outputs. */
function emitter(flags: WatchFlags, output: Output, screen: WatchScreen, ending: Watching["ending"]) {
  const writes = output.format === "ndjson" && printsOrders(flags, output.quiet);
  return (event: object): void => {
    if (writes) void screen.print(`${toJson(event)}\n`).catch(ending.fail);
  };
}

function openStandby(watching: Watching, { branchName, output }: Session): Standby {
  const { runtime, flags, outage, ending, screen } = watching;
  // Who waits delivers nothing, and would not notice.
  if (output.format === "ndjson" && printsOrders(flags, output.quiet)) void screen.gone().then(ending.fail);
  return new Standby({
    ...{ system: runtime.system, outage, signal: ending.signal },
    emit(event) {
      const none = { waiting: 0, lastAnswerAt: undefined, nextPollAt: undefined, board: undefined };
      const state = event.event === "watch.active" ? "awaited" : "standby";
      screen.update(event.branch, { ...none, state });
      watching.emit(event);
    },
    tell: (shares) => tellShares(watching, branchName, shares),
  });
}

export async function watch(runtime: Runtime, flags: WatchFlags): Promise<void> {
  const { system, texts } = runtime;
  const intervalMs = checkFlags(runtime, flags);
  const many = flags.allProfiles === true;
  const { consumer = "default" } = flags;
  const quarantineFolder = join(folders(system).state, "quarantine");
  const has = { quietRetries: true, endsSoon: true, all: many };
  const needs = { address: "base_url", formats: ["table", "ndjson"], ...has } as const;
  await withSessions(runtime, needs, async (sessions, unusable) => {
    const [first] = sessions;
    if (first === undefined) return;
    if (many && flags.outDir !== undefined) checkFolders(sessions.map(({ branchName }) => branchName));
    if (sessions.length > littleMemoryFrom) system.preferLittleMemory("waiting");
    const { output } = first;
    const ending = openEnding(runtime);
    const printers =
      flags.printer === undefined
        ? undefined
        : (await import("./printer.ts")).openPrinters(runtime, flags, sessions);
    const live = flags.once !== true && !isTraced(runtime.flags);
    const screen = openWatchScreen(runtime, output, { ...flags, live });
    const outage = new JournalOutage({
      ...{ clock: system.clock, maxMs: intervalMs, signal: ending.signal },
      began: ({ detail }) => screen.warn(texts.watch.journalDown(texts.detail(detail))),
      ended: (afterMs) => screen.warn(texts.watch.journalBack(age(afterMs))),
    });
    const how = { intervalMs, consumer, many, quarantineFolder, printers, printerSaid: new Map() };
    const said = { emit: emitter(flags, output, screen, ending), outages: new Map<string, number>() };
    const watching: Watching = { runtime, flags, screen, ui: output.ui, outage, ending, ...how, ...said };
    if (flags.standby === true) watching.standby = openStandby(watching, first);
    try {
      for (const { name, error } of unusable) await giveUp(watching, name, error);
      const claims = await claimBranches(watching, sessions);
      await tellBegin(watching, many ? claims.length : first.branchName);
      await watchAll(watching, claims);
    } finally {
      ending.stop();
      await screen.close();
    }
    if (runtime.signal.aborted) throw new BposError("interrupted", { during: "watch" });
  });
}
