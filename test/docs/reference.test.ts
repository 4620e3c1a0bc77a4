import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandEntries, commandTree } from "../../scripts/command-tree.ts";
import { commandsPage, errorsPage } from "../../scripts/pages.ts";
import { contributingPage } from "../../scripts/rooms.ts";
import { errorJson, errorText } from "../../src/cli/display/error-text.ts";
import type { AnyCommand as Command } from "../../src/cli/line/help.ts";
import { readCause } from "../../src/errors/words/reasons.ts";
import { type ErrorReason, exitNames } from "../../src/errors.ts";
import spanish from "../../src/texts/es.json" with { type: "json" };
import { textsIn } from "../../src/texts/texts.ts";
import { sample } from "../cli/error-samples.ts";
import { lines, terminal } from "../cli/ui.ts";
import { bposWords, parse } from "../support/parse.ts";
import { root, shell } from "../support/run.ts";

const entries = commandEntries();
const reasons = Object.keys(exitNames) as ErrorReason[];

it.each([
  ["docs/reference/commands.md", commandsPage],
  ["docs/reference/errors.md", errorsPage],
  ["CONTRIBUTING.md", contributingPage],
])("%s is what is declared now; if not, run `npm run docs`", (path, page) => {
  expect(readFileSync(join(root, path), "utf8")).toBe(page());
});

/** The long flags that a command understands, those of all commands too. */
const flagsOf = (command: Command | null): string[] =>
  command === null
    ? []
    : [...command.options.map(({ long }) => long ?? ""), ...flagsOf(command.parent), "--help"];

describe("help", () => {
  it("has examples that parse, for every command, in both languages", async () => {
    for (const { path, examples } of [...entries, ...commandEntries(commandTree(textsIn("es")))]) {
      expect(examples.length, path).toBeGreaterThan(0);
      for (const [line = ""] of examples) expect(await parse(bposWords(line)), line).not.toBe("");
    }
  });

  it("explains every flag and argument, and puts every flag of a large command under a heading", () => {
    for (const { path, command, groups } of entries) {
      for (const { long, description } of command.options)
        expect(description, `${path} ${long}`).not.toBe("");
      for (const { description } of command.registeredArguments)
        if (path !== "bpos mock reply") expect.soft(path + description).toBeTruthy();
      const own = groups.flatMap(([, flags]) => flags).length;
      if (own > 5) expect(groups.length, path).toBeGreaterThan(1);
    }
  });
});

const readme = readFileSync(join(root, "README.md"), "utf8").replace(/npm [^`\n]*/g, "");
it("the README shows commands and flags that exist", () => {
  const lines = [...readme.matchAll(/(?:^\$ |`)(bpos [a-z][^`\n#]*)/gm)].map(([, line = ""]) => line.trim());
  expect(lines.length).toBeGreaterThan(10);
  const all = new Set(entries.flatMap(({ command }) => flagsOf(command)));
  for (const [flag] of readme.matchAll(/(?<=[`\s])--[a-z][a-z-]+/g)) {
    expect(all, flag).toContain(flag);
  }
  for (const line of lines) {
    const words = line.split(/\s+/).slice(1);
    let command = entries[0]!.command;
    for (const word of words) {
      const below = command.commands.find((each) => each.name() === word);
      if (below === undefined) break;
      command = below;
    }
    expect(command.parent, line).not.toBeNull();
    for (const [flag] of line.matchAll(/--[a-z][a-z-]+/g)) expect(flagsOf(command), line).toContain(flag);
  }
});

it.each([
  ["docs/how-to/troubleshooting.md", Object.keys(spanish)],
  ["docs/es/how-to/troubleshooting.md", Object.values(spanish)],
])("%s quotes what bpos says", (page, texts) => {
  const rows = readFileSync(join(root, page), "utf8").matchAll(/^\| (\p{L}[^|]*) \(\d\) \|/gmu);
  const quotes = Array.from(rows, ([, quote = ""]) => quote);
  expect(quotes).toHaveLength(6);
  expect(quotes.filter((quote) => !texts.some((text) => text.includes(quote)))).toEqual([]);
});

it("docs/reference/output.md names the commands that take --fields, and no other", () => {
  const page = readFileSync(join(root, "docs/reference/output.md"), "utf8");
  const sentence =
    /`--fields a,b,c` chooses[\s\S]*?support\s+it;\s+other\s+commands\s+refuse\s+it\./.exec(page)?.[0] ?? "";
  const named = [...sentence.matchAll(/`((?:[a-z]+ )*[a-z]+)`/g)].map(([, name]) => `bpos ${name}`);
  const taking = entries.filter(({ fields }) => fields !== undefined).map(({ path }) => path);
  expect(named.sort()).toEqual(taking.sort());
});

