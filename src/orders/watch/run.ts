import { join } from "node:path";
import pMap from "p-map";
import { wantedMock } from "../../cli/branches.ts";
import { exclusive, needsFlag } from "../../cli/flags.ts";
import { age } from "../../cli/format.ts";
import { said } from "../../cli/output.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSessions } from "../../cli/session.ts";
import { isTraced } from "../../cli/trace.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { isLoopback } from "../../contract/public-host.ts";
import { quarantineOrder } from "../../delivery/outputs.ts";
import { BposError, exitCodes, isReason } from "../../errors.ts";
import { folders } from "../../settings/folders.ts";
import type { WatchFlags } from "./command.ts";
import { checkFolders, type DeliveryNotice, watchOutputs } from "./outputs.ts";
import { openWatchScreen, type WatchScreen } from "./screen.ts";
import { type WatchNotice, watchOrders } from "./watch.ts";

const defaultIntervalMs = 60_000;
/** A mock on this machine is nobody's to spare, and its orders come by the second. */
const rehearsalIntervalMs = 3_000;
const politeIntervalMs = 10_000;
/** Branches that are asked at the same moment where nothing spreads them over the interval. */
const atOnce = 8;
/** From so many branches on, memory counts for more than speed. */
const littleMemoryFrom = 20;

function checkFlags(runtime: Runtime, flags: WatchFlags): number {
  const mock = wantedMock(runtime);
  const isRehearsal = mock === "embedded" || (mock !== undefined && isLoopback(mock.hostname));
  const intervalMs = flags.interval ?? (isRehearsal ? rehearsalIntervalMs : defaultIntervalMs);
  if (intervalMs < politeIntervalMs && mock === undefined && flags.force !== true && flags.once !== true) {
    throw new BposError("usage_flag", { problem: { kind: "interval_impolite" } });
  }
  if (flags.allProfiles === true && runtime.flags.apiKeyFile !== undefined)
    throw exclusive("--all-profiles", "--api-key-file");
  if (flags.exec === undefined && flags.execTimeout !== undefined)
    throw needsFlag("--exec-timeout", "--exec");
  if (flags.exec === undefined && flags.execChanges === true) throw needsFlag("--exec-changes", "--exec");
  return intervalMs;
}

interface Watching {
  runtime: Runtime;
  flags: WatchFlags;
  intervalMs: number;
  screen: WatchScreen;
  many: boolean;
}

const consumerOf = ({ consumer = "default" }: WatchFlags): string => consumer;

const quarantineFolder = ({ system }: Runtime): string => join(folders(system).state, "quarantine");

/** A created_at as `createdAtText` has it, in ISO 8601 where it is a time. */
function instant(createdAt: string): string {
  // The calendar of the language ends there.
  return Math.abs(Number(createdAt)) < 8.6e15 ? isoWithOffset(Number(createdAt)) : createdAt;
}

type Warning = Extract<
  WatchNotice,
  { event: `${"quarantine" | "number" | "first_run" | "state"}.${string}` | "order.quarantined" }
>;

async function warningOf(runtime: Runtime, notice: Warning): Promise<string> {
  const { watch: words } = runtime.texts;
  switch (notice.event) {
    case "quarantine.failed":
      return words.quarantineFailed(await said(notice.error, runtime.texts));
    case "quarantine.full":
      return words.quarantineFull(quarantineFolder(runtime));
    case "order.quarantined":
      return notice.orderId === undefined
        ? words.quarantined(notice.file)
        : words.tooDeep(notice.orderId, notice.file);
    case "number.reused": {
      const { orderId, createdAt, before } = notice;
      return words.numberReused(orderId, instant(createdAt), instant(before));
    }
    case "first_run.incomplete":
      // `--since` leaves out the very instant.
      return words.firstRunIncomplete(instant(String(notice.since - 1)));
    case "state.refused":
      return words.stateRefused(notice.state, await said(notice.error, runtime.texts));
  }
}

async function tell(watching: Watching, branch: string, notice: WatchNotice | DeliveryNotice): Promise<void> {
  const { runtime, flags, screen, many } = watching;
  const words = runtime.texts.watch;
  const now = runtime.system.clock.now();
  const named = (text: string): string => (many ? `${branch}: ${text}` : text);
  const say = (text: string): Promise<void> => screen.say(named(text));
  // Why a run ends with another code than 0 is said with -q too.
  const warn = (text: string): Promise<void> => screen.warn(named(text));
  if (flags.once === true && (notice.event.endsWith(".failed") || notice.event === "quarantine.full"))
    runtime.exitCode = exitCodes.partial;
  switch (notice.event) {
    case "polled": {
      const { waiting, nextPollAt, found, mismatches } = notice;
      screen.update(branch, { waiting, nextPollAt, lastAnswerAt: now, failingSince: undefined });
      if (flags.once === true && found === 0 && runtime.system.stderr.isTerminal)
        await say(words.nothingNew(waiting, consumerOf(flags)));
      if (mismatches[0] !== undefined)
        await say(runtime.texts.notices.mismatches(mismatches[0], mismatches.length - 1));
      break;
    }
    case "outage.began":
    case "outage.lasts": {
      const { error, nextPollAt } = notice;
      const began = notice.event === "outage.began";
      const refused = isReason(error, "access_denied");
      screen.update(branch, { refused, nextPollAt, ...(began && { failingSince: now }) });
      if (began) await say(words.outageBegan(await said(error, runtime.texts)));
      break;
    }
    case "outage.ended":
      await say(words.outageEnded(age(notice.lastedMs)));
      break;
    case "output.failed":
    case "change.failed": {
      const { orderId, error, againMs } = notice;
      const again = flags.once === true ? null : age(againMs);
      const text = notice.event === "output.failed" ? words.outputFailed : words.changeFailed;
      await warn(text(orderId, await said(error, runtime.texts), again));
      break;
    }
    case "journal.busy":
      screen.update(branch, { nextPollAt: notice.nextPollAt });
      await say(words.journalBusy);
      break;
    case "order.unfinished":
      await say(words.unfinished(notice.orderId, words.outputs[notice.output]));
      break;
    default:
      await warn(await warningOf(runtime, notice));
  }
}

