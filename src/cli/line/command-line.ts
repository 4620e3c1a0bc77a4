import type { Command } from "@commander-js/extra-typings";
import type { UsageProblem } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import type { Runtime } from "../runtime.ts";
import { argument, oneOf, shells } from "./flags.ts";
import { type AnyCommand, commandPath, findRoot, isCalled, unknownCommand, verb } from "./help.ts";
import { longNames, meantByExcess, meantCommand, meantFlag } from "./meant.ts";

const unknownFlag = (flag: string, command: AnyCommand, similar: string | null = null): UsageProblem => ({
  kind: "flag_unknown",
  flag,
  similar,
  command: commandPath(command),
});

/** A flag as it was typed: the parser reads `-version` as `-v -ersion`. */
const asTyped = (flag: string, argv: readonly string[]): string =>
  argv.find((word) => word === flag) ??
  argv.find((word) => /^-\w/.test(word) && word.endsWith(flag.slice(1))) ??
  flag;

/** The flag at the end of the line, which lacks its value; one that the subcommand would not have taken is unknown there. */
function valueMissing(failed: AnyCommand, last: string): UsageProblem {
  // The last of several short flags in one word.
  const name = last.startsWith("--") ? last : `-${last.slice(-1)}`;
  const option = failed.options.find(({ long, short }) => name === long || name === short);
  const depth = commandPath(failed).split(" ").length - 1;
  const below = failed.commands.find((each) => isCalled(each, findRoot(failed).args[depth] ?? ""));
  if (failed.parent === null || below === undefined || longNames(below).includes(option?.long ?? ""))
    return { kind: "value_missing", flag: option?.flags ?? last, command: commandPath(failed) };
  return unknownFlag(option?.long ?? last, below);
}

const unknownWord = (group: AnyCommand, words: readonly string[]): UsageProblem =>
  unknownCommand(group, words[0] ?? "", meantCommand(group, words));

function findProblem(code: string, failed: AnyCommand, argv: readonly string[]): UsageProblem | undefined {
  const command = commandPath(failed);
  const { registeredArguments, args, commands } = failed;
  switch (code) {
    case "commander.unknownOption": {
      const { operands, unknown } = failed.parseOptions([...args]);
      const [flag = ""] = unknown;
      const [name] = operands;
      // For a word that is not a command, the flags of the command it might mean are not the problem.
      if (name !== undefined && commands.length > 0) return unknownWord(failed, operands);
      const known = [...longNames(failed), ...longNames(findRoot(failed)), "--help"];
      const typed = asTyped(flag, argv);
      return unknownFlag(typed, failed, meantFlag(typed, failed, known));
    }
    case "commander.missingArgument": {
      const missing = registeredArguments.find(({ required }, at) => required && args[at] === undefined);
      return { kind: "argument_missing", argument: missing?.name() ?? "", command };
    }
    case "commander.optionMissingArgument":
      return valueMissing(failed, argv.at(-1) ?? "");
    case "commander.unknownCommand":
    case "commander.excessArguments": {
      const [expected, found] = [registeredArguments.length, args.length];
      // A command that also runs alone, such as `bpos mock`, reads the next word as an argument.
      if (commands.length > 0) return unknownWord(failed, args);
      const similar = meantByExcess(failed, args[expected] ?? "");
      return { kind: "arguments_too_many", command, expected, found, similar };
    }
    case "commander.help":
      return { kind: "subcommand_missing", command };
    default:
      return undefined;
  }
}

/** The `usage_flag` for a line that `failed` did not take; what was wrong is found out by asking the parser again. */
export function lineError(code: string, failed: AnyCommand, argv: readonly string[]): BposError {
  const problem = findProblem(code, failed, argv);
  return problem ? new BposError("usage_flag", { problem }) : new BposError("bug", { detail: code });
}

export function handDown(command: AnyCommand, below: AnyCommand): void {
  const taken = new Set(below.options.map((option) => option.attributeName()));
  for (const option of command.options) {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== "cli") continue;
    if (taken.has(name)) below.setOptionValueWithSource(name, command.getOptionValue(name), "cli");
    else throw new BposError("usage_flag", { problem: unknownFlag(option.long ?? option.flags, below) });
  }
}

export const declareHelp = (program: AnyCommand, { texts: { t } }: Runtime) =>
  verb(program, "help", {
    description: t("Show help for a command or a topic"),
    examples: {
      "bpos help catalog push": t("same as bpos catalog push --help"),
      "bpos help exit-codes": t("what each exit code means"),
      "bpos help errors key_missing": t("the reasons of JSON errors"),
    },
  }).argument("[words...]", t("a command such as catalog push, or a topic"));

export const declareCompletion = (program: AnyCommand, { texts: { t } }: Runtime) =>
  verb(program, "completion", {
    description: t("Print a shell completion script"),
    examples: {
      'eval "$(bpos completion bash)"': t("in ~/.bashrc"),
      "source <(bpos completion zsh)": t("in ~/.zshrc, after compinit"),
      "bpos completion fish > ~/.config/fish/completions/bpos.fish": t("once"),
      "bpos completion powershell | Out-String | Invoke-Expression": t("in $PROFILE"),
    },
  }).addArgument(
    argument("<shell>", t("bash, zsh, fish or powershell"), oneOf(...shells), "bpos completion"),
  );

/** The command that a shell calls at Tab. No word after it is a flag or an error: nobody wants a message at Tab. */
export const declareCandidates = (program: AnyCommand) =>
  (program as Command)
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .allowUnknownOption()
    .helpOption(false);
