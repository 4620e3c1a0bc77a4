import type { Journal } from "../../journal/journal.ts";
import { lockName, lockNamed } from "../../journal/locks.ts";
import type { LastPush } from "../../journal/upkeep.ts";
import type { KeptWatch } from "../../journal/watches.ts";
import { findProblems, isOld } from "./problems.ts";
import type { BranchStatus, OutputStatus, PushStatus, WatchStatus } from "./report.ts";

const defaultConsumer = "default";

export interface Status {
  branches: BranchStatus[];
  /** Whether a branch that was ever watched has had no complete poll for longer than --max-age. */
  isLate: boolean;
}

export interface Asked {
  now: number;
  maxAgeMs: number | undefined;
  /** Behind the commands that mend what is not well: `--mock`, where the embedded mock is meant. */
  isMock: boolean;
  /** The profile file's, and the name of each branch whose key is known. */
  profiles: readonly string[];
  names: ReadonlyMap<string, string>;
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
    held: (await journal.held()).map(({ name, ...holder }) => ({ lock: lockNamed(name), ...holder })),
    locks: await upkeep.locks(),
    watches: await watches.all(),
    outputs: await watches.outputs(),
    undelivered: await watches.undelivered(),
    sending: await upkeep.sendingBranches(),
    sends: await upkeep.unfinishedSends(),
    pushes: await upkeep.lastPushes(),
    replies: await upkeep.waitingReplies(),
  };
}

const isOf =
  ({ branch, consumer }: Pick<KeptWatch, "branch" | "consumer">) =>
  ({ lock }: Readings["held"][number]): boolean =>
    lock.work === "watch" && lock.branch === branch && (lock.consumer ?? defaultConsumer) === consumer;

/** The watches that said how they fare, and those that hold a lock and said nothing yet. One whose outputs all were given up is none any more. */
function listWatches({ watches, outputs, held }: Readings, nameOf: (id: string) => string): KeptWatch[] {
  const wanted = new Set(outputs.map(({ watchId }) => watchId));
  const silent = held.filter(
    (each) => each.lock.work === "watch" && !watches.some((watch) => isOf(watch)(each)),
  );
  const begun = silent.map(({ lock: { branch, consumer = defaultConsumer }, since }): KeptWatch => {
    const said = { name: nameOf(branch), state: "ok", since, polledAt: null } as const;
    return { watchId: -1, branch, consumer, ...said };
  });
  return [...watches.filter((watch) => wanted.has(watch.watchId) || held.some(isOf(watch))), ...begun];
}

/**
 * Of several watches with one name and consumer the one that counts: a branch has another identity once its key is another one, and a rehearsal
 * with the mock may have the name of a real branch. Those whose key is known come first, then what polled last.
 */
function pickWatches(
  all: readonly KeptWatch[],
  { names }: Asked,
  nameOf: (id: string) => string,
): Map<string, KeptWatch[]> {
  const byRank = (a: KeptWatch, b: KeptWatch): number =>
    Number(names.has(b.branch)) - Number(names.has(a.branch)) || (b.polledAt ?? 0) - (a.polledAt ?? 0);
  const picked = new Map<string, KeptWatch[]>();
  for (const watch of all.toSorted(byRank)) {
    const name = nameOf(watch.branch);
    const of = picked.get(name) ?? [];
    if (!of.some(({ consumer }) => consumer === watch.consumer)) picked.set(name, [...of, watch]);
  }
  return picked;
}

function toWatch(watch: KeptWatch, { held, locks }: Readings): WatchStatus {
  const { branch, consumer, polledAt, since } = watch;
  const holder = held.find(isOf(watch)) ?? null;
  const gone = watch.state === "stopped" ? "stopped" : "none";
  return {
    consumer,
    polledAt,
    stateSince: since,
    state: holder === null ? gone : watch.state,
    hasDied: holder === null && locks.includes(lockName({ work: "watch", branch, consumer })),
    process: holder && { pid: holder.pid, host: holder.host, since: holder.since },
  };
}

