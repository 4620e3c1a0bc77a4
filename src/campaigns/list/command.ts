import * as z from "zod";
import { fieldsCsv } from "../../cli/chosen-fields.ts";
import { chosenObjects, fieldsShape } from "../../cli/fields.ts";
import { parseFlags, whole } from "../../cli/flag-values.ts";
import { globalShape } from "../../cli/global-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session.ts";
import { pastSends } from "../send/report.ts";
import { sendFields, sendList } from "./view.ts";

const listFlags = z.strictObject({ ...globalShape, ...fieldsShape, limit: whole(1).optional() });

const usualLimit = 20;

/** Runs `bpos campaign list`: raw flags in, output and `runtime.exitCode` out. */
export async function list(runtime: Runtime, raw: unknown): Promise<void> {
  const flags = parseFlags(listFlags, raw);
  const needs = { address: "campaigns_base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, flags, needs, async ({ output, openJournal }) => {
    const { journal, branch } = await openJournal();
    const limit = flags.limit ?? usualLimit;
    const found = pastSends(journal, branch, limit + 1);
    const sends = found.slice(0, limit);
    const { format } = output;
    const { fields } = flags;
    const reports = await chosenObjects(sendFields, sends, { fields, format });
    if (format === "json") await output.document({ sends: reports });
    else if (format === "table") await output.data(sendList(sends, found.length > limit, output.ui, fields));
    else if (format === "csv") await output.data(fieldsCsv(sendFields, fields, sends, output.ui));
    else for (const report of reports) await output.document(report);
  });
}
