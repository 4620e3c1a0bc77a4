import type { Command } from "commander";
import type { Texts } from "../text/texts.ts";

/** Puts examples before everything else in a command's help. */
export function addExamples(
  command: Command,
  examples: readonly (readonly string[])[],
  texts: Texts,
): Command {
  const lines = examples.map(([line = "", what = ""]) => `  $ ${line}\n      ${what}`);
  return command.addHelpText("before", `${texts.help.headings.examples}\n${lines.join("\n")}\n`);
}
