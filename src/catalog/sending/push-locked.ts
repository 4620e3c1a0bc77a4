import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describeError, keepForHistory, type Output } from "../../cli/display/output.ts";
import { startProgress } from "../../cli/display/progress.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { writeRejectedFile } from "../../cli/files/rejected-file.ts";
import { type RejectedSheet, rejectedCsv } from "../../cli/files/rejected-rows.ts";
import { removeReport } from "../../cli/files/report-files.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { OpenJournal, Session } from "../../cli/session/session.ts";
import { isDatabase } from "../../contract/addresses.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError, exitCodes, exitNames } from "../../errors.ts";
import { journalFailure } from "../../journal/engine/engine.ts";
import { type Journal, openMemoryJournal } from "../../journal/journal.ts";
import type { Catalog } from "../../journal/records/catalog.ts";
import type { T } from "../../texts/texts.ts";
import { changesInShort } from "../changes-view.ts";
import type { Comparison } from "../compare.ts";
import { sliceItems } from "../item-list.ts";
import { pricesToZero, pricesToZeroText } from "../price-changes.ts";
import type { PushFlags } from "../push/command.ts";
import { askAhead, timeAsker, warnOfClocks } from "./clocks.ts";
import { catalogMemory } from "./confirmed-products.ts";
import { lacksPrices, newReport, type PushReport } from "./report.ts";
import type { PushRequest } from "./request.ts";
import { previewBodies, sendBatches } from "./send-batches.ts";
import { warnOfCategories } from "./stations.ts";
import { hasNoPrices } from "./verdict.ts";
import { keptReportJson, notRetried, pushReport, pushReportJson, staleWhy } from "./view.ts";

const maxShown = 5;

/** `compared` is what sending it would change, where that was asked. */
export type UnboundRequest = Omit<PushRequest, "branch"> & { compared?: Comparison };

export type KnownBefore = Pick<Journal, "catalog" | "pushes">;

export interface PushWork {
  request: UnboundRequest;
  flags: PushFlags;
  sheet: RejectedSheet;
  /** Makes the requests by what is known of the service's products, once nobody else pushes for this branch; where it throws, nothing is sent. */
  requestsFor: ((journal: KnownBefore, branch: string) => Promise<UnboundRequest[]>) | undefined;
  /** The work as the file is now; undefined while that is as it was read. */
  changed: () => Promise<PushWork | undefined>;
}

/** Writes the rejected rows, or removes an earlier file of them, whose prices are stale; returns a failure, since the push must still be reported. */
async function writeRejected(
  runtime: Runtime,
  desk: { journal: Journal; output: Output },
  { request, flags: { rejected: file }, sheet }: PushWork,
  report: PushReport,
): Promise<BposError | undefined> {
  if (file === undefined) return undefined;
  const inputs = request.file === null ? [] : [request.file];
  try {
    const { rejected, dry_run, batches, failure } = report;
    if (rejected.length > 0)
      report.rejected_file = await writeRejectedFile(runtime, desk, file, { rejected, sheet, inputs });
    else if (!dry_run && (failure === undefined || batches > 0))
      await removeReport(runtime.system, desk.journal, file, inputs);
    return undefined;
  } catch (error) {
    if (error instanceof BposError) return error;
    throw error;
  }
}

const isAllWell = (report: PushReport): boolean => {
  const { failure, rejected, skipped_stale, sumsDiffer = 0, undo } = report;
  const leftAlone = undo?.leftAlone.length ?? 0;
  const isWhole = rejected.length + skipped_stale + sumsDiffer + leftAlone === 0;
  return !failure && isWhole && !lacksPrices(report);
};

const isRemarkable = (report: PushReport): boolean =>
  report.planned !== undefined || !isAllWell(report) || hasNoPrices(report);

function joinReports(
  reports: readonly PushReport[],
  ui: Ui,
  source: Parameters<typeof pushReport>[2],
): string {
  return reports.map((report) => pushReport(report, ui, source)).join("\n");
}

