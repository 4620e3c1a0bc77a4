import {
  argument,
  type FlagsOf,
  flag,
  fromJournal,
  lockWaitFlag,
  onFailureFlag,
  whole,
} from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareResume(campaign: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Finish interrupted sends with the same keys: nobody is messaged twice"),
    examples: {
      "bpos campaign resume": t("all pending sends"),
      "bpos campaign resume enero-1f2e3d4c": t("the send with that reference"),
    },
  };

  return verb(campaign, "resume", words, {
    exits: exits.unguarded,
    sends: true,
    variables: variables.campaigns,
  })
    .addArgument(
      argument("[send]", t("id or reference of a send (default: all pending sends)"), fromJournal("ref")),
    )
    .optionsGroup(t("Checks and confirmation:"))
    .addOption(
      flag(
        "--allow-repeat",
        t("also message recipients who received this template under another reference in the meantime"),
      ),
    )
    .addOption(
      flag("--ignore-canary", t("send the rest regardless of the canary's result, even if it is unknown")),
    )
    .addOption(lockWaitFlag(t))
    .optionsGroup(t("Requests:"))
    .addOption(
      flag(
        "--in-flight <n>",
        t("calls in flight, 1 to 8 (default 1); canary and paced calls go out one at a time"),
        whole(1, 8),
      ),
    )
    .optionsGroup(t("Output:"))
    .addOption(onFailureFlag(t));
}

export type ResumeFlags = FlagsOf<typeof declareResume>;
