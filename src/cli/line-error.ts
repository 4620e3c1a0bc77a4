import { similarTo } from "../errors/similar.ts";
import type { UsageProblem } from "../errors/usage-problem.ts";
import { BposError } from "../errors.ts";
import { pathOf, rootOf } from "./help-page.ts";
import type { AnyCommand } from "./help-text.ts";

/** The subcommand that a command was to run when it met the end of the line. */
function belowOf(failed: AnyCommand): AnyCommand | undefined {
  const depth = pathOf(failed).split(" ").length - 1;
  return failed.commands.find((each) => each.name() === rootOf(failed).args[depth]);
}

function unknownCommand(failed: AnyCommand): UsageProblem {
  const command = pathOf(failed);
  const [name = ""] = failed.args;
  const known = failed.commands.filter((each) => !each.name().startsWith("_")).map((each) => each.name());
  const similar = similarTo(name, known);
  return { kind: "command_unknown", name, similar: similar && `${command} ${similar}`, command, known };
}

const longNames = (command: AnyCommand): string[] => command.options.flatMap(({ long }) => long ?? []);

function unknownFlag(failed: AnyCommand): UsageProblem {
  const [flag = ""] = failed.parseOptions([...failed.args]).unknown;
  const known = [...longNames(failed), ...longNames(rootOf(failed)), "--help"];
  const similar = flag.startsWith("--") ? similarTo(flag, known) : null;
  return { kind: "flag_unknown", flag, similar, command: pathOf(failed) };
}

/** The flag at the end of the line, which lacks its value; one that the subcommand would not have taken is unknown there. */
function valueMissing(failed: AnyCommand, last: string): UsageProblem {
  // Of several short flags in one word the last.
  const name = last.startsWith("--") ? last : `-${last.slice(-1)}`;
  const option = failed.options.find(({ long, short }) => name === long || name === short);
  const below = belowOf(failed);
  if (failed.parent === null || below === undefined || longNames(below).includes(option?.long ?? ""))
    return { kind: "value_missing", flag: option?.flags ?? last, command: pathOf(failed) };
  return { kind: "flag_unknown", flag: option?.long ?? last, similar: null, command: pathOf(below) };
}

function problemOf(code: string, failed: AnyCommand, argv: readonly string[]): UsageProblem | undefined {
  const command = pathOf(failed);
  const { registeredArguments, args } = failed;
  switch (code) {
    case "commander.unknownOption":
      return unknownFlag(failed);
    case "commander.unknownCommand":
      return unknownCommand(failed);
    case "commander.missingArgument": {
      const missing = registeredArguments.find(({ required }, at) => required && args[at] === undefined);
      return { kind: "argument_missing", argument: missing?.name() ?? "", command };
    }
    case "commander.optionMissingArgument":
      return valueMissing(failed, argv.at(-1) ?? "");
    case "commander.excessArguments":
      // A command that also runs alone, such as `bpos mock`, takes a word behind it for an argument.
      if (failed.commands.length > 0) return unknownCommand(failed);
      return {
        ...{ kind: "arguments_too_many", command },
        ...{ expected: registeredArguments.length, found: args.length },
      };
    case "commander.help":
      return { kind: "subcommand_missing", command };
    default:
      return undefined;
  }
}

/** The `usage_flag` for a line that `failed` did not take; what was wrong is found out by asking the parser again. */
export function lineError(code: string, failed: AnyCommand, argv: readonly string[]): BposError {
  const problem = problemOf(code, failed, argv);
  return problem === undefined
    ? new BposError("bug", { detail: code })
    : new BposError("usage_flag", { problem });
}

/**
 * Hands what was given to a command down to its subcommand, which takes the flag on either side of its name. Throws `usage_flag` for
 * a flag that the subcommand does not take.
 */
export function handDown(command: AnyCommand, below: AnyCommand): void {
  const taken = new Set(below.options.map((option) => option.attributeName()));
  for (const option of command.options) {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== "cli") continue;
    if (taken.has(name)) below.setOptionValueWithSource(name, command.getOptionValue(name), "cli");
    else {
      const flag = option.long ?? option.flags;
      const problem = { kind: "flag_unknown", flag, similar: null, command: pathOf(below) } as const;
      throw new BposError("usage_flag", { problem });
    }
  }
}
