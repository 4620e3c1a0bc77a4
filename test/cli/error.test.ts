import { LosslessNumber } from "lossless-json";
import { describe, expect, it } from "vitest";
import { toCsv } from "../../src/cli/csv.ts";
import { errorJson, errorText } from "../../src/cli/error-text.ts";
import { toJson } from "../../src/cli/json.ts";
import { createTheme } from "../../src/cli/output.ts";
import { BposError, type ErrorReason, exitNameOf } from "../../src/errors.ts";
import { es } from "../../src/i18n/es.ts";
import { causeOf } from "../../src/i18n/shapes.ts";
import { allErrors, call, reasons, sample } from "./error-samples.ts";
import { lines, pipe, terminal, uncoloured, widest } from "./ui.ts";

/** English words in a Spanish text, beside commands, flags and what stands in quotation marks. */
function englishIn(text: string): string[] {
  const own = text.replaceAll(/`[^`]*`|"[^"]*"|--[a-z-]+|\(API key\)/g, " ");
  const words =
    /\b(?:a file|about|after|again|and|answer|are|at most|before|cannot|check|file|for|found|from|give|has|have|into|it|its|key|line|lines|missing|more than|name|not|nothing|of|or|out|read|row|rows|run|sent|the|there|this|to|try|was|were|what|which|with|within|wrong|you|your)\b/gi;
  return [...own.matchAll(words)].map(([word]) => word);
}

describe.each(reasons.filter((reason) => reason !== "declined"))("%s", (reason) => {
  it("is three lines: what happened, why, and what to do next", () => {
    const text = errorText(sample(reason), pipe());
    expect(text).toMatch(/^(?:Error: |Note: {2}).{10,}[.?]"?\nWhy: {3}.{10,}[.?]"?\nNext: {2}.{10,}\.\n$/);
    expect(text).not.toMatch(/undefined|\[object|\.\.|\u001b/);
  });

  it("fits a terminal", () => {
    for (const width of [40, 80, 200])
      expect(widest(errorText(sample(reason), terminal(width)))).toBeLessThanOrEqual(width);
  });

  it("has the same words in JSON, its exit name and its reason", () => {
    const { error } = errorJson(sample(reason));
    expect(Object.keys(error).slice(0, 3)).toEqual(["code", "message", "hint"]);
    expect(error).toMatchObject({ code: exitNameOf[reason], reason, docs: `docs/errors.md#${reason}` });
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
    [
      new BposError("input_unusable", {
        file: "no.csv",
        problem: { kind: "exclusion_unreadable", row: { kind: "phone_missing", column: "tel" }, more: 2 },
      }),
      { problem: { detail: "tel is empty", more: 2 } },
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
      /^(?:Error: |Note: {2}).{8,}[.?]"?\nWhy: {3}.{8,}[.?…]"?\nNext: {2}.{8,}\.\n$/,
    );
    const spanish = errorText(error, pipe({ texts: es }));
    expect(spanish).toMatch(
      /^(?:Error: {5}|Nota: {6}).{8,}[.?]"?\nPor qué: {3}.{8,}[.?…]"?\nQué hacer: .{8,}\.\n$/,
    );
    expect(spanish).not.toMatch(/undefined|\[object|\.\./);
    expect(englishIn(spanish)).toEqual([]);
  });

  it("what lies behind each reason is told in Spanish too", () => {
    for (const reason of reasons) {
      const { cause, remedy = "" } = causeOf(es.errors, reason);
      expect(cause, reason).not.toBe("");
      expect(englishIn(`${cause} ${remedy}`), reason).toEqual([]);
    }
  });

  it("what was quoted as it came is no word of ours", () => {
    expect(englishIn('Nada: the file --file `bpos help` "not sent" was.')).toEqual(["the", "file", "was"]);
  });
});

