import type { WaitReason } from "../../errors/problems.ts";
import { detailWords, execEndWords, programWords } from "../../errors/words/details.ts";
import { type Count, plural, shellWord } from "../../texts/phrases.ts";
import { textsIn } from "../../texts/texts.ts";
import {
  type DeliveryFailure,
  deliveryFailuresIn,
  listeningIn,
  listeningWords,
  nameOutput,
  noStatusWords,
} from "../shared/campaigns.ts";
import { toSentence } from "../template.ts";

const people = (count: Count): string => plural(count, "recipient", "recipients");

/** The preview and the report of a campaign send. */
export const send = {
  title: "Campaign send",
  resumeTitle: "Campaign resume",
  testMark: "test",
  dryRunMark: "dry run",
  live: "LIVE",
  labels: {
    mode: "Mode",
    branch: "Branch",
    template: "Template",
    language: "Language",
    variables: "Variables",
    test: "Test",
    ref: "Reference",
    header: "Header file",
    at: "Begins",
    hours: "Hours",
    pace: "Pace",
    canary: "Canary",
    sendId: "Send",
    onlyFailed: "Only failed",
  },
  anyLanguage: "the template's only one",
  wouldSend: (count: Count, calls: Count) =>
    `${people(count)} would be messaged, in ${plural(calls, "call", "calls")}.`,
  test: (phone: string) => `one message to ${phone}`,
  /** Which column of the file fills each variable of the template. */
  variable: (name: string, at: number) => `{{${at + 1}}} ${name}`,
  noVariables: "none",
  nobody: "Nobody would be messaged.",
  counts: {
    read: "Rows read",
    planned: "Planned",
    added: "Messaged",
    duplicates: "Twice in the file",
    invalid: "Invalid",
    excluded: "Excluded",
    opted_out: "Opted out",
    already_sent: "Sent before",
    service_duplicates: "Duplicates (service)",
  },
  columns: { what: "", count: "Recipients" },
  firstTitle: "The first recipients",
  first: { phone: "Phone", params: "Variables" },
  message: (phone: string) => `The message to ${phone}`,
  outcome: {
    sent: (count: Count) => `Sent: the service accepted ${people(count)}.`,
    replayed: "REPLAYED: this was sent before. Nothing was sent now, and nobody was messaged again.",
    partial: "Partly sent: some calls were not sent, or the service does not confirm all of it.",
    refused: "Refused: the service sent nothing.",
    unknown:
      "Unknown outcome of a call. Resuming retries it with the same key, unless somebody in it opted out: nobody is messaged twice.",
    nothing: "Nothing was sent.",
  },
  /** Days as they were written; null for every day. */
  hours: (between: string, days: string | null) =>
    `${between}${days === null ? "" : `, ${days}`}, in the time of each recipient's country`,
  /** zones: those that differ in a country, of which none was chosen. */
  strictest: (country: string, zone: string) =>
    `Note: ${country} has several time zones, and bpos keeps to the hours of all of them. --time-zone chooses one, for example ${zone}.`,
  unusedZone: (zone: string) => `Note: --time-zone ${zone} is a zone of no recipient's country.`,
  pace: (rate: string, time: string) => `${rate}, so about ${time}`,
  canary: (count: Count, time: string, limit: Count) =>
    `${people(count)} first; the rest unless ${limit.n === 0 ? "any" : `more than ${limit.shown}`} of them failed within ${time}`,
  waitsFor: (countries: string, count: Count, at: string) => `${countries}: ${people(count)} from ${at}`,
  waits: (reason: WaitReason, count: Count, { at, left }: { at: string; left: string }, ref: string) => {
    const why = {
      at: `${people(count)} ${count.n === 1 ? "waits" : "wait"} until ${at}, in ${left}`,
      hours: `${people(count)} outside their hours: waiting until ${at}, ${left} from now`,
      pace: `The next call leaves at ${at}`,
      canary: `Waiting for the status of the canary, until ${at} at most (${left}); then ${people(count)} more`,
    };
    return `${why[reason]}. Ctrl-C stops; bpos campaign resume ${shellWord(ref)} continues.`;
  },
  canaryPassed: (failed: Count, all: Count) =>
    `Canary: ${failed.shown} of ${people(all)} failed. Sending to the others.`,
  stillWaits: (reason: WaitReason, count: Count, at: string) => {
    const what = { at: "their time", hours: "their hours", pace: "the pace", canary: "the canary" };
    return `${people(count)} ${count.n === 1 ? "waits" : "wait"} for ${what[reason]}, until ${at}.`;
  },
  unsent: (calls: Count, count: Count) =>
    `${plural(calls, "call", "calls")} to ${people(count)} ${calls.n === 1 ? "was" : "were"} not sent.`,
  templateAtSend: "The template's name and language are checked only at the send.",
  dryRun: "Nothing was sent.",
  replayedAt: (at: string, age: string) => `It was sent at ${at}, ${age} ago.`,
  replayedCalls: (count: Count, all: Count) =>
    `REPLAYED: ${count.shown} of ${plural(all, "call", "calls")} had been sent before; nobody was messaged again.`,
  calls: {
    id: "Campaign",
    status: "Status",
    people: "Recipients",
    added: "Added",
    duplicates: "Duplicates",
    errors: "Errors",
    replayed: "Replayed",
    name: "Name",
  },
  yes: "yes",
  no: "no",
  serviceErrors: "The service left out",
  leftOutAbove: (count: Count) =>
    `${plural(count, "row was", "rows were")} left out, as shown above; --json lists all of them.`,
  leftOut: { line: "Line", phone: "Phone", reason: "Reason" },
  more: (count: Count) =>
    `${count.shown} more ${count.n === 1 ? "is" : "are"} not shown; --json lists all of them.`,
  file: (name: string, ref: string, exclude: readonly string[]) => {
    const flags = [`--ref ${shellWord(ref)}`, ...exclude.map((file) => `--exclude ${shellWord(file)}`)];
    return `All rows left out are in ${name}: correct it and send that file, with ${flags.join(" ")}.`;
  },
  noFile: "--errors FILE writes all of them to a file to correct and send.",
  notListed: (unlisted: Count, ref: string) =>
    `Warning: the service does not list ${people(unlisted)} of "${ref}", so ${unlisted.n === 1 ? "this one is" : "they are"} left out: nobody knows whether the message failed. A send with --track-all lists everybody.`,
  onlyFailed: {
    kept: (ref: string, failed: Count, out: string) =>
      `${people(failed)} that ${failed.n === 1 ? "has" : "have"} failed under ${shellWord(ref)}${out === "" ? "" : `; left out: ${out}`}`,
    not_failed: (count: Count) => `${count.shown} not failed`,
    not_final: (count: Count) => `${count.shown} without a final status`,
    not_listed: (count: Count) => `${count.shown} not listed by the service`,
    not_in_send: (count: Count) => `${count.shown} not in that send`,
  },
  statusHint: (id: string) => `bpos campaign status ${shellWord(id)} shows its status.`,
  statusHintRef: (ref: string) => `bpos campaign status --ref ${shellWord(ref)} shows its status.`,
};

