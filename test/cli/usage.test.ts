import { describe, expect, it } from "vitest";
import { commandEntries } from "../../scripts/command-tree.ts";
import { shell } from "../support/run.ts";
import { isSoak } from "../support/soak.ts";

const partsOf = (stderr: string): string[] => stderr.split("\n").map((line) => line.replace(/^[^:]+: +/, ""));
const problemOf = (stderr: string): unknown =>
  (JSON.parse(stderr) as { error: { problem: unknown } }).error.problem;

describe("a command line that does not fit its command", () => {
  const cases: [argv: string[], english: string, spanish: string, next: string][] = [
    [
      ["orders", "list", "--stauts", "listo"],
      "Unknown flag --stauts. Did you mean --status?",
      "No existe la opción --stauts. ¿Quisiste decir --status?",
      "`bpos orders list --help`",
    ],
    [
      ["orders", "list", "--it's"],
      "Unknown flag --it's.",
      "No existe la opción --it's.",
      "`bpos orders list --help`",
    ],
    [
      ["orders", "lits"],
      "Unknown command `bpos orders lits`. Did you mean `bpos orders list`?",
      "No existe el comando `bpos orders lits`. ¿Quisiste decir `bpos orders list`?",
      "`bpos orders --help`",
    ],
    [
      ["catalogue"],
      "Unknown command `bpos catalogue`. Did you mean `bpos catalog`?",
      "No existe el comando `bpos catalogue`. ¿Quisiste decir `bpos catalog`?",
      "`bpos --help`",
    ],
    [
      ["mock", "ordr", "--count", "3"],
      "Unknown command `bpos mock ordr`. Did you mean `bpos mock order`?",
      "No existe el comando `bpos mock ordr`. ¿Quisiste decir `bpos mock order`?",
      "`bpos mock --help`",
    ],
    [["mock", "--count", "3"], "Unknown flag --count.", "No existe la opción --count.", "`bpos mock --help`"],
    [
      ["mock", "reste"],
      "Unknown command `bpos mock reste`. Did you mean `bpos mock reset`?",
      "No existe el comando `bpos mock reste`. ¿Quisiste decir `bpos mock reset`?",
      "`bpos mock --help`",
    ],
    [["catalog", "push"], "Missing argument <file>.", "Falta <archivo>.", "`bpos catalog push --help`"],
    [
      ["catalog", "push", "precios", "enero.csv"],
      "Too many arguments: 2 instead of 1.",
      "Sobran argumentos: hay 2 en lugar de 1.",
      "`bpos catalog push --help`",
    ],
    [
      ["orders", "list", "x"],
      "Too many arguments: 1 instead of 0.",
      "Sobran argumentos: hay 1 en lugar de 0.",
      "`bpos orders list --help`",
    ],
    [
      ["orders", "list", "--page"],
      "`--page <n>` needs a value.",
      "A `--page <n>` le falta el valor.",
      "`bpos orders list --help`",
    ],
  ];

  it.each(cases)("%j is said in the language of the run, with the next step", async (argv, ...words) => {
    const [english, spanish, next] = words;
    const bpos = shell();
    for (const [language, what] of [
      ["en", english],
      ["es", spanish],
    ] as const) {
      // Before the command: what stands behind it may be taken for its value.
      const { code, stdout, stderr } = await bpos(["--lang", language, ...argv]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      const parts = partsOf(stderr);
      expect(parts[0]).toBe(what);
      expect(parts.slice(1).join("\n")).toContain(next);
    }
  });

  it("takes the form nearest to the one that is set for all commands, and refuses the one it is asked for", async () => {
    const json = shell({ env: { BPOS_OUTPUT: "json", BPOS_MOCK: "1" } });
    const watched = await json(["orders", "watch", "--once"]);
    expect(watched.code).toBe(0);
    expect(JSON.parse(watched.stdout.split("\n")[0]!)).toMatchObject({ event: "order.new" });
    expect((await json(["orders", "watch", "--once", "-o", "json"])).code).toBe(2);
    const csv = shell({ env: { BPOS_OUTPUT: "csv", BPOS_MOCK: "1" } });
    const [id = ""] = /^\d+/m.exec((await csv(["orders", "list"])).stdout) ?? [];
    expect(id).not.toBe("");
    expect((await csv(["orders", "show", id])).stdout).toContain(id);
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
        message: expect.stringContaining("Unknown flag --pagee. Did you mean --page?") as string,
        problem: { kind: "flag_unknown", flag: "--pagee", similar: "--page", command: "bpos orders list" },
      },
    });
    expect(problemOf((await bpos(["orders"])).stderr)).toEqual({
      kind: "subcommand_missing",
      command: "bpos orders",
    });
  });
});