async function watchBranch(
  watching: Watching,
  session: Session,
  firstPauseMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { runtime, flags, intervalMs, screen } = watching;
  const { system } = runtime;
  const { client, branchName } = session;
  const { journal, branchNow } = await session.openJournal();
  const outputs = watchOutputs(runtime, flags, session, screen);
  const folder = quarantineFolder(runtime);
  const world = {
    ...{ clock: system.clock, random: system.random, journal, outputs },
    tell: (notice: DeliveryNotice) => tell(watching, branchName, notice),
    quarantine: (identity: string, body: string) => quarantineOrder(folder, identity, body),
  };
  const consumer = consumerOf(flags);
  const options = {
    ...{ branch: branchName, branchId: branchNow, consumer, intervalMs, firstPauseMs, signal },
    ...{ once: flags.once === true, skipExisting: flags.skipExisting === true },
  };
  for await (const notice of watchOrders(client, world, options)) await tell(watching, branchName, notice);
}

/** The branches that are this process's to watch: each once, and none that another process watches for this consumer. */
async function claimed(watching: Watching, sessions: readonly Session[]): Promise<Session[]> {
  const { runtime, screen, many, flags } = watching;
  const taken = new Map<string, string>();
  const own: Session[] = [];
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
      await lock("watch", { consumer: consumerOf(flags) });
      taken.set(branch, branchName);
      own.push(session);
      screen.update(branchName, {});
    } catch (error) {
      if (!many || !isReason(error, "locked")) throw error;
      refusal = error;
      await screen.say(`${branchName}: ${runtime.texts.watch.givenUp(await said(error, runtime.texts))}`);
    }
  }
  if (own.length === 0) throw refusal;
  return own;
}

/** Watches all branches side by side; what ends one leaves the others alone. */
async function watchAll(watching: Watching, sessions: readonly Session[]): Promise<void> {
  const { runtime, flags, intervalMs, screen, many } = watching;
  const stop = new AbortController();
  const failures: BposError[] = [];
  const fatal: unknown[] = [];
  const one = async (session: Session, firstPauseMs: number): Promise<void> => {
    // A signal of its own: hundreds of listeners on one look like a leak.
    const signal = AbortSignal.any([runtime.signal, stop.signal]);
    try {
      await watchBranch(watching, session, firstPauseMs, signal);
    } catch (error) {
      // All branches share standard output.
      const isShared = isReason(error, "output_unwritable") && error.facts.file === "standard output";
      if (!many || isShared || !(error instanceof BposError)) {
        stop.abort();
        fatal.push(error);
        return;
      }
      failures.push(error as BposError);
      const { branchName } = session;
      const refused = isReason(error, "access_denied");
      screen.update(branchName, { failingSince: runtime.system.clock.now(), refused, nextPollAt: undefined });
      await screen.say(`${branchName}: ${runtime.texts.watch.givenUp(await said(error, runtime.texts))}`);
    }
  };
  // Those that never end each need a place; those that poll once take turns.
  const concurrency = flags.once === true ? atOnce : Number.POSITIVE_INFINITY;
  const pauseMs = flags.once === true ? 0 : intervalMs / sessions.length;
  await pMap(sessions, (session, index) => one(session, index * pauseMs), { concurrency });
  if (fatal.length > 0) throw fatal[0];
  const [failure] = failures;
  if (failure !== undefined && (flags.once === true || failures.length === sessions.length)) throw failure;
}

export async function watch(runtime: Runtime, flags: WatchFlags): Promise<void> {
  const intervalMs = checkFlags(runtime, flags);
  const all = flags.allProfiles === true;
  const needs = { address: "base_url", formats: ["table", "ndjson"], quietRetries: true, all } as const;
  await withSessions(runtime, needs, async (sessions, unusable) => {
    const [first] = sessions;
    if (first === undefined) return;
    if (all && flags.outDir !== undefined) checkFolders(sessions.map(({ branchName }) => branchName));
    if (sessions.length > littleMemoryFrom) runtime.system.preferLittleMemory("waiting");
    const live = flags.once !== true && !isTraced(runtime.flags);
    const screen = openWatchScreen(runtime.system, first.output, [], { live });
    const watching = { runtime, flags, intervalMs, screen, many: all };
    try {
      for (const { name, error } of unusable)
        await screen.say(`${name}: ${runtime.texts.watch.givenUp(await said(error, runtime.texts))}`);
      const own = await claimed(watching, sessions);
      const consumer = consumerOf(flags);
      const every = age(intervalMs);
      if (flags.once !== true)
        await screen.say(
          all
            ? runtime.texts.watch.watchingMany(own.length, every, consumer)
            : runtime.texts.watch.watching(first.branchName, every, consumer),
        );
      await watchAll(watching, own);
    } finally {
      await screen.close();
    }
    if (runtime.signal.aborted) throw new BposError("interrupted", { during: "watch" });
  });
}
