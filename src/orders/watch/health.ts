import { setImmediate as turn } from "node:timers/promises";
import type { BranchHealth, BranchState, OutputHealth } from "../../cli/health/branch-health.ts";
import type { Journal } from "../../journal/journal.ts";
import type { NotedWatch } from "../../journal/watches.ts";
import type { System } from "../../system.ts";

/** How old what the journal says of a last poll may be. */
const noteMs = 10_000;

interface HealthOptions {
  clock: Pick<System["clock"], "now">;
  /** While the journal cannot be reached. */
  isJournalAway: () => boolean;
  /** Gets each failure of the journal that this meets. */
  journalFailed: () => void;
}

/** How each branch of this process fares, also in the journal, for `bpos status`. */
export class Health {
  readonly branches = new Map<string, BranchHealth>();
  readonly #options: HealthOptions;
  #journal: Journal | undefined;
  readonly #unwritten = new Set<string>();
  #isUrgent = false;
  #wroteAt = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  /** A branch that this process is to watch, or watches from now on. */
  begin(branch: string, state: BranchState = "ok"): BranchHealth {
    const known = this.branches.get(branch);
    // It may be opened again before its outage ends.
    if (known !== undefined && known.state !== "standby" && state === "ok") return known;

    const now = this.#options.clock.now();
    const outputs = known?.outputs ?? new Map<string, OutputHealth>();
    const begun = { state, since: now, from: now, polledAt: null, watchId: undefined, outputs };
    this.branches.set(branch, begun);
    return begun;
  }

  /** Its state is kept in that row from here on. */
  opened(branch: string, { journal, watchId }: { journal: Journal; watchId: number }): void {
    this.#journal = journal;
    this.begin(branch).watchId = watchId;
    this.#noteSoon(branch);
  }

  /** Since when a branch has got no answer, epoch milliseconds; undefined where it has. */
  outageSince(branch: string): number | undefined {
    const known = this.branches.get(branch);
    return known?.state === "outage" ? known.since : undefined;
  }

  polled(branch: string): void {
    const known = this.begin(branch);
    const now = this.#options.clock.now();
    const isNews = known.polledAt === null || known.state !== "ok";
    known.polledAt = now;
    if (isNews) return this.enter(branch, "ok");

    this.#unwritten.add(branch);
    const dueInMs = noteMs - Math.abs(now - this.#wroteAt);
    if (dueInMs <= 0) this.#noteSoon(branch);
    // Not of the clock: what waits here keeps nothing from ending.
    else this.#timer ??= setTimeout(() => this.#noteSoon(branch), dueInMs).unref();
  }

  /** @param isOurs false where another process keeps the row now. */
  enter(branch: string, state: BranchState, isOurs = true): void {
    const known = this.begin(branch);
    if (known.state !== state) Object.assign(known, { state, since: this.#options.clock.now() });
    if (isOurs) return this.#noteSoon(branch);
    known.watchId = undefined;
    this.#unwritten.delete(branch);
  }

  /** Ends when what is known is written, or cannot be. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#unwritten.size > 0) this.#isUrgent = true;
    await this.#write();
  }

  #noteSoon(branch: string): void {
    this.#unwritten.add(branch);
    this.#isUrgent = true;
    void this.#write();
  }

  #write(): Promise<void> {
    return (this.#writing ??= this.#writeUrgent().finally(() => (this.#writing = undefined)));
  }

  /** What changes at once is one step. A journal that is away gets it with what comes after. */
  async #writeUrgent(): Promise<void> {
    await turn();
    while (this.#isUrgent && !this.#options.isJournalAway()) {
      this.#isUrgent = false;
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#wroteAt = this.#options.clock.now();
      const names = [...this.#unwritten];
      this.#unwritten.clear();
      try {
        await this.#journal?.watches.noteAll(names.flatMap((name) => this.#toNote(name)));
      } catch {
        for (const name of names) this.#unwritten.add(name);
        this.#options.journalFailed();
        return;
      }
    }
  }

  #toNote(name: string): NotedWatch[] {
    const { state, watchId, since, polledAt } = this.branches.get(name) ?? {};
    if (watchId === undefined || state === undefined || state === "standby") return [];
    return [{ watchId, name, state, since: since ?? 0, polledAt: polledAt ?? null }];
  }
}
