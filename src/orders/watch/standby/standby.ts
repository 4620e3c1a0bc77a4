import { createHash } from "node:crypto";
import type { JournalOutage } from "../../../delivery/outage.ts";
import { isJournalAway } from "../../../journal/engine/engine.ts";
import type { Journal, Transaction } from "../../../journal/journal.ts";
import { type HeldLock, type Lock, lockName, type Sharer } from "../../../journal/locks/locks.ts";
import type { WatchProgress } from "../../../journal/records/orders.ts";
import type { System } from "../../../system.ts";
import { byName, cut, fairShare, shuffled } from "./shares.ts";

/** An expired lock must be taken within a second. */
const lookMs = 500;
/** From this number of branches on, processes that start within seconds count each other before any takes its share. */
const sharedFrom = 20;
/** The maximum of branches taken in one transaction, or asked for in one pass. */
const atOnce = 500;
/** For this long a released branch is left to processes with fewer branches. */
const leftMs = 4_000;

/** The branches of this process, and how many each other process has, the most first. */
export interface Shares {
  here: readonly string[];
  there: readonly { holder: string; branches: readonly string[] }[];
}

/** A branch that this process took: from nobody, from a dead process, or from one that still watches others. */
export interface Taken {
  journal: Journal;
  from: "nobody" | "gone" | "other";
  progress: WatchProgress | undefined;
}

/** The process that holds a branch; unknown without `pid`. */
type Holder = { pid: number | null; host?: string };

type SharedJournal = Pick<Journal, "holder" | "held" | "share" | "underFree" | "standBy">;

interface Waiting {
  lock: Lock;
  /** The name of the lock. */
  name: string;
  resolve: (taken: Taken | undefined) => void;
  reject: (error: unknown) => void;
}

interface Here extends Pick<Waiting, "lock" | "name"> {
  /** Aborted when the branch should go to another process. */
  leaving: AbortController;
}

interface StandbyOptions {
  system: Pick<System, "clock" | "host" | "random">;
  outage: JournalOutage;
  /** Called when another process watches a branch, or this one does. */
  changed: (event: "watch.standby" | "watch.active", facts: { branch: string; holder?: string }) => void;
  tell: (shares: Shares) => Promise<void>;
  signal: AbortSignal;
}

/**
 * The branches of a standby watch: it waits for those that others watch, and takes over those they release. Standby processes for the
 * same branches share them equally: a process with more releases some when another has fewer.
 */
export class Standby {
  readonly #options: StandbyOptions;
  readonly #here = new Map<string, Here>();
  /** The branches that this process does not watch, with the process that does; undefined if none does. */
  readonly #holders = new Map<string, string | undefined>();
  readonly #waiting = new Map<string, Waiting>();
  /** The branches that wait since the last pass. */
  readonly #new = new Set<string>();
  /** The branches that were asked to leave. */
  readonly #leaving = new Set<string>();
  readonly #lastHolders = new Map<string, string>();
  /** Since when nobody has held a branch, epoch milliseconds. */
  readonly #freeSince = new Map<string, number>();
  #journal: SharedJournal | undefined;
  /** The locks by their names, as of the last reading. */
  #held = new Map<string, HeldLock>();
  /** How many branches each process had then. */
  readonly #counts = new Map<string, number>();
  #sharers: readonly Sharer[] | undefined;
  /** The other processes as of the time when one did not take a released branch: nothing more is released until they change. */
  #unwanting: string | undefined;
  /** When the journal recovered: processes that watched before renew their locks within this time. */
  #backAt = Number.NEGATIVE_INFINITY;
  #isLooking = false;
  #isNews = false;
  /** Whether the shares have changed since the last report. */
  #isUnsettled = false;
  #isNoting = false;
  /** The lock names of all branches, watched here or waited for. */
  readonly #names = new Set<string>();
  #what: string | undefined;

  constructor(options: StandbyOptions) {
    this.#options = options;
  }

