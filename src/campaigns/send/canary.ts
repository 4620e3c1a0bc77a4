import { createHash } from "node:crypto";
import { toNumber, toText } from "../../api/json.ts";
import { list } from "../../cli/display/fields.ts";
import { BposError } from "../../errors.ts";
import type { RecipientRow } from "../../input/recipients.ts";
import type { JournalCall } from "../../journal/sends.ts";
import { isFinal, readCampaigns } from "../status/read.ts";
import type { SendRequest } from "./plan.ts";
import { toCampaign } from "./report.ts";
import { countOf } from "./schedule.ts";
import type { CallTools } from "./send-calls.ts";

/** Of all calls under a reference, in their order, those of the trial portion that others still wait for: none has left after them. */
export function openCanary<C extends Pick<JournalCall, "is_canary" | "state">>(calls: readonly C[]): C[] {
  const last = calls.findLastIndex(({ is_canary }) => is_canary === 1);
  const hasGoneOn = calls.some(({ is_canary, state }, at) => at > last && !is_canary && state !== "planned");
  return hasGoneOn ? [] : calls.filter(({ is_canary }) => is_canary === 1);
}

/** Who of `fresh` is messaged first; `left` are the calls under the reference that left. The same people whenever it is asked. Throws `usage_flag`. */
export function canaryPeople(
  { canary: size, ref }: Pick<SendRequest, "canary" | "ref">,
  fresh: readonly RecipientRow[],
  left: readonly Pick<JournalCall, "people" | "is_canary" | "state">[],
): ReadonlySet<string> {
  const open = openCanary(left);
  // One trial a reference: others left after it.
  const isOver = open.length === 0 && left.some(({ is_canary }) => is_canary === 1);
  if (size === undefined || fresh.length === 0 || isOver) return new Set();
  const before = open.reduce((sum, { people }) => sum + people, 0);
  const people = before + fresh.length;
  const wanted = countOf(size, people);
  if (wanted === 0 || wanted > people) {
    const text = "count" in size ? String(size.count) : `${Math.round(size.share * 100)}%`;
    throw new BposError("usage_flag", {
      problem: { kind: "canary_size", text, people, isNobody: wanted === 0 },
    });
  }

  const drawn = fresh.map(({ person }) => {
    return { person, lot: createHash("sha256").update(`${ref}\n${person}`).digest("hex") };
  });
  drawn.sort((a, b) => (a.lot < b.lot ? -1 : 1));
  return new Set(drawn.slice(0, Math.max(0, wanted - before)).map(({ person }) => person));
}

/** What became of the people of the trial so far. */
export interface CanaryCounts {
  people: number;
  failed: number;
  /** Whether nothing of it can change any more. */
  isFinal: boolean;
  /** What the service said most often of those who failed, and of how many. */
  error: { said: string; times: number } | undefined;
}

/** Asks the service what became of the trial's people. Throws what keeps it from telling. */
export async function countCanary(
  calls: readonly JournalCall[],
  { client, signal }: Pick<CallTools, "client" | "signal">,
): Promise<CanaryCounts> {
  const ids = calls.flatMap(({ campaign_id }) => campaign_id ?? []);
  const { campaigns, counts } = await readCampaigns(client, ids, { signal });
  const refused = calls.flatMap((call) => toCampaign(call, call.answer).recipients.errors);
  const failed = campaigns.flatMap(({ recipients }) =>
    list(recipients).filter((recipient) => recipient["status"] === "failed"),
  );

  const errors = new Map<string, number>();
  const said = failed.map((recipient) => toText(recipient["error_message"]) ?? "");
  for (const text of [...said, ...refused]) if (text !== "") errors.set(text, (errors.get(text) ?? 0) + 1);
  const [most] = [...errors].sort(([, a], [, b]) => b - a);
  return {
    people: calls.reduce((sum, { people }) => sum + people, 0),
    // The service lists no more than a hundred of a campaign, and counts them all.
    failed: Math.max(toNumber(counts.failed) ?? 0, failed.length) + refused.length,
    isFinal: campaigns.every(isFinal),
    error: most && { said: most[0], times: most[1] },
  };
}
