import { setImmediate as turn } from "node:timers/promises";
import type { Journal } from "../../../journal/journal.ts";
import type { NotedWatch, Slowed, Undelivered } from "../../../journal/records/watches.ts";
import type { System } from "../../../system.ts";
import { type EventRow, type WatchNotice, watchEvents } from "../events.ts";
import type { Metrics } from "./metrics.ts";
import type { OutageAlarm } from "./outage-alarm.ts";
import type { Ping } from "./ping.ts";
import type { BranchHealth, BranchState, OutputHealth } from "./report.ts";

/** How old what the journal says of a last poll may be. */
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
  /** What ends them. */
  closing: (() => Promise<void>)[];
}

/** What a branch is watched with. */
interface Opening {
  journal: Journal;
  outputs: readonly string[];
}

/** How each branch of this process fares, also in the journal, for `bpos status`. */
export class Health {
  readonly branches = new Map<string, BranchHealth>();
  readonly listeners: Listeners = { alarms: [], closing: [] };
  readonly #options: HealthOptions;
  #journal: Journal | undefined;
  readonly #unwritten = new Set<string>();
  /** The branches whose outage is that of the journal. */
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

  /** A branch that this process is to watch, or watches from now on. */
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

  /** A branch is watched from here on; it may be opened again before its outage ends. */
  open(branch: string, { journal, outputs }: Opening): void {
    this.#journal = journal;
    const isNew = this.#find(branch).state === "standby";
    this.#options.metrics?.opened(branch, outputs);
    const known = isNew ? this.begin(branch) : this.#find(branch);
    for (const name of outputs) if (!known.outputs.has(name)) known.outputs.set(name, { ...nothingSeen });
  }

  /** What the outputs have not got. Throws where the journal does not tell. */
  askOwed(): Promise<readonly Undelivered[]> {
    if (this.#options.isJournalAway()) return Promise.reject(new Error("the journal is away"));
    return this.#journal?.watches.undelivered() ?? Promise.resolve([]);
  }

  /** Renders the metrics once: the first time takes twice as long for hundreds of branches. */
  async warmUp(): Promise<void> {
    await this.#options.metrics?.text({ branches: this.branches, owed: [] });
  }

  /** Takes note of an event of a branch; what it means for health, the table of events says. */
  hear(branch: string, notice: WatchNotice): void {
    const row: EventRow = watchEvents[notice.event];
    this.#options.metrics?.count(branch, notice);
    if (notice.event === "opened") this.#opened(branch, notice.watchId);
    if (row.state === "ok") this.#polled(branch);
    if (row.state === "outage" && "since" in notice) this.#hearOutage(branch, notice.since);
    if (row.output !== undefined && "output" in notice) this.#noteOutput(branch, notice.output, row.output);
    if (row.pings === true) this.listeners.ping?.reached(branch);
  }

  /** Since when a branch has got no answer, epoch milliseconds; undefined where it has. */
  outageSince(branch: string): number | undefined {
    const known = this.branches.get(branch);
    return known?.state === "outage" ? known.since : undefined;
  }

  /** The journal cannot be reached since now. Returns the branches whose outage that is: those that had none. */
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
    // Its deliveries begin anew: they tell of what still fails, not that the rest works.
    for (const output of known.outputs.values()) output.failingSince = null;
    this.#noteSoon(branch);
  }

  #polled(branch: string): void {
    const known = this.#find(branch);
    const now = this.#options.clock.now();
    const isNews = known.polledAt === null || known.state !== "ok";
    known.polledAt = now;
    known.slowed = this.#options.slowed(branch);
    // What is read while the journal is away can be kept no more.
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
    // What waits here keeps nothing from ending.
    else this.#noLater ??= this.#options.clock.later(dueInMs, () => this.#noteSoon(branch));
  }

  /** @param isOurs false where another process keeps the row now. */
  enter(branch: string, state: BranchState, isOurs = true): void {
    const known = this.#find(branch);
    if (known.state !== state) Object.assign(known, { state, since: this.#options.clock.now() });
    for (const alarm of this.listeners.alarms)
      if (state === "stopped") alarm.drop(branch);
      // Another process that watches it tells of an outage of its own.
      else if (state !== "outage") alarm.recovered(branch);
    if (isOurs) this.#noteSoon(branch);
    else {
      known.watchId = undefined;
      this.#unwritten.delete(branch);
    }
  }

  /** Ends the listeners, and waits for what is being written alone: a database that hangs must not hold up the end for the time of one more poll. */
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

  /** What changes at once is one step. A journal that is away gets it with what comes after. */
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
