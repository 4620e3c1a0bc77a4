import { existsSync } from "node:fs";
import { rejectedCsv, removeRejectedFile, writeRejectedFile } from "../../cli/files.ts";
import { keepForHistory, type Output, said } from "../../cli/output.ts";
import { startProgress } from "../../cli/progress.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { OpenJournal, Session } from "../../cli/session.ts";
import { BposError, type CallFacts, exitCodes, exitNameOf } from "../../errors.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import type { RejectedSheet } from "../../input/rejected-sheet.ts";
import type { Catalog } from "../../journal/catalog.ts";
import type { Journal } from "../../journal/open.ts";
import type { Settings } from "../../settings/settings.ts";
import type { PushFlags } from "./command.ts";
import type { PushResult } from "./push-catalog.ts";
import type { PushRequest } from "./push-plan.ts";
import type { PushReport } from "./report.ts";
import type { PushPlan } from "./view.ts";

/** A push before its journal is open. */
export type UnboundRequest = Omit<PushRequest, "branch">;

/** The flags that say how products are sent. */
type SendFlags = Pick<PushFlags, "batchSize" | "storeId" | "dryRun" | "rejected" | "lockWait" | "force">;

const defaultBatchSize = 500;

/** What those flags and the profile settle of a request. */
export function sendForm(
  { batchSize = defaultBatchSize, storeId, dryRun = false }: SendFlags,
  settings: Pick<Settings, "storeId">,
): Pick<PushRequest, "batchSize" | "storeId" | "dryRun"> {
  return { batchSize, storeId: storeId ?? settings.storeId, dryRun };
}

/** What comes of looking at what is known of the service's products. */
interface Settled {
  /** What is pushed, each when nothing stopped the one before it. */
  requests: readonly UnboundRequest[];
  notices: readonly string[];
}

/** What is pushed, and what the report says of where it came from. */
export interface PushWork {
  request: UnboundRequest;
  /** How its rejected rows are written. */
  sheet: RejectedSheet;
  /** From now on what the service confirms of each product is written down. */
  keeps?: boolean;
  /** Settles what is sent, once nobody else pushes for this branch; where it throws nothing is sent. */
  settle?: (catalog: Catalog, branch: string) => Promise<Settled>;
}

/** Says what a person should know of how a file was read. */
export async function sayNotices(
  output: Output,
  { collapsed, notices }: Pick<CatalogReading, "collapsed" | "notices">,
): Promise<void> {
  const resolved = notices.flatMap((notice) =>
    notice.kind === "duplicates_resolved" ? [notice.dropped] : [],
  );
  const exact = collapsed - resolved.reduce((sum, rows) => sum + rows, 0);
  if (exact > 0) await output.notice(output.texts.notices.collapsed(exact));
  for (const notice of notices) await output.notice(output.texts.rows.notice(notice));
}

/**
 * Writes the rejected rows. When there are none and products were sent, it takes an earlier file of them away: whoever
 * corrected that one later would push old prices. A failure is returned, since what was sent must still be reported.
 */
async function writeRejected(
  runtime: Runtime,
  desk: { journal: Journal; output: Output },
  file: string,
  { result, sheet }: { result: PushResult; sheet: RejectedSheet },
): Promise<BposError | undefined> {
  try {
    const { rejected, dry_run, batches } = result.report;
    if (rejected.length === 0) {
      const changedNothing = dry_run || (result.failure !== undefined && batches === 0);
      if (!changedNothing) await removeRejectedFile(runtime.system, desk.journal, file);
      return undefined;
    }
    const csv = rejectedCsv(result.report, sheet, runtime);
    result.report.rejected_file = await writeRejectedFile(runtime, desk, file, { csv, marked: sheet.marked });
    return undefined;
  } catch (error) {
    if (error instanceof BposError) return error;
    throw error;
  }
}

/** A push that was made, or with a plan one that would be. */
interface Written {
  result: PushResult;
  plan?: PushPlan;
}

