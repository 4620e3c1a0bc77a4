import { chosenObjects } from "../../cli/fields.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session.ts";

const defaultLimit = 20;

/** Runs `bpos catalog history`. */
export async function history(runtime: Runtime, limit = defaultLimit): Promise<void> {
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async ({ output, openJournal }) => {
    const { pushHistory } = await import("./history.ts");
    const { pushFields, pushHistoryCsv, pushHistoryTable } = await import("./view.ts");
    const { journal, branch } = await openJournal();
    const { pushes: found, unfinished } = await pushHistory(journal, branch, limit + 1);
    const pushes = found.slice(0, limit);
    const more = found.length > limit;
    const { format } = output;
    const { fields } = runtime.flags;
    const objects = await chosenObjects(pushFields, pushes, { fields, format });
    if (format === "json") await output.document({ pushes: objects });
    else if (format === "table")
      await output.data(pushHistoryTable(pushes, { more, unfinished }, output.ui, fields));
    else if (format === "csv") await output.data(pushHistoryCsv(pushes, output.ui, fields));
    else for (const push of objects) await output.document(push);
  });
}
