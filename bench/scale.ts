import { largeJournalRows, measureLargeJournal } from "./large-journal.ts";
import type { Bench } from "./support.ts";

/** What millions of orders and people take: minutes, and much of the machine. */
export const scale: Bench = {
  name: "scale",
  isAsked: true,
  rows: largeJournalRows,
  measure: measureLargeJournal,
};
