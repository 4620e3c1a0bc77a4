import type { Detail } from "../../errors/problems.ts";
import type { ExecEnd } from "../../errors.ts";
import { sentencesKnowing, textFor } from "../template.ts";

/** Why the status of a message to one person is not known. */
type NoStatus =
  | { kind: "planned" | "unconfirmed" | "not_asked" | "opted_out" | "canary" }
  | { kind: "waits_start" | "waits_hours" | "waits_pace" | "too_late"; until: string }
  | { kind: "held"; ref: string }
  | { kind: "not_listed"; listed: number; all: number | null }
  | { kind: "service"; message: string };

export const noStatusWords = sentencesKnowing<NoStatus>()({
  service: ({ message }) => ({ texts: { text: message } }),
});

/** Why a delivery to an output failed. */
export type DeliveryFailure =
  | ({ kind: "exec"; program: string; outputNumber: number; detail: string } & ExecEnd)
  | { kind: "forward"; url: string; status: number | null; detail: Detail }
  | { kind: "stdout"; detail: string };

interface FailureWords {
  detail: (detail: Detail) => string;
  execEnd: (end: ExecEnd) => string;
  program: (facts: { program: string; outputNumber: number }) => string;
}

export const deliveryFailuresIn = ({ detail, execEnd, program }: FailureWords) =>
  sentencesKnowing<DeliveryFailure>()({
    exec: (failure) => {
      const ended = `${program(failure)} ${execEnd(failure)}`;
      return { texts: { text: failure.detail === "" ? ended : `${ended}: ${failure.detail}` } };
    },
    forward: ({ detail: why }) => ({ detail: detail(why) }),
  });

/** The outputs of replies by the flags that name them. */
const outputs: Readonly<Record<string, string>> = { exec: "--exec", forward: "--forward-to" };

export const nameOutput =
  (stdout: string) =>
  (output: string): string =>
    output === "stdout" ? stdout : (outputs[output] ?? output);

interface Listening {
  url: string;
  port: number;
  publicUrl: string | undefined;
  isLocal: boolean;
  /** What stands for the secret in an address. */
  secret: string | undefined;
}

export const listeningWords = textFor<Listening>();

interface ListeningHow {
  isLocal: boolean;
  publicUrl: string | undefined;
  hasSecret: boolean;
}

/** Where `campaign listen` listens, and what to give the service. */
export const listeningIn =
  (secret: string, words: (facts: Listening) => string) =>
  (url: string, port: number, { isLocal, publicUrl, hasSecret }: ListeningHow): string =>
    words({
      url,
      port,
      isLocal,
      publicUrl: publicUrl?.replace(/\/*$/, "/"),
      secret: hasSecret ? secret : undefined,
    });