/** The status of one or more campaigns. */
export const campaign = {
  title: (id: string) => `Campaign ${id}`,
  several: (count: Count) => plural(count, "campaign", "campaigns"),
  labels: { name: "Name", ref: "Reference", status: "Status" },
  counts: { what: "Count", people: "Recipients", share: "Share", bar: "" },
  /** Names of the service's counts; one that is not here is shown as the service calls it. */
  names: {
    total_recipients: "All",
    pending: "Pending",
    sent: "Sent",
    failed: "Failed",
    delivered: "Delivered",
    read: "Read",
    responded: "Responded",
  },
  noCounts: "The service gave no counts.",
  list: { id: "Campaign", status: "Status", name: "Name" },
  columns: {
    phone: "Phone",
    line: "Line",
    status: "Status",
    message: "Error",
    sent: "Sent",
    delivered: "Delivered",
    read: "Read",
    responded: "Responded",
    campaign: "Campaign",
  },
  failures: {
    recipients: "Recipients",
    advice: "What to do",
    noReason: "The service gave no reason.",
    more: (count: Count) => `${plural(count, "more error", "more errors")}; -o csv lists each recipient's.`,
  },
  noRecipients: "No recipients to show.",
  hidden: (count: Count) =>
    `${plural(count, "recipient is", "recipients are")} counted but not listed; a send with --track-all lists all.`,
};

