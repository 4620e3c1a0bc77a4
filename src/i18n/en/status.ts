import { type Count, plural } from "../../texts/phrases.ts";

/** What a sentence about a problem needs. */
type Told = { n: Count; name: string; age: string | null };

/** Branches that a process polls less often than it should. */
type Slowed = Record<"process" | "every" | "interval" | "since", string> & { branches: Count };

const polled = (age: string | null): string =>
  age === null ? "" : ` The last complete poll was ${age} ago.`;

/** What `bpos status` says. */
export const status = {
  title: "Status",
  none: (place: string) =>
    `There is no journal yet: ${place} is created when it is needed. \`bpos orders watch\` delivers orders; \`bpos init\` sets up a branch.`,
  noBranches: "The journal holds no branch yet. `bpos orders watch` delivers orders.",
  allWell: (branches: Count) => `All is well: ${plural(branches, "branch", "branches")}.`,
  well: (branches: Count) => `${plural(branches, "other branch is", "other branches are")} well.`,
  more: (n: Count) =>
    `${plural(n, "more problem", "more problems")}: \`bpos status -p <profile>\` shows those of one branch.`,
  leftOut: (branches: Count) =>
    `${plural(branches, "branch is", "branches are")} not in the table: \`bpos status -o csv\` lists all.`,
  behind: ({ process, branches, every, interval, since }: Slowed) =>
    `${process} polls ${plural(branches, "branch", "branches")} about every ${every} instead of every ${interval}, since ${since}: the service takes no more. Its standard error says why.`,
  columns: {
    branch: "Branch",
    state: "Watch",
    process: "Process",
    standby: "Standing by",
    since: "Since",
    poll: "Last poll",
    outputs: "Undelivered",
    sends: "Unfinished sends",
    push: "Last push",
    replies: "Replies",
  },
  states: { ok: "ok", outage: "outage", stopped: "stopped", standby: "standing by", none: "nobody" },
  rejected: (age: string, rows: string) => `${age}, ${rows} rejected`,
  /** `age` is null where nothing says. */
  problems: {
    stopped: ({ age }: Told) => `Its watch was stopped ${age} ago: the service refuses it.`,
    outage: ({ age }: Told) => `Outage for ${age}: the service does not answer.`,
    died: ({ age }: Told) => `The process that watched it died.${polled(age)} Start it again as it was:`,
    unwatched: ({ age }: Told) => `Nobody watches it.${polled(age)} Start its watch again as it was:`,
    silent: ({ age, name }: Told) =>
      `Process ${name} watches it without a complete poll.${polled(age)} Stop it if it hangs, and start it again:`,
    frozen: ({ age, name }: Told) =>
      `Process ${name} keeps it locked without a complete poll.${polled(age)} Another process stands by, and takes over when that one ends. If it hangs, end it:`,
    waits: ({ n, name, age }: Told) =>
      `${plural(n, "order waits", "orders wait")} for ${name}, the oldest for ${age}. A watch with --${name} delivers what waits:`,
    fails: ({ n, name, age }: Told) =>
      `${plural(n, "order waits", "orders wait")} for ${name}, the oldest for ${age}. Its watch retries, and says on standard error why it fails; \`bpos orders forget\` gives them up.`,
    send: ({ n, name }: Told) =>
      `The send "${name}" is unfinished: ${plural(n, "recipient is", "recipients are")} left.`,
    pushPending: () => "The last push is unfinished: batches have no answer.",
    pushRejected: ({ n }: Told) =>
      `The last push had ${plural(n, "rejected row", "rejected rows")}. Correct the file, then:`,
    replies: ({ n, age }: Told) =>
      `${plural(n, "reply waits", "replies wait")} for an output, the oldest for ${age}.`,
  },
  standsBy: (processes: string) => `${processes} standing by`,
  isWell: "well",
  journalDown: (detail: string) => `The journal cannot be read: ${detail}`,
  updated: (at: string) => `As of ${at}`,
};
