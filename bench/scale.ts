import { largeJournalRows, measureLargeJournal } from "./large-journal.ts";
import { measureScaleSend, scaleSendRows } from "./scale-send.ts";
import type { Bench } from "./support.ts";

/** What millions of orders and people take: minutes, and much of the machine. */
export const scale: Bench = {
  name: "scale",
  isAsked: true,
  rows: [...largeJournalRows, ...scaleSendRows],
  async *measure(world) {
    yield* measureLargeJournal(world);
    yield* measureScaleSend(world);
  },
};