describe("a flag of the command above", () => {
  const groups = commandEntries().filter(
    ({ command }) => command.parent !== null && command.commands.length > 0,
  );
  const pairs = groups.flatMap(({ path, command }) =>
    command.commands.flatMap((below) =>
      command.options
        .filter(({ long }) => !below.options.some((each) => each.long === long))
        .map((option) => ({ path, name: below.name(), option, below })),
    ),
  );

  it("is unknown to a subcommand that does nothing with it, before and behind its name, with a value and without", async () => {
    expect(pairs.length).toBeGreaterThan(40);
    const bpos = shell();
    for (const [at, { path, name, option, below }] of pairs.entries()) {
      const flag = option.long ?? "";
      const words = path.split(" ").slice(1);
      const values = below.registeredArguments.map(() => "5m");
      const forms = [
        [...words, name, ...values, flag, "1"],
        [...words, flag, ...(option.required ? ["1"] : []), name, ...values],
        [...words, name, ...values, flag],
      ];
      // Each form for a third of the pairs, or all for all.
      for (const argv of forms.filter((_, form) => isSoak || form === at % 3)) {
        const { code, stderr } = await bpos(["-o", "json", ...argv]);
        const problem = { kind: "flag_unknown", flag, similar: null, command: `${path} ${name}` };
        expect({ argv, code, problem: problemOf(stderr) }).toEqual({ argv, code: 2, problem });
      }
    }
  });
});

describe("the form of errors is what the parser reads", () => {
  const cases: [json: boolean, argv: string[]][] = [
    [false, ["orders", "watch", "--exec", "lp -o json", "--bogus"]],
    [true, ["orders", "watch", "--exec", "lp -o fit", "-o", "ndjson", "--bogus"]],
    [true, ["orders", "watch", "--exec", "lp -o fit", "--output=json", "--bogus"]],
    [true, ["orders", "list", "-ojson", "--bogus"]],
    [true, ["-qo", "json", "orders", "list", "--bogus"]],
    [true, ["orders", "list", "--bogus", "--json"]],
    [true, ["--json", "orders", "list", "--page"]],
    [true, ["--json", "orders", "list", "--timeout"]],
    [false, ["orders", "show", "--", "--json"]],
    [false, ["orders", "list", "--profile", "--json", "--bogus"]],
    [false, ["orders", "list", "-o", "table", "--bogus"]],
  ];

  it.each(cases)("JSON: %s for %j", async (json, argv) => {
    const env = argv.includes("table") ? { BPOS_OUTPUT: "json" } : {};
    const { code, stderr } = await shell({ env })(argv);
    expect({ code, json: stderr.startsWith("{") }).toEqual({ code: 2, json });
  });
});

describe("a value that its flag does not take", () => {
  const cases: [argv: string[], flag: string, problem: object][] = [
    [["--page", "0"], "--page", { kind: "not_whole", text: "0", min: 1, max: null }],
    [["--retries", "21"], "--retries", { kind: "not_whole", text: "21", min: 0, max: 20 }],
    [["--timeout", "soon"], "--timeout", { kind: "not_duration", text: "soon" }],
    [["--timeout", "0s"], "--timeout", { kind: "zero" }],
    [["--lang", "fr"], "--lang", { kind: "not_choice", choices: ["en", "es", "es-AR"] }],
    [["--status", "nueva"], "--status", { kind: "not_state", text: "nueva" }],
    [["--since", "never"], "--since", { kind: "not_instant", text: "never" }],
  ];

  it.each(cases)("orders list %j", async (flags, flag, problem) => {
    const bpos = shell();
    const { code, stderr } = await bpos(["orders", "list", "-o", "json", ...flags]);
    expect(code).toBe(2);
    expect(problemOf(stderr)).toMatchObject({ kind: "value", flag, problem });
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
    expect({ code, what: partsOf(stderr)[0] }).toEqual({
      code: 2,
      what: expect.stringContaining(`Did you mean ${name}?`) as string,
    });
  });
});

describe("a value that its argument does not take", () => {
  it.each([
    [["completion", "nosh"], 'Invalid value "nosh" for <shell>.', "`bpos completion --help`"],
    [["mock", "advance", "5x"], 'Invalid value "5x" for <duration>.', "`bpos mock advance --help`"],
  ])("%j names the argument, which cannot be left out", async (argv, what, next) => {
    const { code, stderr } = await shell()(argv);
    expect(code).toBe(2);
    expect(partsOf(stderr)[0]).toBe(what);
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
  expect(stdout).toMatch(/\n4 denied\n(?: .*\n)*? {2}key_missing {2,}Every request needs the key/);
});
