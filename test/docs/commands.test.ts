import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CommanderError } from "commander";
import { describe, expect, it } from "vitest";
import { commandEntries, commandTree } from "../../scripts/command-tree.ts";
import { commandsPage } from "../../scripts/pages.ts";
import { topics as topicNames } from "../../src/cli/flags.ts";
import type { AnyCommand as Command } from "../../src/cli/help.ts";
import { es } from "../../src/i18n/es.ts";
import { root, shell } from "../support/run.ts";

const regenerate =
  "not what the commands declare now: run `npm run docs`, look at the difference and commit it";

const entries = commandEntries();
const at = (path: string): Command => {
  const found = entries.find((entry) => entry.path === path);
  if (found === undefined) throw new Error(`there is no command ${path}`);
  return found.command;
};
/** The long flags that a command understands, those of all commands too. */
const flagsOf = (command: Command | null): string[] =>
  command === null
    ? []
    : [...command.options.map(({ long }) => long ?? ""), ...flagsOf(command.parent), "--help"];

/** A shell line in words, as far as examples go; what is piped into bpos or out of it is left out. */
function bposWords(line: string): string[] {
  const own = line
    .replace(/^.*\| (?=bpos )/, "")
    .replace(/^.*\$\((bpos [^)]*)\).*$/, "$1")
    .replace(/^.*<\((bpos [^)]*)\).*$/, "$1")
    .replace(/ (?:\||\|\||&&|>) .*$/, "");
  const words = [...own.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
  expect(words[0], line).toBe("bpos");
  return words.slice(1);
}

/** Parses a command line without running it; throws what commander throws. */
async function parse(words: readonly string[]): Promise<string> {
  const tree = commandTree();
  let ran = "";
  const still = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: () => undefined });
    if (command.commands.length === 0 || command.options.length > 0)
      if (command.parent !== null)
        command.action(() => {
          ran = command.name();
        });
    command.commands.forEach(still);
  };
  still(tree);
  try {
    await tree.parseAsync([...words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
    ran = "help";
  }
  return ran;
}

describe("the committed reference", () => {
  it("docs/commands.md is what the commands declare", async () => {
    await expect(commandsPage(), regenerate).toMatchFileSnapshot(join(root, "docs/commands.md"));
  });
});

describe("help", () => {
  it("has examples that parse, for every command, in both languages", async () => {
    for (const { path, examples } of [...entries, ...commandEntries(commandTree(es))]) {
      expect(examples.length, path).toBeGreaterThan(0);
      for (const [line = ""] of examples) expect(await parse(bposWords(line)), line).not.toBe("");
    }
  });

  it("refuses a line that does not parse", async () => {
    await expect(parse(["orders", "list", "--nope"])).rejects.toThrow("unknown option");
    await expect(parse(["catalog", "push"])).rejects.toThrow("missing required argument");
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

  it("names its topics in the root's page", async () => {
    expect((await shell()(["--help"])).stdout).toContain(`bpos help ${topicNames.join("|")}`);
  });
});

describe("the README", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8").replace(/npm [^`\n]*/g, "");
  it("shows commands and flags that exist", () => {
    const lines = [...readme.matchAll(/(?:^\$ |`)(bpos [a-z][^`\n#]*)/gm)].map(([, line = ""]) =>
      line.trim(),
    );
    expect(lines.length).toBeGreaterThan(10);
    const all = new Set(entries.flatMap(({ command }) => flagsOf(command)));
    for (const [flag] of readme.matchAll(/(?<=[`\s])--[a-z][a-z-]+/g)) {
      expect(all, flag).toContain(flag);
    }
    for (const line of lines) {
      const words = line.split(/\s+/).slice(1);
      let command = at("bpos");
      for (const word of words) {
        const below = command.commands.find((each) => each.name() === word);
        if (below === undefined) break;
        command = below;
      }
      expect(command.parent, line).not.toBeNull();
      for (const [flag] of line.matchAll(/--[a-z][a-z-]+/g)) expect(flagsOf(command), line).toContain(flag);
    }
  });
});
