import { wholeSeconds } from "../../cli/display/format.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { Journal } from "../../journal/journal.ts";
import { type HeldLock, type Lock, lockName, lockNamed } from "../../journal/locks/locks.ts";
import type { WatchState } from "../../journal/records/watches.ts";
import type { LastPush } from "../../journal/upkeep/upkeep.ts";
import { shellWord } from "../../texts/phrases.ts";
import type { BranchStatus } from "./branch-status.ts";
import { findProblems, isOld, type PushFound, type WatchFound } from "./problems.ts";
import type { BranchReport } from "./report.ts";

export interface Status {
  branches: BranchStatus[];
  /** True if a branch that was ever watched has had no complete poll for longer than --max-age. */
  isLate: boolean;
}

export interface Asked {
  now: number;
  maxAgeMs: number | undefined;
  kill: string;
  /** True to add `--mock` to the commands that fix a problem. */
  isMock: boolean;
  /** The profile file's, and the name of each branch whose key is known. */
  profiles: readonly string[];
  names: ReadonlyMap<string, string>;
  /** How far this machine's clock is ahead of a mock's, by the id of a branch of that mock. */
  aheadMs: ReadonlyMap<string, number>;
  /** The branch that a command without -p works for. */
  current: string;
  /** Only this branch. */
  only: string | undefined;
}

type Readings = Awaited<ReturnType<typeof readJournal>>;

async function readJournal(journal: Journal) {
  const { watches } = journal;
  const upkeep = await journal.upkeep();
  return {
    waits: await journal.waiting(),
    held: new Map((await journal.held()).map((held) => [held.name, held])),
    locks: new Set(await upkeep.locks()),
    watches: await watches.all(),
    outputs: await watches.outputs(),
    undelivered: await watches.undelivered(),
    sends: await upkeep.sends(),
    pushes: await upkeep.lastPushes(),
    replies: await upkeep.waitingReplies(),
  };
}

/** Returns the state of a watch. With a standby, there is always a process to take over. */
function findState(found: Omit<WatchFound, "state" | "outputs">, said: WatchState, asked: Asked) {
  const { holder, standby } = found;
  const isSilent = said === "ok" && isOld(found, asked);
  if (standby.length > 0 && (holder === undefined || isSilent)) return "standby";
  return holder === undefined && said !== "stopped" ? "none" : said;
}

/** Groups a list by key, in its sequence, so that thousands of branches are searched once. */
function grouped<T, K>(list: readonly T[], keyOf: (each: T) => K): (key: K) => readonly T[] {
  const groups = new Map<K, T[]>();
  for (const each of list) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return (key) => groups.get(key) ?? [];
}

/** Lists every watch that ever reported its state. */
function listWatches(
  { watches, held, waits, locks, outputs, undelivered }: Readings,
  asked: Asked,
): WatchFound[] {
  const outputsOf = grouped(outputs, ({ watchId }) => watchId);
  const owedTo = grouped(undelivered, ({ watchId }) => watchId);
  const waitsFor = grouped(waits, ({ name }) => name);
  return watches.flatMap((watch): WatchFound[] => {
    const { watchId, branch, consumer } = watch;
    const lock = lockName({ work: "watch", branch, consumer });
    const holder = held.get(lock);
    const own = outputsOf(watchId);
    // A watch is no longer wanted once all its outputs were discarded.
    if (holder === undefined && own.length === 0) return [];
    const owed = own.map(({ output }) => {
      const waiting = owedTo(watchId).find((each) => each.output === output);
      return { output, undelivered: waiting?.undelivered ?? 0, oldestAt: waiting?.oldestAt ?? null };
    });
    // A process that has just taken it over may still be listed as waiting.
    const isHolder = ({ host, pid, since }: HeldLock): boolean =>
      host === holder?.host && pid === holder.pid && since === holder.since;
    const standby = waitsFor(lock).filter((wait) => !isHolder(wait));
    const hasDied = holder === undefined && locks.has(lock);
    const found = { ...watch, holder, standby, hasDied, outputs: owed };
    return [Object.assign(found, { state: findState(found, watch.state, asked) })];
  });
}

const rank = { ok: 0, none: 1, standby: 2, outage: 3, stopped: 4 };
const byTrouble = (a: WatchFound, b: WatchFound): number =>
  rank[b.state] - rank[a.state] || (a.polledAt ?? 0) - (b.polledAt ?? 0);

/**
 * Picks the watch that counts among several with one name and consumer: a branch has another identity once its key changes, and a rehearsal
 * with the mock may have the name of a real branch. Those whose key is known come first, then what polled last.
 */
function pickWatches(named: readonly WatchFound[], { names }: Asked): WatchFound[] {
  if (named.length < 2) return [...named];
  const sorted = named.toSorted(
    (a, b) =>
      Number(names.has(b.branch)) - Number(names.has(a.branch)) || (b.polledAt ?? 0) - (a.polledAt ?? 0),
  );
  const picked = new Map(sorted.toReversed().map((watch) => [watch.consumer, watch]));
  return [...picked.values()].sort(byTrouble);
}

function toPush({ pending, report: text, push_id, at, action, file }: LastPush): Omit<PushFound, "ageMs"> {
  const report = text === null ? {} : (JSON.parse(text) as Record<string, unknown>);
  const { accepted = null, rejected, rejected_left_out: more = 0, outcome } = report;
  return {
    push_id,
    at,
    action,
    file,
    // A push that was refused completely would be refused again.
    isPending: pending === 1 && outcome !== "refused",
    accepted: accepted as number | null,
    rejected: Array.isArray(rejected) ? rejected.length + Number(more) : null,
  };
}

const toIsoTime = (at: number | null | undefined): string | null => (at == null ? null : isoWithOffset(at));

