import type { LayoutProblem } from "../../errors/problems.ts";
import * as words from "../../errors/words/layout.ts";
import { textsIn } from "../../texts/texts.ts";
import type { preview as enPreview } from "../en/layout.ts";

export const layoutWords = (problem: LayoutProblem) => words.layoutWords(problem, textsIn("es"));

export const preview: typeof enPreview = {
  kept: (file, width, height) => `${file}: ${width} × ${height} puntos.`,
  sample: {
    name: "Íñigo Peña",
    street: "Güemes",
    city: "Córdoba",
    note: "Timbre roto: ¡golpear!",
    items: ["Pizza muzzarella", "Empanada de carne picante"],
    option: "Extra queso",
  },
};