function listOutputs(watches: readonly KeptWatch[], { outputs, undelivered }: Readings): OutputStatus[] {
  const sorted = watches.toSorted((a, b) => a.consumer.localeCompare(b.consumer));
  return sorted.flatMap(({ watchId, consumer }) => {
    const owed = undelivered.filter((each) => each.watchId === watchId);
    const names = outputs.filter((each) => each.watchId === watchId).map(({ output }) => output);
    return [...new Set([...names, ...owed.map(({ output }) => output)])].sort().map((output) => {
      const waiting = owed.find((each) => each.output === output);
      return {
        output,
        consumer,
        undelivered: waiting?.undelivered ?? 0,
        oldestAt: waiting?.oldestAt ?? null,
      };
    });
  });
}

function toPush({ pending, report: text, push_id, at, action, file }: LastPush): PushStatus {
  const report = text === null ? {} : (JSON.parse(text) as Record<string, unknown>);
  const { accepted = null, rejected, rejected_left_out: more } = report;
  // What was refused as a whole would be refused again.
  const isPending = pending === 1 && report["outcome"] !== "refused";
  return {
    push_id,
    at,
    action,
    file,
    isPending,
    accepted: accepted as number | null,
    rejected: Array.isArray(rejected) ? rejected.length + Number(more ?? 0) : null,
  };
}

const rank = { ok: 0, none: 1, outage: 2, stopped: 3 };
const byTrouble = (a: WatchStatus, b: WatchStatus): number =>
  rank[b.state] - rank[a.state] || (a.polledAt ?? 0) - (b.polledAt ?? 0);

function toBranch(
  branch: string,
  found: Readings,
  kept: readonly KeptWatch[],
  { asked, nameOf }: { asked: Asked; nameOf: (id: string) => string },
): Omit<BranchStatus, "problems"> {
  const isHere = (id: string | null): boolean => (id === null ? asked.current : nameOf(id)) === branch;
  const pushes = found.pushes.filter((push) => isHere(push.branch));
  const newest = pushes.toSorted((a, b) => b.at - a.at)[0];
  const replies = found.replies.filter((each) => isHere(each.branch));
  const works = found.held.filter(({ lock }) => lock.branch === "all" || isHere(lock.branch));
  return {
    branch,
    isProfile: asked.profiles.includes(branch),
    watches: kept.map((watch) => toWatch(watch, found)).sort(byTrouble),
    outputs: listOutputs(kept, found),
    unfinishedSends: found.sends.flatMap(({ branch: id, ...send }) => (isHere(id) ? [send] : [])),
    lastPush: newest === undefined ? null : toPush(newest),
    replies: {
      waiting: replies.reduce((sum, each) => sum + each.replies, 0),
      oldestAt: Math.min(...replies.map(({ oldestAt }) => oldestAt)),
    },
    locks: new Set(works.map(({ lock }) => lock.work)),
  };
}

/** How all branches fare that the journal knows, and the profiles that nobody watches. */
export async function readStatus(journal: Journal, asked: Asked): Promise<Status> {
  const { names, profiles, current, only } = asked;
  const found = await readJournal(journal);
  const said = new Map(found.watches.map(({ branch, name }) => [branch, name]));
  const nameOf = (id: string): string => names.get(id) ?? said.get(id) ?? id.slice(0, 8);

  const watches = pickWatches(listWatches(found, nameOf), asked, nameOf);
  const others = [...found.sending, ...found.pushes.map(({ branch }) => branch)].map(nameOf);
  const known = new Set([...profiles, ...watches.keys(), ...others]);
  // Replies that name no send of this journal.
  const strays = found.replies.some(({ branch }) => branch === null) ? [current] : [];
  const all = [...new Set([...known, ...strays])].sort((a, b) => a.localeCompare(b));
  const branches = all
    .filter((name) => only === undefined || name === only)
    .map((name): BranchStatus => {
      const branch = toBranch(name, found, watches.get(name) ?? [], { asked, nameOf });
      return { ...branch, problems: findProblems(branch, asked) };
    });
  const isLate = branches.some((branch) => branch.watches.some((watch) => isOld(watch, asked)));
  return { branches, isLate: asked.maxAgeMs !== undefined && isLate };
}