/** What a report says of where it comes from. */
interface Origin {
  sheet: RejectedSheet;
  file: string | null;
  branch: string;
  /** The codes that the second push deactivates. */
  codes: readonly string[];
}

/** That of a report of these pushes; the second one deactivates what the file no longer has. */
function originOf(
  { branchName }: Session,
  { request, sheet }: PushWork,
  second: UnboundRequest | undefined,
): Origin {
  const codes = Array.from(
    { length: second?.items.length ?? 0 },
    (_, n) => second?.items.item(n).codigo ?? "",
  );
  return { sheet, file: request.file, branch: branchName, codes };
}

/** Writes the report of a push to standard output, and of the one that followed it. */
async function writePush(
  output: Output,
  [first, second]: readonly [Written, Written?],
  { sheet, file, branch, codes }: Origin,
): Promise<void> {
  const { pushReport, pushReportJson, staleWhy } = await import("./view.ts");
  const pushes = second === undefined ? [first] : [first, second];
  const { report } = first.result;
  if (output.format === "json" || output.format === "ndjson") {
    const deactivated = second && { ...pushReportJson(second.result.report, second.plan), codes };
    await output.document({ ...pushReportJson(report, first.plan), ...(deactivated && { deactivated }) });
  }
  if (output.format === "csv") {
    for (const chunk of rejectedCsv(report, { ...sheet, delimiter: "," }, output.ui))
      await output.data(chunk);
    const refused = second?.result.report.rejected.length ?? 0;
    if (refused > 0) await output.warning(output.texts.notices.notDeactivated(refused));
  }
  const allWell = pushes.every(({ result, plan }) => plan === undefined && isAllWell(result));
  if (output.format === "table" && !(output.quiet && allWell)) {
    const texts = pushes.map(({ result, plan }) => {
      const own = { file, branch, ...(plan && { plan }), ...(result === second?.result && { codes }) };
      return pushReport(result.report, output.ui, own);
    });
    await output.data(texts.join("\n"));
  }
  for (const { result } of pushes) {
    const isTold = output.format === "table" || result.report.skipped_stale === 0;
    if (!isTold) await output.warning(staleWhy(result.report, output.errorUi));
    await output.mismatches(result.mismatches);
    if (result.sumsDiffer > 0) await output.warning(output.texts.notices.sumsDiffer(result.sumsDiffer));
  }
}

const isAllWell = ({ report, failure, sumsDiffer }: PushResult): boolean =>
  !failure && report.rejected.length === 0 && report.skipped_stale === 0 && sumsDiffer === 0;

/** A push of which something was refused or came too late is done in part. */
function exitCodeOf(results: readonly PushResult[], stopped: BposError | undefined): number {
  if (stopped) return exitCodes[exitNameOf[stopped.reason]];
  return results.every(isAllWell) ? exitCodes.ok : exitCodes.partial;
}

/** The error of a call to the service with more facts; any other as it is. */
function withFacts(error: BposError, more: Partial<CallFacts>): BposError {
  if (!("endpoint" in error.facts)) return error;
  const { reason, facts } = error as BposError<"unavailable">;
  return new BposError(reason, { ...facts, ...more }, { cause: error });
}

/** A 403 may be about the store id as well as about the key, unless the service has taken products with it. */
function withStoreId(error: BposError, { storeId }: Pick<PushRequest, "storeId">, accepted = 0): BposError {
  const isDenied = accepted === 0 && "status" in error.facts && error.facts.status === 403;
  return isDenied && storeId !== undefined ? withFacts(error, { storeId }) : error;
}

/** The journal of a push; `probes` where nobody knows the service's time yet. */
type Opened = Pick<OpenJournal, "journal" | "branch"> & { probes: boolean };