/** `campaign find`. */
export const find = {
  title: (phone: string, name: string | null) => `Sends to ${name === null ? phone : `${phone} · ${name}`}`,
  reading: "Reading campaigns",
  columns: {
    at: "When",
    template: "Template",
    ref: "Reference",
    status: "Status",
    campaign: "Campaign",
    error: "Error",
    replies: "Replies",
  },
  noStatus: {
    planned: "not sent",
    opted_out: "left out",
    canary: "waits",
    waits_start: "waits",
    waits_hours: "waits",
    waits_pace: "waits",
    held: "held",
    too_late: "too late",
    unconfirmed: "unknown",
    not_asked: "not read",
    not_listed: "not shown",
    service: "none",
  },
  why: noStatusWords({
    planned: "planned, not sent: bpos campaign resume",
    opted_out: "opted out before the message left: it will not be sent",
    canary: "planned, not sent: the canary has not passed",
    waits_start: "waits for its start, {until}",
    waits_hours: "outside the hours, waits until {until}",
    waits_pace: "waits for --pace, at least until {until}",
    held: "held: somebody in the same call got this template under {ref}",
    too_late: "not sent before --not-after, {until}",
    unconfirmed: "outcome unknown until bpos campaign resume",
    not_asked: "the service did not report the status",
    not_listed: {
      all: "the service lists {listed} of {all} recipients, and not this one",
      else: "the service lists {listed} of its recipients, and not this one",
    },
  }),
  test: (ref: string) => `${ref} (test)`,
  optOut: {
    since: (at: string, source: string, text: string | null) =>
      `Opted out on ${at} (${source}${text === null ? "" : `: "${text}"`}).`,
    removed: (said: string, at: string, reason: string) =>
      `${said} Taken off the list on ${at}: ${toSentence(reason)}`,
  },
  leftOutTitle: "Left out",
  leftOut: {
    opted_out: "opted out",
    excluded: "in --exclude",
    not_failed: "not failed (--only-failed-of)",
    not_final: "no final status (--only-failed-of)",
    not_listed: "not listed by the service (--only-failed-of)",
    not_in_send: "not in that send (--only-failed-of)",
  },
  messagesTitle: "Messages",
  repliesTitle: "Replies",
  reply: { at: "When", ref: "Reference", text: "Text" },
  noReplies: "No replies: bpos campaign listen keeps those that it receives.",
  sends: (count: Count) => `${plural(count, "send", "sends")}.`,
  otherReplies: (count: Count) =>
    `${plural(count, "more reply", "more replies")} from this phone ${count.n === 1 ? "names" : "name"} none of these sends.`,
};

/** Following campaigns, and the sends of the past. */
export const follow = {
  variables: "Variables",
  reading: "Reading campaigns",
  waiting: (limit: string) => `Waiting up to ${limit} for every status to be final; Ctrl-C stops.`,
  /** The newest reading: when, and when the next one is. */
  updated: (age: string) => `Updated ${age} ago`,
  next: (time: string) => `next in ${time}`,
  readingNow: "reading now …",
  stops: "Ctrl-C stops",
  noAnswer: (message: string) => `No answer, retrying. ${message}`,
  final: "Every status is final.",
  over: (limit: string) => `--wait ran out after ${limit}: not every status is final.`,
  doNotFit: (count: Count) => `${plural(count, "more recipient does", "more recipients do")} not fit here.`,
  pending: (open: Count, all: Count, ref: string) =>
    `${open.shown} of ${plural(all, "call", "calls")} ${open.n === 1 ? "has" : "have"} no answer yet: bpos campaign resume ${shellWord(ref)}`,
  waits: (open: Count, all: Count, at: string, ref: string) =>
    `${open.shown} of ${plural(all, "call", "calls")} ${open.n === 1 ? "waits" : "wait"} until ${at}, for the bpos that sends them or for: bpos campaign resume ${shellWord(ref)}`,
  nobody: (statuses: string, present: string | null) =>
    `No listed recipient is ${statuses}.${present === null ? "" : ` Listed statuses: ${present}.`}`,
  counted: (name: string, value: string) => `${name} ${value}`,
  moved: (from: string, to: string) => `${from} → ${to}`,
  list: {
    title: "Sends in this journal",
    none: "This machine's journal has no send with this key. bpos campaign status ID shows a campaign that was sent elsewhere.",
    columns: {
      at: "When",
      age: "Age",
      template: "Template",
      ref: "Reference",
      state: "State",
      people: "Recipients",
      calls: "Calls",
      added: "Added",
      errors: "Errors",
      campaigns: "Campaigns",
    },
    state: {
      sent: "sent",
      doubtful: "sent in part",
      planned: "planned, not sent",
      waits: (at: string) => `waits until ${at}`,
      part: (sent: Count, all: Count) => `${sent.shown} of ${plural(all, "call", "calls")} sent`,
      unknown: (open: Count, all: Count) => `unknown: ${open.shown} of ${plural(all, "call", "calls")}`,
    },
    test: (state: string) => `test, ${state}`,
    resume: (ref: string) =>
      `Not finished: bpos campaign resume ${shellWord(ref)} (nobody is messaged twice).`,
    check: (ref: string) =>
      `Not all recipients are accounted for, or a status is not "sent": bpos campaign status --ref ${shellWord(ref)}`,
    all: (count: Count) => `${plural(count, "send", "sends")}.`,
    newest: (count: Count) => `The newest ${plural(count, "send", "sends")}; --limit N shows more.`,
  },
};

