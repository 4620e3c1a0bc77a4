import {
  argument,
  type FlagsOf,
  file,
  flag,
  lockWaitFlag,
  nonEmpty,
  percentage,
  shareOrCount,
  timeLimit,
  whole,
} from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import { listenAddress } from "../../cli/line/listen-address.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { catalogFlags } from "../push/command.ts";

export function declareWatch(catalog: AnyCommand, runtime: Runtime) {
  const { catalog: ofCatalog, health } = runtime.texts.help;
  const { watch: words, push } = ofCatalog;
  const { groups } = runtime.texts.helpPage;
  const shared = catalogFlags(runtime.texts);
  return verb(catalog, "watch", words, { exits: exits.watch, variables: variables.orders })
    .addArgument(argument("<file>", words.file, file))
    .optionsGroup(groups.when)
    .addOption(flag("--once", words.once))
    .optionsGroup(groups.safety)
    .addOption(flag("--max-price-change <limit>", push.maxPriceChange, percentage))
    .addOption(flag("--strict", push.strict))
    .addOption(flag("--deactivate-missing", push.deactivateMissing))
    .addOption(flag("--max-deactivate <limit>", push.maxDeactivate, shareOrCount))
    .addOption(shared.storeId)
    .addOption(lockWaitFlag(runtime.texts))
    .addOption(flag("--force", push.force))
    .optionsGroup(groups.where)
    .addOption(flag("--exec <command>", words.exec, nonEmpty))
    .addOption(flag("--exec-timeout <duration>", words.execTimeout, timeLimit))
    .addOption(flag("--notify", words.notify))
    .optionsGroup(groups.health)
    .addOption(flag("--health <address>", health.health, listenAddress))
    .addOption(flag("--max-age <duration>", words.maxAge, timeLimit))
    .addOption(flag("--ping <url>", words.ping, nonEmpty))
    .addOption(flag("--on-failure <command>", words.onFailure, nonEmpty))
    .addOption(flag("--outage-after <duration>", health.outageAfter, timeLimit))
    .optionsGroup(groups.reading)
    .addOption(shared.map)
    .addOption(shared.decimal)
    .addOption(shared.onDuplicate)
    .addOption(shared.sheet)
    .addOption(shared.headerRow)
    .addOption(shared.format)
    .addOption(shared.delimiter)
    .addOption(shared.encoding)
    .optionsGroup(groups.sending)
    .addOption(shared.batchSize)
    .addOption(flag("--in-flight <n>", push.inFlight, whole(1, 8)));
}

export type WatchFlags = FlagsOf<typeof declareWatch>;
