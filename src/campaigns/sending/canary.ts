import { toNumber } from "../../api/json.ts";
import { list } from "../../cli/display/fields.ts";
import type { MessageFailure } from "../../errors/problems.ts";
import type { JournalCall } from "../../journal/records/sends.ts";
import { classifyFailure, countFailures } from "../failures.ts";
import { isFinal, readCampaigns } from "../read-campaigns.ts";
import { toCampaign } from "../send-report.ts";
import type { CallTools } from "./call-tools.ts";

/** What became of the people of the trial so far. */
export interface CanaryCounts {
  people: number;
  failed: number;
  /** Whether nothing of it can change any more. */
  isFinal: boolean;
  /** What the service said most often of those who failed, and of how many. */
  error: { said: string; times: number; failure: MessageFailure } | undefined;
}

/** Asks the service what became of the trial's people. Throws what keeps it from telling. */
export async function countCanary(
  calls: readonly JournalCall[],
  { client, signal }: Pick<CallTools, "client" | "signal">,
): Promise<CanaryCounts> {
  const ids = calls.flatMap(({ campaign_id }) => campaign_id ?? []);
  const { campaigns, counts, errors } = await readCampaigns(client, ids, { signal });
  const refused = calls.flatMap((call) => toCampaign(call, call.answer).recipients.errors);
  const failed = campaigns.flatMap(({ recipients }) =>
    list(recipients).filter((recipient) => recipient["status"] === "failed"),
  );
  const [error] = [...errors, ...countFailures(refused)]
    .flatMap(({ error_message: said, recipients: times }) =>
      said === null ? [] : { said, times, failure: classifyFailure(said) },
    )
    .sort((one, other) => other.times - one.times);
  return {
    people: calls.reduce((sum, { people }) => sum + people, 0),
    // The service lists no more than a hundred of a campaign, and counts them all.
    failed: Math.max(toNumber(counts.failed) ?? 0, failed.length) + refused.length,
    isFinal: campaigns.every(isFinal),
    error,
  };
}

/** Of all calls under a reference, in their order, those of the trial portion that others still wait for: none has left after them. */
export function openCanary<C extends Pick<JournalCall, "is_canary" | "state">>(calls: readonly C[]): C[] {
  const last = calls.findLastIndex(({ is_canary }) => is_canary === 1);
  const hasGoneOn = calls.some(({ is_canary, state }, at) => at > last && !is_canary && state !== "planned");
  return hasGoneOn ? [] : calls.filter(({ is_canary }) => is_canary === 1);
}
