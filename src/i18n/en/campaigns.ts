import type { Detail, ReplyRefusal } from "../../errors/problems.ts";
import { type Count, plural, shellWord } from "../phrases.ts";
import { detailWords } from "./call-errors.ts";

const people = (count: Count): string => plural(count, "person", "people");

/** The preview and the report of a campaign send. */
export const send = {
  previewTitle: "Campaign send",
  dryRunTitle: "Campaign send · dry run",
  reportTitle: "Campaign send",
  testTitle: "Campaign send · test",
  testDryRunTitle: "Campaign send · test · dry run",
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
    sendId: "Send",
  },
  anyLanguage: "the template's only one",
  wouldSend: (count: Count, calls: Count) =>
    `${people(count)} would be messaged, in ${plural(calls, "call", "calls")}.`,
  test: (phone: string) => `one message to ${phone}`,
  wouldTest: (phone: string) => `One message would go to ${phone}, and to nobody else.`,
  /** Which column of the file fills each variable of the template. */
  variable: (name: string, at: number) => `{{${at + 1}}} ${name}`,
  noVariables: "none",
  nobody: "Nobody would be messaged.",
  counts: {
    read: "Rows read",
    planned: "Planned",
    added: "Messaged",
    duplicates: "Twice in the file",
    invalid: "Not usable",
    excluded: "Excluded",
    already_sent: "Sent before",
    service_duplicates: "Duplicates, by the service's count",
  },
  columns: { what: "", count: "People" },
  firstTitle: "The first recipients",
  testFirstTitle: "The message",
  first: { phone: "Phone", params: "Variables" },
  outcome: {
    sent: (count: Count) => `Sent: the service took ${people(count)}.`,
    replayed: "REPLAYED: this send had gone out before. Nothing went out now, nobody was messaged again.",
    partial: "Sent in part: the calls below went out, the others did not.",
    refused: "Refused: the service sent nothing.",
    unknown:
      "Unknown: whether a call arrived is not known. Resuming tries it again with the same key, so nobody is messaged twice.",
    nothing: "Nothing was sent.",
  },
  /** Of a send whose answers leave open what became of it. */
  doubtful: {
    people: (known: Count, all: Count) =>
      `Sent in part: the service accounts for ${known.shown} of ${people(all)}.`,
    status: (status: string | null) =>
      status === null
        ? "Not confirmed: the service gave no status."
        : `Not confirmed: the campaign has the status "${status}", not "sent".`,
  },
  notKept: (count: Count) =>
    `The service took ${people(count)}, but the journal could not keep its last answer. Resuming tries that call again with the same key, so nobody is messaged twice.`,
  /** What of a send stayed here. */
  unsent: (calls: Count, count: Count) =>
    `${plural(calls, "call", "calls")} to ${people(count)} did not go out.`,
  gaveUp: "It stopped on purpose: three calls in a row got no answer.",
  resume: (ref: string) => `bpos campaign resume ${shellWord(ref)} goes on with it.`,
  dryRun: "Nothing was sent.",
  replayedAt: (at: string, age: string) => `It went out at ${at}, ${age} ago.`,
  replayedCalls: (count: Count, all: Count) =>
    `REPLAYED: ${count.shown} of ${plural(all, "call", "calls")} had reached the service before; nobody was messaged again.`,
  calls: {
    id: "Campaign",
    status: "Status",
    people: "People",
    added: "Added",
    duplicates: "Duplicates",
    errors: "Errors",
    replayed: "Replayed",
    name: "Name",
  },
  yes: "yes",
  no: "no",
  serviceErrors: "The service left out",
  leftOutAbove: (count: Count, isWritten: boolean) => {
    const all = count.n === 1 ? "it" : "all of them";
    const file = isWritten ? "" : `, --errors FILE writes ${all} to a file that can be corrected and sent`;
    return `${plural(count, "row was", "rows were")} left out, as shown above; --json lists ${all}${file}.`;
  },
  leftOut: { line: "Line", phone: "Phone", reason: "Reason" },
  more: (count: Count) =>
    `${count.shown} more ${count.n === 1 ? "is" : "are"} not shown; --json lists all of them.`,
  file: (name: string, ref: string, exclude: readonly string[]) => {
    const flags = [`--ref ${shellWord(ref)}`, ...exclude.map((file) => `--exclude ${shellWord(file)}`)];
    return `All rows that are left out are in ${name}: correct it and send it as it is, with ${flags.join(" ")}.`;
  },
  noFile: "--errors FILE writes all of them to a file that can be corrected and sent.",
  statusHint: (id: string) => `bpos campaign status ${shellWord(id)} shows what becomes of it.`,
  statusHintRef: (ref: string) => `bpos campaign status --ref ${shellWord(ref)} shows what becomes of it.`,
};

/** The status of one or more campaigns. */
export const campaign = {
  title: (id: string) => `Campaign ${id}`,
  several: (count: Count) => plural(count, "campaign", "campaigns"),
  labels: { name: "Name", ref: "Reference", status: "Status" },
  counts: { what: "Count", people: "People", share: "Share", bar: "" },
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
  noRecipients: "No recipients to show.",
  hidden: (count: Count) =>
    `${plural(count, "recipient is", "recipients are")} counted but not listed: the service lists at most 100 of a campaign. --track-all on the next send makes calls of 100, so that every one is listed.`,
};

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

