import type { Detail } from "../../errors/detail.ts";
import type { ReplyRefusal } from "../../errors/reply-refusal.ts";
import { type Count, plural } from "../plural.ts";
import { shellWord } from "../shell-word.ts";
import { detailWords } from "./detail.ts";

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
