import fc from "fast-check";
import { expect, it } from "vitest";
import { openSqlite } from "../../../src/journal/engine/sqlite.ts";
import { allTransitions, checkSend } from "../../support/send-checks.ts";
import {
  closingPlot,
  latePlots,
  optingOutPlots,
  type SendPlot,
  sendPlots,
  twoWaitingPlot,
} from "../../support/send-plots.ts";
import { isSoak, sized } from "../../support/soak.ts";

/** One journal for all of them: to make its tables takes longer than a send on it. */
const shared = openSqlite(":memory:");

/** Transitions that no plot has, and the tests that have them. */
const seenElsewhere = [
  // A plot has one reference, and nobody replies: send/repeat.test.ts and optout/sending.test.ts.
  "call planned is_held planned",
  "call pending is_held pending",
  "call repeating is_settled sent",
  // No time goes by between an intent and its bytes: send/send-campaign.test.ts.
  "call leaving is_postponed planned",
  // A journal that fails while its process lives: send/send-campaign.test.ts.
  "call sent is_not_kept unknown",
];

it("messages everybody once, at their hours, at the pace, after the trial, whenever it is killed or stopped", async () => {
  const seen = new Set<string>();
  const examples: [SendPlot][] = [closingPlot, twoWaitingPlot, ...optingOutPlots, ...latePlots].map(
    (plot) => [plot],
  );
  await fc.assert(
    fc.asyncProperty(sendPlots, (plot) => checkSend(plot, shared, seen)),
    { numRuns: sized(8, 500) + examples.length, examples },
  );
  // Each transition of the tables happens, and no other (checkSend).
  const missing = allTransitions.filter((row) => !seen.has(row) && !seenElsewhere.includes(row));
  if (isSoak) expect(missing).toEqual([]);
}, 600_000);
