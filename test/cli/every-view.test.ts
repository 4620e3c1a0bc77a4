import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorText } from "../../src/cli/display/error-text.ts";
import { plainSigns } from "../../src/cli/display/terminal.ts";
import { textWidth } from "../../src/cli/display/text.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { root } from "../support/run.ts";
import { sized } from "../support/soak.ts";
import { anyText } from "../support/texts.ts";
import { everyView } from "./every-view.ts";
import { lines, pipe, terminal, uncoloured, widest } from "./ui.ts";

/** Characters that move a cursor, turn the direction of a line, hide, or are drawn over the lines around them. */
const ACTS = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0001}]|\p{M}{5}/u;
const zalgo = `Z${"\u0300\u0315\u0489".repeat(200)}`;
const hostileNames = [
  "\u001b[2J\u001b[H\nFORGED",
  "\r\nFORGED\r",
  "a\tb\u0007\u0008\u000b\u000c",
  "\u009b2J\u0085\u0090x\u009c",
  "\u202eLATOT\u202c \u2066x\u2069 \u200f",
  "\u200b\u2060\ufeff\u00ad\u034f\u3164",
  "\u2028FORGED\u2029",
  zalgo,
  "\ud800",
  "__proto__",
  "constructor",
];
const words = [
  "Ana",
  "寿司 🍣 한국어 가게 👨‍👩‍👧‍👦 👍🏽 🇦🇷 🏴󠁧󠁢󠁳󠁣󠁴󠁿 1️⃣ e\u0301 Z͑ͫ̓A",
  "x".repeat(90),
  "palabra ".repeat(30).trim(),
  zalgo,
];
const views = Object.entries(everyView);

describe.each(views)("%s", (_name, view) => {
  it("fits every terminal, in both languages, whatever the names", () => {
    for (const width of sized([20, 80], [20, 40, 60, 80, 100, 200]))
      for (const name of width === 80 ? sized(words.slice(0, 3), words) : words) {
        const ui = terminal(width, { badge: "MOCK" });
        const text = [
          view(name, ui),
          ...(name === "Ana" ? [view(name, { ...ui, texts: textsIn("es") })] : []),
        ].join("\n");
        expect([width, name, widest(text) <= width]).toEqual([width, name, true]);
      }
  });

  it("shows a hostile name harmlessly, and in a pipe without a line more", () => {
    const harmless = lines(view("x", pipe())).length;
    const shows = (name: string): void => {
      const piped = lines(view(name, pipe()));
      for (const shown of [lines(view(name, terminal(47))), piped]) expect(shown.join("")).not.toMatch(ACTS);
      expect(piped.length).toBeLessThanOrEqual(harmless);
    };
    hostileNames.forEach(shows);
    fc.assert(fc.property(anyText({ minLength: 1 }), shows), { numRuns: sized(2, 6) });
  });

  it("has a plain form without a sign beyond ASCII, laid out as the other", () => {
    for (const texts of sized([textsIn("es")], [textsIn("en"), textsIn("es")]))
      for (const name of ["x", "\u001b\n\u202e", "x".repeat(90)])
        for (const ui of [terminal(80, { texts }), terminal(30, { texts }), pipe({ texts })]) {
          const text = uncoloured(view(name, ui));
          const plain = plainSigns(text);
          expect(plain).not.toMatch(/[^\n\x20-\x7e\p{L}¿¡]/u);
          expect(plain.split("\n").map(textWidth)).toEqual(text.split("\n").map(textWidth));
        }
  });
});

it("the calls below a defect hold nothing of its message", () => {
  const text = errorText(new Error("\u001b[2J\n    at FORGED"), pipe(), { stack: true });
  expect(text.split("\n").filter((line) => /^\s*at FORGED/.test(line))).toEqual([]);
  expect(text).toMatch(/\n\s+at .*every-view/);
});

it("no sign that texts and views use is missing from the plain form", () => {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter(
      (path) =>
        /^(cli|texts|errors\/words)\b.*\.(?:ts|json)$|view\.ts$|fixed\.ts$/.test(path) &&
        !path.includes("completion"),
    )
    .map((path) => readFileSync(join(root, "src", path), "utf8"));
  const code = sources.join("\n").replace(/^\s*(\/\/|\/?\*).*$/gm, "");
  const signs = new Set(code.match(/[^\p{ASCII}\p{L}¿¡]/gu));
  expect(signs.size).toBeGreaterThan(15);
  expect([...signs].filter((sign) => !/^[\x20-\x7e]$/.test(plainSigns(sign)))).toEqual([]);
});

it("the plain form of a sign takes its room, and letters stay", () => {
  expect(plainSigns("╭ Pedido ─╮ ≤ 5 · Ñandú … fin… a → b ␛[2J⏎ ‹U+202E›")).toBe(
    "+ Pedido -+ <=5 - Ñandú.. fin~ a > b ?[2J? <U+202E>",
  );
});
