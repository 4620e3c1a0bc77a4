import type { Command, CommanderError } from "commander";
import { similarTo } from "../errors/similar.ts";
import type { UsageProblem } from "../errors/usage-problem.ts";
import { pathOf, rootOf } from "./help-page.ts";

/** How many words lead to a command, without the program's name. */
const depthOf = (command: Command): number => (command.parent === null ? 0 : depthOf(command.parent) + 1);

/** The subcommand that a command was to run when it met the end of the line. */
function belowOf(failed: Command): Command | undefined {
  const word = rootOf(failed).args[depthOf(failed)];
  return failed.commands.find((each) => each.name() === word);
}

function unknownCommand(failed: Command, similar: string | null): UsageProblem {
  const command = pathOf(failed);
  const [name = ""] = failed.args;
  const known = failed.commands.filter((each) => !each.name().startsWith("_")).map((each) => each.name());
  const meant = similar ?? similarTo(name, known);
  return { kind: "command_unknown", name, similar: meant && `${command} ${meant}`, command, known };
}

/** A flag without its value; one that the subcommand would not have taken is unknown there, whatever stands behind it. */
function valueMissing(failed: Command, flag: string): UsageProblem {
  const below = belowOf(failed);
  const option = failed.options.find((each) => each.flags === flag);
  const isTaken = (each: { long?: string | undefined }): boolean => each.long === option?.long;
  if (failed.parent === null || below === undefined || below.options.some(isTaken))
    return { kind: "value_missing", flag, command: pathOf(failed) };
  return { kind: "flag_unknown", flag: option?.long ?? flag, similar: null, command: pathOf(below) };
}

/**
 * What commander has to say of a command line, by its code. Its sentences give only the names that stand in them.
 *
 * @param failed the command that did not take the line.
 */
export function lineProblem(
  { code, message }: Pick<CommanderError, "code" | "message">,
  failed: Command,
): UsageProblem {
  const command = pathOf(failed);
  const [, sentence = message, similar = null] =
    /^(.*?)(?:\n\(Did you mean (?:one of )?([^,?]+).*)?$/s.exec(message) ?? [];
  const [, name = ""] = /'(.*)'/s.exec(sentence) ?? [];
  switch (code) {
    case "commander.unknownOption":
      return { kind: "flag_unknown", flag: name, similar, command };
    case "commander.unknownCommand":
      return unknownCommand(failed, similar);
    case "commander.missingArgument":
      return { kind: "argument_missing", argument: name, command };
    case "commander.optionMissingArgument":
      return valueMissing(failed, name);
    case "commander.excessArguments":
      // A command that also runs alone, such as `bpos mock`, takes a word behind it for an argument.
      if (failed.commands.length > 0) return unknownCommand(failed, null);
      return {
        ...{ kind: "arguments_too_many", command },
        ...{ expected: failed.registeredArguments.length, found: failed.args.length },
      };
    case "commander.help":
      return { kind: "subcommand_missing", command };
    default:
      return { kind: "line_refused", said: message.replace(/^error: /, ""), command };
  }
}
