import { shellWord } from "../../i18n/phrases.ts";
import type { BranchStatus, Problem, WatchStatus } from "./report.ts";

const minuteMs = 60_000;
/** Without --max-age: cron may run `orders watch --once` every two minutes, and a watch may poll every few. */
const maxAgesMs = { unwatched: 3 * minuteMs, watched: 10 * minuteMs };
/** What is delivered right now is nothing that waits. */
const graceMs = minuteMs;

interface Judging {
  now: number;
  maxAgeMs: number | undefined;
  /** Whether the embedded mock is meant. */
  isMock: boolean;
}

type Judged = Omit<BranchStatus, "problems">;
type Mend = (verb: string, ...more: string[]) => string;

export function isOld({ polledAt, stateSince, process }: WatchStatus, { now, maxAgeMs }: Judging): boolean {
  const ageMs = now - (polledAt ?? stateSince);
  return ageMs > (maxAgeMs ?? (process === null ? maxAgesMs.unwatched : maxAgesMs.watched));
}

function judgeWatch(watch: WatchStatus, judging: Judging, mend: Mend): Problem[] {
  const { state, consumer, process, hasDied } = watch;
  const watchAgain = mend("orders watch", ...toConsumer(consumer));
  if (state === "stopped" || state === "outage") return [{ kind: state, watch, command: mend("doctor") }];
  if (hasDied) return [{ kind: "died", watch, command: watchAgain }];
  if (!isOld(watch, judging)) return [];
  return [{ kind: process === null ? "unwatched" : "silent", watch, command: watchAgain }];
}

const toConsumer = (consumer: string): string[] =>
  consumer === "default" ? [] : ["--consumer", shellWord(consumer)];

function judgeOutputs({ outputs, watches }: Judged, { now }: Judging, mend: Mend): Problem[] {
  return outputs.flatMap(({ output, consumer, undelivered, oldestAt }): Problem[] => {
    const watch = watches.find((each) => each.consumer === consumer);
    const isWatched = watch?.process != null;
    if (undelivered === 0 || oldestAt === null || (isWatched && now - oldestAt <= graceMs)) return [];
    const command = mend(
      `orders ${isWatched ? `forget --output ${output}` : "watch"}`,
      ...toConsumer(consumer),
    );
    return [{ kind: "undelivered", output, undelivered, oldestAt, isWatched, command }];
  });
}

function judgePush({ lastPush, locks }: Judged, mend: Mend): Problem[] {
  if (lastPush === null || locks.has("push")) return [];
  const { isPending, action, file, rejected } = lastPush;
  // Standard input, and codes that were typed, have no name that says what was pushed.
  const isNamed = file !== null && file !== "-" && action !== "delete";
  const command = isNamed ? mend("catalog push", shellWord(file)) : mend("catalog history");
  if (isPending) return [{ kind: "push_pending", file, command }];
  return rejected === null || rejected === 0 ? [] : [{ kind: "push_rejected", file, rejected, command }];
}

/** In the order of their urgency. */
export function findProblems(branch: Judged, judging: Judging): Problem[] {
  const { watches, unfinishedSends, replies, locks, isProfile } = branch;
  const mend: Mend = (verb, ...more) =>
    [
      `bpos ${verb}`,
      ...more,
      ...(judging.isMock ? ["--mock"] : []),
      ...(isProfile ? ["-p", shellWord(branch.branch)] : []),
    ].join(" ");

  const sends = locks.has("send") ? [] : unfinishedSends;
  const isListened = locks.has("listen") && judging.now - replies.oldestAt <= graceMs;
  return [
    ...watches.flatMap((watch) => judgeWatch(watch, judging, mend)),
    ...judgeOutputs(branch, judging, mend),
    ...sends.map(({ send_id, external_ref, remaining }): Problem => {
      const command = mend("campaign resume", send_id);
      return { kind: "send", external_ref, remaining, command };
    }),
    ...judgePush(branch, mend),
    ...(replies.waiting === 0 || isListened
      ? []
      : ([
          {
            kind: "replies",
            replies: replies.waiting,
            oldestAt: replies.oldestAt,
            command: mend("campaign listen"),
          },
        ] as const)),
  ];
}
