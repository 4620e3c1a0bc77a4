import { type FlagsOf, flag, timeLimit } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

const fields = ["branch", "watch", "outputs", "unfinished_sends", "last_push", "waiting_replies"] as const;

export function declareStatus(program: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t(
      "Show how each branch fares: who watches it or stands by, undelivered orders, unfinished sends, pushes, replies",
    ),
    examples: {
      "bpos status": t("what is not well, and the command that mends it"),
      "bpos status --max-age 5m -q": t("for cron, monit or Nagios: silent when all is well"),
      "bpos status --watch": t("on a screen that stays on"),
    },
  };

  return verb(program, "status", words, {
    exits: exits.check,
    variables: ["BPOS_JOURNAL", "BPOS_PROFILE", "BPOS_HOME", "BPOS_MOCK"],
    fields,
    isPaged: true,
  })
    .addOption(
      flag(
        "--max-age <duration>",
        t("exit with 6 where a watched branch has had no complete poll for so long, for example 5m"),
        timeLimit,
      ),
    )
    .addOption(flag("--watch", t("stay, and show changes as they come")));
}

export type StatusFlags = FlagsOf<typeof declareStatus>;