/** Pushes with a progress line, and keeps the report for `catalog history`. */
async function pushOnce(
  runtime: Runtime,
  { client, output, clockAheadMs }: Session,
  { journal, branch, probes }: Opened,
  request: UnboundRequest,
): Promise<PushResult> {
  const { pushCatalog } = await import("./push-catalog.ts");
  const { catalogMemory } = await import("./catalog-memory.ts");
  const memory = (await journal.catalog.isKept(branch)) ? catalogMemory(branch, request) : undefined;
  const { system, signal } = runtime;
  const bar = startProgress(system, output, runtime.texts.notices.pushing[request.action]);
  const { clock, uuid } = system;
  const tools = {
    client,
    journal,
    clock,
    uuid,
    signal,
    onProgress: bar.update,
    ...(memory && { memory }),
    ...(probes && { clockAheadMs }),
  };
  const result = await pushCatalog({ ...request, branch }, tools).finally(bar.clear);
  await keepReport(output, journal, result.report);
  const { gone = [], stale = false } = memory?.contradictions ?? {};
  // Where every row was sent there is nothing that was left out for what was known.
  if (request.unchanged > 0 && (gone.length > 0 || stale))
    await output.warning(runtime.texts.notices.knownWrong(gone, request.unchanged));
  return result;
}

/** Keeps a report for `catalog history`, in the place of an earlier one of the same push. */
async function keepReport(output: Output, journal: Journal, report: PushReport): Promise<void> {
  const { keptReportJson } = await import("./view.ts");
  const text = JSON.stringify(keptReportJson(report));
  await keepForHistory(output, () => journal.pushes.report(report.push_id, text));
}

/** Makes the pushes until one is stopped. Throws what stopped the first one before anything was sent. */
async function pushAll(
  runtime: Runtime,
  session: Session,
  opened: Opened,
  requests: readonly UnboundRequest[],
): Promise<{ results: PushResult[]; stopped: BposError | undefined }> {
  const { journalFailure } = await import("../../journal/journal-failure.ts");
  const results: PushResult[] = [];
  for (const request of requests) {
    try {
      const result = await pushOnce(runtime, session, opened, request);
      results.push(result);
      if (result.failure) {
        const stopped = withStoreId(result.failure, request, result.report.accepted);
        const isNothingSent = results.length === 1 && result.report.batches === 0;
        return { results, stopped: isNothingSent ? withFacts(stopped, { nothingSent: true }) : stopped };
      }
    } catch (error) {
      const known =
        error instanceof BposError
          ? (error as BposError)
          : journalFailure(error, results.length > 0 ? { work: "push" } : undefined);
      const stopped = withStoreId(known, request);
      if (results.length === 0) throw withFacts(stopped, { nothingSent: true });
      // What was sent before must still be reported.
      return { results, stopped };
    }
  }
  return { results, stopped: undefined };
}

/** Shows what a push would come to; a journal that is there is read, and nothing is written down. */
export async function showPush(
  runtime: Runtime,
  session: Session,
  work: PushWork,
  { rejected }: Pick<SendFlags, "rejected">,
): Promise<void> {
  const { previewBodies, previewPush } = await import("./push-catalog.ts");
  const { system } = runtime;
  let requests: readonly UnboundRequest[] = [work.request];
  if (work.settle !== undefined) {
    const { openJournal } = await import("../../journal/open.ts");
    const known = existsSync(session.settings.journalFile)
      ? await session.openJournal()
      : { journal: openJournal(":memory:"), branch: "" };
    const settled = await work.settle(known.journal.catalog, known.branch);
    for (const notice of settled.notices) await session.output.notice(notice);
    ({ requests } = settled);
  }
  const [first = work.request, second] = requests;
  const written = (request: UnboundRequest): Written => {
    const { items, batchSize } = request;
    const plan = {
      wouldSend: items.length,
      calls: Math.ceil(items.length / batchSize),
      first: Array.from({ length: Math.min(5, items.length) }, (_, position) => items.item(position)),
    };
    const report = previewPush({ ...request, branch: "" }, system);
    return { result: { report, sumsDiffer: 0, mismatches: [] }, plan };
  };
  const pushes =
    second === undefined ? ([written(first)] as const) : ([written(first), written(second)] as const);
  const unwritten =
    rejected === undefined || work.request.rejected.length === 0
      ? undefined
      : await writeRejected(runtime, { ...session, ...(await session.openJournal()) }, rejected, {
          ...pushes[0],
          sheet: work.sheet,
        });
  await writePush(session.output, pushes, originOf(session, work, second));
  if (session.wouldCall !== undefined && work.request.dryRun)
    for (const request of requests)
      for (const body of previewBodies({ ...request, branch: "" }, system.clock.now()))
        session.wouldCall("pushCatalog", body);
  if (unwritten) throw unwritten;
}

