import { chosenObjects, fieldsCsv } from "../../cli/fields.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session.ts";
import { pastSends } from "../send/report.ts";
import { sendFields, sendList } from "./view.ts";

const defaultLimit = 20;

/** Runs `bpos campaign list`. */
export async function list(runtime: Runtime, limit = defaultLimit): Promise<void> {
  const needs = { address: "campaigns_base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async ({ output, openJournal }) => {
    const { journal, branch } = await openJournal();
    const found = await pastSends(journal, branch, limit + 1);
    const sends = found.slice(0, limit);
    const { format } = output;
    const { fields } = runtime.flags;
    const reports = await chosenObjects(sendFields, sends, { fields, format });
    if (format === "json") await output.document({ sends: reports });
    else if (format === "table") await output.data(sendList(sends, found.length > limit, output.ui, fields));
    else if (format === "csv") await output.data(fieldsCsv(sendFields, fields, sends, output.ui));
    else for (const report of reports) await output.document(report);
  });
}
