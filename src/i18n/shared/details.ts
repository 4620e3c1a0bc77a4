import type { DatabaseProblem, Detail, OwnDetail } from "../../errors/problems.ts";
import type { ExecEnd } from "../../errors.ts";
import { type FitSentences, type Sentences, sentencesKnowing, textFor } from "../template.ts";

/** How the command of --exec or --on-failure ended. */
export const execEndWords = textFor<ExecEnd>();

/** The command of --exec, as a message names it. */
export const programWords = textFor<{ program: string; outputNumber: number }>();

interface DetailWords {
  /** What the system says; its own text stays in it, since people search for that. */
  system: (said: string) => string;
  database: (problem: DatabaseProblem) => { what: string };
  /** What the types of JSON are called, where that is not their name. */
  types: Readonly<Record<string, string>>;
}

const knownDetails = (say: (detail: Detail) => string, { database, types }: DetailWords) => ({
  answer_lacks: ({ type }: { type: string }) => ({ type: types[type] ?? type }),
  proxy_unreached: ({ detail }: { detail: Detail }) => ({ detail: say(detail) }),
  database: ({ problem }: { problem: DatabaseProblem }) => ({ texts: { text: database(problem).what } }),
});
type KnownDetails = ReturnType<typeof knownDetails>;

/** Why something failed, as part of a sentence; what others said stays as it came. */
export const detailsIn =
  (words: DetailWords) =>
  <const T extends Sentences<OwnDetail, KnownDetails>>(
    table: T & FitSentences<OwnDetail, KnownDetails, T>,
  ) => {
    const say = (detail: Detail): string => (typeof detail === "string" ? words.system(detail) : own(detail));
    const own = sentencesKnowing<OwnDetail>()(knownDetails(say, words))(table);
    return say;
  };
