import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "commander";
import * as z from "zod";
import { BposError, exitCodes } from "../errors.ts";
import type { PushResult } from "../flows/push-catalog.ts";
import type { CatalogReading } from "../input/catalog-items.ts";
import { noticeWords } from "../text/en/rows.ts";
import { en } from "../text/en.ts";
import { fieldMap, parseFlags, whole } from "./flag-values.ts";
import { globalShape } from "./global-flags.ts";
import { addExamples } from "./help-text.ts";
import type { Output } from "./output.ts";
import { startProgress } from "./progress.ts";
import type { Runtime } from "./runtime.ts";
import { withSession } from "./session.ts";

const pushFlags = z.strictObject({
  ...globalShape,
  format: z.enum(["csv", "json", "ndjson"]).optional(),
  delimiter: z.string().optional(),
  encoding: z.string().optional(),
  decimal: z.enum([",", "."]).optional(),
  map: fieldMap.optional(),
  onDuplicate: z.enum(["first", "last"]).optional(),
  batchSize: whole(1, 5000).optional(),
  storeId: z.string().optional(),
  dryRun: z.boolean().optional(),
  strict: z.boolean().optional(),
  rejected: z.string().optional(),
});
type PushFlags = z.infer<typeof pushFlags>;

const defaultBatchSize = 500;

async function read(runtime: Runtime, path: string, flags: PushFlags): Promise<CatalogReading> {
  const { openInput } = await import("../input/file.ts");
  const { readCatalog } = await import("../input/catalog-items.ts");
  const { format, delimiter, encoding, decimal, map, onDuplicate } = flags;
  const given = { format, delimiter, encoding, decimal, map, onDuplicate };
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return readCatalog(await openInput(path, runtime.system.stdin, runtime.system.cwd), options);
}

async function writeRejected(
  runtime: Runtime,
  file: string,
  result: PushResult,
  reading: CatalogReading,
): Promise<void> {
  const { rejectedCsv } = await import("../view/push-report.ts");
  const target = resolve(runtime.system.cwd, file);
  try {
    await writeFile(target, rejectedCsv(result.report, reading.columns, { texts: en }));
  } catch (error) {
    throw new BposError("output_unwritable", { file, detail: (error as Error).message }, { cause: error });
  }
  result.report.rejected_file = file;
}

async function report(output: Output, result: PushResult, reading: CatalogReading): Promise<void> {
  const { pushReport, pushReportJson, rejectedCsv } = await import("../view/push-report.ts");
  const { toJson } = await import("../view/json.ts");
  const json = pushReportJson(result.report);
  if (output.format === "json") await output.data(`${toJson(json, { pretty: true })}\n`);
  if (output.format === "ndjson") await output.data(`${toJson(json)}\n`);
  if (output.format === "csv") await output.data(rejectedCsv(result.report, reading.columns, output.ui));
  const allWell = !result.failure && result.report.rejected.length === 0 && result.report.skipped_stale === 0;
  if (output.format === "table" && !(output.quiet && allWell)) {
    await output.data(
      pushReport(result.report, output.ui, { first: reading.rows.slice(0, 5).map(({ item }) => item) }),
    );
  }
  if (result.sumsDiffer > 0) await output.notice(en.notices.sumsDiffer(result.sumsDiffer));
}

async function push(runtime: Runtime, path: string, raw: unknown): Promise<void> {
  const flags = parseFlags(pushFlags, raw);
  if (path === "-" && flags.apiKeyFile === "-") {
    throw new BposError("usage_flag", { detail: "standard input can hold the file or the key, not both" });
  }
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, flags, needs, async ({ client, settings, output, openJournal }) => {
    const reading = await read(runtime, path, flags);
    for (const notice of reading.notices) await output.notice(noticeWords(notice));
    const { pushCatalog } = await import("../flows/push-catalog.ts");
    const { journal, branch } = await openJournal();
    const { clock } = runtime.system;
    const request = {
      reading,
      action: "upsert" as const,
      branch,
      batchSize: flags.batchSize ?? defaultBatchSize,
      storeId: flags.storeId ?? settings.storeId,
      dryRun: flags.dryRun === true,
      strict: flags.strict === true,
    };
    const bar = startProgress(runtime.system, output, en.notices.pushing);
    const tools = {
      client,
      journal,
      clock,
      uuid: runtime.system.uuid,
      signal: runtime.signal,
      onProgress: bar.update,
    };
    const result = await pushCatalog(request, tools).finally(bar.clear);
    if (flags.rejected !== undefined && result.report.rejected.length > 0) {
      await writeRejected(runtime, flags.rejected, result, reading);
    }
    await report(output, result, reading);
    const { rejected, skipped_stale: stale } = result.report;
    if (result.failure) throw result.failure;
    if (request.strict && reading.rejected.length > 0) {
      throw new BposError("rows_rejected_strict", { file: path, rejected: reading.rejected.length });
    }
    if (rejected.length > 0 || stale > 0) runtime.exitCode = exitCodes.partial;
  });
}

/** Declares `bpos catalog …`. */
export function declareCatalog(program: Command, runtime: Runtime): void {
  const words = en.help.catalog;
  const catalog = program.command("catalog").description(words.description);
  addExamples(catalog.command("push").description(words.push.description), words.push.examples)
    .argument("<file>", words.push.file)
    .option("--dry-run", words.push.dryRun)
    .option("--rejected <file>", words.push.rejected)
    .option("--strict", words.push.strict)
    .option("--map <pairs>", words.push.map)
    .option("--decimal <sign>", words.push.decimal)
    .option("--format <format>", words.push.format)
    .option("--delimiter <character>", words.push.delimiter)
    .option("--encoding <name>", words.push.encoding)
    .option("--on-duplicate <which>", words.push.onDuplicate)
    .option("--batch-size <n>", words.push.batchSize)
    .option("--store-id <id>", words.push.storeId)
    .action((file: string, _options, command: Command) => push(runtime, file, command.optsWithGlobals()));
}
