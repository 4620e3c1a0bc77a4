import { setImmediate as turn } from "node:timers/promises";
import type { BranchHealth, BranchState, OutputHealth } from "../../cli/health/branch-health.ts";
import type { Metrics } from "../../cli/health/metrics.ts";
import type { Ping } from "../../cli/health/ping.ts";
import type { Journal } from "../../journal/journal.ts";
import type { NotedWatch, Undelivered } from "../../journal/watches.ts";
import type { System } from "../../system.ts";
import type { WatchNotice } from "./context.ts";
import type { OutageAlarm } from "./outage-alarm.ts";

/** How old what the journal says of a last poll may be. */
const noteMs = 10_000;

interface HealthOptions {
  clock: Pick<System["clock"], "now">;
  /** While the journal cannot be reached. */
  isJournalAway: () => boolean;
}

/** Who hears of it beside the journal, where the flags ask for that. */
interface Listeners {
  metrics?: Metrics | undefined;
  ping?: Ping | undefined;
  alarms: OutageAlarm[];
}

/** What a branch is watched with. */
interface Opening {
  journal: Journal;
  outputs: readonly string[];
}

/** How each branch of this process fares, also in the journal, for `bpos status`. */
export class Health {
  readonly branches = new Map<string, BranchHealth>();
  readonly listeners: Listeners = { alarms: [] };
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

  /** A branch is watched from here on. */
  open(branch: string, { journal, outputs }: Opening): void {
    this.#journal = journal;
    const known = this.begin(branch).outputs;
    for (const output of outputs)
      if (!known.has(output)) known.set(output, { failingSince: null, deliveredAt: null });
  }

  /** What the outputs have not got. Throws where the journal does not tell. */
  askOwed(): Promise<readonly Undelivered[]> {
    if (this.#options.isJournalAway()) return Promise.reject(new Error("the journal is away"));
    return this.#journal?.watches.undelivered() ?? Promise.resolve([]);
  }

  /** Takes note of how a branch fares. */
  hear(branch: string, notice: WatchNotice): void {
    const { metrics, ping } = this.listeners;
    switch (notice.event) {
      case "opened":
        this.#opened(branch, notice.watchId);
        return;
      case "polled":
        metrics?.polled(branch, "complete");
        this.#polled(branch);
        ping?.reached(branch);
        return;
      case "outage":
        metrics?.polled(branch, "failed");
        this.#hearOutage(branch, notice.since);
        return;
      case "journal.busy":
      case "journal.down":
        metrics?.polled(branch, "failed");
        metrics?.journalFailed();
        return;
      case "orders.found":
        metrics?.found(branch, notice.orders);
        return;
      case "output.failed":
        this.#findOutput(branch, notice.output).failingSince ??= this.#options.clock.now();
        return;
      case "printer.failed":
        this.#findOutput(branch, "printer").failingSince ??= this.#options.clock.now();
        return;
      case "output.works":
        this.#findOutput(branch, notice.output).failingSince = null;
        return;
      case "output.delivered":
        this.#findOutput(branch, notice.output).deliveredAt = this.#options.clock.now();
        if (notice.isNew) metrics?.delivered(branch, notice.output, notice.afterMs);
        ping?.reached(branch);
        return;
      default:
      // Whatever else is told changes nothing in how it fares.
    }
  }

  /** Since when a branch has got no answer, epoch milliseconds; undefined where it has. */
  outageSince(branch: string): number | undefined {
    const known = this.branches.get(branch);
    return known?.state === "outage" ? known.since : undefined;
  }

  #opened(branch: string, watchId: number): void {
    const known = this.begin(branch);
    known.watchId = watchId;
    // Its deliveries begin anew: they tell of what still fails, not that the rest works.
    for (const output of known.outputs.values()) output.failingSince = null;
    this.#noteSoon(branch);
  }

  #polled(branch: string): void {
    for (const alarm of this.listeners.alarms) alarm.recovered(branch);
    const known = this.begin(branch);
    const now = this.#options.clock.now();
    const isNews = known.polledAt === null || known.state !== "ok";
    known.polledAt = now;
    if (isNews) {
      this.enter(branch, "ok");
      return;
    }

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
    if (state !== "outage") for (const alarm of this.listeners.alarms) alarm.drop(branch);
    if (isOurs) this.#noteSoon(branch);
    else {
      known.watchId = undefined;
      this.#unwritten.delete(branch);
    }
  }

  /** Ends when what is being written is written, or cannot be: a database that hangs must not hold up the end for the time of one more poll. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    for (const alarm of this.listeners.alarms) alarm.close();
    await this.#writing;
  }

  #hearOutage(branch: string, since: number): void {
    const isNew = this.outageSince(branch) === undefined;
    if (isNew) this.enter(branch, "outage");
    const known = this.begin(branch);
    if (isNew) known.since = since;
    for (const alarm of this.listeners.alarms) alarm.lasts(branch, known.since);
  }

  #findOutput(branch: string, output: string): OutputHealth {
    const { outputs } = this.begin(branch);
    const known = outputs.get(output) ?? { failingSince: null, deliveredAt: null };
    outputs.set(output, known);
    return known;
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
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#wroteAt = this.#options.clock.now();
      const names = [...this.#unwritten];
      this.#unwritten.clear();
      try {
        await this.#journal?.watches.noteAll(names.flatMap((name) => this.#toNote(name)));
      } catch {
        for (const name of names) this.#unwritten.add(name);
        this.listeners.metrics?.journalFailed();
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
