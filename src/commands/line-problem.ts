import type { Command, CommanderError } from "commander";
import type { UsageProblem } from "../errors/usage-problem.ts";

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
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
  const [, name = ""] = /'(.*?)'/s.exec(message) ?? [];
  const [, similar = null] = /\(Did you mean (?:one of )?([^,?]+)/.exec(message) ?? [];
  switch (code) {
    case "commander.unknownOption":
      return { kind: "flag_unknown", flag: name, similar, command };
    case "commander.unknownCommand":
      return { kind: "command_unknown", name, similar: similar && `${command} ${similar}`, command };
    case "commander.missingArgument":
      return { kind: "argument_missing", argument: name, command };
    case "commander.optionMissingArgument":
      return { kind: "value_missing", flag: name, command };
    case "commander.excessArguments":
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