/** Says that products that the service refused to deactivate are still on sale. */
function notDeactivatedText(count: number, t: T): string {
  const refused = t(
    "Warning: the service refused to deactivate {count, plural, one {# product that is} other {# products that are}} no longer in the file.",
    { count },
  );
  return `${refused} ${notRetried(t)}`;
}

async function writeReports(
  { output, branchName: branch }: Session,
  { request: { file }, sheet }: PushWork,
  reports: readonly PushReport[],
): Promise<void> {
  const { format, texts, ui } = output;
  const [first, second] = reports;
  if (first === undefined) return;

  if (format === "json" || format === "ndjson")
    await output.document({
      ...pushReportJson(first),
      ...(second && { deactivated: pushReportJson(second) }),
    });
  if (format === "csv") {
    for (const chunk of rejectedCsv(first.rejected, { ...sheet, delimiter: "," }, ui.texts))
      await output.data(chunk);
    const refused = second?.rejected.length ?? 0;
    if (refused > 0) await output.warning(notDeactivatedText(refused, texts.t));
  }

  const isTold = reports.some(isRemarkable);
  if (format === "table" && (isTold || !output.quiet)) {
    await output.data(joinReports(reports, ui, { file, branch, format: sheet.format }));
    const { compared, undo } = first;
    const of = undo === undefined ? "push" : "undo";
    if (compared !== undefined) await output.data(`\n${changesInShort(compared, ui, of).join("\n")}\n`);
  }

  for (const report of reports) {
    if (format !== "table" && report.skipped_stale > 0)
      await output.warning(staleWhy(report, output.errorUi));
    await output.mismatches(report.mismatches ?? []);
    const { sumsDiffer = 0 } = report;
    const differ = texts.t(
      "Warning: in {count, plural, one {# batch} other {# batches}} accepted, rejected and stale do not add up to what was sent.",
      { count: sumsDiffer },
    );
    if (sumsDiffer > 0) await output.warning(differ);
  }
}

/** A 403 may be about the store id as well as about the key, unless products were accepted with it. */
function withFacts(
  error: BposError,
  { storeId }: UnboundRequest,
  isNothingSent: boolean,
  accepted = 0,
): BposError {
  const { reason, facts } = error;
  if (!("endpoint" in facts)) return error;
  const isDoubtful = facts.status === 403 && accepted === 0 && storeId !== undefined;
  const told = {
    ...facts,
    ...(isDoubtful && { storeId }),
    ...(isNothingSent && { nothingSent: true as const }),
  };
  return new BposError(reason, told, { cause: error });
}

async function keepReport(output: Output, journal: Journal, report: PushReport): Promise<void> {
  const text = JSON.stringify(keptReportJson(report));
  await keepForHistory(output, () => journal.pushes.report(report.push_id, text));
}

/** Says that the service lacks products that this journal knows; `gone` are codes that were confirmed. */
function knownWrongText(gone: readonly string[], unchanged: number, t: T): string {
  const codes = gone.slice(0, 3).join(", ");
  const wrong =
    gone.length === 0
      ? t("Warning: the service has later data than this journal has for some confirmed products.")
      : gone.length > 3
        ? t("Warning: the service no longer has {codes} and {more} more, confirmed before.", {
            codes,
            more: gone.length - 3,
          })
        : t("Warning: the service no longer has {codes}, confirmed before.", { codes });
  const mayDiffer = t(
    "{count, plural, one {The # row skipped as unchanged may differ too: push the file once without --changed-only.} other {The # rows skipped as unchanged may differ too: push the file once without --changed-only.}}",
    { count: unchanged },
  );
  return `${wrong} ${mayDiffer}`;
}

