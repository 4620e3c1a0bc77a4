import type { Output } from "../../cli/display/output.ts";
import {
  addOutputs,
  type BranchHealth,
  type BranchState,
  newBranch,
  noteOutput,
} from "../../cli/health/branch-health.ts";
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
  readonly #own: BranchHealth;
  #metrics: Metrics | undefined;

  constructor(runtime: Runtime, { replies }: Journal, outputs: readonly string[]) {
    this.#runtime = runtime;
    this.#replies = replies;
    this.#own = { ...newBranch("ok", this.#now(), new Map()), watchId: noWatch };
    addOutputs(this.#own, outputs.map(toFlag));
  }

  /** Answers who asks on the port of --health, until it is closed. */
  async serve({ health }: ListenFlags, output: Output): Promise<() => Promise<void>> {
    if (health === undefined) return () => Promise.resolve();
    const { Metrics } = await import("../../cli/health/metrics.ts");
    const { openHealthServer } = await import("../../cli/health/server.ts");
    const metrics = new Metrics("listen");
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

  noteOutput(output: string, did: Parameters<typeof noteOutput>[2]): void {
    noteOutput(this.#own, toFlag(output), did, this.#now());
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