/** Why an output did not take a reply, as the flow tells it. */
type Failure =
  | {
      kind: "exec";
      command: string;
      exitCode: number | null;
      killedBy: string | null;
      timedOutMs: number | null;
      detail: string;
    }
  | { kind: "forward"; url: string; status: number | null; detail: Detail }
  | { kind: "stdout"; detail: string };

function execEnd({ exitCode, killedBy, timedOutMs }: Extract<Failure, { kind: "exec" }>): string {
  if (timedOutMs !== null) return `was still running after ${timedOutMs / 1000} s and was stopped`;
  if (exitCode !== null) return `ended with exit code ${exitCode}`;
  return killedBy === null ? "could not be started" : `was ended by ${killedBy}`;
}

function failed(failure: Failure): string {
  switch (failure.kind) {
    case "exec":
      return `\`${failure.command}\` ${execEnd(failure)}${failure.detail === "" ? "" : `: ${failure.detail}`}`;
    case "forward":
      return `${failure.url} ${failure.status === null ? `did not answer: ${detailWords(failure.detail)}` : `answered ${failure.status}`}`;
    case "stdout":
      return `standard output could not be written: ${failure.detail}`;
  }
}

const outputs = new Map([
  ["exec", "--exec"],
  ["forward", "--forward-to"],
  ["stdout", "standard output"],
]);
const outputName = (output: string): string => outputs.get(output) ?? output;

const refusals: Readonly<Record<ReplyRefusal, string>> = {
  not_post: "it is no POST",
  foreign_host:
    "its Host is not this machine; behind a tunnel or a reverse proxy start with --public-url URL, or replies are lost",
  foreign_origin: "a web page sent it",
  wrong_secret: "its path does not end in the secret",
  busy: "too many came at once",
  not_json_type: "Content-Type must be application/json",
  compressed: "the body must not be compressed",
  too_large: "the body is too large",
  not_json: "the body is not JSON in UTF-8",
  too_deep: "the body is nested too deep",
  came_back: "this process forwarded it: --forward-to leads back here",
  not_kept: "it could not be written down",
  not_a_request: "it is no request",
  defect: "an error in bpos",
};

/** What `campaign listen` says and shows. */
export const listen = {
  /** `publicUrl` is what leads here from outside, where somebody said it. */
  listening: (
    url: string,
    port: number,
    how: { isLocal: boolean; publicUrl: string | undefined; hasSecret: boolean },
  ) => {
    const end = how.hasSecret ? "SECRET" : "";
    const outside =
      how.publicUrl !== undefined
        ? `Give the service ${how.publicUrl.replace(/\/*$/, "/")}${end}.`
        : how.isLocal
          ? "Only this machine reaches that: have a tunnel or a reverse proxy lead there, name its https address with --public-url, and give it to the service."
          : "Give the service the address under which it reaches that.";
    const secret = how.hasSecret ? " Your secret goes where SECRET stands." : "";
    return `Listening for replies on ${url}. ${outside} To rehearse: bpos mock --webhook-url http://127.0.0.1:${port}/${end}.${secret} Ctrl-C ends.`;
  },
  anybody: (host: string) =>
    `Anybody who reaches ${host} can post replies here: the service does not sign them. Give a secret with --secret-file FILE, or let only the service through.`,
  secretFileOpen: (file: string) =>
    `Warning: others on this machine can read the secret in ${file}. Run: chmod 600 ${shellWord(file)}`,
  waiting: (replies: Count, output: string) =>
    `${plural(replies, "reply", "replies")} of an earlier run still ${replies.n === 1 ? "waits" : "wait"} for ${outputName(output)}: a run with it hands them on.`,
  refused: (status: number, why: ReplyRefusal) =>
    `A POST was refused with ${status}: ${refusals[why]}. Nothing of it is kept. ${
      why === "wrong_secret"
        ? "Others within a minute are not reported."
        : `Later refusals with ${status} are not reported.`
    }`,
  notKept: (detail: string) =>
    `A reply could not be written to the journal (${detail}). It was answered with 503, so that the service sends it again.`,
  journalFailed: (detail: string, again: string) =>
    `The journal cannot be written (${detail}). Handing on goes on in ${again}.`,
  failed: (from: string, failure: Failure, again: string) =>
    `The reply of ${from} is kept, but not handed on: ${failed(failure)}. Next try in ${again}.`,
  down: (output: string, failure: Failure, waiting: Count) =>
    `${outputName(output)} takes no replies: ${failed(failure)}. ${plural(waiting, "reply is", "replies are")} kept and waiting; each is tried again until it is taken. --verbose tells of every try.`,
  works: (output: string) => `${outputName(output)} has taken every reply that was waiting.`,
  unfinished: (from: string, output: string) =>
    `The reply of ${from} was at ${outputName(output)} when you stopped; it may be done. The next run hands it on again, marked as repeated.`,
  nobody: "an unknown phone",
  sent: (ago: string) => `sent ${ago} ago`,
  unknownSend: "no send of this machine",
  namesNoCampaign: "names no campaign",
  repeated: "REPEATED: it may have been handed on before",
};