describe("an error", () => {
  const say = (reason: ErrorReason): string => errorText(sample(reason), pipe());

  it("names the three ways to a key", () => {
    for (const way of ["BPOS_API_KEY", "-p NAME", "--mock"]) expect(say("key_missing")).toContain(way);
    for (const way of ["--campaigns-url", "BPOS_CAMPAIGNS_URL", "-p NAME", "--mock"]) {
      expect(say("address_missing")).toContain(way);
    }
  });

  it("says what is safe and what settles an unknown outcome", () => {
    expect(say("unavailable")).toContain("Rerunning is safe");
    const { status: _status, ...lost } = call;
    const send = new BposError("outcome_unknown", { ...lost, ref: "enero 1" });
    expect(errorText(send, pipe())).toContain("`bpos campaign resume 'enero 1'` settles it");
    const { status: _refused, ...unanswered } = { ...call, endpoint: "POST /v1/catalog/items" };
    const push = new BposError("outcome_unknown", unanswered);
    expect(errorText(push, pipe())).toContain("Run the same command again with the same file or codes");
    const tooLarge = new BposError("input_refused", { ...unanswered, status: 413 });
    expect(errorText(tooLarge, pipe())).toContain("Even one product alone is too large");
    // The same again would be refused for ever.
    const refused = new BposError("outcome_unknown", { ...unanswered, status: 400 });
    expect(errorText(refused, pipe())).toContain("a changed file begins a new push");
  });

  it("carries the facts of a call in the words of the command line's JSON", () => {
    expect(errorJson(sample("access_denied")).error).toMatchObject({
      code: "denied",
      status: 403,
      service_code: "ERROR_CODE_ACCESS_DENIED",
      service_message: "Clave API inválida.",
      endpoint: "POST /campaigns",
      attempts: 5,
    });
    expect(errorJson(sample("input_unusable")).error).toMatchObject({
      code: "usage",
      file: "precios.csv",
      line: 3,
    });
  });

  it("quotes nothing that can act on a terminal", () => {
    const hostile = "\u001b[2J\nError: forged\u202e";
    const error = new BposError("input_refused", { ...call, serviceMessage: hostile, detail: hostile });
    const text = errorText(error, terminal(400));
    expect(lines(text)).toHaveLength(3);
    expect(uncoloured(text)).toContain("␛[2J⏎Error: forged‹U+202E›");
  });

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

describe("JSON", () => {
  it("keeps every digit and reads back the same, with nothing that acts on a terminal", () => {
    expect(toJson({ order_id: 9007199254740993n, n: 0.1, gone: undefined })).toBe(
      '{"order_id":9007199254740993,"n":0.1}',
    );
    const text = "a\u009b2J\u202e\u2028\u007f\u001b\ud800 ñ 🍣";
    expect(toJson(text)).not.toMatch(/[\p{Cc}\u202e\u2028]/u);
    expect(JSON.parse(toJson(text))).toBe(text);
    expect(toJson([1], { pretty: true })).toBe("[\n  1\n]");
  });
});

describe("CSV", () => {
  it("follows RFC 4180 and disarms formulas, not phones or numbers", () => {
    expect(toCsv(["a", "b"], [['say "x",\ny', null]])).toBe('a,b\r\n"say ""x"",\ny",\r\n');
    const texts = ["=1", "+1-2", "-5", "@x", "\tx", "+5491161234567", "a=1"];
    expect(toCsv(["a"], [texts])).toBe(`a\r\n'=1,'+1-2,'-5,'@x,"'\tx",+5491161234567,a=1\r\n`);
    expect(toCsv(["a"], [[-5, -5n, new LosslessNumber("-5.0"), true]])).toBe("a\r\n-5,-5,-5.0,true\r\n");
    expect(toCsv(["a"], [["x\u001b\n"]], { terminal: true })).toBe("a\r\nx␛⏎\r\n");
  });
});

it("colours by meaning, and not at all when told so", () => {
  expect(createTheme(false).bad("x")).toBe("x");
  expect(createTheme(true).bad("x")).toBe("\u001b[31mx\u001b[39m");
  expect(["a"].map(createTheme(true).dim)).toEqual(["\u001b[2ma\u001b[22m"]);
});
