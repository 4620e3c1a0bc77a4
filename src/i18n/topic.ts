import type { ErrorReason, ExitName } from "../errors.ts";

/** One part of a topic: a heading, a paragraph, rows of a term and what it is, lines to be shown as they are. */
export interface TopicPart {
  heading?: string;
  text?: string;
  rows?: readonly (readonly [term: string, what: string])[];
  code?: readonly string[];
}

/** What `bpos help TOPIC` explains. */
export interface Topic {
  title: string;
  parts: readonly TopicPart[];
}

/** What a topic says of this machine and of our tables. */
export interface TopicFacts {
  /** Each exit code with its name, in order. */
  exits: readonly (readonly [code: number, name: ExitName])[];
  /** The reasons by their exit code, each with its cause in a sentence. */
  reasons: readonly (readonly [exit: string, reasons: readonly (readonly [ErrorReason, cause: string])[]])[];
  /** Where configuration and state live on this machine. */
  folders: { config: string; state: string };
}

/** The topics of `bpos help` in one language. */
export type Topics = Readonly<
  Record<"exit-codes" | "environment" | "files" | "json" | "errors", (facts: TopicFacts) => Topic>
>;
