import { argument, type FlagsOf, file, flag, nonEmpty, timeLimit } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import { listenAddress } from "../../cli/line/listen-address.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { catalogFlags, readingFlags, sendingFlags } from "../flags.ts";

export type WatchFlags = FlagsOf<typeof declareWatch>;

export function declareWatch(catalog: AnyCommand, { texts }: Runtime) {
  const { catalog: ofCatalog, health } = texts.help;
  const { watch: words, push } = ofCatalog;
  const { groups } = texts.helpPage;
  const command = verb(catalog, "watch", words, { exits: exits.watch, variables: variables.orders })
    .addArgument(argument("<file>", words.file, file))
    .optionsGroup(groups.when)
    .addOption(flag("--once", words.once))
    .optionsGroup(groups.sent)
    .addOption(flag("--strict", push.strict))
    .addOption(flag("--deactivate-missing", push.deactivateMissing))
    .addOption(catalogFlags(texts).maxDeactivate)
    .optionsGroup(groups.where)
    .addOption(flag("--exec <command>", words.exec, nonEmpty))
    .addOption(flag("--exec-timeout <duration>", words.execTimeout, timeLimit))
    .addOption(flag("--notify", words.notify))
    .optionsGroup(groups.health)
    .addOption(flag("--health <address>", health.health, listenAddress))
    .addOption(flag("--max-age <duration>", words.maxAge, timeLimit))
    .addOption(flag("--ping <url>", words.ping, nonEmpty))
    .addOption(flag("--on-failure <command>", words.onFailure, nonEmpty))
    .addOption(flag("--outage-after <duration>", health.outageAfter, timeLimit));
  return sendingFlags(readingFlags(command, texts), texts);
}
