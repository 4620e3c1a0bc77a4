import { describe, expect, it } from "vitest";
import { BposError, type ErrorFacts, type ErrorReason, exitNameOf } from "../../src/errors.ts";
import { spreadsheetSafe, toCsv } from "../../src/view/csv.ts";
import { errorJson, errorText } from "../../src/view/error.ts";
import { toJson } from "../../src/view/json.ts";
import { createTheme } from "../../src/view/theme.ts";
import { lines, pipe, terminal, uncoloured, widest } from "./ui.ts";

const call = {
  endpoint: "POST /campaigns",
  origin: "http://127.0.0.1:4010",
  attempts: 5,
  status: 403,
  serviceCode: "ERROR_CODE_ACCESS_DENIED",
  serviceMessage: "Invalid API key.",
};

/** One set of facts for every reason: a new reason does not compile without. */
const samples: ErrorFacts = {
  bug: { detail: "x is not a function" },
  usage_flag: { detail: "--page takes a number" },
  not_a_terminal: { flag: "--yes" },
  address_missing: { which: "campaigns_base_url" },
  key_missing: {},
  key_unreadable: { source: "key.txt", detail: "no such file" },
  profile_missing: { name: "norte", known: ["centro"], file: "profiles.json" },
  config_unreadable: { file: "profiles.json", detail: "line 3: not JSON" },
  journal_unreadable: { file: "journal.db", detail: "it was written by a newer bpos" },
  journal_moved: {
    file: "journal.db",
    movedTo: "journal.db.moved-20261121-181951",
    detail: "file is not a database",
  },
  clock_ahead: { aheadMs: 4_000_000 },
  rows_unreadable: { rows: 2 },
  too_many_missing: { missing: 300, known: 900, limit: "20 %" },
  world_unusable: { file: "mock-world.db", detail: "mock-world.db is not used: it is not an SQLite file" },
  header_unusable: {
    url: "https://cdn.example.com/promo.gif",
    problem: { kind: "other_type", found: "gif" },
  },
  header_unreachable: { url: "https://cdn.example.com/promo.jpg", problem: { kind: "status", status: 503 } },
  output_unwritable: { file: "out.csv", detail: "permission denied" },
  order_file_taken: { file: "orders/17.json" },
  exec_failed: {
    command: "lp",
    orderId: "17",
    exitCode: 1,
    killedBy: null,
    timedOutMs: null,
    detail: "no printer",
  },
  port_busy: { host: "127.0.0.1", port: 4010, pid: 4711 },
  port_denied: { host: "127.0.0.1", port: 80 },
  input_unreadable: { file: "precios.csv", detail: "no such file" },
  input_unusable: { file: "precios.csv", line: 3, problem: { kind: "no_rows" } },
  rows_rejected_strict: { file: "precios.csv", rejected: 1 },
  order_not_found: { orderId: "17" },
  send_not_found: { ref: "enero-1" },
  expected_other_count: { expected: 10, actual: 8 },
  declined: {},
  access_denied: call,
  input_refused: call,
  unavailable: call,
  unreadable_answer: call,
  outcome_unknown: call,
  interrupted: { during: "work" },
  locked: { pid: 4711, work: "watch", consumer: "kitchen" },
  ref_taken: { ref: "enero", template: "promo_semana" },
  repeat_within_day: { people: 2, ref: "enero", hoursAgo: 3 },
  nobody_to_test: {},
  send_open: { ref: "enero" },
  repeat_held: { people: 2, ref: "enero", hoursAgo: 3, sendRef: "febrero" },
  repeat_held_unknown: { people: 2, ref: "enero", hoursAgo: 3, sendRef: "febrero" },
  excluded_in_open: { ref: "enero", people: 1 },
  answer_not_kept: { detail: "database or disk is full" },
  too_late: { notAfter: "2026-01-01T12:00:00.000-03:00" },
  too_late_unknown: { notAfter: "2026-01-01T12:00:00.000-03:00" },
};
const reasons = Object.keys(samples) as ErrorReason[];
const sample = (reason: ErrorReason): BposError => new BposError(reason, samples[reason]);

describe.each(reasons)("%s", (reason) => {
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
    expect(error).toMatchObject({ code: exitNameOf[reason], reason });
    expect(toJson({ error })).not.toContain("\n");
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
      service_message: "Invalid API key.",
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
    expect(["=1", "+1-2", "-5", "@x", "\tx", "+5491161234567", -5, "a=1"].map(spreadsheetSafe)).toEqual([
      "'=1",
      "'+1-2",
      "'-5",
      "'@x",
      "'\tx",
      "+5491161234567",
      -5,
      "a=1",
    ]);
    expect(toCsv(["a"], [["x\u001b\n"]], { terminal: true })).toBe("a\r\nx␛⏎\r\n");
  });
});

it("colours by meaning, and not at all when told so", () => {
  expect(createTheme(false).bad("x")).toBe("x");
  expect(createTheme(true).bad("x")).toBe("\u001b[31mx\u001b[39m");
  expect(["a"].map(createTheme(true).dim)).toEqual(["\u001b[2ma\u001b[22m"]);
});
