import { type FlagsOf, flag, timeLimit } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

const fields = ["branch", "watch", "outputs", "unfinished_sends", "last_push", "waiting_replies"] as const;

export function declareStatus(program: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Show the state of each branch and how to fix what is wrong"),
    examples: {
      "bpos status": t("what is wrong, and the command that fixes it"),
      "bpos status --max-age 5m -q": t("for cron, monit or Nagios: silent if all is well"),
      "bpos status --watch": t("live on a screen"),
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
        t("exit with 6 if a watched branch has had no complete poll for this long, for example 5m"),
        timeLimit,
      ),
    )
    .addOption(flag("--watch", t("keep running and show changes as they happen")));
}

export type StatusFlags = FlagsOf<typeof declareStatus>;
