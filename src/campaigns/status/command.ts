import {
  argument,
  type FlagsOf,
  flag,
  fromJournal,
  names,
  recipientStatuses,
  several,
  timeLimit,
} from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

const fields = [
  "phone",
  "status",
  "sent_at",
  "delivered_at",
  "read_at",
  "responded_at",
  "error_message",
] as const;

export function declareStatus(campaign: AnyCommand, { texts: { t } }: Runtime) {
  const facts = { exits: exits.follow, variables: variables.campaigns, fields, isPaged: true };
  const words = {
    description: t("Show a campaign's counts and recipients"),
    examples: {
      "bpos campaign status cmp_1": t("one campaign"),
      "bpos campaign status --ref enero --watch": t(
        "follow all calls of a send until every status is final or Ctrl-C",
      ),
      "bpos campaign status --ref enero --wait 10m --only failed -o csv": t(
        "recipients that failed, for a script",
      ),
      "bpos campaign status --ref enero -o csv": t("a line per recipient, for a spreadsheet"),
    },
  };

  return verb(campaign, "status", words, facts)
    .addArgument(
      argument(
        "[ids...]",
        t("campaign ids, or a phone that starts with +, as in campaign find"),
        several(fromJournal("campaign")),
      ),
    )
    .optionsGroup(t("Selection:"))
    .addOption(flag("--ref <ref>", t("campaigns in the journal with this reference"), fromJournal("ref")))
    .addOption(
      flag(
        "--only <statuses>",
        t("only recipients with these statuses, for example failed,pending"),
        names({ kind: "status_missing" }, recipientStatuses),
      ),
    )
    .optionsGroup(t("Schedule:"))
    .addOption(
      flag(
        "--watch",
        t("poll every 5s to 60s until every status is final (no recipient pending, none listed as sent)"),
      ),
    )
    .addOption(
      flag(
        "--wait <duration>",
        t("like --watch, but for at most this long, for example 10m; exits with 8 if time runs out"),
        timeLimit,
      ),
    );
}

export type StatusFlags = FlagsOf<typeof declareStatus>;
