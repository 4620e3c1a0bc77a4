import type { WorldProblem } from "../../errors/world-problem.ts";
import { type Words, wordsFor } from "../words-for.ts";

interface WhyAndNext {
  why: string;
  next: string;
}

const elsewhere = "Name another file, or move this one away to have a new world begin there.";

const problems: Words<WorldProblem, WhyAndNext> = {
  not_a_file: () => ({ why: "It is not a regular file.", next: "Name a file." }),
  not_sqlite: () => ({ why: "It is not an SQLite file: it was left as it is.", next: elsewhere }),
  other_program: () => ({
    why: "It is a database of another program: it was left as it is.",
    next: "Name another file.",
  }),
  newer: () => ({ why: "It was written by a newer bpos.", next: `Update bpos. ${elsewhere}` }),
  older: () => ({ why: "It was written by an older bpos.", next: elsewhere }),
  busy: () => ({
    why: "Another process has been writing to it for 10 s.",
    next: "Stop that process, or name another file.",
  }),
  damaged: ({ said }) => ({ why: `It is damaged (${said}).`, next: elsewhere }),
  unwritable: ({ said }) => ({
    why: `It cannot be written (${said}).`,
    next: "Check that you may write there and that the disk has room, or name another file; BPOS_HOME names another folder for that of --mock.",
  }),
  other_world: ({ of }) => ({
    why: `It holds a world of another ${of.join(" and ")}, and what has happened in it cannot be true of this one.`,
    next: "Leave that out, empty the world with `bpos mock reset`, or name another file.",
  }),
};

/** Why the file of the mock's world cannot be used, and what to do next. */
export function worldWords(problem: WorldProblem): WhyAndNext {
  return wordsFor(problems, problem);
}
