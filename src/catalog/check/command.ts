import { argument, type FlagsOf, file, flag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { readingFlags } from "../flags.ts";

export type CheckFlags = FlagsOf<typeof declareCheck>;

export function declareCheck(catalog: AnyCommand, { texts }: Runtime) {
  const { check: words, push } = texts.help.catalog;
  const command = verb(catalog, "check", words, { exits: exits.read, variables: [] })
    .addArgument(argument("<file>", push.file, file))
    .optionsGroup(texts.helpPage.groups.output)
    .addOption(flag("--fixed <file>", words.fixed, file))
    .addOption(flag("--force", words.force))
    .addOption(flag("--strict", words.strict));
  return readingFlags(command, texts);
}