/** Returns `probes` if the service's time is still unknown. */
async function pushOnce(
  { system, signal, texts }: Runtime,
  { client, output, clockAheadMs, now }: Session,
  { journal, branch, probes }: Pick<OpenJournal, "journal" | "branch"> & { probes: boolean },
  request: UnboundRequest,
): Promise<PushReport> {
  const memory = (await journal.catalog.isKept(branch)) ? catalogMemory(branch, request) : undefined;

  const { t } = texts;
  const doing = request.action === "upsert" ? t("Pushing products") : t("Deactivating products");
  const bar = startProgress(system, output, doing);
  const tools = {
    client,
    journal,
    clock: { now },
    uuid: system.uuid,
    signal,
    onProgress: bar.update,
    ...(memory && { memory }),
    ...(probes && { clockAheadMs }),
  };
  // The journal names the file as it can be pushed again from any folder.
  const file = request.file && (request.file === "-" ? "-" : resolve(system.cwd, request.file));
  const report = await sendBatches({ ...request, branch, file }, tools).finally(bar.clear);
  if (request.items.length === 0) report.lastPushAt = await journal.pushes.lastAnswered(branch);
  await keepReport(output, journal, report);

  const { gone: found, stale = false } = memory?.contradictions ?? {};
  const gone = [...(found ?? [])];
  // Where every row was sent there is nothing that was left out for what was known.
  if (request.unchanged > 0 && (gone.length > 0 || stale))
    await output.warning(knownWrongText(gone, request.unchanged, t));
  return report;
}

/** Makes the pushes until one is stopped. Throws what stopped the first one before anything was sent. */
async function pushAll(
  runtime: Runtime,
  session: Session,
  opened: Parameters<typeof pushOnce>[2],
  requests: readonly UnboundRequest[],
): Promise<{ reports: PushReport[]; stopped: BposError | undefined }> {
  const reports: PushReport[] = [];
  let leader: string | undefined;
  for (const request of requests) {
    const isFirst = reports.length === 0;
    try {
      const report = await pushOnce(runtime, session, opened, { partOf: leader, ...request });
      // Of what had nothing to send the journal knows nothing.
      if (request.items.length > 0) leader ??= report.push_id;
      reports.push(report);
      const { failure, batches, accepted } = report;
      if (failure === undefined) continue;
      return { reports, stopped: withFacts(failure, request, isFirst && batches === 0, accepted) };
    } catch (error) {
      const under = isFirst ? undefined : ({ work: "push" } as const);
      const known = error instanceof BposError ? error : journalFailure(error, under);
      const stopped = withFacts(known, request, isFirst);
      if (isFirst) throw stopped;
      // What was sent before must still be reported.
      return { reports, stopped };
    }
  }
  return { reports, stopped: undefined };
}

/** A price of 0 is rarely meant where there was one before. */
async function warnOfZeros(
  output: Output,
  catalog: Catalog,
  branch: string,
  requests: readonly UnboundRequest[],
): Promise<UnboundRequest[]> {
  const checked: UnboundRequest[] = [];
  for (const request of requests) {
    const { prices } = request;
    if (prices === undefined) {
      checked.push(request);
      continue;
    }
    const toZero = await pricesToZero(catalog, branch, prices.free);
    if (toZero.count > 0) await output.warning(pricesToZeroText(toZero, output.ui, output.texts.t));
    checked.push({ ...request, prices: { ...prices, toZero } });
  }
  return checked;
}

/** Opens the existing journal, or an empty one in memory, so that a dry run creates none. */
export async function readJournal({
  settings,
  openJournal,
}: Session): Promise<Pick<OpenJournal, "journal" | "branch">> {
  if (isDatabase(settings.journal) || existsSync(settings.journal)) return openJournal();
  return { journal: openMemoryJournal(), branch: "" };
}

async function previewRequests(session: Session, work: PushWork): Promise<readonly UnboundRequest[]> {
  const { request, requestsFor } = work;
  const hasFree = (request.prices?.free.length ?? 0) > 0;
  if (requestsFor === undefined && !hasFree) return [request];

  const { journal, branch } = await readJournal(session);
  const requests = (await requestsFor?.(journal, branch)) ?? [request];
  return warnOfZeros(session.output, journal.catalog, branch, requests);
}