  /** Resolves with the journal under the lock of a branch as soon as nobody else holds it; with undefined if the run ends first. */
  wait(branch: string, journal: SharedJournal, lock: Lock): Promise<Taken | undefined> {
    this.#journal = journal;
    return new Promise((resolve, reject) => {
      const name = lockName(lock);
      if (!this.#names.has(name)) this.#what = undefined;
      this.#names.add(name);
      this.#waiting.set(branch, { lock, name, resolve, reject });
      this.#new.add(branch);
      void this.#look();
    });
  }

  /** Returns a signal that aborts when a branch watched here should go to another process. */
  leaving(branch: string): AbortSignal | undefined {
    return this.#here.get(branch)?.leaving.signal;
  }

  /** Records that another process watches a branch. */
  standBy(branch: string, { pid, host = this.#options.system.host }: Holder): void {
    const holder = pid === null ? undefined : `${host}:${pid}`;
    if (this.#holders.has(branch) && this.#holders.get(branch) === holder) return;
    this.#drop(branch);
    this.#holders.set(branch, holder);
    if (holder === undefined) return;
    this.#isNews = true;
    this.#options.changed("watch.standby", { branch, holder });
  }

  /** Records that this process stopped watching a branch and no longer waits for it. */
  leave(branch: string): void {
    this.#names.delete(this.#here.get(branch)?.name ?? "");
    this.#what = undefined;
    this.#drop(branch);
  }

  /** Records that this process released a branch to those that have fewer. */
  release(branch: string): void {
    this.#drop(branch);
    this.#holders.set(branch, undefined);
    if (this.#journal !== undefined) this.#lastHolders.set(branch, this.#journal.holder);
    this.#isNews = true;
  }

  #drop(branch: string): void {
    this.#here.delete(branch);
    this.#leaving.delete(branch);
  }

  async #tellShares(): Promise<void> {
    const there = new Map<string, string[]>();
    for (const [branch, holder] of this.#holders) {
      if (holder === undefined) continue;
      const branches = there.get(holder);
      if (branches === undefined) there.set(holder, [branch]);
      else branches.push(branch);
    }
    const others = [...there].map(([holder, branches]) => ({ holder, branches }));
    const sorted = others.sort((a, b) => b.branches.length - a.branches.length);
    await this.#options.tell({ here: [...this.#here.keys()], there: sorted });
  }

  #noteTaken(branch: string, lock: Lock): void {
    this.#holders.delete(branch);
    this.#freeSince.delete(branch);
    this.#here.set(branch, { lock, name: lockName(lock), leaving: new AbortController() });
    this.#isNews = true;
    this.#options.changed("watch.active", { branch });
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { system, signal } = this.#options;
    // Other processes can start even while this one waits for no branch.
    const goesOn = (): boolean => this.#waiting.size > 0 || this.#sharers !== undefined || this.#isUnsettled;
    for (let isFirst = true; goesOn(); isFirst = false) {
      await system.clock.sleep(isFirst ? 0 : lookMs, signal);
      if (signal.aborted) break;
      await this.#share(isFirst);
      await this.#settle();
    }
    for (const branch of this.#waiting.keys()) this.#end(branch)?.resolve(undefined);
    this.#isLooking = false;
  }

  /** Reports who watches what once branches stop changing hands. */
  async #settle(): Promise<void> {
    if (this.#isNews) this.#isUnsettled = true;
    const isMoving = this.#isNews && this.#names.size > sharedFrom;
    const isNews = this.#isUnsettled;
    this.#isNews = false;
    if (isMoving || !isNews) return;
    this.#isUnsettled = false;
    await this.#tellShares();
    // No branch waits for it.
    void this.#note();
  }

  /** Records for `bpos status` which branches wait. A failed write is retried after the next pass. */
  async #note(): Promise<void> {
    if (this.#isNoting) {
      this.#isNews = true;
      return;
    }
    this.#isNoting = true;
    const waits = [...this.#waiting].filter(([branch]) => this.#holders.get(branch) !== undefined);
    try {
      await this.#journal?.standBy(waits.map(([, { lock }]) => lock));
    } catch {
      // Its end, or another use of the journal, reports the error.
      this.#isNews = true;
    }
    this.#isNoting = false;
  }

  async #share(isFirst: boolean): Promise<void> {
    const { outage, signal } = this.#options;
    const journal = this.#journal;
    if (journal === undefined) return;
    const ask = () => journal.held();
    try {
      await this.#read(journal);
      // The next pass shows what others take meanwhile.
      const isAlone = this.#sharers === undefined || this.#waiting.size <= sharedFrom;
      if (!isFirst || isAlone) await this.#takeFree(journal);
      this.#giveAway();
    } catch (error) {
      this.#sharers &&= [];
      if (isJournalAway(error)) {
        await outage.wait(error, ask, signal);
        this.#backAt = this.#options.system.clock.now();
      } else for (const branch of this.#waiting.keys()) this.#reject(branch, error);
    }
  }

  /** Reads all locks, but only after a process started, ended, took or released something. */
  async #read(journal: SharedJournal): Promise<void> {
    const before = JSON.stringify(this.#sharers);
    const sharers = await journal.share(this.#readWhat());
    const isChanged = sharers === undefined || JSON.stringify(sharers) !== before;
    if (isChanged) this.#keepHeld(await journal.held());
    this.#sharers = sharers;

    const now = this.#options.system.clock.now();
    for (const branch of isChanged ? this.#waiting.keys() : this.#new) {
      const holder = this.#holderOf(this.#waiting.get(branch)?.name ?? "");
      if (holder !== undefined) {
        this.standBy(branch, holder);
        this.#lastHolders.set(branch, holder.holder);
        this.#freeSince.delete(branch);
      } else if (!this.#freeSince.has(branch)) this.#freeSince.set(branch, now);
    }
    this.#new.clear();
  }

  #keepHeld(all: readonly HeldLock[]): void {
    this.#held = new Map(all.map((each) => [each.name, each]));
    this.#counts.clear();
    for (const { holder, name } of all)
      if (this.#names.has(name)) this.#counts.set(holder, (this.#counts.get(holder) ?? 0) + 1);
    // After this process was suspended, others may hold its branches.
    for (const [branch, { name, leaving }] of this.#here) {
      if (this.#holderOf(name) === undefined) continue;
      this.#leaving.add(branch);
      leaving.abort();
    }
  }

  /** Returns the other process that holds a lock. The last reading may still show a lock of this process that it has released. */
  #holderOf(name: string): HeldLock | undefined {
    const held = this.#held.get(name);
    return held?.holder === this.#journal?.holder ? undefined : held;
  }

  /** Returns a name for the set of branches, the same in all processes that watch them. */
  #readWhat(): string {
    const hash = (): string =>
      createHash("sha256")
        .update([...this.#names].sort().join("\n"))
        .digest("hex");
    this.#what ??= hash().slice(0, 32);
    return this.#what;
  }

  #fairShare() {
    const what = this.#readWhat();
    const own = this.#journal?.holder;
    // In the same order in all processes.
    const sharers = (this.#sharers ?? []).filter(({ shares }) => shares === what);
    const others = sharers.filter(({ id }) => id !== own);
    const share = fairShare({
      all: this.#here.size + this.#waiting.size,
      own: this.#here.size - this.#leaving.size,
      others: others.map(({ id }) => this.#counts.get(id) ?? 0),
      before: Math.max(
        0,
        sharers.findIndex(({ id }) => id === own),
      ),
    });
    return { ...share, others: JSON.stringify(others.map(({ id }) => [id, this.#counts.get(id)])) };
  }

  /** Takes free branches up to its share, and the rest once processes with fewer have left them. */
  async #takeFree(journal: SharedJournal): Promise<void> {
    const { system, signal } = this.#options;
    const now = system.clock.now();
    if (Math.abs(now - this.#backAt) < leftMs) return;
    const free = [...this.#freeSince].filter(([branch]) => this.#waiting.has(branch));
    const { takes, skips } = this.#fairShare();
    const isLeft = ([, since]: (typeof free)[number]): boolean => Math.abs(now - since) >= leftMs;
    const others = free.filter((each) => !isLeft(each));
    // Processes that look at the same time should not want the same branches.
    const share = others.length > takes ? cut(others.sort(byName), skips, takes) : others;
    const wanted = [...free.filter(isLeft), ...share].map(([branch]) => branch);
    const alive = new Set(this.#sharers?.map(({ id }) => id));

    // All branches of a dead process are taken before the first poll of any: polling one would delay the next.
    const taken: (() => void)[] = [];
    try {
      for (let from = 0; from < wanted.length && !signal.aborted; from += atOnce)
        taken.push(...(await this.#takeSome(journal, wanted.slice(from, from + atOnce), alive)));
    } finally {
      for (const begin of taken) begin();
    }
  }

  /** Returns what begins the watch of each branch that was free. */
  async #takeSome(
    journal: SharedJournal,
    branches: readonly string[],
    alive: ReadonlySet<string>,
  ): Promise<(() => void)[]> {
    const waits = branches.flatMap((branch) => {
      const waiting = this.#waiting.get(branch);
      return waiting === undefined ? [] : [{ branch, ...waiting }];
    });
    // In the same step, so that the recorded state is current.
    const read = async (tx: Transaction, locks: readonly Lock[]) => {
      const [{ consumer = "" } = {}] = locks;
      return tx.orders.openAll(
        locks.map((lock) => lock.branch),
        consumer,
      );
    };
    const locks = waits.map(({ lock }) => lock);
    const { journals, known } = await journal.underFree(locks, read).catch((error: unknown) => {
      if (isJournalAway(error)) throw error;
      for (const { branch } of waits) this.#reject(branch, error);
      return { journals: new Map<string, Journal>(), known: undefined };
    });
    return waits.flatMap(({ branch, lock, name }) => {
      const taken = journals.get(name);
      if (taken === undefined) return [];
      // From the process that had it last, if that is known.
      const before = this.#lastHolders.get(branch);
      const from = before === undefined ? "nobody" : alive.has(before) ? "other" : "gone";
      if (before === journal.holder) this.#unwanting = this.#fairShare().others;
      this.#noteTaken(branch, lock);
      const waiting = this.#end(branch);
      return [() => waiting?.resolve({ journal: taken, from, progress: known?.get(lock.branch) })];
    });
  }

  /** Asks other processes to release branches to those with fewer. */
  #giveAway(): void {
    const { gives, others } = this.#fairShare();
    if (gives === 0 || others === this.#unwanting) return;
    const here = [...this.#here.keys()].filter((branch) => !this.#leaving.has(branch));
    const { random } = this.#options.system;
    for (const branch of shuffled(here, random).slice(0, Math.min(gives, atOnce))) {
      this.#leaving.add(branch);
      this.#here.get(branch)?.leaving.abort();
    }
  }

  /** Ends the wait for a branch with an error. */
  #reject(branch: string, error: unknown): void {
    const waiting = this.#end(branch);
    this.#names.delete(waiting?.name ?? "");
    this.#what = undefined;
    waiting?.reject(error);
  }

  #end(branch: string): Waiting | undefined {
    const waiting = this.#waiting.get(branch);
    this.#waiting.delete(branch);
    return waiting;
  }
}
