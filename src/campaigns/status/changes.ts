import { toText } from "../../api/json.ts";
import { list } from "../../cli/display/values.ts";
import type { CampaignsStatus } from "../read-campaigns.ts";

export type RecipientChange = ReturnType<typeof changesIn>[number];

const changesIn = ({ campaigns }: CampaignsStatus) =>
  campaigns.flatMap((campaign) =>
    list(campaign.recipients).map((recipient) => ({
      campaign: toText(campaign.campaign_id) ?? "",
      phone: toText(recipient["phone"]),
      from: null as string | null,
      to: toText(recipient["status"]),
      message: toText(recipient["error_message"]) || null,
    })),
  );

export function changesSince(before: CampaignsStatus | undefined, now: CampaignsStatus): RecipientChange[] {
  const all = changesIn(now);
  if (before === undefined) return all.filter(({ to, message }) => to === "failed" || message !== null);
  const formatName = ({ campaign, phone }: RecipientChange): string => `${campaign}\n${phone ?? ""}`;
  const known = new Map(changesIn(before).map((recipient) => [formatName(recipient), recipient.to]));
  return all.flatMap((change) => {
    const from = known.get(formatName(change));
    return from === change.to ? [] : [{ ...change, from: from ?? null }];
  });
}
