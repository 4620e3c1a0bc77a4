import { access, constants, realpath, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import * as z from "zod";
import { BposError, exitCodes, exitNameOf } from "../errors.ts";
import type { PushRequest, PushResult } from "../flows/push-catalog.ts";
import type { CatalogReading } from "../input/catalog-items.ts";
import { noticeWords } from "../text/en/rows.ts";
import { en } from "../text/en.ts";
import type { PushPlan } from "../view/push-report.ts";
import { fieldMap, fileFormat, given, parseFlags, whole } from "./flag-values.ts";
import { checkStandardInput, openGiven } from "./given-file.ts";
import { globalShape } from "./global-flags.ts";
import { addExamples } from "./help-text.ts";
import type { Output } from "./output.ts";
import { startProgress } from "./progress.ts";
import type { Runtime } from "./runtime.ts";
import { type Session, withSession } from "./session.ts";

const pushFlags = z.strictObject({
  ...globalShape,
  format: fileFormat.optional(),
  delimiter: z.string().optional(),
  encoding: z.string().optional(),
  decimal: z.enum([",", "."], { error: "choose , or ." }).optional(),
  map: fieldMap.optional(),
  onDuplicate: z.enum(["first", "last"], { error: "choose first or last" }).optional(),
  batchSize: whole(1, 5000).optional(),
  storeId: z.string().optional(),
  dryRun: z.boolean().optional(),
  strict: z.boolean().optional(),
  rejected: z.string().optional(),
});
type PushFlags = z.infer<typeof pushFlags>;

const defaultBatchSize = 500;

/** A push before its journal is open. */
type UnboundRequest = Omit<PushRequest, "branch">;

async function read(
  runtime: Runtime,
  path: string,
  flags: PushFlags,
  output: Output,
): Promise<CatalogReading> {
  const { readCatalog } = await import("../input/catalog-items.ts");
  const { format, delimiter, encoding, decimal, map, onDuplicate } = flags;
  const options = given({ format, delimiter, encoding, decimal, map, onDuplicate });
  return readCatalog(await openGiven(runtime.system, path, output), options);
}

/** Throws `usage_flag` before anything is sent when the rejected rows could not be written there. */
async function checkRejectedPath(runtime: Runtime, input: string, file: string): Promise<void> {
  const { cwd } = runtime.system;
  const target = resolve(cwd, file);
  const real = (path: string): Promise<string> => realpath(path).catch(() => path);
  if (input !== "-" && (await real(target)) === (await real(resolve(cwd, input)))) {
    throw new BposError("usage_flag", {
      detail: `--rejected names the file that is read: it would replace it.`,
    });
  }
  try {
    await access(dirname(target), constants.W_OK);
    const there = await stat(target).catch(() => undefined);
    if (there?.isDirectory()) throw new Error("it is a folder");
    if (there) await access(target, constants.W_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === "ENOENT"
        ? "its folder does not exist"
        : code === "EACCES"
          ? "you may not write there"
          : message;
    throw new BposError("usage_flag", {
      detail: `--rejected ${file} cannot be written: ${why}. Nothing was sent.`,
    });
  }
}

/** Writes the rejected rows; a failure is returned, since what was sent must still be reported. */
async function writeRejected(
  runtime: Runtime,
  file: string,
  result: PushResult,
  reading: CatalogReading,
): Promise<BposError | undefined> {
  const { rejectedCsv } = await import("../view/push-report.ts");
  try {
    await writeFile(
      resolve(runtime.system.cwd, file),
      rejectedCsv(result.report, reading.columns, { texts: en }),
    );
    result.report.rejected_file = file;
    return undefined;
  } catch (error) {
    return new BposError("output_unwritable", { file, detail: (error as Error).message }, { cause: error });
  }
}

async function write(
  output: Output,
  result: PushResult,
  { columns }: CatalogReading,
  plan?: PushPlan,
): Promise<void> {
  const { pushReport, pushReportJson, rejectedCsv } = await import("../view/push-report.ts");
  const { report, failure, sumsDiffer, mismatches } = result;
  if (output.format === "json" || output.format === "ndjson") await output.document(pushReportJson(report));
  if (output.format === "csv") await output.data(rejectedCsv(report, columns, output.ui));
  const allWell = !failure && report.rejected.length === 0 && report.skipped_stale === 0;
  if (output.format === "table" && !(output.quiet && allWell)) {
    await output.data(pushReport(report, output.ui, plan));
  }
  await output.mismatches(mismatches);
  if (sumsDiffer > 0) await output.notice(en.notices.sumsDiffer(sumsDiffer));
}

async function requestOf(
  runtime: Runtime,
  path: string,
  flags: PushFlags,
  { output, settings }: Session,
): Promise<UnboundRequest> {
  const reading = await read(runtime, path, flags, output);
  if (reading.collapsed > 0) await output.notice(en.notices.collapsed(reading.collapsed));
  for (const notice of reading.notices) await output.notice(noticeWords(notice));
  return {
    reading,
    action: "upsert",
    batchSize: flags.batchSize ?? defaultBatchSize,
    storeId: flags.storeId ?? settings.storeId,
    dryRun: flags.dryRun === true,
  };
}

/** Shows what a push would come to; opens no journal and writes nothing. */
async function preview({ system }: Runtime, output: Output, request: UnboundRequest): Promise<void> {
  const { previewPush } = await import("../flows/push-catalog.ts");
  const { rows } = request.reading;
  const report = previewPush({ ...request, branch: "" }, system);
  await write(output, { report, sumsDiffer: 0, mismatches: [] }, request.reading, {
    wouldSend: rows.length,
    calls: Math.ceil(rows.length / request.batchSize),
    first: rows.slice(0, 5).map(({ item }) => item),
  });
}

/** A push of which something was refused or came too late is done in part. */
function exitCodeOf({ report, failure }: PushResult, unwritten: BposError | undefined): number {
  const stopped = failure ?? unwritten;
  if (stopped) return exitCodes[exitNameOf[stopped.reason]];
  return report.rejected.length > 0 || report.skipped_stale > 0 ? exitCodes.partial : exitCodes.ok;
}

async function send(
  runtime: Runtime,
  session: Session,
  request: UnboundRequest,
  rejectedFile: string | undefined,
): Promise<void> {
  const { client, output } = session;
  const { system, signal } = runtime;
  const { pushCatalog } = await import("../flows/push-catalog.ts");
  const { journal, branch, lock } = await session.openJournal();
  await lock("push");
  const bar = startProgress(system, output, en.notices.pushing);
  const { clock, uuid } = system;
  const tools = { client, journal, clock, uuid, signal, onProgress: bar.update };
  const result = await pushCatalog({ ...request, branch }, tools).finally(bar.clear);
  const unwritten =
    rejectedFile !== undefined && result.report.rejected.length > 0
      ? await writeRejected(runtime, rejectedFile, result, request.reading)
      : undefined;
  // Before anything is written: a reader that is gone must not make an unknown outcome look well.
  runtime.exitCode = exitCodeOf(result, unwritten);
  await write(output, result, request.reading);
  const stopped = result.failure ?? unwritten;
  if (stopped) throw stopped;
}

async function push(runtime: Runtime, path: string, raw: unknown): Promise<void> {
  const flags = parseFlags(pushFlags, raw);
  checkStandardInput(path, flags);
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, flags, needs, async (session) => {
    if (flags.rejected !== undefined) await checkRejectedPath(runtime, path, flags.rejected);
    const request = await requestOf(runtime, path, flags, session);
    const bad = request.reading.rejected.length;
    if (request.dryRun) {
      if (bad > 0) runtime.exitCode = exitCodes.partial;
      await preview(runtime, session.output, request);
    } else if (flags.strict === true && bad > 0) {
      runtime.exitCode = exitCodes.usage;
      await preview(runtime, session.output, request);
      throw new BposError("rows_rejected_strict", { file: path, rejected: bad });
    } else {
      await send(runtime, session, request, flags.rejected);
    }
  });
}

/** Declares `bpos catalog …`. */
export function declareCatalog(program: Command, runtime: Runtime): void {
  const words = en.help.catalog;
  const catalog = addExamples(program.command("catalog").description(words.description), words.examples);
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