/** Says what of the clocks, or of an earlier push by a wrong one, may make prices count as stale. */
async function warnOfClocks(
  { system, texts: { notices } }: Runtime,
  output: Output,
  { aheadMs, stamp }: { aheadMs: number | undefined; stamp: number },
): Promise<void> {
  const { tooFarAheadMs, worthSayingMs } = await import("../../api/ask.ts");
  const { isoWithOffset } = await import("../../contract/instants.ts");
  if (aheadMs === undefined) await output.warning(notices.clockUnknown);
  else if (Math.abs(aheadMs) >= worthSayingMs) await output.notice(notices.clockSkew(aheadMs));
  const stampAheadMs = stamp - system.clock.now();
  if (stampAheadMs > tooFarAheadMs)
    await output.warning(notices.stampAhead(Math.round(stampAheadMs / tooFarAheadMs), isoWithOffset(stamp)));
}

/** Waits for its turn, settles what is sent, compares the clocks, pushes, and writes the report. */
export async function sendPush(
  runtime: Runtime,
  session: Session,
  work: PushWork,
  flags: SendFlags,
): Promise<void> {
  const { request, sheet, keeps, settle } = work;
  const { client, output } = session;
  const { signal } = runtime;
  const { compareClocks } = await import("../../api/ask.ts");
  const force = flags.force === true;
  const askTheTime = (): Promise<number | undefined> =>
    compareClocks(client, session.clockAheadMs, { force, signal });
  const waitMs = flags.lockWait ?? 0;
  // Where it is certain that something is sent now, the answer is on its way while the journal is opened.
  const isSentNow = waitMs === 0 && settle === undefined && request.items.length > 0;
  const asked = isSentNow ? askTheTime() : undefined;
  asked?.catch(() => "met where it is awaited");
  const opened = await session.openJournal();
  const { journal, branch, lock } = opened;
  await lock("push", { waitMs });
  if (keeps === true) await journal.catalog.keep(branch);
  else await journal.catalog.keepSmall(branch, request.items.length);
  const settled = (await settle?.(journal.catalog, branch)) ?? { requests: [request], notices: [] };
  for (const notice of settled.notices) await output.notice(notice);
  let probes = false;
  if (settled.requests.some(({ items }) => items.length > 0)) {
    const aheadMs = await (asked ?? askTheTime());
    // Only now is it known to be a mock: what it has of the catalog is kept apart.
    if (opened.branchNow() !== branch) return sendPush(runtime, session, work, flags);
    await warnOfClocks(runtime, output, { aheadMs, stamp: await journal.pushes.lastStamp(branch) });
    probes = aheadMs === undefined && !force;
  }
  const { results, stopped } = await pushAll(runtime, session, { ...opened, probes }, settled.requests);
  const [first, second] = results;
  if (first === undefined) return;
  const unwritten =
    flags.rejected === undefined
      ? undefined
      : await writeRejected(runtime, { journal, output }, flags.rejected, { result: first, sheet });
  // It was kept before that file was written: a crash in between must not lose the report.
  if (first.report.rejected_file !== null) await keepReport(output, journal, first.report);
  // Before anything is written: a reader that is gone must not make an unknown outcome look well.
  runtime.exitCode = exitCodeOf(results, stopped ?? unwritten);
  const written = [{ result: first }, ...(second === undefined ? [] : [{ result: second }])] as const;
  await writePush(output, written as [Written, Written?], originOf(session, work, settled.requests[1]));
  if (stopped && unwritten) await output.warning(await said(unwritten, output.texts));
  const ended = stopped ?? unwritten;
  if (ended) throw ended;
}
