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
    const onTime = t("bpos polls each branch every {time} again.", { time: age(intervalMs) });
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
        "The service responds too slowly to poll {count, plural, one {# branch} other {# branches}} every {time}: that needs {needed} concurrent polls, and bpos makes at most {made}.",
        { ...often, needed: number(atOnce.needed, ui), made: number(atOnce.made, ui) },
      )
    : t(
        "The service limits requests (429), so bpos cannot poll {count, plural, one {# branch} other {# branches}} every {time}: it accepts about {perSecond} requests per second.",
        { ...often, perSecond: number(Math.round(perSecond ?? 0), ui) },
      );
  const instead = t("bpos polls each branch about every {time} instead.", { time: age(everyMs) });
  return screen.report("watch.behind", `${why} ${instead}`, facts);
}
