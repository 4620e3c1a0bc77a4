import { type FieldsOf, fields } from "../../cli/display/fields.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { HeldLock, Lock } from "../../journal/locks.ts";
import type { LastPush, UnfinishedSend } from "../../journal/upkeep.ts";
import type { KeptWatch, WatchState } from "../../journal/watches.ts";

/** Who watches a branch and how that fares; instants are epoch milliseconds. */
export interface WatchStatus extends Pick<KeptWatch, "consumer" | "polledAt"> {
  /** `none`: nobody watches it. */
  state: WatchState | "none";
  process: Pick<HeldLock, "pid" | "host" | "since"> | null;
  /** Since when it is in its state. */
  stateSince: number;
  /** Its process is gone, and did not end by itself. */
  hasDied: boolean;
}

export interface OutputStatus {
  output: string;
  consumer: string;
  undelivered: number;
  oldestAt: number | null;
}

export type PushStatus = Pick<LastPush, "push_id" | "at" | "action" | "file"> &
  Record<"accepted" | "rejected", number | null> & { isPending: boolean };

/** What is not well with a branch, and the command that mends it. Instants are epoch milliseconds. */
export type Problem = { command: string } & (
  | { kind: "stopped" | "outage" | "died" | "unwatched" | "silent"; watch: WatchStatus }
  | { kind: "undelivered"; output: string; undelivered: number; oldestAt: number; isWatched: boolean }
  | { kind: "send"; external_ref: string; remaining: number }
  | { kind: "push_pending"; file: string | null }
  | { kind: "push_rejected"; file: string | null; rejected: number }
  | { kind: "replies"; replies: number; oldestAt: number }
);

export interface BranchStatus {
  branch: string;
  /** Whether -p names it. */
  isProfile: boolean;
  /** One of each consumer, the one that fares worst first. */
  watches: WatchStatus[];
  outputs: OutputStatus[];
  unfinishedSends: Omit<UnfinishedSend, "branch">[];
  lastPush: PushStatus | null;
  replies: { waiting: number; oldestAt: number };
  /** What work is under way. */
  locks: ReadonlySet<Lock["work"]>;
  problems: Problem[];
}

const toIsoTime = (at: number | null | undefined): string | null => (at == null ? null : isoWithOffset(at));

const toAge = (at: number | null | undefined, now: number): number | null =>
  at == null ? null : Math.max(0, Math.floor((now - at) / 1000));

/** A branch of `bpos status --json`. */
function toJson({ branch, watches, outputs, lastPush, ...status }: BranchStatus, now: number) {
  const [watch] = watches;
  const ofSeveral = watches.length > 1;
  return {
    branch,
    watch: {
      state: watch?.state ?? "none",
      machine: watch?.process?.host ?? null,
      pid: watch?.process?.pid ?? null,
      since: toIsoTime(watch?.process?.since),
      last_poll_at: toIsoTime(watch?.polledAt),
      age_s: toAge(watch?.polledAt, now),
    },
    outputs: outputs.map(({ output, consumer, undelivered, oldestAt }) => ({
      output: ofSeveral ? `${output} ${consumer}` : output,
      undelivered,
      oldest_at: toIsoTime(oldestAt),
    })),
    unfinished_sends: status.unfinishedSends,
    last_push: lastPush && {
      push_id: lastPush.push_id,
      at: toIsoTime(lastPush.at),
      accepted: lastPush.accepted,
      rejected: lastPush.rejected,
    },
    waiting_replies: status.replies.waiting,
  };
}

export const countUndelivered = ({ outputs }: Pick<BranchStatus, "outputs">): number =>
  outputs.reduce((sum, { undelivered }) => sum + undelivered, 0);

const example = {
  branch: null,
  watch: { state: null, machine: null, pid: null, since: null, last_poll_at: null, age_s: null },
  outputs: [{ output: null, undelivered: null, oldest_at: null }],
  unfinished_sends: [{ send_id: null, external_ref: null, remaining: null }],
  last_push: { push_id: null, at: null, accepted: null, rejected: null },
  waiting_replies: null,
};

export const statusFields = (now: number): FieldsOf<BranchStatus> => ({
  object: (row) => fields(toJson(row, now)),
  example,
  columns: [
    ["branch", ({ branch }) => branch],
    ["state", (row) => toJson(row, now).watch.state],
    ["machine", (row) => toJson(row, now).watch.machine],
    ["pid", (row) => toJson(row, now).watch.pid],
    ["last_poll_at", (row) => toJson(row, now).watch.last_poll_at],
    ["age_s", (row) => toJson(row, now).watch.age_s],
    ["undelivered", countUndelivered],
    ["unfinished_sends", ({ unfinishedSends }) => unfinishedSends.length],
    ["last_push_at", ({ lastPush }) => toIsoTime(lastPush?.at)],
    ["rejected", ({ lastPush }) => lastPush?.rejected ?? null],
    ["waiting_replies", ({ replies }) => replies.waiting],
    ["ok", ({ problems }) => problems.length === 0],
  ],
});

/** The same for as long as nothing happens but time, and polls. */
export function changeKey(row: BranchStatus): string {
  const { watch, ...rest } = toJson(row, 0);
  const { state, machine, pid } = watch;
  return JSON.stringify([state, machine, pid, rest, row.problems.map(({ kind }) => kind)]);
}
