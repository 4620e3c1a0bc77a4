import type { Option } from "@commander-js/extra-typings";
import {
  type AnyCommand,
  commandPath,
  flagHeading,
  groupBy,
  type HelpFacts,
  readFacts,
  usageLines,
  visibleCommands,
} from "../src/cli/line/help.ts";
import type { Runtime } from "../src/cli/runtime.ts";
import { createProgram } from "../src/program.ts";
import { type Texts, textsIn } from "../src/texts/texts.ts";

/** The declared command tree, which cannot run. */
export function commandTree(texts: Texts = textsIn("en")): AnyCommand {
  return createProgram({ texts } as Runtime, "0.0.0");
}

/** A command as its reference page shows it. */
export interface CommandEntry extends HelpFacts {
  /** For example `bpos catalog push`. */
  path: string;
  description: string;
  usage: string[];
  arguments: { name: string; description: string }[];
  /** Flags by heading, without those of all commands. */
  groups: [heading: string, flags: Option[]][];
  command: AnyCommand;
}

/** Every visible command, the root first, each before its subcommands. */
export function commandEntries(root: AnyCommand = commandTree()): CommandEntry[] {
  const walk = (command: AnyCommand): AnyCommand[] => [command, ...visibleCommands(command).flatMap(walk)];
  return walk(root).map((command) => ({
    ...readFacts(command),
    path: commandPath(command),
    description: command.description(),
    usage: usageLines(command, textsIn("en").t),
    arguments: command.registeredArguments.map((each) => ({
      name: each.name(),
      description: each.description,
    })),
    groups: [
      ...groupBy(
        command.options.filter(({ hidden }) => !hidden),
        (flag) => flagHeading(flag, textsIn("en").t),
      ),
    ],
    command,
  }));
}
