import type { en } from "./en.ts";

/** Every sentence that a person reads; each language has this shape. */
export type Texts = typeof en;
