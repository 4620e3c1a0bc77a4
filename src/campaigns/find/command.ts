import { type FlagsOf, flag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export const fields = [
  "send_id",
  "at",
  "template",
  "external_ref",
  "campaign_id",
  "status",
  "error",
  "sent_at",
  "delivered_at",
  "read_at",
  "responded_at",
  "error_message",
  "params",
  "message",
  "replies",
] as const;

export function declareFind(campaign: AnyCommand, { texts: { t } }: Runtime) {
  const facts = { exits: exits.ask, variables: variables.campaigns, fields, isPaged: true };
  const words = {
    description: t("Show everything sent to a person, with its current status and the replies"),
    examples: {
      "bpos campaign find +5491155550101": t("what this person received and replied"),
      "bpos campaign find 011 15 5555-0101 --country AR": t("a number as it is dialed locally"),
    },
  };

  return verb(campaign, "find", words, facts)
    .argument("<phone...>", t("phone number, in any format"))
    .addOption(flag("--country <code>", t("country of a phone without +, for example AR")));
}

export type FindFlags = FlagsOf<typeof declareFind>;
