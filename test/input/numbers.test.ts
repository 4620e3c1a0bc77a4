import fc from "fast-check";
import { expect, it } from "vitest";
import { type Decimal, parseAmount, plainJsonAmount } from "../../src/input/numbers.ts";

const digits = (most: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom("0", "0", "1", "5", "9"), maxLength: most });
/** What looks like an amount, and what almost does. */
const amount = fc
  .tuple(digits(9), fc.constantFrom("", ".", ",", "..", "-", " ", "e", "٣"), digits(8))
  .map((parts) => parts.join(""));

it("writes a plain amount as JSON.stringify writes the number that the full grammar reads", () => {
  let taken = 0;
  const all = (text: string, decimal: Decimal): void => {
    const written = plainJsonAmount(text, decimal);
    if (written === null) return;
    taken += 1;
    const read = parseAmount(text, decimal);
    expect(read.ok && JSON.stringify(read.value), `${text} with ${decimal}`).toBe(written);
  };
  fc.assert(fc.property(amount, fc.constantFrom<Decimal>(",", "."), all), { numRuns: 5_000 });
  expect(taken).toBeGreaterThan(500);
});

it.each([
  ["1250.50", ".", "1250.5"],
  ["1250,50", ",", "1250.5"],
  ["100.00", ".", "100"],
  ["0", ".", "0"],
  ["0.5", ".", "0.5"],
  ["9999999999999.9", ".", "9999999999999.9"],
] as const)("writes %s as it is meant", (text, decimal, written) => {
  expect(plainJsonAmount(text, decimal)).toBe(written);
});

it.each(["", ".", "5.", ".5", "007", "00.5", "0.05", "-1", "1e5", "1,5", "1 000", "1234567890.123456"])(
  "leaves %j to the full grammar",
  (text) => {
    expect(plainJsonAmount(text, ".")).toBeNull();
  },
);
