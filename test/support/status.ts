import type { Run, World } from "./run.ts";

/** A branch of `bpos status --json`. */
export interface BranchRow {
  branch: string;
  watch: Record<"state" | "machine" | "pid" | "since" | "last_poll_at" | "age_s", unknown> & {
    standby: { machine: string; pid: number; since: string }[];
    behind: { since: string; interval_s: number; every_s: number } | null;
  };
  outputs: { output: string; undelivered: number; oldest_at: string | null }[];
  unfinished_sends: { send_id: string; external_ref: string; remaining: number }[];
  last_push: { push_id: string; at: string; accepted: number | null; rejected: number | null } | null;
  waiting_replies: number;
}

export interface StatusReport {
  ok: boolean;
  journal: { engine: string; place: string };
  branches: BranchRow[];
}

type Shell = (argv: string[], world?: World) => Promise<Run>;

/** Returns the document of `bpos status --json`, and its exit code. */
export async function statusOf(run: Shell, world: World = {}, ...flags: string[]) {
  const { code, stdout, stderr } = await run(["status", "--json", ...flags], world);
  if (stdout === "") throw new Error(`status ended with ${code}: ${stderr}`);
  return { code, ...(JSON.parse(stdout) as StatusReport) };
}
