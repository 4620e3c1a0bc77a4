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
