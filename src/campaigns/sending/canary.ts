import { toNumber } from "../../api/json.ts";
import { list } from "../../cli/display/values.ts";
import type { MessageFailure } from "../../errors/problems.ts";
import { BposError, isReason } from "../../errors.ts";
import type { JournalCall } from "../../journal/records/sends.ts";
import { classifyFailure, countFailures } from "../failures.ts";
import { isFinal, readCampaigns } from "../read-campaigns.ts";
import { toCampaign } from "../send-report.ts";
import type { CallTools, NextTry } from "./call-tools.ts";
import { countOf, type Schedule } from "./schedule.ts";

/** The recipients of a canary, by outcome so far. */
interface CanaryCounts {
  people: number;
  failed: number;
  /** True if every status is final. */
  isFinal: boolean;
  /** The most frequent error, and its count. */
  error: { said: string; times: number; failure: MessageFailure } | undefined;
}

/** Asks the service for the status of a canary's recipients. Throws if it cannot be read. */
async function countCanary(
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

export type CanaryVerdict =
  | { kind: "passed"; people: number; failed: number }
  | { kind: "waits"; next: NextTry }
  | { kind: "stops"; failure: BposError };

/** The pause between two readings of a canary's status. */
const pollMs = 30_000;

/** Asks for the status of a canary whose calls were all answered. Returns whether the other calls may leave, when to ask again, or why they may not. */
export async function judgeCanary(
  canary: readonly JournalCall[],
  { terms, ref }: { terms: NonNullable<Schedule["canary"]>; ref: string },
  tools: Pick<CallTools, "client" | "signal" | "clock">,
): Promise<CanaryVerdict> {
  const now = tools.clock.now();
  const until = Math.max(...canary.map(({ answered_at }) => answered_at ?? 0)) + terms.waitMs;
  const next = { reason: "canary", at: Math.min(now + pollMs, until), until } as const;
  const counts = await countCanary(canary, tools).catch((error: unknown) => {
    if (!(error instanceof BposError)) throw error;
    return error;
  });
  if (counts instanceof BposError) {
    const isPassing = isReason(counts, "unavailable") || isReason(counts, "unreadable_answer");
    return isPassing && now < until ? { kind: "waits", next } : { kind: "stops", failure: counts };
  }

  const { people, failed, error } = counts;
  const limit = countOf(terms.maxFailed, people);
  if (failed > limit) {
    const failure = new BposError("canary_failed", { ref, people, failed, limit, ...error });
    return { kind: "stops", failure };
  }
  return now < until && !counts.isFinal ? { kind: "waits", next } : { kind: "passed", people, failed };
}