const failed = deliveryFailuresIn({
  detail: (detail) => detailWords(detail, textsIn("en")),
  execEnd: (end) => execEndWords(end, textsIn("en")),
  program: (facts) => programWords(facts, textsIn("en")),
})({
  forward: { status: "{url} answered {status}", else: "{url} did not answer: {detail}" },
  stdout: "standard output could not be written: {detail}",
});

const outputName = nameOutput("standard output");

const refusals: Readonly<Record<number, string>> = {
  400: "the body is not JSON in UTF-8, or --forward-to leads back here",
  403: "a web page of another origin sent it",
  404: "its path does not end in the secret",
  413: "the body is too large",
  415: "Content-Type must be application/json, without compression",
  421: "its Host is neither this machine nor that of --public-url; behind a tunnel or a reverse proxy, --public-url URL is required, or --trust-any-host",
  503: "too many at once",
};

/** What `campaign listen` says and shows. */
export const listen = {
  listening: listeningIn(
    "SECRET",
    listeningWords({
      publicUrl:
        "Listening for replies on {url}. Give the service {publicUrl}[{secret}]. To rehearse: bpos mock --webhook-url http://127.0.0.1:{port}/[{secret}].[ Replace {secret} with your secret.] Ctrl-C stops.",
      isLocal:
        "Listening for replies on {url}. Only this machine reaches it: give the service the https address of a tunnel or a reverse proxy, and pass that with --public-url. To rehearse: bpos mock --webhook-url http://127.0.0.1:{port}/[{secret}].[ Replace {secret} with your secret.] Ctrl-C stops.",
      else: "Listening for replies on {url}. Give the service the address that reaches it. To rehearse: bpos mock --webhook-url http://127.0.0.1:{port}/[{secret}].[ Replace {secret} with your secret.] Ctrl-C stops.",
    }),
  ),
  anybody: (host: string) =>
    `Anybody who reaches ${host} can post replies: the service does not sign them. Set a secret with --secret-file FILE, or let only the service through.`,
  secretFileOpen: (file: string) =>
    `Warning: other users of this machine can read the secret in ${file}. Run: chmod 600 ${shellWord(file)}`,
  waiting: (replies: Count, output: string) =>
    `${plural(replies, "reply", "replies")} from an earlier run ${replies.n === 1 ? "is" : "are"} pending for ${outputName(output)}: a run with that output delivers ${replies.n === 1 ? "it" : "them"}.`,
  refused: (status: number) =>
    `Refused a POST with ${status}: ${refusals[status] ?? ""}. bpos does not report others within a minute.`,
  notKept: (detail: string) =>
    `A reply could not be written to the journal (${detail}). bpos answered 503, so that the service retries.`,
  journalDown: (detail: string) =>
    `The journal cannot be reached (${detail}). bpos answers replies with 503, so that the service retries, and delivers nothing meanwhile. It keeps trying.`,
  journalFailed: (detail: string, again: string) =>
    `The journal cannot be written (${detail}). Delivery continues in ${again}.`,
  failed: (from: string, failure: DeliveryFailure, again: string) =>
    `The reply from ${from} is kept, but not delivered: ${failed(failure)}. Retry in ${again}.`,
  down: (output: string, failure: DeliveryFailure, waiting: Count) =>
    `Delivery to ${outputName(output)} fails: ${failed(failure)}. ${plural(waiting, "reply is", "replies are")} pending and retried; --verbose reports every attempt.`,
  setAside: (output: string, why: string, file: string | null) =>
    `A reply cannot be delivered to ${outputName(output)} (${why}). ${file === null ? "The journal keeps it" : `It is kept in ${file}`}; the others are delivered. Report it: this is a defect of bpos.`,
  full: "100,000 replies or 100 MiB wait for delivery. bpos answers new ones with 503, so that the service retries, until the outputs have caught up.",
  fullNoMore: "The outputs have caught up: bpos accepts replies again.",
  works: (output: string) => `Every pending reply was delivered to ${outputName(output)}.`,
  unfinished: (from: string, output: string) =>
    `The reply from ${from} was being delivered to ${outputName(output)} when you stopped bpos. The next run delivers it again, marked as repeated.`,
  optedOut: (phone: string) => `${phone} opted out: no send of this journal messages this person any more.`,
  optOutDoubtful: (phone: string) =>
    `The reply from ${phone} may be an opt-out. Decide: bpos campaign optout review`,
  optOutOfNobody:
    "A reply opts somebody out and names no phone that bpos can read: nobody was put on the list of opt-outs. Find out who it is, then run: bpos campaign optout add PHONE",
  nobody: "an unknown phone",
  sent: (ago: string) => `sent ${ago} ago`,
  unknownSend: "no send in this journal",
  namesNoCampaign: "names no campaign",
  repeated: "REPEATED: may have been delivered before",
};
