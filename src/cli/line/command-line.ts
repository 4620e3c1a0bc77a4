import type { Command } from "@commander-js/extra-typings";
import * as commander from "commander";
import { similarTo, type UsageProblem } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import type { Texts } from "../../i18n/en.ts";
import { languages } from "../../i18n/shapes.ts";
import type { Runtime } from "../runtime.ts";
import {
  argument,
  type FlagsOf,
  file,
  findDeclared,
  flag,
  names,
  nonEmpty,
  oneOf,
  outputFormat,
  profileName,
  shells,
  timeLimit,
  type Value,
  whole,
} from "./flags.ts";
import {
  type AnyCommand,
  commandPath,
  findRoot,
  isCalled,
  unknownCommand,
  verb,
  visibleCommands,
} from "./help.ts";

const times: Value<number> = { read: (_text, _refuse, before = 0) => before + 1, repeats: true };

const fields: Value<string[]> = { read: (...how) => [...new Set(names({ kind: "empty" }).read(...how))] };

export function newProgram(texts?: Pick<Texts, "help" | "helpPage">) {
  const flags = texts?.help.flags;
  const groups = texts?.helpPage.groups;
  // The same class at run time: extra-typings only adds types.
  return (new commander.Command("bpos") as unknown as Command)
    .optionsGroup(groups?.settings ?? "")
    .addOption(flag("-p, --profile <name>", flags?.profile, profileName))
    .addOption(flag("--mock", flags?.mock))
    .addOption(flag("--api-key-file <file>", flags?.apiKeyFile, file))
    .addOption(flag("--base-url <url>", flags?.baseUrl))
    .addOption(flag("--campaigns-url <url>", flags?.campaignsUrl))
    .optionsGroup(groups?.display ?? "")
    .addOption(flag("-o, --output <format>", flags?.output, outputFormat))
    .addOption(flag("--json", flags?.json))
    .addOption(flag("--jq <program>", flags?.jq, nonEmpty))
    .addOption(flag("--fields <names>", flags?.fields, fields))
    .addOption(flag("-q, --quiet", flags?.quiet))
    .addOption(flag("-v, --verbose", flags?.verbose, times).preset(""))
    .addOption(flag("--curl", flags?.curl))
    .addOption(flag("--no-color", flags?.color))
    .addOption(flag("--no-input", flags?.input))
    .addOption(flag("--lang <language>", flags?.lang, oneOf(...languages)))
    .optionsGroup(groups?.connection ?? "")
    .addOption(flag("--timeout <duration>", flags?.timeout, timeLimit))
    .addOption(flag("--retries <n>", flags?.retries, whole(0, 20)))
    .addOption(flag("--ca-file <file>", flags?.caFile, file))
    .optionsGroup(groups?.help ?? "");
}

export type GlobalFlags = FlagsOf<typeof newProgram>;

/** The global flags of a line, unchecked: they decide how anything is said, also of an error in the line itself. */
export function readGlobalFlags(argv: readonly string[]): GlobalFlags {
  const parser = newProgram()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  for (const option of parser.options) {
    // A value that is refused must not hide the flags behind it.
    if (findDeclared(option)?.repeats === undefined) option.argParser((text) => text);
  }
  try {
    parser.parseOptions([...argv]);
  } catch {
    // The command tree meets the same mistake and reports it.
  }
  return parser.opts();
}

const longNames = (command: AnyCommand): string[] => command.options.flatMap(({ long }) => long ?? []);

const unknownFlag = (flag: string, command: AnyCommand, known: readonly string[] = []): UsageProblem => {
  const similar = flag.startsWith("--") ? similarTo(flag, known) : null;
  return { kind: "flag_unknown", flag, similar, command: commandPath(command) };
};

/** The flag at the end of the line, which lacks its value; one that the subcommand would not have taken is unknown there. */
function valueMissing(failed: AnyCommand, last: string): UsageProblem {
  // Of several short flags in one word the last.
  const name = last.startsWith("--") ? last : `-${last.slice(-1)}`;
  const option = failed.options.find(({ long, short }) => name === long || name === short);
  const depth = commandPath(failed).split(" ").length - 1;
  const below = failed.commands.find((each) => isCalled(each, findRoot(failed).args[depth] ?? ""));
  if (failed.parent === null || below === undefined || longNames(below).includes(option?.long ?? ""))
    return { kind: "value_missing", flag: option?.flags ?? last, command: commandPath(failed) };
  return unknownFlag(option?.long ?? last, below);
}

function unknownWord(group: AnyCommand, name: string): UsageProblem {
  const names = visibleCommands(group).map((each) => each.name());
  const similar = similarTo(name, names);
  return unknownCommand(group, name, similar && `${commandPath(group)} ${similar}`);
}

function findProblem(code: string, failed: AnyCommand, argv: readonly string[]): UsageProblem | undefined {
  const command = commandPath(failed);
  const { registeredArguments, args, commands } = failed;
  switch (code) {
    case "commander.unknownOption": {
      const { operands, unknown } = failed.parseOptions([...args]);
      const [flag = ""] = unknown;
      const [name] = operands;
      // A flag of what may be meant by a word that is no command is not what is wrong.
      if (name !== undefined && commands.length > 0) return unknownWord(failed, name);
      return unknownFlag(flag, failed, [...longNames(failed), ...longNames(findRoot(failed)), "--help"]);
    }
    case "commander.missingArgument": {
      const missing = registeredArguments.find(({ required }, at) => required && args[at] === undefined);
      return { kind: "argument_missing", argument: missing?.name() ?? "", command };
    }
    case "commander.optionMissingArgument":
      return valueMissing(failed, argv.at(-1) ?? "");
    case "commander.unknownCommand":
    case "commander.excessArguments": {
      const [name = ""] = args;
      const [expected, found] = [registeredArguments.length, args.length];
      // A command that also runs alone, such as `bpos mock`, takes a word behind it for an argument.
      if (commands.length === 0) return { kind: "arguments_too_many", command, expected, found };
      return unknownWord(failed, name);
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

export function declareHelp(program: AnyCommand, runtime: Runtime): void {
  const { help, completion } = runtime.texts.helpPage;
  verb(program, "help", help)
    .argument("[words...]", help.words)
    .action(async (words) => {
      const { showHelp } = await import("./help-topics.ts");
      await showHelp(runtime, program, words);
    });
  verb(program, "completion", completion)
    .addArgument(argument("<shell>", completion.shell, oneOf(...shells), "bpos completion"))
    .action(async (shell) => {
      const { openOutput } = await import("../display/output.ts");
      // It has no JSON: a wish for that is refused.
      openOutput(runtime, ["table"]);
      const { scripts } = await import("./completion.ts");
      await runtime.system.stdout.write(scripts[shell]);
    });
  // Below it nothing is a flag, and nothing is wrong: whoever presses Tab wants no message.
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .allowUnknownOption()
    .helpOption(false)
    .action(async ([shell = "", ...words]) => {
      const { printCandidates } = await import("./completion.ts");
      await printCandidates(runtime, program, shell, words);
    });
}
