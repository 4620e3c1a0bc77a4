import { textOf } from "../../api/loose-values.ts";
import type { CampaignRequest } from "../../contract/campaign.ts";
import type { Journal } from "../../journal/open.ts";
import { bodiesOf } from "../../journal/send-history.ts";

/** What this machine knows of a person whom it messaged. */
export interface KnownPerson {
  /** Where the person stood in the file that was sent; undefined when that was not kept. */
  line: number | undefined;
  /** The template's variables. */
  variables: readonly string[];
}

/** What is known of a person of a campaign; undefined when this machine does not know. */
export type KnownPeople = (campaignId: unknown, phone: unknown) => KnownPerson | undefined;

// The service may write a phone without the plus that it was sent with.
const digits = (phone: unknown): string => (textOf(phone) ?? "").replace(/\D/g, "");

/** What the journal knows of the people of these campaigns. */
export function peopleIn(journal: Journal, branch: string, campaignIds: readonly string[]): KnownPeople {
  const known = new Map<string, Map<string, KnownPerson>>();
  for (const { campaign_id, body, lines: kept } of bodiesOf(journal, branch, campaignIds)) {
    const { recipients } = JSON.parse(body) as CampaignRequest;
    const lines = JSON.parse(kept ?? "[]") as number[];
    const people = recipients.map(
      ({ phone, params }, at) => [digits(phone), { line: lines[at], variables: params }] as const,
    );
    known.set(campaign_id, new Map(people));
  }
  return (campaignId, phone) => known.get(textOf(campaignId) ?? "")?.get(digits(phone));
}
