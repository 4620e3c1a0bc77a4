import { argument, type FlagsOf, file, flag, onFailureFlag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { catalogFlags, readingFlags, sendingFlags } from "../flags.ts";

export type PushFlags = FlagsOf<typeof declarePush>;

export function declarePush(catalog: AnyCommand, { texts }: Runtime) {
  const words = texts.help.catalog.push;
  const { groups } = texts.helpPage;
  const shared = catalogFlags(texts);
  const command = verb(catalog, "push", words, {
    exits: exits.send,
    sends: true,
    variables: variables.orders,
  })
    .addArgument(argument("<file>", words.file, file))
    .optionsGroup(groups.sent)
    .addOption(shared.dryRun)
    .addOption(flag("--confirm", words.confirm))
    .addOption(flag("--strict", words.strict))
    .addOption(flag("--changed-only", words.changedOnly))
    .addOption(flag("--deactivate-missing", words.deactivateMissing))
    .addOption(shared.maxDeactivate)
    .optionsGroup(groups.output)
    .addOption(flag("--rejected <file>", words.rejected, file))
    .addOption(onFailureFlag(texts));
  return sendingFlags(readingFlags(command, texts), texts);
}
