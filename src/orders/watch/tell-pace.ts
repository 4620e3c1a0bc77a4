import { age, count, number, wholeSeconds } from "../../cli/display/format.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { Watching } from "./notices.ts";
import type { Behind } from "./pace.ts";

/** The branches of a service cannot all be polled once an interval, or can again. */
export function tellPace(watching: Watching, behind: Behind | undefined): Promise<void> {
  const { runtime, intervalMs, screen, emit, ui } = watching;
  const words = runtime.texts.watch;
  const at = isoWithOffset(runtime.system.clock.now());
  watching.health.notePace();
  if (behind === undefined) {
    emit({ event: "watch.on_time", at });
    return screen.warn(words.onTime(age(intervalMs)), { event: "watch.on_time" });
  }
  const { branches, everyMs, atOnce, perSecond } = behind;
  const facts = {
    branches,
    interval_s: wholeSeconds(intervalMs),
    every_s: wholeSeconds(everyMs),
    ...(atOnce && { needed: atOnce.needed, in_flight: atOnce.made }),
    ...(perSecond !== undefined && { per_second: Math.round(perSecond) }),
  };
  emit({ event: "watch.behind", at, ...facts });
  const many = count(branches, ui);
  const [needed, made] = [atOnce?.needed ?? 0, atOnce?.made ?? 0].map((n) => number(n, ui)) as [
    string,
    string,
  ];
  const why = atOnce
    ? words.behindSlow(many, age(intervalMs), needed, made)
    : words.behindStrict(many, age(intervalMs), number(Math.round(perSecond ?? 0), ui));
  return screen.warn(`${why} ${words.behindEvery(age(everyMs))}`, { event: "watch.behind", ...facts });
}
