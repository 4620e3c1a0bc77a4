import fc from "fast-check";
import { isLosslessNumber, stringify } from "lossless-json";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/api/json.ts";

const digits = fc.string({ unit: fc.integer({ min: 0, max: 9 }).map(String), minLength: 1, maxLength: 25 });
const exponent = fc.tuple(fc.constantFrom("e", "E", "e+", "e-"), fc.integer({ min: 0, max: 420 }));
const numberText = fc
  .tuple(fc.boolean(), digits, fc.option(digits), fc.option(exponent))
  .map(([minus, whole, part, power]) =>
    [
      minus ? "-" : "",
      whole.replace(/^0+(?=.)/, ""),
      part === null ? "" : `.${part}`,
      (power ?? []).join(""),
    ].join(""),
  );

/** A decimal number as sign, digits without zeros at either end, and the power of ten of the last; any zero is the same. */
function decimalOf(text: string): string {
  const [, sign = "", whole = "", part = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const all = (whole + part).replace(/^0+/, "");
  const kept = all.replace(/0+$/, "");
  return kept === "" ? "0" : `${sign}${kept}e${Number(power) - part.length + all.length - kept.length}`;
}

describe("a number of an answer", () => {
  it.each([
    "1234567890123456.78",
    "0.12345678901234567890",
    "100000000000000000000.5",
    "-100000000000000000000.5",
    "9007199254740993.0",
    "1e400",
    "-1E+400",
    "1e-400",
    "1.2345e-320",
    "9007199254740993",
  ])("that no double gives back (%s) keeps its digits wherever it stands", (text) => {
    for (const json of [text, `{"a":${text}}`, `[1,${text}]`, `{"a": ${text}}`, `[\n${text}]`])
      expect(stringify(parseJson(json))).toBe(json.replace(/\s/g, ""));
  });

  it.each([
    ["1.50", 1.5],
    ["1e2", 100],
    ["0.30000000000000004", 0.30000000000000004],
    ["1.0000000000000000", 1],
    ["1e100", 1e100],
    ["0e999", 0],
    ["123456789012345", 123456789012345],
  ])("that a double gives back (%s) is an ordinary one", (text, number) => {
    expect(parseJson(`{"a":${text}}`)).toStrictEqual({ a: number });
  });

  it("has the same value when it is written again, whatever it is", () => {
    fc.assert(
      fc.property(numberText, (text) => {
        const value = (parseJson(`{"n":${text}}`) as { n: unknown }).n;
        expect(decimalOf(String(value))).toBe(decimalOf(text));
        if (isLosslessNumber(value)) expect(String(value)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });
});
