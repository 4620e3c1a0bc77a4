import { type Advice, sayKind, type Words } from "../../texts/kinds.ts";
import { quoted } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import type { LayoutProblem } from "../problems.ts";

const words: Words<LayoutProblem, Advice> = {
  not_json: ({ detail }, t) => ({
    what: t("not JSON ({detail})", { detail }),
    next: t("`bpos schema layout` describes the file."),
  }),
  unknown_key: ({ key, similar, keys }, t) => ({
    what: t("unknown key {key}", { key: quoted(key) }),
    next:
      similar === null
        ? t("Its keys: {keys}.", { keys: keys.join(", ") })
        : t("Correct it to {similar}.", { similar }),
  }),
  wrong_value: ({ path, expected }, t) => ({
    what: path === "" ? t("not a JSON object") : t("invalid value for {path}", { path }),
    next:
      expected === null
        ? t("It must be a list of at most 10 texts, each of at most 200 characters.")
        : t("It must be {expected}.", { expected }),
  }),
  block_missing: ({ block }, t) => ({
    what: t("blocks lacks {block}, which every receipt needs", { block }),
    next: t("Add {block} to blocks: only totals can be left out.", { block: quoted(block) }),
  }),
  block_twice: ({ block }, t) => ({
    what: t("blocks has {block} twice", { block }),
    next: t("Remove one {block}.", { block: quoted(block) }),
  }),
  logo_not_png: ({ logo }, t) => ({
    what: t("the logo {logo} is not a PNG", { logo }),
    next: t("Save it as a PNG without interlacing, black on white."),
  }),
  logo_damaged: ({ logo }, t) => ({
    what: t("the logo {logo} is damaged", { logo }),
    next: t("Save it as a PNG without interlacing, black on white."),
  }),
  logo_interlaced: ({ logo }, t) => ({
    what: t("the logo {logo} is interlaced, with less than 8 bits per dot", { logo }),
    next: t("Save it as a PNG without interlacing."),
  }),
  logo_too_large: ({ logo, maxSide, maxBytes }, t) => ({
    what: t("the logo {logo} is larger than {maxSide} × {maxSide} dots or {maxBytes} MiB", {
      logo,
      maxSide,
      maxBytes: maxBytes / 2 ** 20,
    }),
    next: t("Make it smaller: 80 mm paper is 576 dots wide."),
  }),
};

/** Says what is wrong with a layout of receipts, as part of a sentence, and what to do next. */
export const layoutWords = (problem: LayoutProblem, t: T): Advice => sayKind(words, problem, t);
