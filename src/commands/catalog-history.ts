import type { Command } from "commander";
import * as z from "zod";
import { parseFlags, whole } from "./flag-values.ts";
import { globalShape } from "./global-flags.ts";
import { addExamples } from "./help-text.ts";
import type { Runtime } from "./runtime.ts";
import { withSession } from "./session.ts";

const historyFlags = z.strictObject({ ...globalShape, limit: whole(1).optional() });

const usualLimit = 20;

async function history(runtime: Runtime, raw: unknown): Promise<void> {
  const flags = parseFlags(historyFlags, raw);
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, flags, needs, async ({ output, openJournal }) => {
    const { pushHistory } = await import("../flows/push-history.ts");
    const { pushHistoryCsv, pushHistoryTable } = await import("../view/push-history.ts");
    const { journal, branch } = await openJournal();
    const limit = flags.limit ?? usualLimit;
    const found = pushHistory(journal, branch, limit + 1);
    const pushes = found.slice(0, limit);
    if (output.format === "json") await output.document({ pushes });
    else if (output.format === "table")
      await output.data(pushHistoryTable(pushes, found.length > limit, output.ui));
    else if (output.format === "csv") await output.data(pushHistoryCsv(pushes, output.ui));
    else for (const push of pushes) await output.document(push);
  });
}

/** Declares `bpos catalog history`. */
export function declareHistory(catalog: Command, runtime: Runtime): void {
  const words = runtime.texts.help.catalog.history;
  addExamples(catalog.command("history").description(words.description), words.examples, runtime.texts)
    .option("--limit <n>", words.limit)
    .action((_options, command: Command) => history(runtime, command.optsWithGlobals()));
}
