import { checkOutputFile } from "../../cli/files/named-files.ts";
import { rejectedSheet } from "../../cli/files/rejected-rows.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session/session.ts";
import type { CatalogAction } from "../../contract/catalog.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import { readGivenCatalog, sayNotices } from "../catalog-file.ts";
import type { ReadingFlags, SendingFlags } from "../flags.ts";
import type { PreparedPush, PriceFacts, RequestPlan, UnboundRequest } from "./request.ts";

/** The service and the formats of every verb that pushes. */
export const pushNeeds = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;

const defaultBatchSize = 500;

/** Throws where the file of `--rejected` cannot be written, before anything is read; `input` is the file that is read. */
export async function checkRejectedFile(
  { system }: Runtime,
  input: string | undefined,
  { rejected: file }: SendingFlags,
): Promise<void> {
  if (file === undefined) return;
  await checkOutputFile(system, { flag: "--rejected", file, input, isRejected: true });
}

/** Returns what a request has from flags and settings, whatever its products are. */
export function requestOptions(
  { batchSize = defaultBatchSize, inFlight = 1, storeId, dryRun = false }: SendingFlags,
  settings: Pick<Session["settings"], "storeId">,
): Pick<UnboundRequest, "batchSize" | "inFlight" | "storeId" | "dryRun" | "unchanged"> {
  return { batchSize, inFlight, storeId: storeId ?? settings.storeId, dryRun, unchanged: 0 };
}

const countPrices = ({ items }: CatalogReading, isRequired: boolean): PriceFacts => ({
  without: items.unpriced,
  hasAny: items.unpriced + items.unlisted < items.length,
  isRequired,
  free: items.free,
});

/** A file to push: how it is read, how its requests are planned, and how it is prepared anew once it has changed. */
interface FileToPush {
  action: CatalogAction;
  path: string;
  flags: ReadingFlags & SendingFlags;
  /** True where `--strict` asks for a price of each product. */
  needsPrices: boolean;
  planFor?: (reading: CatalogReading, request: UnboundRequest) => RequestPlan | undefined;
  prepareAgain: () => Promise<PreparedPush>;
}

/** Reads a file of products, or of codes, and prepares its push; writes nothing and sends nothing. */
export async function prepareFile(
  runtime: Runtime,
  { output, settings }: Session,
  { action, path, flags, needsPrices, planFor, prepareAgain }: FileToPush,
): Promise<PreparedPush> {
  const reading = await readGivenCatalog(runtime, path, flags, { output, settings, action });
  await sayNotices(output, reading);

  const { items, rejected, read, state } = reading;
  const prices = action === "upsert" ? countPrices(reading, needsPrices) : undefined;
  const request = {
    ...requestOptions(flags, settings),
    action,
    file: path,
    items,
    rejected,
    read,
    prices,
  };
  return {
    request,
    flags,
    sheet: rejectedSheet(reading),
    plan: planFor?.(reading, request),
    source: state && { path, state, prepareAgain },
  };
}
