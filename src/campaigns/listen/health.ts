import type { Output } from "../../cli/display/output.ts";
import type { BranchHealth, BranchState, OutputHealth } from "../../cli/health/branch-health.ts";
import type { Metrics } from "../../cli/health/metrics.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Journal } from "../../journal/journal.ts";
import type { ListenFlags } from "./command.ts";

/** Replies come for every branch. */
export const everyBranch = "all";
/** It has no row of a watch. */
const noWatch = 0;

/** An output as its flag is called; the journal calls it otherwise. */
const toFlag = (output: string): string => (output === "forward" ? "forward-to" : output);

/** How a listener fares: whether its journal answers, and what its outputs have not got. */
export class ListenHealth {
  readonly #runtime: Runtime;
  readonly #replies: Journal["replies"];
  readonly #outputs: Map<string, OutputHealth>;
  readonly #own: BranchHealth;
  #metrics: Metrics | undefined;

  constructor(runtime: Runtime, { replies }: Journal, outputs: readonly string[]) {
    this.#runtime = runtime;
    this.#replies = replies;
    this.#outputs = new Map(outputs.map((name) => [toFlag(name), { failingSince: null, deliveredAt: null }]));
    const now = runtime.system.clock.now();
    const times = { since: now, from: now, polledAt: null };
    this.#own = { state: "ok", ...times, watchId: noWatch, outputs: this.#outputs };
  }

  /** Answers who asks on the port of --health, until it is closed. */
  async serve({ health }: ListenFlags, output: Output): Promise<() => Promise<void>> {
    if (health === undefined) return () => Promise.resolve();
    const { Metrics } = await import("../../cli/health/metrics.ts");
    const { openHealthServer } = await import("../../cli/health/server.ts");
    const metrics = new Metrics();
    this.#metrics = metrics;
    const source = {
      branches: new Map([[everyBranch, this.#own]]),
      maxAgeMs: undefined,
      metrics,
      askOwed: () => this.#askOwed(),
    };
    const tell = {
      say: (text: string) => output.notice(text),
      warn: (text: string) => output.warning(text),
    };
    return openHealthServer(this.#runtime, health, source, tell);
  }

  /** Since when the journal is in that state. */
  enter(state: BranchState): void {
    Object.assign(this.#own, { state, since: this.#now() });
    if (state === "outage") this.#metrics?.journalFailed();
  }

  failed(output: string): void {
    const seen = this.#outputs.get(toFlag(output));
    if (seen !== undefined) seen.failingSince ??= this.#now();
  }

  works(output: string): void {
    const seen = this.#outputs.get(toFlag(output));
    if (seen !== undefined) seen.failingSince = null;
  }

  delivered(output: string): void {
    const seen = this.#outputs.get(toFlag(output));
    if (seen !== undefined) seen.deliveredAt = this.#now();
  }

  async #askOwed() {
    if (this.#own.state === "outage") throw new Error("the journal is away");
    const owed = await this.#replies.undelivered();
    return owed.map((each) => ({ ...each, output: toFlag(each.output), watchId: noWatch }));
  }

  #now(): number {
    return this.#runtime.system.clock.now();
  }
}
