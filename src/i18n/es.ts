import { type Language, textsIn } from "../texts/texts.ts";
import type { Texts } from "./en.ts";
import { inArgentine, inNeutral } from "./es/forms.ts";

const texts = (language: Language): Texts => ({ language, t: textsIn(language) });

/** Neutral Spanish, for every country. */
export const es = inNeutral(texts("es"));

/** Spanish as it is spoken in Argentina, Uruguay and Paraguay: the same texts, with the words of `es/forms.ts`. */
export const esAR = inArgentine(texts("es-AR"));
