import { createHash } from "node:crypto";
import type { CampaignRequest } from "../../contract/campaign.ts";
import { findCountries } from "../../input/phone.ts";
import type { JournalCall, SendScope } from "../../journal/records/sends.ts";

/** Made of what is sent: two terminals, or two machines, with one file make the same key. */
export function callKey({ branch, ref }: SendScope, ...bodyWithoutKey: readonly string[]): string {
  const hash = createHash("sha256").update(`${branch}\n${ref}\n`);
  for (const part of bodyWithoutKey) hash.update(part);
  return hash.digest("hex");
}

/** A call that is written down, or only planned. */
export type Call = Pick<JournalCall, "body"> | { rows: readonly { phone: string }[] };

/** The phones of a call's people. */
export const phonesIn = (call: Call): string[] =>
  ("rows" in call ? call.rows : (JSON.parse(call.body) as CampaignRequest).recipients).map(
    ({ phone }) => phone,
  );

/** The countries of a call's people, as one word. */
export const countriesIn = (call: Call): string =>
  [...new Set(phonesIn(call).flatMap((phone) => findCountries(phone)))].sort().join();

export const nameOf = ({ send_id, n }: JournalCall): string => `${send_id} ${n}`;

/** Returns the calls of a canary that others still wait for, from all calls under a reference in their order: none has left after them. */
export function openCanary<C extends Pick<JournalCall, "is_canary" | "state">>(calls: readonly C[]): C[] {
  const last = calls.findLastIndex(({ is_canary }) => is_canary === 1);
  const hasGoneOn = calls.some(({ is_canary, state }, at) => at > last && !is_canary && state !== "planned");
  return hasGoneOn ? [] : calls.filter(({ is_canary }) => is_canary === 1);
}
