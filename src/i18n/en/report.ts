import { type Count, plural, shellWord } from "../phrases.ts";

const recipients = (count: Count): string => plural(count, "recipient", "recipients");

/** What messages cost, and whom `--only-failed-of` leaves out. */
export const cost = {
  title: "Cost",
  columns: { country: "Country", recipients: "Recipients", price: "Per message", cost: "Cost" },
  messages: (count: Count) => plural(count, "message", "messages"),
  total: (amount: string) => `Total ${amount}`,
  noPrice: "no price",
  noCountry: "no country",
  unpriced: (people: Count, countries: string) =>
    `Warning: the rate card has no price for ${countries}, so the cost is without ${recipients(people)}. \`bpos profile rates\` sets it.`,
  notListed: (people: Count, ref: string) =>
    `Warning: the service does not list ${recipients(people)} of "${ref}", so ${people.n === 1 ? "this one is" : "they are"} left out: nobody knows whether the message failed. A send with --track-all lists everybody.`,
  onlyFailed: {
    kept: (ref: string, failed: Count, out: string) =>
      `${recipients(failed)} that ${failed.n === 1 ? "has" : "have"} failed under ${shellWord(ref)}${out === "" ? "" : `; left out: ${out}`}`,
    not_failed: (count: Count) => `${count.shown} not failed`,
    not_final: (count: Count) => `${count.shown} without a final status`,
    not_listed: (count: Count) => `${count.shown} not listed by the service`,
    not_in_send: (count: Count) => `${count.shown} not in that send`,
  },
};

/** The report of a campaign, on the screen and as a page. */
export const report = {
  title: "Campaign report",
  labels: {
    ref: "Reference",
    template: "Template",
    branch: "Branch",
    at: "Sent",
    readAt: "Status as of",
    leftOut: "Left out",
  },
  stages: {
    planned: "Planned",
    accepted: "Accepted",
    sent: "Sent",
    delivered: "Delivered",
    read: "Read",
    responded: "Replied",
  },
  failed: "Failed",
  pending: "Pending",
  funnel: "From the list to the reply",
  hours: "When it happened",
  hour: "From",
  peak: (value: string, at: string) => `peak ${value}, ${at}`,
  errors: "What failed, and what to do",
  countries: "By country",
  country: "Country",
  recipients: "Recipients",
  replies: "Replies",
  reply: { at: "When", from: "From", text: "Text", optOut: "Opt-out" },
  optOut: { opted_out: "opted out", doubtful: "may be an opt-out" },
  noReplies: "No replies in the journal.",
  noErrors: "Nothing failed.",
  noText: "(no text)",
  more: (count: Count) => `${count.shown} more; --json lists all of them.`,
  moreOnPage: (count: Count) => `And ${count.shown} more.`,
  listed: (listed: Count, all: Count) =>
    `Hours, errors and countries are those of the ${recipients(listed)} that the service lists, of ${all.shown}. A send with --track-all lists everybody.`,
  open: (open: Count, ref: string) =>
    `${plural(open, "call has", "calls have")} no answer yet: bpos campaign resume ${shellWord(ref)}`,
  written: (files: string) => `Written: ${files}.`,
  footer: (at: string) =>
    `Made by bpos, ${at}. The counts are those of the service; the replies are those that bpos received.`,
  unnamed: "The service gave no reason.",
  failures: {
    opted_out: {
      meaning: "The person has blocked the sender or asked for no more messages.",
      advice: "Take this person off the list. Do not try again.",
    },
    not_on_platform: {
      meaning:
        "Nobody uses the platform with this number: a landline, a slip, or a mobile that was given up.",
      advice: "Ask for the current mobile number at the next order, or take it off the list.",
    },
    bad_phone: {
      meaning: "The number is not valid.",
      advice: "Correct it where the list comes from.",
    },
    limited: {
      meaning:
        "The platform held the message back: too many in a short time, or a person who got many lately.",
      advice: "Wait a day, then send again to those who failed. Send less often, and to fewer.",
    },
    content: {
      meaning: "The message itself was not accepted: its template, a variable, or the file of its header.",
      advice: "Send a test to yourself and correct the template or the file before the next send.",
    },
    refused: {
      meaning: "The platform does not deliver to this person, and gives no reason.",
      advice: "A few are usual. If there were many, ask whoever runs the service before the next send.",
    },
    not_delivered: {
      meaning: "The message left, and did not reach the phone in time; it may have been off.",
      advice: "Send again to those who failed, at another time of the day.",
    },
    other: {
      meaning: "The service says no more than this.",
      advice: "Ask whoever runs the service what it means.",
    },
  },
};
