import { type Language, type T, textsIn } from "../texts/texts.ts";

/** What a person reads, in one language. */
export interface Texts {
  language: Language;
  t: T;
}

/** English. */
export const en: Texts = { language: "en", t: textsIn("en") };
