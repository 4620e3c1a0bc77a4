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
/** From this number on, those that start within seconds count each other before any takes its share. */
const sharedFrom = 20;
/** The most branches taken in one transaction, or asked to leave at one look. */
const atOnce = 500;
/** A branch is left to those that have fewer for this long. */
const leftMs = 4_000;

/** Who watches what: the branches of this process, and how many each other process has, the most first. */
export interface Shares {
  here: readonly string[];
  there: readonly { holder: string; branches: readonly string[] }[];
}

/** A branch that this process took: from nobody, from a process that is gone, or from one that goes on with others. */
export interface Taken {
  journal: Journal;
  from: "nobody" | "gone" | "other";
  progress: WatchProgress | undefined;
}

/** The process that has a branch; without `pid` it is not known which. */
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
  /** Aborted once the branch is to go to another process. */
  leaving: AbortController;
}

interface StandbyOptions {
  system: Pick<System, "clock" | "host" | "random">;
  outage: JournalOutage;
  /** Hears that another process watches a branch, or that this one does. */
  changed: (event: "watch.standby" | "watch.active", facts: { branch: string; holder?: string }) => void;
  tell: (shares: Shares) => Promise<void>;
  signal: AbortSignal;
}

/**
 * The branches of a watch that stands by: it waits for those that others watch, and takes over what they leave. Processes that stand by for the
 * same branches have an equal share each: who has more gives some up once another has less.
 */
export class Standby {
  readonly #options: StandbyOptions;
  readonly #here = new Map<string, Here>();
  /** The branches that this process does not watch, with the process that does; undefined if none does at the moment. */
  readonly #holders = new Map<string, string | undefined>();
  readonly #waiting = new Map<string, Waiting>();
  /** The branches that wait since the last look. */
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
  /** The others, as they were when one did not take what was left to them: they get no more until that changes. */
  #unwanting: string | undefined;
  /** When the journal was there again after an outage: who watched before it says so again within this time. */
  #backAt = Number.NEGATIVE_INFINITY;
  #isLooking = false;
  #isNews = false;
  /** Whether the shares have changed since they were last told. */
  #isUnsettled = false;
  #isNoting = false;
  /** The names of the locks of all branches, here and waited for. */
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

  /** Returns a signal that aborts once another process is to have a branch that this one watches. */
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

  /** Records that this process stopped watching a branch, and waits for it no more. */
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
    // Other processes may come, also while nothing is waited for.
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

  /** Tells who watches what once no more branches change hands. */
  async #settle(): Promise<void> {
    if (this.#isNews) this.#isUnsettled = true;
    const isMoving = this.#isNews && this.#names.size > sharedFrom;
    const isNews = this.#isUnsettled;
    this.#isNews = false;
    if (isMoving || !isNews) return;
    this.#isUnsettled = false;
    await this.#tellShares();
    // Nobody's branches wait for it.
    void this.#note();
  }

  /** Records for `bpos status` which branches wait. A failed write is tried again after the next look. */
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
      // Its end, or what else it needs the journal for, tells.
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
      // The next look shows what others take meanwhile.
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

  /** Reads all locks, but only when somebody came, went, took or released something. */
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
    // After a pause of the whole process others have what it took to be its own.
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
    // In one sequence for all of them.
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

  /** Takes free branches up to its share, and the rest once those that have fewer left them. */
  async #takeFree(journal: SharedJournal): Promise<void> {
    const { system, signal } = this.#options;
    const now = system.clock.now();
    if (Math.abs(now - this.#backAt) < leftMs) return;
    const free = [...this.#freeSince].filter(([branch]) => this.#waiting.has(branch));
    const { takes, skips } = this.#fairShare();
    const isLeft = ([, since]: (typeof free)[number]): boolean => Math.abs(now - since) >= leftMs;
    const others = free.filter((each) => !isLeft(each));
    // Those that look at the same time do not want the same ones.
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
    // In the same step, so that what is known is what holds from here on.
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

  /** Asks for branches to be left to those that have fewer. */
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
