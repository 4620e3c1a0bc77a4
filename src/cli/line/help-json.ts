import type { Option } from "@commander-js/extra-typings";
import { exitCodes } from "../../errors.ts";
import { findDeclared } from "./flags.ts";
import type { GlobalFlags } from "./global-flags.ts";
import { type AnyCommand, commandPath, readFacts, visibleCommands } from "./help.ts";

/** True if the line itself asks for JSON: help is for people, whatever BPOS_OUTPUT says. */
export const asksJson = ({ json, jq, output }: GlobalFlags): boolean =>
  json === true || jq !== undefined || (output !== undefined && output !== "table");

function flagJson(option: Option) {
  const { flags, long, short, description } = option;
  const declared = findDeclared(option);
  return {
    flag: long ?? flags,
    short: short ?? null,
    value: /[<[]([^>\]]+)/.exec(flags)?.[1] ?? null,
    choices: declared?.source?.of === "words" ? declared.source.words : null,
    repeats: declared?.repeats === true,
    description,
  };
}

/** A command as it is declared, with those below it. */
export function commandJson(command: AnyCommand): Record<string, unknown> {
  const { examples, exits, variables, fields = [] } = readFacts(command);
  return {
    command: commandPath(command),
    aliases: command.aliases(),
    description: command.description(),
    arguments: command.registeredArguments.map((each) => ({
      argument: each.name(),
      required: each.required,
      variadic: each.variadic,
      description: each.description,
    })),
    flags: command.options.filter(({ hidden }) => !hidden).map(flagJson),
    fields,
    exit_codes: exits.map((name) => exitCodes[name]),
    environment: variables,
    examples: examples.map(([line, what]) => ({ command: line, description: what })),
    commands: visibleCommands(command).map(commandJson),
  };
}
