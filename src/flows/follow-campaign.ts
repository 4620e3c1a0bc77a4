import type { CampaignStatus, Counts } from "../contract/campaign.ts";

/** The status of one or more campaigns, their counts summed as the service gave them. */
export interface CampaignsStatus {
  campaigns: CampaignStatus[];
  counts: Counts;
  /** Recipients that the service counts and does not list. */
  recipients_hidden: number;
}
