import { describe, expect, it } from "vitest";
import { commandEntries } from "../../scripts/command-tree.ts";
import { findDeclared, topics } from "../../src/cli/line/flags.ts";
import { spellings } from "../../src/cli/line/spellings.ts";
import { version } from "../../src/version.ts";
import { errorOf } from "../support/campaigns.ts";
import { shell } from "../support/run.ts";

/** Words typed behind `bpos`, and what the first line of the error names. */
const cases: Readonly<Record<string, readonly [typed: string, meant: string][]>> = {
  "a command of other tools": [
    ["version", "`bpos --version`"],
    ["help version", "`bpos --version`"],
    ["login", "`bpos init`"],
    ["whoami", "`bpos profile show`"],
    ["auth status", "`bpos doctor`"],
    ["auth login", "`bpos init`"],
    ["config", "`bpos profile`"],
    ["config list", "`bpos profile list`"],
    ["orders get", "`bpos orders show`"],
    ["orders get 12", "`bpos orders show`"],
    ["orders print 12", "`bpos orders show --print`"],
    ["profile delete x", "`bpos profile remove`"],
    ["profile rm x", "`bpos profile remove`"],
    ["catalog upload x.csv", "`bpos catalog push`"],
    ["journal show", "`bpos journal status`"],
  ],
  "a command of another group, or that was left out": [
    ["listen", "`bpos campaign listen`"],
    ["watch", "`bpos orders watch`"],
    ["push x.csv", "`bpos catalog push`"],
    ["list", "`bpos orders list`"],
    ["get 12", "`bpos orders show`"],
    ["orders 12", "`bpos orders show 12`"],
    ["orders #12", "`bpos orders show 12`"],
    ["orders list 12", "`bpos orders show 12`"],
    ["campaign +5491155550101", "`bpos campaign find +5491155550101`"],
    ["orders pending", "`bpos orders list --status pendiente`"],
    ["campaign failed", "`bpos campaign status --only failed`"],
    ["catalog list", "`bpos catalog history`"],
    ["catalog watch x.csv", "`bpos catalog push`"],
  ],
  "a command in Spanish": [
    ["pedidos", "`bpos orders`"],
    ["Pedidos", "`bpos orders`"],
    ["pedidos listar", "`bpos orders list`"],
    ["pedidos ver 12", "`bpos orders show`"],
    ["campaña", "`bpos campaign`"],
    ["campañas estado", "`bpos campaign status`"],
    ["ayuda", "`bpos help`"],
    ["help pedidos listar", "`bpos orders list`"],
    ["catálogo subir x.csv", "`bpos catalog push`"],
    ["catalog listar", "`bpos catalog history`"],
    ["enviar x.csv", "`bpos campaign send`"],
    ["mock pedido", "`bpos mock order`"],
  ],
  "a flag": [
    ["catalog push -f x.csv", "`bpos catalog push <file>`"],
    ["catalog push -fx.csv", "`bpos catalog push <file>`"],
    ["catalog push --file=x.csv", "`bpos catalog push <file>`"],
    ["campaign send --archivo x.csv", "`bpos campaign send <file>`"],
    ["catalog delete -f x.csv", "--file"],
    ["mock log -f", "--follow"],
    ["campaign status x -w", "--watch"],
    ["orders list -w", "`bpos orders watch`"],
    ["orders list --watch", "`bpos orders watch`"],
    ["orders list -n 5", "--limit"],
    ["orders list -pcajan -n 5", "--limit"],
    ["orders list --estado listo", "--status"],
    ["orders list -s listo", "--status"],
    ["orders list --api-key x", "--api-key-file"],
    ["orders list --csv", "-o csv"],
    ["campaign send x.csv -t y", "--template"],
    ["campaign send x.csv --simular", "--dry-run"],
    ["orders list -version", "--version"],
  ],
  "a value": [
    ["orders list --status pending", "`pendiente`"],
    ["orders list --status listo,ready", "`listo`"],
    ["orders list --status todos", "`all`"],
    ["mock order --status cancelled", "`cancelado`"],
    ["mock orders set 5 ready", "`listo`"],
    ["mock --scenario vacío", "`empty`"],
    ["orders list -o tabla", "`table`"],
    ["orders list --output jsonl", "`ndjson`"],
    ["orders list --lang spanish", "`es`"],
    ["orders list --log-format jsn", "`json`"],
    ["catalog check x.csv --decimal coma", "`,`"],
    ["completion pwsh", "`powershell`"],
    ["orders watch --interval 5min", "`5m`"],
    ["orders list --timeout 10seg", "`10s`"],
    ["campaign status x --wait 1hora", "`1h`"],
    ["catalog push x.csv --max-price-change 50", "`50%`"],
    ["campaign send x.csv --language es-ar", "`es_AR`"],
    ["orders forget --output print", "`printer`"],
  ],
  "a value without its flag": [
    ["orders list pending", "--status pendiente"],
    ["orders list today", "--since today"],
    ["orders list json", "--output json"],
    ["printer test lp:x 80", "--paper 80"],
  ],
};

