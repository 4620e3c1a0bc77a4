import { largeJournalRows, measureLargeJournal } from "./large-journal.ts";
import { measureScaleWatch, scaleWatchRows } from "./scale-watch.ts";
import type { Bench } from "./support.ts";

/** What thousands of branches, and millions of orders and people, take: minutes, and much of the machine. */
export const scale: Bench = {
  name: "scale",
  isAsked: true,
  rows: [...scaleWatchRows, ...largeJournalRows],
  async *measure(world) {
    yield* measureScaleWatch(world);
    yield* measureLargeJournal(world);
  },
};
