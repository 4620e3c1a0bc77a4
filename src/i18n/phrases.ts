import type { Detail } from "../errors/detail.ts";
import { shellWord } from "./shell-word.ts";

/** A sentence with its full stop, unless what it quotes brings one. */
export const ended = (sentence: string): string =>
  /[.!?…]["')]?$/.test(sentence) ? sentence : `${sentence}.`;

/** A sentence that began as a part of one. */
export const capitalised = (part: string): string => part.charAt(0).toUpperCase() + part.slice(1);

/** A number with the word that goes with it. */
export const times = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

/** The command that finishes a send. */
export const resumed = (ref: string | undefined): string =>
  ref === undefined ? "`bpos campaign resume`" : `\`bpos campaign resume ${shellWord(ref)}\``;

/** Whether a key was given in the place of its file. */
export const isKeyAsFile = (detail: Detail): boolean =>
  typeof detail === "object" && detail.kind === "key_as_file";
