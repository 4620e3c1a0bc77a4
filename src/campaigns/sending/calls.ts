import { createHash } from "node:crypto";
import type { CampaignRequest } from "../../contract/campaign.ts";
import { findCountries } from "../../input/phone.ts";
import type { JournalCall, SendScope } from "../../journal/records/sends.ts";

/** Returns the key of a call, a hash of what is sent: two terminals, or two machines, make the same key from one file. */
export function callKey({ branch, ref }: SendScope, ...bodyWithoutKey: readonly string[]): string {
  const hash = createHash("sha256").update(`${branch}\n${ref}\n`);
  for (const part of bodyWithoutKey) hash.update(part);
  return hash.digest("hex");
}

/** A call that is written down, or only planned. */
export type Call = Pick<JournalCall, "body"> | { rows: readonly { phone: string }[] };

/** Returns the phones of a call's people. */
export const phonesIn = (call: Call): string[] =>
  ("rows" in call ? call.rows : (JSON.parse(call.body) as CampaignRequest).recipients).map(
    ({ phone }) => phone,
  );

/** Returns the countries of a call's people, joined by commas. */
export const countriesIn = (call: Call): string =>
  [...new Set(phonesIn(call).flatMap((phone) => findCountries(phone)))].sort().join();

/** Returns the name of a call in this run: `send_id n`. */
export const nameOf = ({ send_id, n }: JournalCall): string => `${send_id} ${n}`;

/** Returns the calls of a canary that others still wait for, from all calls under a reference in their order: none has left after them. */
export function openCanary<C extends Pick<JournalCall, "is_canary" | "state">>(calls: readonly C[]): C[] {
  const last = calls.findLastIndex(({ is_canary }) => is_canary === 1);
  const hasGoneOn = calls.some(({ is_canary, state }, at) => at > last && !is_canary && state !== "planned");
  return hasGoneOn ? [] : calls.filter(({ is_canary }) => is_canary === 1);
}
