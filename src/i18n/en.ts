import { type Language, textsIn } from "../texts/texts.ts";
import { byTopic } from "./shapes.ts";

/** English. */
export const en = byTopic({
  language: (): Language => "en",
  t: () => textsIn("en"),
});

/** Every sentence that a person reads; each language has this shape. */
export type Texts = typeof en;
