import { CommanderError } from "commander";
import { commandTree } from "../../scripts/command-tree.ts";
import type { AnyCommand as Command } from "../../src/cli/line/help.ts";

/** A shell line in words, as far as examples go; what is piped into bpos or out of it is left out. */
export function bposWords(line: string): string[] {
  const own = line
    .replace(/^.*\| (?=bpos )/, "")
    .replace(/^.*\$\((bpos [^)]*)\).*$/, "$1")
    .replace(/^.*<\((bpos [^)]*)\).*$/, "$1")
    .replace(/ (?:\||\|\||&&|>) .*$/, "");
  const words = [...own.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
  if (words[0] !== "bpos") throw new Error(`this is no command of bpos: ${line}`);
  return words.slice(1);
}

/** Parses a command line without running it; throws what commander throws. */
export async function parse(words: readonly string[]): Promise<string> {
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
