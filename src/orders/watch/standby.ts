import { isoWithOffset } from "../../contract/limits.ts";
import type { JournalOutage } from "../../delivery/outage.ts";
import { isReason } from "../../errors.ts";
import { isJournalAway } from "../../journal/engine.ts";
import type { Journal } from "../../journal/journal.ts";
import { type Lock, lockName } from "../../journal/locks.ts";
import type { System } from "../../system.ts";

/** An expired lock must be taken within a second. */
const lookMs = 500;
/** At the start, for each branch that is taken: two machines that start within seconds share the branches. */
const sharingMs = 20;

/** A line of `orders watch --standby -o ndjson`. */
export type StandbyEvent = {
  event: "watch.standby" | "watch.active";
  at: string;
  branch: string;
  holder?: string;
};

/** Who watches what: the branches of this process, and how many each other process has, the most first. */
export interface Shares {
  here: readonly string[];
  there: readonly { holder: string; branches: readonly string[] }[];
}

/** The process that has a branch; without `pid` it is not known which. */
type Holder = { pid: number | null; host?: string };

interface Waiting {
  journal: Pick<Journal, "held" | "under" | "standBy">;
  lock: Lock;
  resolve: (journal: Journal | undefined) => void;
  reject: (error: unknown) => void;
}

interface StandbyOptions {
  system: Pick<System, "clock" | "host">;
  outage: JournalOutage;
  emit: (event: StandbyEvent) => void;
  tell: (shares: Shares) => Promise<void>;
  signal: AbortSignal;
}

/** The branches of a watch that stands by: it waits for those that others watch, and takes over what they leave. */
export class Standby {
  readonly #options: StandbyOptions;
  readonly #here = new Set<string>();
  /** The branches that this process does not watch, with the process that does; undefined if none does at the moment. */
  readonly #holders = new Map<string, string | undefined>();
  readonly #waiting = new Map<string, Waiting>();
  #isLooking = false;
  #isNews = false;
  /** The branches of which the journal says that this process stands by for them. */
  #noted = "[]";

  constructor(options: StandbyOptions) {
    this.#options = options;
  }

  /** The journal under the lock of a branch, as soon as nobody else holds it; undefined if the run ends first. */
  wait(branch: string, journal: Waiting["journal"], lock: Lock): Promise<Journal | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(branch, { journal, lock, resolve, reject });
      void this.#look();
    });
  }

  /** Records that another process watches a branch. */
  standBy(branch: string, { pid, host = this.#options.system.host }: Holder): void {
    const holder = pid === null ? undefined : `${host}:${pid}`;
    if (this.#holders.has(branch) && this.#holders.get(branch) === holder) return;
    this.#here.delete(branch);
    this.#holders.set(branch, holder);
    if (holder !== undefined) this.#emit("watch.standby", branch, holder);
  }

  /** Records that this process stopped watching a branch. */
  leave(branch: string): void {
    this.#here.delete(branch);
  }

  async #tellShares(): Promise<void> {
    if (!this.#isNews) return;
    this.#isNews = false;

    const there = new Map<string, string[]>();
    for (const [branch, holder] of this.#holders)
      if (holder !== undefined) there.set(holder, [...(there.get(holder) ?? []), branch]);
    const others = [...there].map(([holder, branches]) => ({ holder, branches }));
    const sorted = others.sort((a, b) => b.branches.length - a.branches.length);
    await this.#options.tell({ here: [...this.#here], there: sorted });
  }

  #noteTaken(branch: string): void {
    this.#holders.delete(branch);
    this.#here.add(branch);
    this.#emit("watch.active", branch);
  }

  #emit(event: StandbyEvent["event"], branch: string, holder?: string): void {
    this.#isNews = true;
    const at = isoWithOffset(this.#options.system.clock.now());
    this.#options.emit({ event, at, branch, ...(holder !== undefined && { holder }) });
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { system, signal } = this.#options;
    for (let isFirst = this.#here.size === 0; this.#waiting.size > 0; isFirst = false) {
      await system.clock.sleep(isFirst ? 0 : lookMs, signal);
      const [first] = this.#waiting.values();
      if (!signal.aborted) await this.#takeFree(isFirst ? sharingMs : 0);
      if (!signal.aborted && first !== undefined) await this.#note(first.journal);
      if (signal.aborted) for (const branch of this.#waiting.keys()) this.#end(branch)?.resolve(undefined);
      await this.#tellShares();
    }
    this.#isLooking = false;
  }

  /** For `bpos status`. What cannot be written is tried again after the next look. */
  async #note(journal: Waiting["journal"]): Promise<void> {
    const waits = [...this.#waiting].filter(([branch]) => this.#holders.has(branch));
    const noted = JSON.stringify(waits.map(([branch]) => branch));
    if (noted === this.#noted) return;
    try {
      await journal.standBy(waits.map(([, { lock }]) => lock));
      this.#noted = noted;
    } catch {
      // Its end, or what else it needs the journal for, tells.
    }
  }

  /** Reads all locks in one query; takes free ones one by one, so that two processes that look at the same time share them. */
  async #takeFree(pauseMs: number): Promise<void> {
    const all = [...this.#waiting];
    const [first] = all;
    if (first === undefined) return;

    const { system, outage, signal } = this.#options;
    const [, { journal }] = first;
    const ask = () => journal.held();
    try {
      const held = new Map((await ask()).map((each) => [each.name, each]));
      // All branches of a dead process are taken before the first poll of any: polling one would delay the next.
      const takes: Promise<unknown>[] = [];
      for (const [branch, { lock }] of all) {
        const holder = held.get(lockName(lock));
        if (signal.aborted) return;
        if (holder !== undefined) this.standBy(branch, holder);
        else if (pauseMs === 0) takes.push(this.#take(branch));
        else if (await this.#take(branch)) await system.clock.sleep(pauseMs, signal);
      }

      const failed = (await Promise.allSettled(takes)).find((end) => end.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    } catch (error) {
      if (isJournalAway(error)) await outage.wait(error, ask, signal);
      else for (const [branch] of all) this.#end(branch)?.reject(error);
    }
  }

  /** Returns false if another process was faster. Throws if the journal cannot be reached. */
  async #take(branch: string): Promise<boolean> {
    const waiting = this.#waiting.get(branch);
    if (waiting === undefined) return false;
    try {
      const journal = await waiting.journal.under(waiting.lock, { atOnce: true });
      this.#noteTaken(branch);
      this.#end(branch)?.resolve(journal);
      return true;
    } catch (error) {
      if (isReason(error, "locked")) this.standBy(branch, error.facts);
      else if (isJournalAway(error)) throw error;
      else this.#end(branch)?.reject(error);
      return false;
    }
  }

  #end(branch: string): Waiting | undefined {
    const waiting = this.#waiting.get(branch);
    this.#waiting.delete(branch);
    return waiting;
  }
}
