import type { Command } from "commander";
import * as z from "zod";
import { parseFlags, whole } from "./flag-values.ts";
import { globalShape } from "./global-flags.ts";
import { addExamples } from "./help-text.ts";
import type { Runtime } from "./runtime.ts";
import { withSession } from "./session.ts";

const listFlags = z.strictObject({ ...globalShape, limit: whole(1).optional() });

const usualLimit = 20;

async function list(runtime: Runtime, raw: unknown): Promise<void> {
  const flags = parseFlags(listFlags, raw);
  const needs = { address: "campaigns_base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, flags, needs, async ({ output, openJournal }) => {
    const { sendHistory } = await import("../flows/campaign-history.ts");
    const { sendList, sendListCsv } = await import("../view/campaign-list.ts");
    const { journal, branch } = await openJournal();
    const limit = flags.limit ?? usualLimit;
    const found = sendHistory(journal, branch, limit + 1);
    const sends = found.slice(0, limit);
    const reports = sends.map(({ report }) => report);
    if (output.format === "json") await output.document({ sends: reports });
    else if (output.format === "table") await output.data(sendList(sends, found.length > limit, output.ui));
    else if (output.format === "csv") await output.data(sendListCsv(sends, output.ui));
    else for (const report of reports) await output.document(report);
  });
}

/** Declares `bpos campaign list`. */
export function declareList(campaign: Command, runtime: Runtime): void {
  const words = runtime.texts.help.campaign.list;
  addExamples(campaign.command("list").description(words.description), words.examples, runtime.texts)
    .option("--limit <n>", words.limit)
    .action((_options, command: Command) => list(runtime, command.optsWithGlobals()));
}
