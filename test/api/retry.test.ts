import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mayBeApplied, type Outcome, retryAfterMs, retryDelayMs } from "../../src/api/retry.ts";

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({ kind: fc.constant("status" as const), status: fc.integer({ min: 300, max: 599 }) }),
  fc.constantFrom<Outcome>({ kind: "unreadable" }, { kind: "wrong_shape" }),
  fc.record({
    kind: fc.constant("transport" as const),
    failure: fc.constantFrom("refused", "dns", "tls", "timeout", "reset", "too_large", "aborted", "protocol"),
    mayHaveArrived: fc.boolean(),
  }),
);
const input = fc.record({
  attempt: fc.integer({ min: 1, max: 2000 }),
  retries: fc.integer({ min: 0, max: 2000 }),
  outcome,
  retryAfterMs: fc.option(fc.integer({ min: 0, max: 200_000 }), { nil: undefined }),
  random,
});

describe("retryDelayMs", () => {
  it("never tries more often than allowed, and pauses between what was asked and the limits", () => {
    fc.assert(
      fc.property(input, (given) => {
        const delayMs = retryDelayMs(given);
        if (delayMs === undefined) return;
        const asked = given.retryAfterMs ?? 0;
        const ceiling = Math.min(20_000, 250 * 2 ** (given.attempt - 1));
        expect(given.attempt).toBeLessThanOrEqual(given.retries);
        expect(asked).toBeLessThanOrEqual(60_000);
        expect(delayMs).toBeGreaterThanOrEqual(asked);
        expect(delayMs).toBeLessThanOrEqual(Math.max(asked, ceiling));
      }),
    );
  });

  it("spreads pauses over the whole range", () => {
    const outcome: Outcome = { kind: "status", status: 503 };
    const delay = (attempt: number, random: number) =>
      retryDelayMs({ attempt, retries: 99, outcome, random });
    expect([delay(1, 0), delay(1, 0.5), delay(4, 0.5), delay(50, 0.5)]).toEqual([0, 125, 1000, 10_000]);
  });

  const transport = (failure: "refused" | "dns" | "tls" | "timeout" | "reset" | "too_large" | "protocol") =>
    ({ kind: "transport", failure, mayHaveArrived: true }) as const;
  const status = (code: number) => ({ kind: "status", status: code }) as const;

  it.each<[Outcome, boolean, boolean]>([
    ...[408, 429, 500, 502, 503, 504].map(
      (code) => [status(code), true, true] as [Outcome, boolean, boolean],
    ),
    ...[400, 401, 403, 404, 413, 422].map(
      (code) => [status(code), false, false] as [Outcome, boolean, boolean],
    ),
    [status(409), false, true],
    ...[301, 307, 308].map((code) => [status(code), false, false] as [Outcome, boolean, boolean]),
    ...[302, 303].map((code) => [status(code), false, true] as [Outcome, boolean, boolean]),
    [transport("refused"), true, true],
    [transport("dns"), true, true],
    [transport("timeout"), true, true],
    [transport("reset"), true, true],
    [transport("protocol"), true, true],
    [transport("tls"), false, true],
    [transport("too_large"), false, true],
    [{ kind: "unreadable" }, true, true],
    [{ kind: "wrong_shape" }, false, true],
  ])("%j: again %s, may be applied %s", (outcome, again, applied) => {
    expect(retryDelayMs({ attempt: 1, retries: 4, outcome, random: 0 }) !== undefined).toBe(again);
    expect(mayBeApplied(outcome)).toBe(applied);
  });
});

describe("retryAfterMs", () => {
  const now = Date.UTC(1994, 10, 6, 8, 49, 0);
  it.each([
    ["0", 0],
    ["120", 120_000],
    [" 5 ", 5000],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 37_000],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 37_000],
    ["Sun Nov  6 08:49:37 1994", 37_000],
    ["Sun, 06 Nov 1994 08:48:37 GMT", 0],
    [undefined, undefined],
    // Numbers are rounded up, and what begins with one is that number.
    ["3.5", 4000],
    ["1.5", 2000],
    ["0.02", 1000],
    ["0.0", 0],
    ["3 seconds", 3000],
    ["3s", 3000],
    ["3, 3", 3000],
    ["120,3", 120_000],
    ["2.5; q=1", 3000],
    ["9".repeat(400), Number.MAX_SAFE_INTEGER],
    // A date that is not HTTP's begins with a number too, and is none of seconds.
    ["1994-11-06T08:49:37Z", 37_000],
    ["1994-11-06T05:49:37-03:00", 37_000],
    ["1994-11-06", 1000],
    ["1994-11-06T08:49:37", 1000],
    ["1994-11-06Txx:yyZ", 1000],
    // A value that cannot be read asks for a pause all the same.
    ["-5", 1000],
    ["soon", 1000],
    ["", 1000],
    [" ", 1000],
    [".5", 1000],
    ["Infinity", 1000],
    ["Sun, 99 Foo 1994 08:49:37 GMT", 1000],
  ])("%s", (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });

  it("is at least what its first number says, whatever stands behind it", () => {
    const seconds = fc.double({ min: 0, max: 1e9, noNaN: true }).map((value) => value.toFixed(3));
    const rest = fc.constantFrom("", " ", " seconds", "s", ", 7", ",7", "; x=1", " minutes");
    fc.assert(
      fc.property(seconds, rest, (number, after) => {
        const ms = retryAfterMs(number + after, now) ?? Number.NaN;
        expect(ms).toBeGreaterThanOrEqual(Number(number) * 1000);
        expect(ms).toBeLessThan(Number(number) * 1000 + 1000);
      }),
    );
  });

  it("never is less than nothing, nor no number, whatever the header says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (header) => {
        expect(retryAfterMs(header, now)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it.each(["soon", "-5", ""])("%j has the usual backoff, never less than 1 s", (header) => {
    const outcome: Outcome = { kind: "status", status: 429 };
    const asked = retryAfterMs(header, now);
    const delay = (attempt: number, random: number) =>
      retryDelayMs({ attempt, retries: 9, outcome, retryAfterMs: asked, random });
    expect([delay(1, 0), delay(1, 0.99), delay(5, 0.5), delay(9, 0.5)]).toEqual([1000, 1000, 2000, 10_000]);
  });
});
