import { wholeSeconds } from "../../../cli/display/format.ts";
import { isoWithOffset } from "../../../contract/limits.ts";
import type { Slowed, Undelivered, WatchState } from "../../../journal/records/watches.ts";
import { version } from "../../../version.ts";

/** `standby` where another process watches the branch. */
export type BranchState = WatchState | "standby";

/** An output as this process has seen it. Instants are epoch milliseconds. */
export interface OutputHealth {
  /** Since when a delivery fails that is still pending. */
  failingSince: number | null;
  deliveredAt: number | null;
}

/** The state of a branch of this process. */
export interface BranchHealth {
  state: BranchState;
  /** When that began. */
  since: number;
  /** When this process began to watch it. */
  from: number;
  /** When its last poll by this process read every page. */
  polledAt: number | null;
  /** How often it is polled, if the service takes too few polls for the interval. */
  slowed: Slowed | undefined;
  /** Its row in the journal, once that is known. */
  watchId: number | undefined;
  outputs: Map<string, OutputHealth>;
}

/** An output may fail for this long. */
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
  /** Null if the journal cannot be read. */
  undelivered: number | null;
  oldest_s: number | null;
  failing_since: string | null;
}

/** The facts for a report. */
export interface HealthFacts {
  branches: ReadonlyMap<string, BranchHealth>;
  /** Undefined if the journal cannot be read. */
  owed: readonly Undelivered[] | undefined;
  now: number;
  /** The last complete poll may be this old. */
  maxAgeMs: number;
}

const toTime = (at: number | null): string | null => (at === null ? null : isoWithOffset(at));

/** Whether the last complete poll of a branch is recent enough. */
export function isRead(
  { state, polledAt, from }: BranchHealth,
  { now, maxAgeMs }: Pick<HealthFacts, "now" | "maxAgeMs">,
): boolean {
  if (state === "standby") return true;
  // Nobody knows the age of a poll that lies ahead because the clock was set back.
  return state !== "stopped" && Math.abs(now - (polledAt ?? from)) <= maxAgeMs;
}

/** Whether an output has failed for too long; one that works off a backlog has not. */
function isStuck(
  { oldestAt }: Undelivered,
  { failingSince, deliveredAt }: OutputHealth,
  { from, now }: { from: number; now: number },
): boolean {
  // Nobody knows its age if the clock was set back.
  const isOld = Math.abs(now - Math.max(oldestAt, from)) >= stuckMs;
  const delivers = deliveredAt !== null && Math.abs(now - deliveredAt) < stuckMs;
  return isOld && (failingSince !== null || !delivers);
}

/** Returns the state of the branches of this process, and whether all is well. */
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
