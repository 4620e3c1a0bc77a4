import { setImmediate as turn } from "node:timers/promises";
import type { Journal } from "../../../journal/journal.ts";
import type { NotedWatch, Slowed, Undelivered } from "../../../journal/records/watches.ts";
import type { System } from "../../../system.ts";
import { type EventRow, type WatchNotice, watchEvents } from "../events.ts";
import type { Metrics } from "./metrics.ts";
import type { OutageAlarm } from "./outage-alarm.ts";
import type { Ping } from "./ping.ts";
import type { BranchHealth, BranchState, OutputHealth } from "./report.ts";

/** The journal learns of a complete poll at most this much later. */
const noteMs = 10_000;

const nothingSeen: OutputHealth = { failingSince: null, deliveredAt: null };

interface HealthOptions {
  clock: Pick<System["clock"], "now" | "later">;
  /** For `/metrics`, if the flags ask for it. */
  metrics?: Metrics | undefined;
  /** While the journal cannot be reached. */
  isJournalAway: () => boolean;
  /** Whether a branch is polled less often than it should be. */
  slowed: (branch: string) => Slowed | undefined;
}

/** Who else hears of it, if the flags ask for that. */
interface Listeners {
  ping?: Ping | undefined;
  alarms: OutageAlarm[];
  /** Ends them. */
  closing: (() => Promise<void>)[];
}

/** A branch that is watched from now on. */
interface Opening {
  journal: Journal;
  outputs: readonly string[];
}

/** The state of each branch of this process; keeps it in the journal too, for `bpos status`. */
export class Health {
  readonly branches = new Map<string, BranchHealth>();
  readonly listeners: Listeners = { alarms: [], closing: [] };
  readonly #options: HealthOptions;
  #journal: Journal | undefined;
  readonly #unwritten = new Set<string>();
  /** The branches that have an outage because the journal has one. */
  #lost: readonly string[] = [];
  #isUrgent = false;
  #wroteAt = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> | undefined;
  #noLater: (() => void) | undefined;

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  get metrics(): Metrics | undefined {
    return this.#options.metrics;
  }

  /** Begins with a branch that this process is to watch, or watches from now on; returns its state. */
  begin(branch: string, state: BranchState = "ok"): BranchHealth {
    const now = this.#options.clock.now();
    const begun: BranchHealth = {
      state,
      since: now,
      from: now,
      polledAt: null,
      slowed: undefined,
      watchId: undefined,
      outputs: this.branches.get(branch)?.outputs ?? new Map<string, never>(),
    };
    this.branches.set(branch, begun);
    return begun;
  }

  /** Notes that a branch is watched from now on; it may be opened again before its outage ends. */
  open(branch: string, { journal, outputs }: Opening): void {
    this.#journal = journal;
    const isNew = this.#find(branch).state === "standby";
    this.#options.metrics?.opened(branch, outputs);
    const known = isNew ? this.begin(branch) : this.#find(branch);
    for (const name of outputs) if (!known.outputs.has(name)) known.outputs.set(name, { ...nothingSeen });
  }

  /** Returns the deliveries that the outputs have not received yet. Throws while the journal cannot be reached. */
  askOwed(): Promise<readonly Undelivered[]> {
    if (this.#options.isJournalAway()) return Promise.reject(new Error("the journal is unavailable"));
    return this.#journal?.watches.undelivered() ?? Promise.resolve([]);
  }

  /** Renders the metrics once: the first time takes twice as long for hundreds of branches. */
  async warmUp(): Promise<void> {
    await this.#options.metrics?.text({ branches: this.branches, owed: [] });
  }

  /** Notes an event of a branch; the table of events says what it means for health. */
  hear(branch: string, notice: WatchNotice): void {
    const row: EventRow = watchEvents[notice.event];
    this.#options.metrics?.count(branch, notice);
    if (notice.event === "opened") this.#opened(branch, notice.watchId);
    if (row.state === "ok") this.#polled(branch);
    if (row.state === "outage" && "since" in notice) this.#hearOutage(branch, notice.since);
    if (row.output !== undefined && "output" in notice) this.#noteOutput(branch, notice.output, row.output);
    if (row.pings === true) this.listeners.ping?.reached(branch);
  }

  /** Returns since when a branch has got no answer, in epoch milliseconds; undefined if it gets answers. */
  outageSince(branch: string): number | undefined {
    const known = this.branches.get(branch);
    return known?.state === "outage" ? known.since : undefined;
  }

  /** The journal became unreachable. Returns the branches whose outage that is: those that had none. */
  loseJournal(): readonly string[] {
    this.#lost = this.#listIn("ok");
    for (const branch of this.#lost) this.#hearOutage(branch, this.#options.clock.now());
    return this.#lost;
  }

  /** The journal is back. Returns the branches whose outage that ends. */
  regainJournal(): readonly string[] {
    const back = this.#listIn("outage").filter((branch) => this.#lost.includes(branch));
    for (const branch of back) this.enter(branch, "ok");
    return back;
  }

  #listIn(wanted: BranchState): string[] {
    return [...this.branches].flatMap(([branch, { state }]) => (state === wanted ? [branch] : []));
  }

  #find(branch: string): BranchHealth {
    return this.branches.get(branch) ?? this.begin(branch);
  }

