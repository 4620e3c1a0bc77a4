import { type Count, plural } from "../plural.ts";
import { shellWord } from "../shell-word.ts";

/** Following campaigns, and the sends of the past. */
export const follow = {
  variables: "Variables",
  reading: "Reading campaigns",
  waiting: (limit: string) => `Waiting until everything is final, at most ${limit}; Ctrl-C ends it.`,
  /** The newest look: when, and when the next one is. */
  looked: (age: string) => `Looked ${age} ago`,
  lookingFirst: "Looking for the first time …",
  next: (time: string) => `next in ${time}`,
  nextNow: "looking now …",
  stops: "Ctrl-C ends",
  noAnswer: (message: string) => `No answer, trying again. ${message}`,
  final: "Everything is final.",
  over: (limit: string) => `--wait ran out after ${limit}: not everything is final.`,
  doNotFit: (count: Count) => `${plural(count, "more recipient does", "more recipients do")} not fit here.`,
  hidden: (count: Count) => `${plural(count, "recipient is", "recipients are")} counted but not listed.`,
  open: (open: Count, all: Count, ref: string) =>
    `${open.shown} of ${plural(all, "call", "calls")} ${open.n === 1 ? "has" : "have"} no answer yet: bpos campaign resume ${shellWord(ref)}`,
  swapped: (asked: string, answered: string) =>
    `Warning: asked for campaign ${asked}, the service answered with campaign ${answered}: what is shown is not about ${asked}.`,
  nobody: (statuses: string, present: string | null) =>
    `No listed recipient is ${statuses}.${present === null ? "" : ` There are: ${present}.`}`,
  onlyHidden:
    "The service lists at most 100 recipients of a campaign; of the others only the counts are known.",
  counted: (name: string, value: string) => `${name} ${value}`,
  moved: (from: string, to: string) => `${from} → ${to}`,
  list: {
    title: "Sends from this machine",
    none: "Nothing was sent from this machine with this key. bpos campaign send FILE --template NAME sends; bpos campaign status ID asks for a campaign that was sent elsewhere.",
    columns: {
      at: "When",
      age: "Age",
      template: "Template",
      ref: "Reference",
      state: "State",
      people: "People",
      calls: "Calls",
      added: "Added",
      errors: "Errors",
      campaigns: "Campaigns",
    },
    state: {
      sent: "sent",
      doubtful: "sent in part",
      planned: "planned, not sent",
      part: (sent: Count, all: Count) => `${sent.shown} of ${plural(all, "call", "calls")} sent`,
      unknown: (open: Count, all: Count) => `unknown: ${open.shown} of ${plural(all, "call", "calls")}`,
    },
    test: (state: string) => `test, ${state}`,
    resume: (ref: string) =>
      `Not finished: bpos campaign resume ${shellWord(ref)} (nobody is messaged twice).`,
    check: (ref: string) =>
      `Not everybody is accounted for, or a status is not "sent": bpos campaign status --ref ${shellWord(ref)} shows what became of it.`,
    all: (count: Count) => `${plural(count, "send", "sends")}.`,
    newest: (count: Count) => `The newest ${plural(count, "send", "sends")}; --limit N shows more.`,
  },
};
