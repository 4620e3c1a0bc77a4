import { createHash } from "node:crypto";
import { BposError } from "../../errors.ts";
import type { RecipientRow } from "../../input/recipients.ts";
import type { JournalCall } from "../../journal/sends.ts";
import { countOf, type ShareOrCount } from "./schedule.ts";

/** Of all calls under a reference, in their order, those of the trial portion that others still wait for: none has left after them. */
export function openCanary<C extends Pick<JournalCall, "is_canary" | "state">>(calls: readonly C[]): C[] {
  const last = calls.findLastIndex(({ is_canary }) => is_canary === 1);
  const hasGoneOn = calls.some(({ is_canary, state }, at) => at > last && !is_canary && state !== "planned");
  return hasGoneOn ? [] : calls.filter(({ is_canary }) => is_canary === 1);
}

/** Who of `fresh` is messaged first; `left` are the calls under the reference that left. The same people whenever it is asked. Throws `usage_flag`. */
export function canaryPeople(
  { canary: size, ref }: { canary?: ShareOrCount | undefined; ref: string },
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
