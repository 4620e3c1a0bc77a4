import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { checkOutputFile, checkStandardInput } from "../../cli/files/named-files.ts";
import { newSheet, rejectedSheet } from "../../cli/files/rejected-rows.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session/session.ts";
import type { CatalogAction } from "../../contract/catalog.ts";
import { BposError, exitCodes } from "../../errors.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import { type FileState, isSameState } from "../../input/files/file.ts";
import { fileName } from "../../texts/phrases.ts";
import { readGivenCatalog, sayNotices } from "../catalog-file.ts";
import { type ItemList, toItemList } from "../item-list.ts";
import { carryOut, type PushWork, previewPush, type UnboundRequest } from "../sending/push-locked.ts";
import { lacksPrices } from "../sending/report.ts";
import type { PriceFacts } from "../sending/request.ts";
import type { PushFlags } from "./command.ts";
import { confirmPush } from "./confirm.ts";

export const defaultBatchSize = 500;

/** Builds the requests of a file when that needs the confirmed products in the journal. */
export type Planner = (
  session: Pick<Session, "output" | "branchName">,
  reading: CatalogReading,
  request: UnboundRequest,
) => PushWork["requestsFor"];

/** The input: codes, or a file. */
interface Given {
  action: CatalogAction;
  path: string | undefined;
  codes: readonly string[];
  plan?: Planner;
}

export const toItems = (codes: readonly string[]): ItemList =>
  toItemList(codes.map((codigo) => ({ codigo })));

const countPrices = ({ items }: CatalogReading, isRequired: boolean): PriceFacts => ({
  without: items.unpriced,
  hasAny: items.unpriced + items.unlisted < items.length,
  isRequired,
  free: items.free,
});

/** Whether a file was written since it was read; false for one that is gone. */
async function hasChanged({ cwd }: Runtime["system"], path: string, state: FileState): Promise<boolean> {
  const now = await stat(resolve(cwd, path)).catch(() => undefined);
  return now !== undefined && !isSameState(now, state);
}

async function readGiven(
  runtime: Runtime,
  { output, settings }: Session,
  { action, path }: Given,
  flags: PushFlags,
): Promise<Awaited<ReturnType<typeof readGivenCatalog>> | undefined> {
  if (path === undefined) return undefined;
  const reading = await readGivenCatalog(runtime, path, flags, { output, settings, action });
  await sayNotices(output, reading);
  return reading;
}

function toRequest(
  { action, path, codes }: Given,
  reading: CatalogReading | undefined,
  flags: PushFlags,
  settings: Session["settings"],
): UnboundRequest {
  const { batchSize = defaultBatchSize, inFlight = 1, storeId = settings.storeId } = flags;
  const { dryRun = false, strict = false } = flags;
  return {
    action,
    file: path ?? null,
    items: reading?.items ?? toItems([...new Set(codes)]),
    rejected: reading?.rejected ?? [],
    read: reading?.read ?? codes.length,
    unchanged: 0,
    prices: action === "upsert" && reading !== undefined ? countPrices(reading, strict) : undefined,
    batchSize,
    inFlight,
    storeId,
    dryRun,
  };
}

/** Reads what was given, and plans what becomes of it; writes nothing and sends nothing. */
async function prepareWork(
  runtime: Runtime,
  session: Session,
  given: Given,
  flags: PushFlags,
): Promise<PushWork> {
  const { path, plan } = given;
  const { output, settings } = session;
  const reading = await readGiven(runtime, session, given, flags);
  const request = toRequest(given, reading, flags, settings);
  return {
    request,
    flags,
    sheet: reading === undefined ? newSheet(["codigo"], "codigo") : rejectedSheet(reading),
    requestsFor: reading && plan?.(session, reading, request),
    async changed() {
      const state = reading?.state;
      if (path === undefined || state === undefined) return undefined;
      if (!(await hasChanged(runtime.system, path, state))) return undefined;

      const { t } = output.texts;
      await output.notice(
        t("Note: {file} has changed, so bpos reads it again.", { file: fileName(path, t) }),
      );
      const work = await prepareWork(runtime, session, given, flags);
      await refuseFlawed(runtime, session, work);
      await confirmPush(runtime, session, work);
      return work;
    },
  };
}

/** Throws `rows_rejected_strict` below the report of those rows. */
async function refuseFlawed(runtime: Runtime, session: Session, work: PushWork): Promise<void> {
  const { file, rejected, dryRun } = work.request;
  if (work.flags.strict !== true || rejected.length === 0 || dryRun) return;
  runtime.exitCode = exitCodes.usage;
  await previewPush(runtime, session, work);
  throw new BposError("rows_rejected_strict", { file: file ?? "", rejected: rejected.length });
}

/** Reads what was given, and sends it or shows what would be sent: of a push and of a delete. */
export async function pushGiven(runtime: Runtime, given: Given, flags: PushFlags): Promise<void> {
  const { path } = given;
  if (path !== undefined) checkStandardInput(runtime, path);

  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { rejected: file } = flags;
    const wanted = { flag: "--rejected", input: path, isRejected: true } as const;
    if (file !== undefined) await checkOutputFile(runtime.system, { ...wanted, file });

    const work = await prepareWork(runtime, session, given, flags);
    await refuseFlawed(runtime, session, work);
    const { request } = work;
    if (!request.dryRun) {
      await confirmPush(runtime, session, work);
      return carryOut(runtime, session, work);
    }

    if (request.rejected.length > 0 || lacksPrices(request)) runtime.exitCode = exitCodes.partial;
    await previewPush(runtime, session, work);
  });
}
