import type { FileProblem, RowProblem } from "../../errors/problems.ts";
import { fileWords as fileWordsIn } from "../../errors/words/files.ts";
import { rowProblemWords as rowProblemWordsIn } from "../../errors/words/rows.ts";
import { textsIn } from "../../texts/texts.ts";

const t = textsIn("en");

/** Why a row is left out and what to do about it, as part of a sentence. */
export const rowProblemWords = (problem: RowProblem) => rowProblemWordsIn(problem, t);

/** Why a file cannot be used, as part of a sentence, and what to do next. */
export const fileWords = (problem: FileProblem) => fileWordsIn(problem, t);
