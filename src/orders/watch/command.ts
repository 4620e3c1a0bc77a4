import {
  type FlagsOf,
  flag,
  folder,
  matching,
  nonEmpty,
  timeLimit,
  type Value,
} from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import { printerFlags } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { ListenAddress } from "../../cli/session/local-server.ts";

export const consumerName = matching(
  /^[\w.-]{1,64}$/,
  { kind: "not_consumer" },
  { of: "journal", what: "consumer" },
);

/** `[HOST:]PORT`; without a host, this machine alone reaches it. An address of IPv6 is in brackets. */
const listenAddress: Value<ListenAddress> = {
  read(text, refuse) {
    const [, bracketed, name, digits = ""] = /^(?:\[([^\]]+)\]:|([^:]+):)?(\d+)$/.exec(text) ?? [];
    const port = digits === "" ? Number.NaN : Number(digits);
    if (port <= 65_535) return { host: bracketed ?? name ?? "127.0.0.1", port };
    return refuse({ kind: "not_whole", text, min: 0, max: 65_535 });
  },
};

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
