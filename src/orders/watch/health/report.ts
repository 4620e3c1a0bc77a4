import { wholeSeconds } from "../../../cli/display/format.ts";
import { isoWithOffset } from "../../../contract/limits.ts";
import type { Slowed, Undelivered, WatchState } from "../../../journal/records/watches.ts";
import { version } from "../../../version.ts";

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

/** So long an output may fail to deliver what it should. */
const stuckMs = 10 * 60_000;

/** The answer of `/healthz`. */
export interface HealthReport {
  status: "ok" | "failing";
  version: string;
  branches: {
    branch: string;
    state: BranchState;
    last_poll_at: string | null;
    age_s: number | null;
    outputs: OutputReport[];
  }[];
}

interface OutputReport {
  output: string;
  /** Null where the journal does not tell. */
  undelivered: number | null;
  oldest_s: number | null;
  failing_since: string | null;
}

/** What a report is made of. */
export interface HealthFacts {
  branches: ReadonlyMap<string, BranchHealth>;
  /** Undefined where the journal does not tell. */
  owed: readonly Undelivered[] | undefined;
  now: number;
  /** So old a last complete poll may be. */
  maxAgeMs: number;
}

const toTime = (at: number | null): string | null => (at === null ? null : isoWithOffset(at));

/** Whether a branch is read, by what it was last read. */
export function isRead(
  { state, polledAt, from }: BranchHealth,
  { now, maxAgeMs }: Pick<HealthFacts, "now" | "maxAgeMs">,
): boolean {
  if (state === "standby") return true;
  // Of a poll that lies ahead, since the clock was set back, nobody knows how old it is.
  return state !== "stopped" && Math.abs(now - (polledAt ?? from)) <= maxAgeMs;
}

/** A backlog that an output works off is no fault of it. */
function isStuck(
  { oldestAt }: Undelivered,
  { failingSince, deliveredAt }: OutputHealth,
  { from, now }: { from: number; now: number },
): boolean {
  // Where the clock was set back, nobody knows how old it is.
  const isOld = Math.abs(now - Math.max(oldestAt, from)) >= stuckMs;
  const delivers = deliveredAt !== null && Math.abs(now - deliveredAt) < stuckMs;
  return isOld && (failingSince !== null || !delivers);
}

/** How the branches of this process fare, and whether that is as it should be. */
export function buildReport(facts: HealthFacts): HealthReport {
  const { branches, owed, now } = facts;
  const byOutput = new Map(owed?.map((each) => [`${each.watchId} ${each.output}`, each]));
  let isWell = owed !== undefined;

  const reports = [...branches].map(([branch, health]) => {
    const { state, polledAt, from, watchId } = health;
    if (!isRead(health, facts)) isWell = false;
    const outputs = [...health.outputs].map(([output, seen]): OutputReport => {
      const due = byOutput.get(`${watchId} ${output}`);
      if (due !== undefined && isStuck(due, seen, { from, now })) isWell = false;
      return {
        output,
        undelivered: owed === undefined ? null : (due?.undelivered ?? 0),
        oldest_s: due === undefined ? null : wholeSeconds(now - due.oldestAt),
        failing_since: due === undefined && owed !== undefined ? null : toTime(seen.failingSince),
      };
    });
    return {
      branch,
      state,
      last_poll_at: toTime(polledAt),
      age_s: polledAt === null ? null : wholeSeconds(now - polledAt),
      outputs: state === "standby" ? [] : outputs,
    };
  });
  return { status: isWell ? "ok" : "failing", version, branches: reports };
}