  #noteOutput(branch: string, output: string, does: NonNullable<EventRow["output"]>): void {
    const { outputs } = this.#find(branch);
    const now = this.#options.clock.now();
    const seen = outputs.get(output) ?? { ...nothingSeen };
    outputs.set(output, seen);
    if (does === "failing") seen.failingSince ??= now;
    else if (does === "works") seen.failingSince = null;
    else seen.deliveredAt = now;
  }

  #opened(branch: string, watchId: number): void {
    const known = this.#find(branch);
    known.watchId = watchId;
    // Its deliveries begin anew: they report what still fails, not what works.
    for (const output of known.outputs.values()) output.failingSince = null;
    this.#noteSoon(branch);
  }

  #polled(branch: string): void {
    const known = this.#find(branch);
    const now = this.#options.clock.now();
    const isNews = known.polledAt === null || known.state !== "ok";
    known.polledAt = now;
    known.slowed = this.#options.slowed(branch);
    // While the journal is unavailable, nothing that was read can be kept.
    if (isNews && !this.#options.isJournalAway()) {
      this.enter(branch, "ok");
      return;
    }

    this.#noteLater(branch);
  }

  /** Notes at once, and not with its next poll, how often each branch is polled. */
  noteSlowed(): void {
    for (const [branch, known] of this.branches) {
      if (known.state === "standby") continue;
      known.slowed = this.#options.slowed(branch);
      this.#noteLater(branch);
    }
  }

  #noteLater(branch: string): void {
    this.#unwritten.add(branch);
    const dueInMs = noteMs - Math.abs(this.#options.clock.now() - this.#wroteAt);
    if (dueInMs <= 0) this.#noteSoon(branch);
    // This timer does not keep the process alive.
    else this.#noLater ??= this.#options.clock.later(dueInMs, () => this.#noteSoon(branch));
  }

  /** @param isOurs false where another process keeps the row now. */
  enter(branch: string, state: BranchState, isOurs = true): void {
    const known = this.#find(branch);
    if (known.state !== state) Object.assign(known, { state, since: this.#options.clock.now() });
    for (const alarm of this.listeners.alarms)
      if (state === "stopped") alarm.drop(branch);
      // The process that watches it reports its own outage.
      else if (state !== "outage") alarm.recovered(branch);
    if (isOurs) this.#noteSoon(branch);
    else {
      known.watchId = undefined;
      this.#unwritten.delete(branch);
    }
  }

  /**
   * Ends the listeners, and waits only for the write under way: a hanging database must not delay the end by
   * another poll.
   */
  async close(): Promise<void> {
    await Promise.all(this.listeners.closing.map((close) => close()));
    this.#noLater?.();
    for (const alarm of this.listeners.alarms) alarm.close();
    await this.#writing;
  }

  #hearOutage(branch: string, since: number): void {
    const known = this.#find(branch);
    if (known.state !== "outage") {
      this.enter(branch, "outage");
      known.since = since;
    }
    for (const alarm of this.listeners.alarms) alarm.lasts(branch, known.since);
  }

  #noteSoon(branch: string): void {
    this.#unwritten.add(branch);
    this.#isUrgent = true;
    void this.#write();
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeUrgent().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  /** Writes all changes of one moment in one step. While the journal is unavailable they wait for the next change. */
  async #writeUrgent(): Promise<void> {
    await turn();
    while (this.#isUrgent && !this.#options.isJournalAway()) {
      this.#isUrgent = false;
      this.#noLater?.();
      this.#noLater = undefined;
      this.#wroteAt = this.#options.clock.now();
      const names = [...this.#unwritten];
      this.#unwritten.clear();
      try {
        await this.#journal?.watches.noteAll(names.flatMap((name) => this.#toNote(name)));
      } catch {
        for (const name of names) this.#unwritten.add(name);
        this.#options.metrics?.journalFailed();
        return;
      }
    }
  }

  #toNote(name: string): NotedWatch[] {
    const { state, watchId, since, polledAt, slowed } = this.branches.get(name) ?? {};
    if (watchId === undefined || state === undefined || state === "standby") return [];
    return [{ watchId, name, state, since: since ?? 0, polledAt: polledAt ?? null, slowed }];
  }
}
