import { toText } from "../../api/json.ts";
import { list } from "../../cli/display/values.ts";
import type { CampaignsStatus } from "../read-campaigns.ts";

/** The wanted statuses that no recipient has, and all that some recipient has. */
export type StatusesFound = { absent: string[]; present: string[] };

/** Returns the campaigns with only the recipients in one of these statuses, compared without case. */
export function onlyStatuses(
  status: CampaignsStatus,
  wanted: readonly string[],
): { status: CampaignsStatus; found: StatusesFound } {
  const present = new Set<string>();
  const folded = new Set(wanted.map((value) => value.toLowerCase()));
  const campaigns = status.campaigns.map((campaign) => {
    if (!Array.isArray(campaign.recipients)) return campaign;
    const listed = list(campaign.recipients);
    const recipients = campaign.recipients.filter((_recipient, at) => {
      const value = toText(listed[at]?.["status"]);
      if (value !== null) present.add(value);
      return value !== null && folded.has(value.toLowerCase());
    });
    return { ...campaign, recipients };
  });
  const found = new Set([...present].map((value) => value.toLowerCase()));
  const absent = wanted.filter((value) => !found.has(value.toLowerCase()));
  return { status: { ...status, campaigns }, found: { absent, present: [...present].sort() } };
}