it("every command says that Ctrl-C ends it with 130", () => {
  const silent = entries.filter(
    ({ path, exits }) => exits.length > 0 && path !== "bpos" && !exits.includes("interrupted"),
  );
  expect(silent.map(({ path }) => path)).toEqual([]);
});

describe("an error", () => {
  const page = errorsPage();

  it.each(reasons)("%s leads to what explains it", (reason) => {
    const { docs } = errorJson(sample(reason)).error as { docs: string };
    expect(docs).toBe(`bpos help errors ${reason}`);
    expect(page).toContain(`\n### ${reason}\n`);
    const said = lines(errorText(sample(reason), terminal(500)));
    // Who said no, stopped it or mistyped a flag knows enough.
    const isObvious = ["declined", "usage_flag", "interrupted"].includes(reason);
    expect(said.at(-1)?.endsWith(` More: \`bpos help errors ${reason}\``)).toBe(!isObvious);
  });

  it.each([
    ["en", textsIn("en")],
    ["es", textsIn("es")],
  ])("is explained by bpos help errors (%s)", async (lang, texts) => {
    const { code, stdout } = await shell()(["help", "errors", "outcome_unknown", "--lang", lang]);
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, " ")).toContain(readCause("outcome_unknown", texts.t).cause);
  });
});

/** Flags that scripts may rely on, by hand: whoever takes one of these away breaks them. */
const promised: Readonly<Record<string, string>> = {
  bpos: `-p --profile --mock -o --output --json --fields -q --quiet -v --verbose --no-color --no-input --timeout --retries
    --base-url --campaigns-url --ca-file --api-key-file --lang`,
  "bpos orders list": "--status --since --page --all --limit",
  "bpos orders show": "",
  "bpos orders watch":
    "--exec --out-dir --no-bell --notify --late --compact --interval --once --consumer --skip-existing --all-profiles",
  "bpos catalog check": "--fixed",
  "bpos catalog push": `--format --delimiter --encoding --decimal --map --on-duplicate --batch-size --in-flight --store-id
    --dry-run --strict --rejected --changed-only --deactivate-missing --max-deactivate --lock-wait --force`,
  "bpos catalog delete": "--file",
  "bpos catalog history": "",
  "bpos campaign send": `--template --template-id --language --ref --name --header-url --header-field --phone-column --params
    --country --fix-phones --exclude --errors --dry-run -y --yes --expect --test-to --track-all --allow-repeat --not-after
    --no-preflight --lock-wait`,
  "bpos campaign status": "--ref --watch --wait --only",
  "bpos campaign list": "",
  "bpos campaign resume": "--lock-wait",
  "bpos campaign listen": "--port --exec --forward-to",
  "bpos mock": "--port --host --scenario --seed --clock --speed --data --fault --webhook-url",
  "bpos mock order": "--count --branch --status --url",
  "bpos mock reply": "--url",
  "bpos mock advance": "--url",
  "bpos mock fault": "--list --clear --url",
  "bpos mock reset": "--url",
  "bpos mock log": "--follow --url",
  "bpos profile add": "",
  "bpos profile list": "",
  "bpos profile use": "",
  "bpos profile show": "",
  "bpos profile remove": "",
  "bpos init": "",
  "bpos doctor": "",
  "bpos demo": "",
  "bpos openapi": "",
  "bpos completion": "",
};

const variables =
  `BPOS_API_KEY BPOS_BASE_URL BPOS_CAMPAIGNS_URL BPOS_PROFILE BPOS_OUTPUT BPOS_LANG BPOS_MOCK BPOS_HOME
  HTTP_PROXY HTTPS_PROXY NO_PROXY NODE_EXTRA_CA_CERTS NO_COLOR FORCE_COLOR`.split(/\s+/);

describe("what the command line promises", () => {
  it.each(Object.entries(promised))("%s %s", (path, flags) => {
    const understood = entries
      .find((entry) => entry.path === path)
      ?.command.options.flatMap(({ long, short }) => [long, short]);
    expect(understood).toEqual(expect.arrayContaining(flags.split(/\s+/).filter((each) => each !== "")));
  });

  it.each(["en", "es"])("explains every variable in bpos help environment, in %s", async (lang) => {
    const { stdout } = await shell()(["help", "environment", "--lang", lang]);
    expect(variables.filter((name) => !stdout.includes(name))).toEqual([]);
  });
});
