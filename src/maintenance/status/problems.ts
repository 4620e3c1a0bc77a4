import { isAbsolute } from "node:path";
import type { HeldLock, Lock } from "../../journal/locks/locks.ts";
import type { KeptWatch } from "../../journal/records/watches.ts";
import type { LastPush } from "../../journal/upkeep/upkeep.ts";
import { shellWord } from "../../texts/phrases.ts";
import type { Problem } from "./branch-status.ts";
import type { BranchReport } from "./report.ts";

const minuteMs = 60_000;
/** Without --max-age: cron can run `orders watch --once` every two minutes, and a watch can poll every few. */
const maxAgesMs = { unwatched: 3 * minuteMs, watched: 10 * minuteMs };
/** A delivery that is under way is not yet a problem. */
const graceMs = minuteMs;

/** The flag of each output. The journal does not keep its value, and a shell does not take `<folder>` for one. */
const outputFlags: Readonly<Record<string, string>> = {
  exec: "--exec <command>",
  "out-dir": "--out-dir <folder>",
  printer: "--printer",
  notify: "--notify",
};

/** The printers of stations have one flag. */
function flagsOf(outputs: WatchFound["outputs"]): Iterable<string> {
  const flags = outputs.flatMap(({ output }) => outputFlags[output.replace(/:.*/, "")] ?? []);
  return new Set(flags);
}

/** A watch, whether somebody runs it or not; instants are epoch milliseconds. */
export interface WatchFound extends Omit<KeptWatch, "state"> {
  state: BranchReport["watch"]["state"];
  holder: HeldLock | undefined;
  /** Other processes that wait for its lock. */
  standby: readonly HeldLock[];
  /** Its process is gone without releasing its lock. */
  hasDied: boolean;
  outputs: { output: string; undelivered: number; oldestAt: number | null }[];
}

export type PushFound = Pick<LastPush, "push_id" | "at" | "action" | "file"> & {
  ageMs: number;
  isPending: boolean;
} & Record<"accepted" | "rejected", number | null>;

interface Judged extends Pick<BranchReport, "unfinished_sends"> {
  now: number;
  maxAgeMs: number | undefined;
  watches: readonly WatchFound[];
  push: PushFound | undefined;
  replies: { waiting: number; oldestAt: number };
  /** The kinds of work under way. */
  works: ReadonlySet<Lock["work"]>;
  /** The command that ends a process that hangs, before its pid. */
  kill: string;
  /** The sends that a process waits to continue. */
  awaited: ReadonlySet<string>;
  /** The flags behind every command; most branches need none. */
  scope: () => readonly string[];
}

export function isOld(
  { polledAt, since, holder, everyMs }: Pick<WatchFound, "polledAt" | "since" | "holder" | "everyMs">,
  { now, maxAgeMs }: Judging,
): boolean {
  // A poll may lie ahead, since a clock was set back: nobody knows how old it is.
  const ageMs = Math.abs(now - (polledAt ?? since));
  const defaultMs =
    holder === undefined ? maxAgesMs.unwatched : Math.max(maxAgesMs.watched, 2 * (everyMs ?? 0));
  return ageMs > (maxAgeMs ?? defaultMs);
}
type Judging = Pick<Judged, "now" | "maxAgeMs">;

function findKind(watch: WatchFound, judging: Judging): Problem["kind"] | undefined {
  const { state, hasDied, holder } = watch;
  if (state === "stopped" || state === "outage") return state;
  if (hasDied && state !== "standby") return "died";
  if (!isOld(watch, judging)) return undefined;
  if (holder === undefined) return "unwatched";
  return state === "standby" ? "frozen" : "silent";
}

function judgeWatch(watch: WatchFound, judged: Judged, mend: Mend): Problem[] {
  const { holder, standby, polledAt, consumer, outputs } = watch;
  const kind = findKind(watch, judged);
  // Of thousands of branches, most are well.
  if (kind === undefined && outputs.every(({ undelivered }) => undelivered === 0)) return [];
  const isRefused = kind === "stopped" || kind === "outage";
  const at = isRefused ? watch.since : polledAt;
  const flags = consumer === "default" ? [] : ["--consumer", shellWord(consumer)];
  const again = mend("orders watch", ...flagsOf(outputs), ...flags);
  const name = holder === undefined ? "" : `${holder.host}:${holder.pid}`;
  const ageMs = at === null ? null : judged.now - at;
  // The standby gets the lock only when this process ends.
  const end = `${judged.kill} ${holder?.pid ?? ""}`;
  const command = isRefused ? mend("doctor") : kind === "frozen" ? end : again;

  const owed = outputs.flatMap(({ output, undelivered: n, oldestAt }): Problem[] => {
    const waitMs = judged.now - (oldestAt ?? judged.now);
    const isWatched = holder !== undefined || standby.length > 0;
    if (n === 0 || (isWatched && waitMs <= graceMs)) return [];
    const about = { name: output, n, ageMs: waitMs };
    if (holder === undefined) return [{ kind: "waits", ...about, command: again }];
    return [{ kind: "fails", ...about, command: mend("doctor") }];
  });
  return [...(kind === undefined ? [] : [{ kind, name, n: 0, ageMs, command }]), ...owed];
}

function judgePush({ push, works }: Judged, mend: Mend): Problem[] {
  const n = push?.rejected ?? 0;
  if (push === undefined || works.has("push") || (!push.isPending && n === 0)) return [];
  const { file, action } = push;
  // Standard input and typed codes have no file name. A name from an earlier version is relative to one folder.
  const isNamed = file !== null && isAbsolute(file) && action !== "delete";
  const command = isNamed ? mend("catalog push", shellWord(file)) : mend("catalog history");
  return [{ kind: push.isPending ? "pushPending" : "pushRejected", name: "", n, ageMs: push.ageMs, command }];
}

type Mend = (...words: string[]) => string;

/** Returns the problems of a branch, the most urgent first. */
export function findProblems(judged: Judged): Problem[] {
  const { now, watches, unfinished_sends, works, awaited, replies } = judged;
  const mend: Mend = (...words) => ["bpos", ...words, ...judged.scope()].join(" ");
  const sends = works.has("send") ? [] : unfinished_sends.filter(({ send_id }) => !awaited.has(send_id));
  const ageMs = now - replies.oldestAt;
  const waits = replies.waiting > 0 && (!works.has("listen") || ageMs > graceMs);
  const listen = (): Problem => ({
    kind: "replies",
    name: "",
    n: replies.waiting,
    ageMs,
    command: mend("campaign listen"),
  });
  return [
    ...watches.flatMap((watch) => judgeWatch(watch, judged, mend)),
    ...sends.map(({ send_id, external_ref: name, remaining: n }): Problem => {
      return { kind: "send", name, n, ageMs: null, command: mend("campaign resume", send_id) };
    }),
    ...judgePush(judged, mend),
    ...(waits ? [listen()] : []),
  ];
}
