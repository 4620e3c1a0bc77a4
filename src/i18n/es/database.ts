import type { DatabaseProblem } from "../../errors/problems.ts";
import { databaseWords as databaseWordsIn } from "../../errors/words/database.ts";
import { textsIn } from "../../texts/texts.ts";

/** Why a database cannot be the journal, as part of a sentence, and what to do next. */
export const databaseWords = (problem: DatabaseProblem) => databaseWordsIn(problem, textsIn("es"));