describe.each(Object.entries(cases))("%s", (_, typed) => {
  it.each(typed)("`bpos %s` means %s", async (line, meant) => {
    const run = shell();
    for (const [language, question] of [
      ["en", `Did you mean ${meant}?`],
      ["es", `¿Quisiste decir ${meant.replace("<file>", "<archivo>")}?`],
    ] as const) {
      const argv = line.split(" ");
      const { code, stdout, stderr } = await run(
        argv.includes("--lang") ? argv : ["--lang", language, ...argv],
      );
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      const [first = ""] = stderr.split("\n");
      if (!argv.includes("--lang") || language === "en") expect(first).toContain(question);
    }
  });
});

describe("nothing is guessed", () => {
  it.each([
    "foo",
    "orders delete 5",
    "orders list precios",
    "orders list -z",
    "orders watch -w",
    "orders list --host x",
    "journal prune --older-than 90",
  ])("for `bpos %s`", async (line) => {
    const { code, stderr } = await shell()([...line.split(" "), "--lang", "en"]);
    expect([code, stderr.split("\n")[0]]).toEqual([2, expect.not.stringContaining("Did you mean")]);
  });
});

it.each([
  ["whoami", false],
  ["foo", true],
])("the commands that there are stand only where none is guessed: `bpos %s`", async (line, lists) => {
  const { stderr } = await shell()([line, "--lang", "en"]);
  expect(stderr.includes("has the commands")).toBe(lists);
});

it("a script reads the guess, and a key that was typed is not repeated", async () => {
  const run = shell();
  const state = await run(["-o", "json", "orders", "list", "pending"]);
  expect(errorOf(state.stderr)["problem"]).toMatchObject({ similar: "--status pendiente" });
  const key = await run(["orders", "list", "--api-key", "bpk_live_0123456789"]);
  expect(key.stderr).not.toContain("bpk_live");
});

it("`-v` alone is the version; the flags of every command alone are help", async () => {
  const run = shell();
  expect(await run(["-v"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  for (const argv of [["-q"], ["--lang", "en"], ["-v", "--mock"]]) {
    const { code, stdout, stderr } = await run(argv);
    expect({ argv, code, stderr }).toEqual({ argv, code: 0, stderr: "" });
    expect(stdout).toContain("Usage: bpos <command>");
  }
});

it("the table names only what bpos has", () => {
  const entries = commandEntries();
  const paths = entries.map(({ path }) => path.split(" ").slice(1).join(" "));
  const flags = entries.flatMap(({ command }) => command.options.flatMap(({ long, short }) => [long, short]));
  const taken = entries.flatMap(({ command }) => [...command.options, ...command.registeredArguments]);
  const values = taken.flatMap((of) => {
    const source = findDeclared(of)?.source;
    return source?.of === "words" ? source.words : [];
  });
  const names = entries.map(({ command }) => command.name());
  const words = entries.flatMap(({ command }) =>
    command.registeredArguments.map((each) => `<${each.name()}>`),
  );
  const known = new Set<string | undefined>([
    ...["s", "m", "h", "d"],
    ...[...names, ...flags, ...words, ...values, ...topics, "--help"],
  ]);
  const isKnown = (meaning: string): boolean => {
    const [head = "", ...rest] = meaning.split(/ (?=-)/);
    if (head.startsWith("-o ")) return values.includes(head.slice(3));
    return (known.has(head) || paths.includes(head)) && rest.every((flag) => known.has(flag));
  };
  expect(Object.keys(spellings).filter((meaning) => !isKnown(meaning))).toEqual([]);
  for (const [meaning, typed] of Object.entries(spellings))
    expect(typed.split(" "), meaning).toEqual(
      [...new Set(typed.split(" "))].filter((each) => /^[a-z\d-]+$/.test(each)),
    );
});
