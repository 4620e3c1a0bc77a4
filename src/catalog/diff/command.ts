import { argument, type FlagsOf, file, flag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { readingFlags } from "../flags.ts";

export function declareDiff(catalog: AnyCommand, { texts }: Runtime) {
  const { diff: words, push, check } = texts.help.catalog;
  const command = verb(catalog, "diff", words, { exits: exits.compare, variables: variables.orders })
    .addArgument(argument("<file>", push.file, file))
    .optionsGroup(texts.helpPage.groups.output)
    .addOption(flag("--exit-code", words.exitCode))
    .addOption(flag("--report <file>", words.report, file))
    .addOption(flag("--force", check.force));
  return readingFlags(command, texts);
}

export type DiffFlags = FlagsOf<typeof declareDiff>;
