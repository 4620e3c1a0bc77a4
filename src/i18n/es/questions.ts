import type { questions as en } from "../en/questions.ts";

/** What the questions say and accept, in Spanish. */
export const questions: typeof en = {
  yes: ["s", "si", "sí", "y", "yes"],
  no: ["n", "no"],
  hint: "(s/N)",
  answered: { yes: "Sí", no: "No" },
  objection: "Escribí s para sí, o n o solo Enter para no.",
  unseen: "[no se ve lo que escribís]",
  keys: "Con las flechas te movés, con Enter elegís.",
};
