import { type Count, plural } from "../../texts/phrases.ts";

const people = (count: Count): string => plural(count, "person", "people");

/** What `campaign optout` says and shows. */
export const optout = {
  title: "People who opted out",
  columns: { phone: "Phone", at: "When", source: "Source", text: "Text" },
  source: { reply: "reply", added: "added", import: "import" },
  none: "Nobody opted out.",
  all: (count: Count) => `${people(count)}. No send of this journal messages them.`,
  doubtful: (count: Count) =>
    `${plural(count, "reply", "replies")} may be an opt-out: bpos campaign optout review`,
  added: (added: Count, already: Count) =>
    `${people(added)} added to the list of opt-outs.${already.n === 0 ? "" : ` ${people(already)} had opted out before.`}`,
  invalid: (rows: Count) => `${plural(rows, "row", "rows")} without a usable phone`,
  removed: (phone: string) => `${phone} is no longer on the list: sends may message this person again.`,
  askReason: (phone: string) => `Why may ${phone} be messaged again?`,
  exported: (count: Count, file: string) => `${people(count)} written to ${file}.`,
  pruned: (count: Count) =>
    `${people(count)} could not be written: \`bpos journal prune\` removed the phone. They stay opted out in this journal.`,
  review: {
    question: "Did this person opt out?",
    optedOut: "Opted out",
    not: "No: keep messaging",
    later: "Later",
    none: "No reply waits for a decision.",
    done: (optedOut: Count, not: Count, later: Count) =>
      `${optedOut.shown} opted out, ${not.shown} did not, ${later.shown} left for later.`,
  },
};
