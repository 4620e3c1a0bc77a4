import { type Count, plural } from "../phrases.ts";

/** What `bpos status` says, in a terminal and on its page. */
export const status = {
  title: "Status",
  none: (place: string) =>
    `There is no journal yet: ${place} is created when it is needed. \`bpos orders watch\` delivers orders; \`bpos init\` sets up a branch.`,
  noBranches: "The journal holds no branch yet. `bpos orders watch` delivers orders.",
  allWell: (branches: Count) => `All is well: ${plural(branches, "branch", "branches")}.`,
  notWell: "Not well",
  well: (branches: Count) => `${plural(branches, "other branch is", "other branches are")} well.`,
  columns: {
    branch: "Branch",
    state: "Watch",
    process: "Process",
    since: "Since",
    poll: "Last poll",
    outputs: "Undelivered",
    sends: "Unfinished sends",
    push: "Last push",
    replies: "Replies",
  },
  states: { ok: "ok", outage: "outage", stopped: "stopped", none: "nobody" },
  rejected: (age: string, rows: string) => `${age}, ${rows} rejected`,
  problems: {
    stopped: (age: string) => `Its watch was stopped ${age} ago: the service refuses it.`,
    outage: (age: string) => `Outage for ${age}: the service does not answer.`,
    died: (age: string | null) =>
      age === null
        ? "The process that watched it died."
        : `The process that watched it died: the last complete poll was ${age} ago.`,
    unwatched: (age: string | null) =>
      age === null ? "Nobody watches it." : `Nobody watches it: the last complete poll was ${age} ago.`,
    silent: (process: string, age: string | null) =>
      age === null
        ? `Process ${process} watches it, without a complete poll so far. Stop it if it hangs, and start it again:`
        : `Process ${process} watches it, but its last complete poll was ${age} ago. Stop it if it hangs, and start it again:`,
    undelivered: (orders: Count, output: string, age: string) =>
      `${plural(orders, "order waits", "orders wait")} for ${output}, the oldest for ${age}.`,
    delivers: (output: string) => `A watch with --${output} delivers what waits:`,
    fails: "Its watch retries, and says on standard error why it fails. To give them up:",
    send: (ref: string, people: Count) =>
      `The send "${ref}" is unfinished: ${plural(people, "recipient is", "recipients are")} left.`,
    pushPending: "The last push is unfinished: batches have no answer.",
    pushRejected: (rows: Count) =>
      `${plural(rows, "row", "rows")} of the last push ${rows.n === 1 ? "was" : "were"} rejected. Correct the file, then:`,
    replies: (replies: Count, age: string) =>
      `${plural(replies, "reply waits", "replies wait")} for an output, the oldest for ${age}.`,
  },
  change: (branch: string, text: string) => `${branch}: ${text}`,
  isWell: "well",
  journalDown: (detail: string) => `The journal cannot be read: ${detail}`,
  updated: (at: string) => `As of ${at}`,
  serving: (url: string) => `Status page: ${url} Ctrl-C ends.`,
  anybody: (where: string) =>
    `Whoever can reach ${where} and knows the address can read the page, and it is not encrypted.`,
  page: {
    disconnected: "bpos does not answer. This page continues by itself when it is back.",
    noScript: "This page needs JavaScript to stay up to date.",
    forbidden: "The address of this page holds a token: it is printed where bpos was started.",
  },
};
