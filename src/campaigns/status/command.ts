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

export function declareStatus(campaign: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.campaign.status;
  const { groups } = runtime.texts.helpPage;
  const facts = { exits: exits.follow, variables: variables.campaigns, fields, isPaged: true };
  return verb(campaign, "status", words, facts)
    .addArgument(argument("[ids...]", words.ids, several(fromJournal("campaign"))))
    .optionsGroup(groups.which)
    .addOption(flag("--ref <ref>", words.ref, fromJournal("ref")))
    .addOption(flag("--only <statuses>", words.only, names({ kind: "status_missing" }, recipientStatuses)))
    .optionsGroup(groups.when)
    .addOption(flag("--watch", words.watch))
    .addOption(flag("--wait <duration>", words.wait, timeLimit));
}

export type StatusFlags = FlagsOf<typeof declareStatus>;
