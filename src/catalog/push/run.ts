import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { checkOutputFile, checkStandardInput } from "../../cli/files/named-files.ts";
import { newSheet, rejectedSheet } from "../../cli/files/rejected-file.ts";
import { exclusive, needsFlag } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session/session.ts";
import type { CatalogAction } from "../../contract/catalog.ts";
import { BposError, exitCodes, isReason } from "../../errors.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import { readGivenCatalog, sayNotices } from "../catalog-file.ts";
import { type PushWork, sendPush, showPush, type UnboundRequest } from "./carry-out.ts";
import type { PushFlags } from "./command.ts";
import { missingCodes, unchangedItems } from "./memory.ts";
import { itemList, type PriceFacts, type PushItems } from "./plan.ts";
import { checkPriceChanges } from "./price-changes.ts";
import { lacksPrices } from "./report.ts";
import { priceChangesReport } from "./view.ts";

const defaultBatchSize = 500;

const toItems = (codes: readonly string[]): PushItems => itemList(codes.map((codigo) => ({ codigo })));

/** What is sent once the journal tells what the service has: the rows that changed, and the deactivation of what is missing. */
function planRequests(
  { output, branchName }: Pick<Session, "output" | "branchName">,
  { changedOnly = false, deactivateMissing = false, maxDeactivate, maxPriceChange }: PushFlags,
  reading: CatalogReading,
  request: UnboundRequest,
): PushWork["requestsFor"] {
  if (!changedOnly && !deactivateMissing && maxPriceChange === undefined) return undefined;
  return async (catalog, branch) => {
    if (maxPriceChange !== undefined) {
      const check = checkPriceChanges(catalog, branch, reading.items, maxPriceChange);
      const unchecked = await check.catch(async (error: unknown) => {
        if (isReason(error, "price_change_too_large") && output.format === "table") {
          const source = { file: request.file, branch: branchName };
          await output.data(priceChangesReport(error.facts, output.ui, source));
        }
        throw error;
      });
      if (unchecked > 0) await output.notice(output.texts.notices.pricesUnknown(unchecked));
    }
    const codes = deactivateMissing
      ? missingCodes(await catalog.activeCodes(branch), reading, maxDeactivate)
      : [];
    const known = changedOnly ? await unchangedItems(catalog, branch, reading.items) : undefined;
    // What is unchanged leaves the items.
    const unchanged = known === undefined ? 0 : reading.items.keep((position) => known[position] === 0);
    const removed = {
      items: toItems(codes),
      action: "delete",
      rejected: [],
      read: 0,
      prices: undefined,
    } as const;
    if ((changedOnly || deactivateMissing) && (await catalog.isEmpty(branch)))
      await output.notice(output.texts.notices.nothingKnown(deactivateMissing));
    return [{ ...request, unchanged }, ...(codes.length > 0 ? [{ ...request, ...removed }] : [])];
  };
}

const countPrices = ({ items }: CatalogReading, isRequired: boolean): PriceFacts => ({
  ...{ without: items.unpriced, hasAny: items.unpriced + items.unlisted < items.length },
  ...{ isRequired, free: items.free },
});

interface Given {
  action: CatalogAction;
  path: string | undefined;
  codes: readonly string[];
}

/** What tells whether a file was written meanwhile; undefined of what cannot be read again. */
async function readFileState(
  { cwd }: Runtime["system"],
  path: string | undefined,
): Promise<string | undefined> {
  if (path === undefined || path === "-") return undefined;
  const found = await stat(resolve(cwd, path)).catch(() => undefined);
  return found?.isFile() ? [found.dev, found.ino, found.size, found.mtimeMs].join(" ") : undefined;
}

async function readWork(
  runtime: Runtime,
  session: Session,
  given: Given,
  flags: PushFlags,
): Promise<PushWork> {
  const { action, path, codes } = given;
  const { output, settings } = session;
  const state = await readFileState(runtime.system, path);
  const around = { output, settings, action };
  const reading = path === undefined ? undefined : await readGivenCatalog(runtime, path, flags, around);
  if (reading !== undefined) await sayNotices(output, reading);
  const { items = toItems([...new Set(codes)]), rejected = [], read = codes.length } = reading ?? {};
  const { batchSize = defaultBatchSize, inFlight = 1, storeId = settings.storeId, dryRun = false } = flags;
  const { strict = false } = flags;
  const request: UnboundRequest = {
    ...{ items, rejected, read, file: path ?? null, unchanged: 0, action },
    ...{ batchSize, inFlight, storeId, dryRun },
    prices: action === "upsert" && reading !== undefined ? countPrices(reading, strict) : undefined,
  };
  return {
    request,
    flags,
    sheet: reading === undefined ? newSheet(["codigo"], "codigo") : rejectedSheet(reading),
    requestsFor: reading && planRequests(session, flags, reading, request),
    async changed() {
      const now = await readFileState(runtime.system, path);
      if (now === undefined || now === state) return undefined;
      await output.notice(output.texts.notices.readAgain(path ?? ""));
      const work = await readWork(runtime, session, given, flags);
      await refuseFlawed(runtime, session, work);
      return work;
    },
  };
}

/** Throws `rows_rejected_strict` below the report of those rows. */
async function refuseFlawed(runtime: Runtime, session: Session, work: PushWork): Promise<void> {
  const { file, rejected, dryRun } = work.request;
  if (work.flags.strict !== true || rejected.length === 0 || dryRun) return;
  runtime.exitCode = exitCodes.usage;
  await showPush(runtime, session, work);
  throw new BposError("rows_rejected_strict", { file: file ?? "", rejected: rejected.length });
}

async function run(runtime: Runtime, given: Given, flags: PushFlags): Promise<void> {
  const { path } = given;
  if (path !== undefined) checkStandardInput(runtime, path);
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { rejected: file } = flags;
    const wanted = { flag: "--rejected", input: path, isRejected: true } as const;
    if (file !== undefined) await checkOutputFile(runtime.system, { ...wanted, file });
    const work = await readWork(runtime, session, given, flags);
    await refuseFlawed(runtime, session, work);
    const { request } = work;
    if (!request.dryRun) return sendPush(runtime, session, work);
    if (request.rejected.length > 0 || lacksPrices(request)) runtime.exitCode = exitCodes.partial;
    await showPush(runtime, session, work);
  });
}

export async function push(runtime: Runtime, path: string, flags: PushFlags): Promise<void> {
  if (flags.maxDeactivate !== undefined && flags.deactivateMissing !== true)
    throw needsFlag("--max-deactivate", "--deactivate-missing");
  await run(runtime, { action: "upsert", path, codes: [] }, flags);
}

export async function remove(
  runtime: Runtime,
  named: readonly string[],
  flags: PushFlags & { file?: string },
): Promise<void> {
  // As for a push, a lone - is standard input.
  const isInput = named.length === 1 && named[0] === "-" && flags.file === undefined;
  const codes = isInput ? [] : named;
  const path = isInput ? "-" : flags.file;
  if (codes.length > 0 && path !== undefined) throw exclusive("<codes>", "--file");
  if (codes.length === 0 && path === undefined)
    throw new BposError("usage_flag", { problem: { kind: "codes_missing" } });
  if (codes.some((code) => code.trim() === "")) {
    const given = { argument: "codes", command: "bpos catalog delete", text: "" };
    throw new BposError("usage_flag", {
      problem: { kind: "argument_value", ...given, problem: { kind: "empty" } },
    });
  }
  await run(runtime, { action: "delete", path, codes }, flags);
}
