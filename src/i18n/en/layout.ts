import type { LayoutProblem } from "../../errors/problems.ts";
import * as words from "../../errors/words/layout.ts";
import { textsIn } from "../../texts/texts.ts";

export const layoutWords = (problem: LayoutProblem) => words.layoutWords(problem, textsIn("en"));
