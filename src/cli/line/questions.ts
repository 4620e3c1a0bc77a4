import type { QuestionWords } from "../../system/prompts.ts";
import type { T } from "../../texts/texts.ts";

/** Returns the texts of prompts, and the answers that they accept. */
export const questionWords = (t: T): QuestionWords => ({
  yes: t("y, yes // all that means yes, in small letters").split(", "),
  no: t("n, no // all that means no, in small letters").split(", "),
  hint: t("(y/N)"),
  answered: { yes: t("Yes"), no: t("No") },
  objection: t("Type y for yes, or n or Enter for no."),
  unseen: t("[input is hidden]"),
  keys: t("Move with the arrow keys, select with Enter."),
});
