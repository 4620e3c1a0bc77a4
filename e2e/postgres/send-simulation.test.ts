import fc from "fast-check";
import { expect, it } from "vitest";
import { openPostgres } from "../../src/journal/locks/lock-rows.ts";
import { checkSend } from "../../test/support/send-checks.ts";
import { sendPlots } from "../../test/support/send-plots.ts";
import { sized } from "../../test/support/soak.ts";
import { database } from "../support/postgres.ts";

it("messages everybody once, at their hours, at the pace, after the trial, and nobody who opted out, whenever it is killed or stopped", {
  timeout: 600_000,
}, async () => {
  const { url } = await database();
  const { sql } = await openPostgres(
    url,
    { id: crypto.randomUUID(), pid: 4711, host: "caja-1" },
    { env: {} },
  );
  try {
    await fc.assert(
      fc.asyncProperty(sendPlots, (plot) => checkSend(plot, sql)),
      { numRuns: sized(30, 500) },
    );
    const [row] = await sql.all<{ n: number }>("SELECT count(*) AS n FROM send");
    expect(row?.n).toBeGreaterThan(0);
  } finally {
    await sql.close();
  }
});