function previewReport(request: UnboundRequest, { uuid }: Runtime["system"], now: number): PushReport {
  const { items, batchSize } = request;
  const planned = {
    wouldSend: items.length,
    calls: Math.ceil(items.length / batchSize),
    first: sliceItems(items, 0, maxShown),
  };
  const { compared, dryRun } = request;
  return {
    ...newReport(request, uuid(), isoWithOffset(now)),
    planned,
    ...(compared && dryRun && { compared }),
  };
}

/** Shows what would be sent. */
export async function previewPush(runtime: Runtime, session: Session, work: PushWork): Promise<void> {
  const { system } = runtime;
  const { output, wouldCall } = session;
  const requests = await previewRequests(session, work);
  const now = session.now();
  const reports = requests.map((each) => previewReport(each, system, now));
  const [report] = reports;

  let unwritten: BposError | undefined;
  if (work.flags.rejected !== undefined && report !== undefined && report.rejected.length > 0) {
    const { journal } = await session.openJournal();
    unwritten = await writeRejected(runtime, { output, journal }, work, report);
  }

  runtime.outcome = report?.outcome;
  await writeReports(session, work, reports);
  if (wouldCall !== undefined && work.request.dryRun)
    for (const each of requests)
      for (const body of previewBodies({ ...each, branch: "" }, now)) wouldCall("pushCatalog", body);
  if (unwritten) throw unwritten;
}

async function planRequests(
  { request, requestsFor }: PushWork,
  journal: Journal,
  branch: string,
): Promise<readonly UnboundRequest[]> {
  if (requestsFor === undefined) {
    await journal.catalog.keepSmall(branch, request.items.length);
    return [request];
  }
  await journal.catalog.keep(branch);
  return requestsFor(journal, branch);
}

/** Reports what was sent, and then throws what stopped it. */
async function concludePush(
  runtime: Runtime,
  session: Session,
  work: PushWork,
  { journal, reports, stopped }: Awaited<ReturnType<typeof pushAll>> & { journal: Journal },
): Promise<void> {
  const { output } = session;
  const [first] = reports;
  if (first === undefined) return;
  const unwritten = await writeRejected(runtime, { journal, output }, work, first);
  // It was kept before that file was written: a crash in between must not lose the report.
  if (first.rejected_file !== null) await keepReport(output, journal, first);

  runtime.outcome = first.outcome;
  const ended = stopped ?? unwritten;
  // Before anything is written: a reader that is gone must not make an unknown outcome look well.
  if (ended !== undefined) runtime.exitCode = exitCodes[exitNames[ended.reason]];
  else runtime.exitCode = reports.every(isAllWell) ? exitCodes.ok : exitCodes.partial;

  await writeReports(session, work, reports);
  if (stopped && unwritten) await output.warning(await describeError(unwritten, output.texts));
  if (ended) throw ended;
}

export async function carryOut(runtime: Runtime, session: Session, given: PushWork): Promise<void> {
  const { output } = session;
  const { lockWait: waitMs, force = false } = given.flags;
  const isSentNow = given.requestsFor === undefined && given.request.items.length > 0;
  const askTheTime = askAhead(runtime.system, timeAsker(runtime, session, force), isSentNow);
  const opened = await session.openJournal();
  const { branch, lock } = opened;
  const journal = await lock("push", { waitMs });

  // Whoever waited longer may have the lock later: by then its prices may be old.
  const work = (await given.changed()) ?? given;
  const requests = await planRequests(work, journal, branch);
  let probes = false;
  if (requests.some(({ items }) => items.length > 0)) {
    const aheadMs = await askTheTime();
    // Only now is it known to be a mock, whose products are kept apart.
    if (opened.branchNow() !== branch) return carryOut(runtime, session, work);
    await warnOfClocks(runtime, session, aheadMs, await journal.pushes.lastStamp(branch));
    probes = aheadMs === undefined && !force;
  }

  const checked = await warnOfZeros(output, journal.catalog, branch, requests);
  await warnOfCategories(session, journal.catalog, branch, checked);
  const pushed = await pushAll(runtime, session, { journal, branch, probes }, checked);
  await concludePush(runtime, session, work, { journal, ...pushed });
}
