import type { CampaignRequest } from "../contract/campaign.ts";
import type { Journal } from "../journal/open.ts";
import { bodiesOf } from "../journal/send-history.ts";
import { textOf } from "./loose-values.ts";

/** The template's variables that a person of a campaign was sent; undefined when this machine does not know. */
export type VariablesOf = (campaignId: unknown, phone: unknown) => readonly string[] | undefined;

// The service may write a phone without the plus that it was sent with.
const digits = (phone: unknown): string => (textOf(phone) ?? "").replace(/\D/g, "");

/** What the journal knows of the people of these campaigns. */
export function variablesIn(journal: Journal, branch: string, campaignIds: readonly string[]): VariablesOf {
  const known = new Map<string, Map<string, readonly string[]>>();
  for (const { campaign_id, body } of bodiesOf(journal, branch, campaignIds)) {
    const { recipients } = JSON.parse(body) as CampaignRequest;
    known.set(campaign_id, new Map(recipients.map(({ phone, params }) => [digits(phone), params])));
  }
  return (campaignId, phone) => known.get(textOf(campaignId) ?? "")?.get(digits(phone));
}
