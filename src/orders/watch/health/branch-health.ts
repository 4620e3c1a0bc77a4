import type { Slowed, WatchState } from "../../../journal/watches.ts";

/** `standby` where another process watches the branch. */
export type BranchState = WatchState | "standby";

/** What this process has seen of an output. Instants are epoch milliseconds. */
export interface OutputHealth {
  /** Since when something has failed that it has not got yet. */
  failingSince: number | null;
  deliveredAt: number | null;
}

/** How a branch of this process fares. */
export interface BranchHealth {
  state: BranchState;
  /** When that began. */
  since: number;
  /** From when on this process has watched it. */
  from: number;
  /** When its last poll by this process read every page. */
  polledAt: number | null;
  /** Where the service takes too few polls for the interval. */
  slowed: Slowed | undefined;
  /** Its row of the journal, once that is known. */
  watchId: number | undefined;
  outputs: Map<string, OutputHealth>;
}

const nothingSeen: OutputHealth = { failingSince: null, deliveredAt: null };

/** A branch that this process is to watch from `now` on. */
export const newBranch = (
  state: BranchState,
  now: number,
  outputs: BranchHealth["outputs"],
): BranchHealth => ({
  state,
  since: now,
  from: now,
  polledAt: null,
  slowed: undefined,
  watchId: undefined,
  outputs,
});

/** Adds outputs; what was seen of those that are known stays. */
export function addOutputs({ outputs }: BranchHealth, names: readonly string[]): void {
  for (const name of names) if (!outputs.has(name)) outputs.set(name, { ...nothingSeen });
}

/** Takes note of what an output did at `now`. */
export function noteOutput(
  { outputs }: BranchHealth,
  name: string,
  did: "failed" | "works" | "delivered",
  now: number,
): void {
  const seen = outputs.get(name) ?? { ...nothingSeen };
  outputs.set(name, seen);
  if (did === "failed") seen.failingSince ??= now;
  else if (did === "works") seen.failingSince = null;
  else seen.deliveredAt = now;
}
