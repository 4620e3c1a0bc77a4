import type { LayoutProblem } from "../../errors/problems.ts";
import * as words from "../../errors/words/layout.ts";
import { textsIn } from "../../texts/texts.ts";

export const layoutWords = (problem: LayoutProblem) => words.layoutWords(problem, textsIn("en"));

export const preview = {
  kept: (file: string, width: string, height: string) => `${file}: ${width} × ${height} dots.`,
  sample: {
    name: "Íñigo Peña",
    street: "Güemes",
    city: "Córdoba",
    note: "Doorbell broken: knock!",
    items: ["Muzzarella pizza", "Empanada, hot beef"],
    option: "Extra cheese",
  },
};
