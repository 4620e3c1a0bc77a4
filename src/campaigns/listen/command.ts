import { type FlagsOf, file, flag, nonEmpty, whole } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareListen(campaign: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.campaign.listen;
  const { groups } = runtime.texts.helpPage;
  return verb(campaign, "listen", words, { exits: exits.file, variables: variables.listen })
    .optionsGroup(groups.where)
    .addOption(flag("--exec <command>", words.exec, nonEmpty))
    .addOption(flag("--forward-to <url>", words.forwardTo))
    .addOption(flag("--opt-out-words <file>", words.optOutWords, file))
    .optionsGroup(groups.listening)
    .addOption(flag("--port <n>", words.port, whole(0, 65_535)))
    .addOption(flag("--host <address>", words.host, nonEmpty))
    .addOption(flag("--public-url <url>", words.publicUrl))
    .addOption(flag("--trust-any-host", words.trustAnyHost))
    .addOption(flag("--secret-file <file>", words.secretFile, file));
}

export type ListenFlags = FlagsOf<typeof declareListen>;
