import { type FlagsOf, flag, folder, matching, nonEmpty, timeLimit } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import { listenAddress } from "../../cli/line/listen-address.ts";
import { printerFlags } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";

export const consumerName = matching(
  /^[\w.-]{1,64}$/,
  { kind: "not_consumer" },
  { of: "journal", what: "consumer" },
);

export function declareWatch(orders: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.orders.watch;
  const printer = printerFlags(runtime);
  const { groups } = runtime.texts.helpPage;
  const { health } = runtime.texts.help;
  return verb(orders, "watch", words, { exits: exits.watch, variables: variables.watch })
    .optionsGroup(groups.when)
    .addOption(flag("--once", words.once))
    .addOption(flag("--interval <duration>", words.interval, timeLimit))
    .optionsGroup(groups.where)
    .addOption(flag("--exec <command>", words.exec, nonEmpty))
    .addOption(flag("--exec-timeout <duration>", words.execTimeout, timeLimit))
    .addOption(flag("--exec-changes", words.execChanges))
    .addOption(flag("--out-dir <folder>", words.outDir, folder))
    .addOption(flag("--printer [url]", words.printer, printer.url))
    .addOption(printer.stationMap)
    .addOption(printer.paper)
    .addOption(printer.language)
    .addOption(printer.drawer)
    .addOption(printer.beep)
    .addOption(printer.layout)
    .optionsGroup(groups.health)
    .addOption(flag("--health <address>", health.health, listenAddress))
    .addOption(flag("--max-age <duration>", health.maxAge, timeLimit))
    .addOption(flag("--ping <url>", health.ping, nonEmpty))
    .addOption(flag("--on-failure <command>", health.onFailure, nonEmpty))
    .addOption(flag("--outage-after <duration>", health.outageAfter, timeLimit))
    .optionsGroup(groups.screen)
    .addOption(flag("--compact", words.compact))
    .addOption(flag("--late <duration>", words.late, timeLimit))
    .addOption(flag("--notify", words.notify))
    .addOption(flag("--no-bell", words.bell))
    .optionsGroup(groups.which)
    .addOption(flag("--consumer <name>", words.consumer, consumerName))
    .addOption(flag("--skip-existing", words.skipExisting))
    .addOption(flag("--all-profiles", words.allProfiles))
    .optionsGroup(groups.safety)
    .addOption(flag("--standby", words.standby))
    .addOption(flag("--force", words.force));
}

export type WatchFlags = FlagsOf<typeof declareWatch>;
