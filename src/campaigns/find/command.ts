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

export function declareFind(campaign: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.campaign.find;
  const facts = { exits: exits.ask, variables: variables.campaigns, fields, isPaged: true };
  return verb(campaign, "find", words, facts)
    .argument("<phone...>", words.phone)
    .addOption(flag("--country <code>", words.country));
}

export type FindFlags = FlagsOf<typeof declareFind>;
