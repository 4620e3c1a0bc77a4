import { describe, expect, it } from "vitest";
import { shell } from "../support/run.ts";

const partsOf = (stderr: string): string[] => stderr.split("\n").map((line) => line.replace(/^[^:]+: +/, ""));
const problemOf = (stderr: string): unknown =>
  (JSON.parse(stderr) as { error: { problem: unknown } }).error.problem;

describe("a command line that does not fit its command", () => {
  const cases: [argv: string[], english: string, spanish: string, next: string][] = [
    [
      ["orders", "list", "--pagee", "2"],
      "`bpos orders list` has no flag --pagee. Did you mean `--page`?",
      "`bpos orders list` no tiene la opción --pagee. ¿Quisiste decir `--page`?",
      "`bpos orders list --help`",
    ],
    [
      ["orders", "list", "--nonsense"],
      "`bpos orders list` has no flag --nonsense.",
      "`bpos orders list` no tiene la opción --nonsense.",
      "`bpos orders list --help`",
    ],
    [
      ["orders", "lits"],
      "There is no command `bpos orders lits`. Did you mean `bpos orders list`?",
      "No existe el comando `bpos orders lits`. ¿Quisiste decir `bpos orders list`?",
      "`bpos orders --help`",
    ],
    [
      ["catalogue"],
      "There is no command `bpos catalogue`. Did you mean `bpos catalog`?",
      "No existe el comando `bpos catalogue`. ¿Quisiste decir `bpos catalog`?",
      "`bpos --help`",
    ],
    [
      ["catalog", "push"],
      "`bpos catalog push` lacks its argument <file>.",
      "A `bpos catalog push` le falta decir <archivo>.",
      "`bpos catalog push --help`",
    ],
    [
      ["catalog", "push", "precios", "enero.csv"],
      "`bpos catalog push` takes one argument, and there are 2.",
      "`bpos catalog push` lleva un solo argumento, y acá hay 2.",
      "`bpos catalog push --help`",
    ],
    [
      ["orders", "list", "x"],
      "`bpos orders list` takes no argument, and there is one.",
      "`bpos orders list` no lleva argumentos, y acá hay 1.",
      "`bpos orders list --help`",
    ],
    [
      ["orders", "list", "--page"],
      "`--page <n>` takes a value, and there is none.",
      "`--page <n>` lleva un valor, y no hay ninguno.",
      "`bpos orders list --help`",
    ],
  ];

  it.each(cases)("%j is said in the language of the run, with the next step", async (argv, ...words) => {
    const [english, spanish, next] = words;
    const bpos = shell();
    for (const [language, why] of [
      ["en", english],
      ["es", spanish],
    ] as const) {
      // Before the command: what stands behind it may be taken for its value.
      const { code, stdout, stderr } = await bpos(["--lang", language, ...argv]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      const parts = partsOf(stderr);
      expect(parts[1]).toBe(why);
      expect(parts[2]).toContain(next);
    }
  });

  it("takes the form nearest to the one that is set for all commands, and refuses the one it is asked for", async () => {
    const json = shell({ env: { BPOS_OUTPUT: "json", BPOS_MOCK: "1" } });
    const watched = await json(["orders", "watch", "--once"]);
    expect(watched.code).toBe(0);
    expect(JSON.parse(watched.stdout.split("\n")[0]!)).toMatchObject({ event: "order.new" });
    expect((await json(["orders", "watch", "--once", "-o", "json"])).code).toBe(2);
    const csv = shell({ env: { BPOS_OUTPUT: "csv", BPOS_MOCK: "1" } });
    expect((await csv(["orders", "show", "1001"])).stdout).toContain("1001");
    const odd = await shell({ env: { BPOS_OUTPUT: "yaml", BPOS_MOCK: "1" } })(["orders", "list"]);
    expect({ code: odd.code, said: odd.stderr.includes("BPOS_OUTPUT=yaml") }).toEqual({
      code: 2,
      said: true,
    });
  });

  it("is told to a script in English, by kind", async () => {
    const bpos = shell({ env: { BPOS_OUTPUT: "json", BPOS_LANG: "es" } });
    const unknown = await bpos(["orders", "list", "--pagee"]);
    expect(JSON.parse(unknown.stderr)).toMatchObject({
      error: {
        code: "usage",
        reason: "usage_flag",
        message: expect.stringContaining("has no flag --pagee. Did you mean `--page`?") as string,
        problem: { kind: "flag_unknown", flag: "--pagee", similar: "--page", command: "bpos orders list" },
      },
    });
    expect(problemOf((await bpos(["orders"])).stderr)).toEqual({
      kind: "subcommand_missing",
      command: "bpos orders",
    });
  });
});

describe("a value that its flag does not take", () => {
  const cases: [argv: string[], flag: string, problem: object][] = [
    [["--page", "0"], "--page", { kind: "not_whole", text: "0", min: 1, max: null }],
    [["--retries", "21"], "--retries", { kind: "not_whole", text: "21", min: 0, max: 20 }],
    [["--timeout", "soon"], "--timeout", { kind: "not_duration", text: "soon" }],
    [["--timeout", "0s"], "--timeout", { kind: "zero" }],
    [["--lang", "fr"], "--lang", { kind: "not_choice", choices: ["en", "es"] }],
    [["--status", "nueva"], "--status", { kind: "not_state", text: "nueva" }],
    [["--since", "never"], "--since", { kind: "not_instant", text: "never" }],
  ];

  it.each(cases)("orders list %j", async (flags, flag, problem) => {
    const bpos = shell();
    const { code, stderr } = await bpos(["orders", "list", "-o", "json", ...flags]);
    expect(code).toBe(2);
    expect(problemOf(stderr)).toMatchObject({ kind: "value", flag, problem });
  });

  it("is said in both languages, with what to do", async () => {
    const bpos = shell();
    const english = partsOf((await bpos(["orders", "list", "--page", "x"])).stderr);
    expect(english.slice(1, 3)).toEqual([
      '--page: "x" is not a whole number from 1.',
      "Correct it, or leave out --page; --help behind the command says what it takes.",
    ]);
    const spanish = partsOf((await bpos(["orders", "list", "--page", "x", "--lang", "es"])).stderr);
    expect(spanish[1]).toBe('--page: "x" no es un número entero desde 1.');
  });

  it("an empty command of --exec is no command", async () => {
    const { stderr } = await shell()(["orders", "watch", "--exec", "", "-o", "ndjson"]);
    expect(problemOf(stderr)).toEqual({ kind: "value", flag: "--exec", problem: { kind: "empty" } });
  });
});

describe("a near name", () => {
  it.each([
    ["help order list", "`bpos orders list`"],
    ["help orders lst", "`bpos orders list`"],
    ["help error", "`bpos help errors`"],
    ["help errors access_deneid", "`access_denied`"],
    ["orders list --status pendente", "`pendiente`"],
  ])("is offered for `bpos %s`", async (line, name) => {
    const { code, stderr } = await shell()(line.split(" "));
    expect({ code, why: partsOf(stderr)[1] }).toEqual({
      code: 2,
      why: expect.stringContaining(`Did you mean ${name}?`) as string,
    });
  });

  it("is not offered where nothing is near", async () => {
    for (const line of ["help nonsense", "help orders nonsense", "help errors nonsense"])
      expect((await shell()(line.split(" "))).stderr).not.toContain("Did you mean");
  });
});

describe("a value that its argument does not take", () => {
  it.each([
    [["completion", "nosh"], "<shell>: choose one of bash", "`bpos completion --help`"],
    [["mock", "advance", "5x"], '<duration>: "5x" is not a duration', "`bpos mock advance --help`"],
  ])("%j names the argument, which cannot be left out", async (argv, why, next) => {
    const { code, stderr } = await shell()(argv);
    expect(code).toBe(2);
    expect(partsOf(stderr)[1]).toContain(why);
    expect(partsOf(stderr)[2]).toContain(next);
    expect(stderr).not.toMatch(/leave out/);
  });
});

describe("help on a narrow terminal", () => {
  const pages = ["orders list", "orders watch", "catalog push", "campaign send", "mock log", "doctor"];

  it.each([40, 60, 80])("breaks no explanation in mid-word at %i columns", async (columns) => {
    const run = shell({ terminal: columns });
    for (const page of pages) {
      const argv = ["help", ...page.split(" "), "--no-color"];
      const { stdout } = await run(argv);
      const wide = await run(argv, { terminal: 100 });
      const words = (text: string): string[] => text.split(/[\s·]+/);
      expect(words(stdout)).toEqual(words(wide.stdout));
      const [before = "", examples = ""] = stdout.split(/^Examples:?$/m);
      const items = examples.split(/\n\n/).slice(1, -1).join("\n").split("\n");
      for (const line of [...before.split("\n").filter((each) => !each.includes("bpos")), ...items])
        expect(line.length).toBeLessThanOrEqual(columns);
    }
  });
});

it("bpos help errors says in words what each reason is, below its exit code", async () => {
  const { stdout } = await shell()(["help", "errors"]);
  expect(stdout).toMatch(/\n4 denied\n(?: .*\n)*? {2}key_missing {2,}Every call carries the key/);
});
