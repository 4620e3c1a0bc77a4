import type { Command, OptionValues } from "@commander-js/extra-typings";
import { type FlagsOf, flag, folder, nonEmpty, timeLimit, type Value } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import { printerFlags } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { ListenAddress } from "../../cli/session/local-server.ts";
import type { T } from "../../texts/texts.ts";
import { consumerName } from "../consumer.ts";

/** Reads `[HOST:]PORT`; without a host, only this machine reaches it. An IPv6 address is in brackets. */
const listenAddress: Value<ListenAddress> = {
  read(text, refuse) {
    const [, bracketed, name, digits = ""] = /^(?:\[([^\]]+)\]:|([^:]+):)?(\d+)$/.exec(text) ?? [];
    const port = digits === "" ? Number.NaN : Number(digits);
    if (port <= 65_535) return { host: bracketed ?? name ?? "127.0.0.1", port };
    return refuse({ kind: "not_whole", text, min: 0, max: 65_535 });
  },
};

/** Adds the flags for the schedule and the outputs. */
function outputFlags<Args extends unknown[], Flags extends OptionValues>(
  command: Command<Args, Flags>,
  runtime: Runtime,
) {
  const { t } = runtime.texts;
  const printer = printerFlags(runtime);
  return command
    .optionsGroup(t("Schedule:"))
    .addOption(flag("--once", t("poll once and exit")))
    .addOption(
      flag(
        "--interval <duration>",
        t("time between polls (default 60s, 3s with a local mock; under 10s needs --mock or --force)"),
        timeLimit,
      ),
    )
    .optionsGroup(t("Outputs:"))
    .addOption(
      flag(
        "--exec <command>",
        t(
          "run this command for each order; it gets JSON on stdin and BPOS_ORDER_ID, BPOS_BRANCH, BPOS_EVENT",
        ),
        nonEmpty,
      ),
    )
    .addOption(
      flag("--exec-timeout <duration>", t("time limit of the command per order (default 30s)"), timeLimit),
    )
    .addOption(flag("--exec-changes", t("also run it for order.changed (state changes and edits)")))
    .addOption(flag("--out-dir <folder>", t("write each order to ORDER_ID.json in this folder"), folder))
    .addOption(
      flag(
        "--printer [url]",
        t(
          "print each new, cancelled or edited order: tcp://HOST[:PORT], file:DEVICE or lp:QUEUE; without a value, the profile's printer",
        ),
        printer.url,
      ),
    )
    .addOption(printer.stationMap)
    .addOption(printer.paper)
    .addOption(printer.language)
    .addOption(printer.drawer)
    .addOption(printer.beep)
    .addOption(printer.layout);
}

/** Adds the flags for the health of a watch. */
function healthFlags<Args extends unknown[], Flags extends OptionValues>(
  command: Command<Args, Flags>,
  t: T,
) {
  return command
    .optionsGroup(t("Health:"))
    .addOption(
      flag(
        "--health <address>",
        t("serve /healthz, /livez and /metrics on [HOST:]PORT; without HOST, only to this machine"),
        listenAddress,
      ),
    )
    .addOption(
      flag(
        "--max-age <duration>",
        t(
          "report a branch as failed when its last complete poll is older than this (default: three intervals, at least 3m)",
        ),
        timeLimit,
      ),
    )
    .addOption(
      flag(
        "--ping <url>",
        t(
          "GET this URL after each poll that delivered everything, at most once a minute, and URL/fail once per outage",
        ),
        nonEmpty,
      ),
    )
    .addOption(
      flag(
        "--on-failure <command>",
        t(
          "run this command when the watch or a branch fails and when a long outage begins or ends; sets BPOS_EVENT, BPOS_BRANCH",
        ),
        nonEmpty,
      ),
    )
    .addOption(
      flag(
        "--outage-after <duration>",
        t("how long an outage must last before --on-failure runs (default 10m)"),
        timeLimit,
      ),
    );
}

/** Adds the flags for the display, the selection and the checks. */
function choosingFlags<Args extends unknown[], Flags extends OptionValues>(
  command: Command<Args, Flags>,
  t: T,
) {
  return command
    .optionsGroup(t("Display:"))
    .addOption(flag("--compact", t("one line per order: waiting orders on a terminal, new orders in a pipe")))
    .addOption(
      flag(
        "--late <duration>",
        t("warn when an order stays in pendiente longer than this, for example 10m; the bell rings again"),
        timeLimit,
      ),
    )
    .addOption(flag("--notify", t("show a desktop notification for each new order")))
    .addOption(flag("--no-bell", t("do not ring the terminal bell for new and edited orders")))
    .optionsGroup(t("Selection:"))
    .addOption(
      flag(
        "--consumer <name>",
        t('name to keep progress under; each consumer receives every order (default "default")'),
        consumerName,
      ),
    )
    .addOption(flag("--skip-existing", t("skip orders from before this consumer's first run")))
    .addOption(flag("--all-profiles", t("watch the branches of all profiles in one process")))
    .optionsGroup(t("Checks and confirmation:"))
    .addOption(
      flag("--standby", t("if another process is watching, wait and take over within 5s when it ends")),
    )
    .addOption(flag("--force", t("allow an interval under 10s")));
}

export function declareWatch(orders: AnyCommand, runtime: Runtime) {
  const { t } = runtime.texts;
  const words = {
    description: t(
      "Poll for new orders and deliver each once to every output. After a crash an order may be delivered again, marked `repeated`.",
    ),
    examples: {
      "bpos orders watch": t("tickets on this screen until Ctrl-C"),
      "bpos orders watch --compact --late 10m": t("waiting orders, one line each; red after ten minutes"),
      "bpos orders watch --printer tcp://192.168.1.50": t("each new order on paper, and cancellations"),
      "bpos orders watch --once --out-dir orders -q": t("from cron: one file per order"),
      "bpos orders watch -o ndjson": t("one JSON object per line, for a program"),
    },
  };

  const command = verb(orders, "watch", words, {
    exits: exits.watch,
    variables: variables.watch,
    common: [
      ...["--once", "--interval", "--exec", "--out-dir", "--printer"],
      ...["--compact", "--late", "--notify", "--health", "--all-profiles"],
    ],
  });
  const delivering = outputFlags(command, runtime);
  return choosingFlags(healthFlags(delivering, t), t);
}

export type WatchFlags = FlagsOf<typeof declareWatch>;
