import fc from "fast-check";
import { it } from "vitest";
import { openSqlite } from "../../../src/journal/engine/sqlite.ts";
import { sendPlots } from "../../support/send-plots.ts";
import { checkSend } from "../../support/send-simulation.ts";
import { sized } from "../../support/soak.ts";

/** One journal for all of them: to make its tables takes longer than a send on it. */
const shared = openSqlite(":memory:");

it("messages everybody once, at their hours, at the pace, after the trial, whenever it is killed or stopped", async () => {
  await fc.assert(
    fc.asyncProperty(sendPlots, (plot) => checkSend(plot, shared)),
    { numRuns: sized(8, 500) },
  );
}, 120_000);
