import { age, count, number, wholeSeconds } from "../../../cli/display/format.ts";
import type { Behind } from "../throttle/lateness.ts";
import type { Watching } from "../watching.ts";

/** Reports that the branches of a service cannot all be polled once an interval, or can again. */
export function tellThrottled(watching: Watching, behind: Behind | undefined): Promise<void> {
  const { runtime, intervalMs, screen, emit, ui } = watching;
  const { t } = runtime.texts;
  watching.health.noteSlowed();
  if (behind === undefined) {
    emit("watch.on_time", {});
    const onTime = t("Each branch is polled every {time} again.", { time: age(intervalMs) });
    return screen.report("watch.on_time", onTime);
  }
  const { branches, everyMs, atOnce, perSecond } = behind;
  const facts = {
    branches,
    interval_s: wholeSeconds(intervalMs),
    every_s: wholeSeconds(everyMs),
    ...(atOnce && { needed: atOnce.needed, in_flight: atOnce.made }),
    ...(perSecond !== undefined && { per_second: Math.round(perSecond) }),
  };
  emit("watch.behind", facts);
  const often = { count: count(branches, ui), time: age(intervalMs) };
  const why = atOnce
    ? t(
        "The service answers too slowly to poll {count, plural, one {# branch} other {# branches}} every {time}: that takes {needed} polls at once, and bpos makes at most {made}.",
        { ...often, needed: number(atOnce.needed, ui), made: number(atOnce.made, ui) },
      )
    : t(
        "The service refuses so many requests (429) that bpos cannot poll {count, plural, one {# branch} other {# branches}} every {time}: it takes about {perSecond} a second.",
        { ...often, perSecond: number(Math.round(perSecond ?? 0), ui) },
      );
  const instead = t("Each is polled about every {time} instead.", { time: age(everyMs) });
  return screen.report("watch.behind", `${why} ${instead}`, facts);
}
