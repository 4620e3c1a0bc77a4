import { checkOutputFile, checkStandardInput } from "../../cli/files.ts";
import { needsFlag } from "../../cli/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session.ts";
import { BposError, exitCodes } from "../../errors.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import { readGivenCatalog } from "../catalog-file.ts";
import type { PushFlags } from "./command.ts";
import { type PushWork, sayNotices, sendForm, sendPush, showPush, type UnboundRequest } from "./send.ts";

/** The file as read, and what of it is to be sent. */
async function requestOf(
  runtime: Runtime,
  path: string,
  flags: PushFlags,
  { output, settings }: Session,
): Promise<{ reading: CatalogReading; request: UnboundRequest }> {
  const reading = await readGivenCatalog(runtime, path, flags, { output, settings });
  await sayNotices(output, reading);
  const request: UnboundRequest = {
    items: reading.items,
    file: path,
    rejected: reading.rejected,
    read: reading.read,
    unchanged: 0,
    action: "upsert",
    inFlight: flags.inFlight ?? 1,
    ...sendForm(flags, settings),
  };
  return { reading, request };
}

/** What `--changed-only` and `--deactivate-missing` make of a push. */
async function settlerOf(
  { texts }: Runtime,
  flags: PushFlags,
  { reading, request }: { reading: CatalogReading; request: UnboundRequest },
): Promise<Pick<PushWork, "keeps" | "settle">> {
  if (flags.changedOnly !== true && flags.deactivateMissing !== true) return {};
  const { unchangedItems } = await import("./catalog-memory.ts");
  const { missingCodes } = await import("./missing-products.ts");
  const { itemList } = await import("./push-plan.ts");
  return {
    keeps: true,
    async settle(catalog, branch) {
      const missing =
        flags.deactivateMissing === true
          ? missingCodes(await catalog.activeCodes(branch), reading, flags.maxDeactivate)
          : [];
      let unchanged = 0;
      if (flags.changedOnly === true) {
        const known = await unchangedItems(catalog, branch, reading.items);
        unchanged = reading.items.keep((position) => known[position] === 0);
      }
      const items = itemList(missing.map((codigo) => ({ codigo })));
      const second = { ...request, items, action: "delete", rejected: [], read: 0 } as const;
      const nothingKnown = texts.notices.nothingKnown(flags.deactivateMissing === true);
      return {
        requests: [{ ...request, unchanged }, ...(missing.length > 0 ? [second] : [])],
        notices: (await catalog.isEmpty(branch)) ? [nothingKnown] : [],
      };
    },
  };
}

/** Runs `bpos catalog push`. */
export async function push(runtime: Runtime, path: string, flags: PushFlags): Promise<void> {
  checkStandardInput(runtime, path);
  if (flags.maxDeactivate !== undefined && flags.deactivateMissing !== true)
    throw needsFlag("--max-deactivate", "--deactivate-missing");
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { rejected } = flags;
    if (rejected !== undefined)
      await checkOutputFile(runtime.system, {
        flag: "--rejected",
        file: rejected,
        input: path,
        isRejected: true,
      });
    const { reading, request } = await requestOf(runtime, path, flags, session);
    const settler = await settlerOf(runtime, flags, { reading, request });
    const { rejectedSheet } = await import("../../input/rejected-sheet.ts");
    const work: PushWork = { request, sheet: rejectedSheet(reading), ...settler };
    const bad = reading.rejected.length;
    if (request.dryRun) {
      if (bad > 0) runtime.exitCode = exitCodes.partial;
      await showPush(runtime, session, work, flags);
    } else if (flags.strict === true && bad > 0) {
      runtime.exitCode = exitCodes.usage;
      await showPush(runtime, session, work, flags);
      throw new BposError("rows_rejected_strict", { file: path, rejected: bad });
    } else await sendPush(runtime, session, work, flags);
  });
}
