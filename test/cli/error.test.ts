import { describe, expect, it } from "vitest";
import { errorJson, errorText } from "../../src/cli/display/error-text.ts";
import { toJson } from "../../src/cli/display/json.ts";
import { chooseColors, createTheme } from "../../src/cli/display/ui.ts";
import { readCause } from "../../src/errors/words/reasons.ts";
import { BposError, exitNames } from "../../src/errors.ts";
import type { OutStream } from "../../src/system.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { allErrors, reasons, sample } from "./error-samples.ts";
import { lines, pipe, terminal, widest } from "./ui.ts";

/** English words in a Spanish text, beside commands, flags and what stands in quotation marks. */
function englishIn(text: string): string[] {
  const own = text.replaceAll(/`[^`]*`|"[^"]*"|--[a-z-]+|\(API key\)|file:\S+/g, " ");
  const words =
    /\b(?:a file|about|after|again|and|answer|are|at most|before|cannot|check|file|for|found|from|give|has|have|into|it|its|key|line|lines|missing|more than|name|not|nothing|of|or|out|read|row|rows|run|sent|the|there|this|to|try|was|were|what|which|with|within|wrong|you|your)\b/gi;
  return [...own.matchAll(words)].map(([word]) => word);
}

describe.each(reasons.filter((reason) => reason !== "declined"))("%s", (reason) => {
  it("is at most four lines: what happened, why, what to do next, and that nothing was sent", () => {
    const text = errorText(sample(reason), pipe(), { sends: true });
    expect(text).toMatch(
      /^(?:Error: |Note: {2}).{10,}[.?]"?\n(?:Why: {3}.{10,}[.?]"?\n)?Next: {2}.{10,}\.\n(?:Nothing was sent\.\n)?$/,
    );
    expect(errorText(sample(reason), pipe())).toBe(text.replace(/\nNothing was sent\.\n$/, "\n"));
    expect(text).not.toMatch(/undefined|\[object|\.\.|\u001b/);
  });

  it("fits a terminal", () => {
    for (const width of [40, 80, 200])
      expect(widest(errorText(sample(reason), terminal(width)))).toBeLessThanOrEqual(width);
  });

  it("has the same words in JSON, its exit name and its reason", () => {
    const { error } = errorJson(sample(reason));
    expect(Object.keys(error).slice(0, 3)).toEqual(["code", "message", "hint"]);
    expect(error).toMatchObject({ code: exitNames[reason], reason, docs: `bpos help errors ${reason}` });
    expect(toJson({ error })).not.toContain("\n");
  });
});

describe("the problem in JSON", () => {
  it.each([
    [
      new BposError("usage_flag", {
        problem: {
          kind: "value",
          flag: "--page",
          problem: { kind: "not_whole", text: "x", min: 1, max: null },
        },
      }),
      { detail: 'Invalid value "x" for --page', problem: { kind: "value", flag: "--page" } },
    ],
    [
      new BposError("world_unusable", { file: "w.db", problem: { kind: "newer" } }),
      { detail: "w.db: written by a newer bpos", problem: { kind: "newer" } },
    ],
  ])("is said in words too: %s", (error, expected) => {
    expect(errorJson(error).error).toMatchObject(expected);
  });
});

describe("in either language", () => {
  it.each(
    allErrors
      .filter(({ reason }) => reason !== "declined")
      .map((error): [string, BposError] => [error.message.slice(0, 120), error]),
  )("%s", (_name, error) => {
    expect(errorText(error, pipe())).toMatch(
      /^(?:Error: |Note: {2}).{8,}[.?]"?\n(?:Why: {3}.{8,}[.?…]"?\n)?Next: {2}.{8,}\.\n$/,
    );
    expect(errorText(error, pipe())).not.toMatch(/^Why:.*Nothing was/m);
    const spanish = errorText(error, pipe({ texts: textsIn("es") }));
    expect(spanish).not.toMatch(/^Por qué:.*No se mandó nada/m);
    expect(spanish).toMatch(
      /^(?:Error: {5}|Nota: {6}).{8,}[.?]"?\n(?:Por qué: {3}.{8,}[.?…]"?\n)?Qué hacer: .{8,}\.\n$/,
    );
    expect(spanish).not.toMatch(/undefined|\[object|\.\./);
    expect(englishIn(spanish)).toEqual([]);
  });

  it("what lies behind each reason is told in Spanish too", () => {
    for (const reason of reasons) {
      const { cause, remedy = "" } = readCause(reason, textsIn("es").t);
      expect(cause, reason).not.toBe("");
      expect(englishIn(`${cause} ${remedy}`), reason).toEqual([]);
    }
  });
});

describe("an error", () => {
  it("that nobody foresaw is a bug, with its stack only when asked", () => {
    const bug = new TypeError("x is not a function");
    expect(lines(errorText(bug, pipe()))).toHaveLength(3);
    expect(errorText(bug, pipe())).toContain("TypeError: x is not a function.");
    expect(errorText(bug, pipe(), { stack: true })).toMatch(/\n {4}at .*error\.test/);
    expect(errorJson("thrown text").error).toMatchObject({
      code: "bug",
      reason: "bug",
      detail: "thrown text",
    });
  });
});

it("colours by meaning, and not at all when told so", () => {
  expect(createTheme(0).bad("x")).toBe("x");
  expect(createTheme(1).bad("x")).toBe("\u001b[31mx\u001b[39m");
  const onTerminal = { isTerminal: true } as OutStream;
  const seen = (env: Record<string, string>): string =>
    createTheme(chooseColors(onTerminal, { env, platform: "linux" }, {})).warn("x");
  // Yellow vanishes on white; a terminal with 256 colours has one that does not.
  expect(seen({ TERM: "xterm-256color" })).toBe("\u001b[38;5;130mx\u001b[39m");
  expect(seen({ TERM: "linux" })).toBe("\u001b[33mx\u001b[39m");
  expect(seen({ TERM: "xterm-256color", NO_COLOR: "1" })).toBe("x");
  expect(seen({ TERM: "dumb" })).toBe("x");
  expect(["a"].map(createTheme(1).dim)).toEqual(["\u001b[2ma\u001b[22m"]);
});
