import type { Command } from "commander";
import { en } from "../text/en.ts";

/** The words of the command tree's own help. */
export const helpWords = en.help;

/** Puts examples before everything else in a command's help. */
export function addExamples(command: Command, examples: readonly (readonly string[])[]): Command {
  const lines = examples.map(([line = "", what = ""]) => `  $ ${line}\n      ${what}`);
  return command.addHelpText("before", `${en.help.headings.examples}\n${lines.join("\n")}\n`);
}
