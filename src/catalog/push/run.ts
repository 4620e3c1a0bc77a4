import { checkOutputFile, checkStandardInput } from "../../cli/files.ts";
import { needsFlag } from "../../cli/flags.ts";
import { rejectedSheet } from "../../cli/rejected-file.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session.ts";
import { BposError, exitCodes } from "../../errors.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import { readGivenCatalog, sayNotices } from "../catalog-file.ts";
import type { PushFlags } from "./command.ts";
import { missingCodes, unchangedItems } from "./memory.ts";
import { itemList, sendForm } from "./plan.ts";
import { type PushWork, sendPush, showPush, type UnboundRequest } from "./send.ts";

/** What `--changed-only` and `--deactivate-missing` make of a push. */
function settlerOf(
  { texts }: Runtime,
  { changedOnly = false, deactivateMissing = false, maxDeactivate }: PushFlags,
  reading: CatalogReading,
  request: UnboundRequest,
): PushWork["settle"] {
  if (!changedOnly && !deactivateMissing) return undefined;
  return async (catalog, branch) => {
    const missing = deactivateMissing
      ? missingCodes(await catalog.activeCodes(branch), reading, maxDeactivate)
      : [];
    const known = changedOnly ? await unchangedItems(catalog, branch, reading.items) : undefined;
    const unchanged = known === undefined ? 0 : reading.items.keep((position) => known[position] === 0);
    const items = itemList(missing.map((codigo) => ({ codigo })));
    const second = { ...request, items, action: "delete", rejected: [], read: 0 } as const;
    return {
      requests: [{ ...request, unchanged }, ...(missing.length > 0 ? [second] : [])],
      notices: (await catalog.isEmpty(branch)) ? [texts.notices.nothingKnown(deactivateMissing)] : [],
    };
  };
}

/** Runs `bpos catalog push`. */
export async function push(runtime: Runtime, path: string, flags: PushFlags): Promise<void> {
  checkStandardInput(runtime, path);
  if (flags.maxDeactivate !== undefined && flags.deactivateMissing !== true)
    throw needsFlag("--max-deactivate", "--deactivate-missing");
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { output, settings } = session;
    if (flags.rejected !== undefined) {
      const wanted = { flag: "--rejected", file: flags.rejected, input: path, isRejected: true } as const;
      await checkOutputFile(runtime.system, wanted);
    }
    const reading = await readGivenCatalog(runtime, path, flags, { output, settings });
    await sayNotices(output, reading);
    const { items, rejected, read } = reading;
    const request: UnboundRequest = {
      ...{ items, rejected, read, file: path, unchanged: 0, action: "upsert" },
      ...{ ...sendForm(flags, settings), inFlight: flags.inFlight ?? 1 },
    };
    const settle = settlerOf(runtime, flags, reading, request);
    const work: PushWork = { request, sheet: rejectedSheet(reading), ...(settle && { settle }) };
    const isRefused = flags.strict === true && rejected.length > 0 && !request.dryRun;
    if (!request.dryRun && !isRefused) return sendPush(runtime, session, work, flags);
    if (rejected.length > 0) runtime.exitCode = isRefused ? exitCodes.usage : exitCodes.partial;
    await showPush(runtime, session, work, flags);
    if (isRefused) throw new BposError("rows_rejected_strict", { file: path, rejected: rejected.length });
  });
}
