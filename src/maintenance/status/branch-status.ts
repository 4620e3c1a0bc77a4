import type { FieldsOf } from "../../cli/display/fields.ts";
import { fields } from "../../cli/display/values.ts";
import type { BranchReport } from "./report.ts";

type ProblemKind =
  | ("stopped" | "outage" | "died" | "unwatched" | "silent" | "frozen")
  | ("waits" | "fails" | "send" | "pushPending" | "pushRejected" | "replies");

/** A problem of a branch, and the command that fixes it. */
export interface Problem {
  kind: ProblemKind;
  /** The output, the send or the process that it is about. */
  name: string;
  n: number;
  /** How long it has lasted; null if that is not known. */
  ageMs: number | null;
  command: string;
}

export interface BranchStatus {
  report: BranchReport;
  problems: Problem[];
  /** By the clock that stamped the push; undefined without a push. */
  pushAgeMs: number | undefined;
}

export const countUndelivered = ({ outputs }: BranchReport): number =>
  outputs.reduce((sum, { undelivered }) => sum + undelivered, 0);

const example = {
  watch: {
    state: null,
    machine: null,
    pid: null,
    since: null,
    last_poll_at: null,
    age_s: null,
    standby: [{ machine: null, pid: null, since: null }],
    behind: { since: null, interval_s: null, every_s: null },
  },
  outputs: [{ output: null, undelivered: null, oldest_at: null }],
  unfinished_sends: [{ send_id: null, external_ref: null, remaining: null }],
  last_push: { push_id: null, at: null, accepted: null, rejected: null },
};

export const statusFields: FieldsOf<BranchStatus> = {
  object: ({ report }) => fields(report),
  example,
  columns: [
    ["branch", ({ report }) => report.branch],
    ["state", ({ report }) => report.watch.state],
    ["machine", ({ report }) => report.watch.machine],
    ["pid", ({ report }) => report.watch.pid],
    ["last_poll_at", ({ report }) => report.watch.last_poll_at],
    ["age_s", ({ report }) => report.watch.age_s],
    ["undelivered", ({ report }) => countUndelivered(report)],
    ["unfinished_sends", ({ report }) => report.unfinished_sends.length],
    ["last_push_at", ({ report }) => report.last_push?.at],
    ["rejected", ({ report }) => report.last_push?.rejected],
    ["waiting_replies", ({ report }) => report.waiting_replies],
    ["ok", ({ problems }) => problems.length === 0],
  ],
};
