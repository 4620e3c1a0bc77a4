import type { LayoutProblem } from "../../errors/problems.ts";
import { advice } from "../template.ts";

const asPng = "Save it as PNG without interlacing, black on white.";

/** What is wrong with a layout of receipts, as part of a sentence, and what to do next. */
export const layoutWords = advice<LayoutProblem>()({
  not_json: { what: "not JSON ({detail})", next: "`bpos schema layout` describes the file." },
  unknown_key: {
    what: 'a layout has no key "{key}"',
    next: { similar: "Correct it to {similar}.", else: "Its keys: {keys}." },
  },
  wrong_value: {
    what: { path: "the value of {path} cannot be used", else: "not a JSON object" },
    next: {
      expected: "It takes {expected}.",
      else: "It takes a list of at most 10 texts, each of at most 200 characters.",
    },
  },
  block_missing: {
    what: "blocks leaves out {block}, which every receipt needs",
    next: 'Add "{block}" to blocks; only totals may be left out.',
  },
  block_twice: { what: "blocks has {block} twice", next: 'Remove one "{block}".' },
  logo_not_png: { what: "the logo {logo} is not a PNG", next: asPng },
  logo_damaged: { what: "the logo {logo} is damaged", next: asPng },
  logo_interlaced: {
    what: "the logo {logo} is interlaced, with less than 8 bits per dot",
    next: "Save it as PNG without interlacing.",
  },
  logo_too_large: {
    what: "the logo {logo} is larger than {maxSide} × {maxSide} dots or {maxBytes:MiB} MiB",
    next: "Make it smaller: paper of 80 mm shows 576 dots.",
  },
});

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
