import * as words from "../../errors/words/header.ts";
import type { HeaderProblem, HeaderUnreachable } from "../../errors.ts";
import { textsIn } from "../../texts/texts.ts";

const t = textsIn("en");

export const headerProblemWords = (problem: HeaderProblem) => words.headerProblemWords(problem, t);
export const headerUnreachableWords = (problem: HeaderUnreachable) =>
  words.headerUnreachableWords(problem, t);
