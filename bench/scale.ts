import { largeJournalRows, measureLargeJournal } from "./large-journal.ts";
import { measureScaleProfiles, scaleProfileRows } from "./scale-profiles.ts";
import { measureScaleSend, scaleSendRows } from "./scale-send.ts";
import { measureScaleWatch, scaleWatchRows } from "./scale-watch.ts";
import type { Bench } from "./support.ts";

/** Groups with thousands of branches, and millions of orders and people: they take minutes, and much of the machine. */
export const scale: Bench = {
  name: "scale",
  isAsked: true,
  rows: [...scaleWatchRows, ...scaleProfileRows, ...scaleSendRows, ...largeJournalRows],
  async *measure(world) {
    yield* measureScaleWatch(world);
    yield* measureScaleProfiles(world);
    yield* measureScaleSend(world);
    yield* measureLargeJournal(world);
  },
};