function reportWatch(watch: WatchFound | undefined, now: number): BranchReport["watch"] {
  const polledAt = watch?.polledAt ?? null;
  return {
    state: watch?.state ?? "none",
    machine: watch?.holder?.host ?? null,
    pid: watch?.holder?.pid ?? null,
    since: toIsoTime(watch?.holder?.since),
    last_poll_at: toIsoTime(polledAt),
    age_s: polledAt === null ? null : wholeSeconds(now - polledAt),
    standby: (watch?.standby ?? []).map(({ host, pid, since }) => ({
      machine: host,
      pid,
      since: isoWithOffset(since),
    })),
    behind: watch === undefined ? null : reportBehind(watch),
  };
}

/** Returns the throttling of a watch that runs; that of an earlier process does not count. */
const reportBehind = ({ holder, behindSince, intervalMs, everyMs }: WatchFound) =>
  holder === undefined || behindSince === null
    ? null
    : {
        since: isoWithOffset(behindSince),
        interval_s: wholeSeconds(intervalMs ?? 0),
        every_s: wholeSeconds(everyMs ?? 0),
      };

function reportOutputs(watches: readonly WatchFound[]): BranchReport["outputs"] {
  const sorted = watches.toSorted((a, b) => a.consumer.localeCompare(b.consumer));
  return sorted.flatMap(({ outputs, consumer }) =>
    outputs.map(({ output, undelivered, oldestAt }) => ({
      output: watches.length > 1 ? `${output} ${consumer}` : output,
      undelivered,
      oldest_at: toIsoTime(oldestAt),
    })),
  );
}

/** All that the journal has of one branch. */
type BranchFound = {
  readonly [K in "sends" | "pushes" | "replies"]: readonly Readings[K][number][];
} & {
  watches: WatchFound[];
  locks: readonly Lock[];
};

/** Returns the send that a process waits to continue; it has its own lock, so that other sends of the branch continue. */
const awaitedBy = ({ work, consumer }: Lock): string | undefined => (work === "send" ? consumer : undefined);

function toBranch(
  branch: string,
  found: BranchFound,
  { now, maxAgeMs, kill, isMock, aheadMs }: Asked,
  isProfile: boolean,
): BranchStatus {
  const { watches, locks, replies } = found;
  const sends = found.sends.filter((each) => each.remaining > 0);
  const unfinished_sends = sends.map(({ branch: _, ...send }) => send);
  const [newest] = found.pushes.toSorted((a, b) => b.at - a.at);
  const push = newest && { ...toPush(newest), ageMs: now - (aheadMs.get(newest.branch) ?? 0) - newest.at };
  const waiting = replies.reduce((sum, each) => sum + each.replies, 0);

  const problems = findProblems({
    now,
    maxAgeMs,
    kill,
    watches,
    unfinished_sends,
    push,
    replies: { waiting, oldestAt: Math.min(...replies.map(({ oldestAt }) => oldestAt)) },
    works: new Set(locks.flatMap((lock) => (awaitedBy(lock) === undefined ? [lock.work] : []))),
    awaited: new Set(locks.flatMap((lock) => awaitedBy(lock) ?? [])),
    scope: () => [...(isMock ? ["--mock"] : []), ...(isProfile ? ["-p", shellWord(branch)] : [])],
  });
  const last_push = push
    ? { push_id: push.push_id, at: isoWithOffset(push.at), accepted: push.accepted, rejected: push.rejected }
    : null;
  const outputs = reportOutputs(watches);
  const watch = reportWatch(watches[0], now);
  return {
    problems,
    pushAgeMs: push?.ageMs,
    report: {
      branch,
      watch,
      outputs,
      unfinished_sends,
      last_push,
      waiting_replies: waiting,
    },
  };
}

/** Reads the status of all branches that the journal knows, and of the profiles that nobody watches. */
export async function readStatus(journal: Journal, asked: Asked): Promise<Status> {
  const { names, profiles, current, only } = asked;
  const found = await readJournal(journal);
  const said = new Map(found.watches.map(({ branch, name }) => [branch, name]));
  const nameOf = (id: string | null): string =>
    id === null ? current : (names.get(id) ?? said.get(id) ?? id.slice(0, 8));

  const watches = listWatches(found, asked);
  const ids = [...watches, ...found.sends, ...found.pushes, ...found.replies].map(({ branch }) =>
    nameOf(branch),
  );
  const all = [...new Set([...profiles, ...ids])].sort(new Intl.Collator().compare);
  const watchesOf = grouped(watches, (watch) => names.get(watch.branch) ?? watch.name);
  const picked = all
    .filter((name) => only === undefined || name === only)
    .map((name) => ({ name, watches: pickWatches(watchesOf(name), asked) }));
  const known = new Set(profiles);
  const here = <T extends { branch: string | null }>(list: readonly T[]) =>
    grouped(list, ({ branch }) => nameOf(branch));
  const locksOf = grouped([...found.held.keys()].map(lockNamed), ({ branch }) =>
    branch === "all" ? branch : nameOf(branch),
  );
  const [sends, pushes, replies] = [here(found.sends), here(found.pushes), here(found.replies)];
  const foundOf = (name: string) => ({
    sends: sends(name),
    pushes: pushes(name),
    replies: replies(name),
  });
  const isLate = picked.some((each) => each.watches.some((watch) => isOld(watch, asked)));
  return {
    branches: picked.map(({ name, watches }) => {
      const locks = [...locksOf("all"), ...locksOf(name)];
      return toBranch(name, { ...foundOf(name), watches, locks }, asked, known.has(name));
    }),
    isLate: asked.maxAgeMs !== undefined && isLate,
  };
}
