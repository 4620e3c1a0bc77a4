import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { describeError } from "../../cli/display/output.ts";
import { startProgress } from "../../cli/display/progress.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { OpenJournal, Session } from "../../cli/session/session.ts";
import { BposError } from "../../errors.ts";
import { isSameState } from "../../input/files/file.ts";
import { journalFailure } from "../../journal/engine/engine.ts";
import type { Journal } from "../../journal/journal.ts";
import { fileName } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import { askAhead, timeAsker, warnOfClocks } from "./clocks.ts";
import { trackConfirmed } from "./confirmed-products.ts";
import { pushExitCode } from "./exit-code.ts";
import { warnOfZeros } from "./prices-to-zero.ts";
import type { PushReport } from "./report.ts";
import { keepReport } from "./report-json.ts";
import type { PreparedPush, UnboundRequest } from "./request.ts";
import { sendBatches } from "./send-batches.ts";
import { warnOfCategories } from "./stations.ts";
import { writeRejected, writeReports } from "./write-reports.ts";

/** Waits for the lock, plans by what is known then, checks the clocks, sends and reports. Throws what stopped it, once it is reported. */
export async function sendPush(runtime: Runtime, session: Session, given: PreparedPush): Promise<void> {
  const { output } = session;
  const { lockWait: waitMs, force = false } = given.flags;
  const isSentNow = given.plan === undefined && given.request.items.length > 0;
  const askTheTime = askAhead(runtime.system, timeAsker(runtime, session, force), isSentNow);
  const opened = await session.openJournal();
  const { branch, lock } = opened;
  const journal = await lock("push", { waitMs });

  // A process that waited longer can get the lock later, when its prices are old.
  const prepared = await prepareLatest(runtime, session, given);
  const requests = await planRequests(prepared, journal, branch);

  let probes = false;
  if (requests.some(({ items }) => items.length > 0)) {
    const aheadMs = await askTheTime();
    // Only now is it known to be a mock, whose products are kept apart.
    if (opened.branchNow() !== branch) return sendPush(runtime, session, prepared);
    await warnOfClocks(runtime, session, aheadMs, await journal.pushes.lastStamp(branch));
    probes = aheadMs === undefined && !force;
  }

  const checked = await warnOfZeros(output, journal.catalog, branch, requests);
  await warnOfCategories(session, journal.catalog, branch, checked);
  const sent = await sendRequests(runtime, session, { journal, branch, probes }, checked);
  await reportPush(runtime, session, prepared, { journal, ...sent });
}

/** Returns the push as its file is now: prepared again where the file was written since it was read, and still exists. */
async function prepareLatest(
  { system }: Runtime,
  { output }: Session,
  prepared: PreparedPush,
): Promise<PreparedPush> {
  const { source } = prepared;
  if (source === undefined) return prepared;
  const now = await stat(resolve(system.cwd, source.path)).catch(() => undefined);
  if (now === undefined || isSameState(now, source.state)) return prepared;

  const { t } = output.texts;
  await output.notice(
    t("Note: {file} has changed, so bpos reads it again.", { file: fileName(source.path, t) }),
  );
  return source.prepareAgain();
}

/** Returns the requests by what is known now, and begins to keep what the service confirms. */
async function planRequests(
  { request, plan }: PreparedPush,
  journal: Journal,
  branch: string,
): Promise<readonly UnboundRequest[]> {
  if (plan === undefined) {
    await journal.catalog.keepSmall(branch, request.items.length);
    return [request];
  }
  await journal.catalog.keep(branch);
  return plan(journal, branch);
}

/** Sends one request after another, until one is stopped. Throws what stopped the first one before anything was sent. */
async function sendRequests(
  runtime: Runtime,
  session: Session,
  opened: Parameters<typeof sendRequest>[2],
  requests: readonly UnboundRequest[],
): Promise<{ reports: PushReport[]; stopped: BposError | undefined }> {
  const reports: PushReport[] = [];
  let leader: string | undefined;
  for (const request of requests) {
    const isFirst = reports.length === 0;
    try {
      const report = await sendRequest(runtime, session, opened, { partOf: leader, ...request });
      // The journal has no record of an empty push.
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
      // Earlier requests must still be reported.
      return { reports, stopped };
    }
  }
  return { reports, stopped: undefined };
}

/** Sends the batches of one request, and keeps its report. `probes` sends the first batch alone, where the service's time is unknown. */
async function sendRequest(
  { system, signal, texts }: Runtime,
  { client, output, clockAheadMs, now }: Session,
  { journal, branch, probes }: Pick<OpenJournal, "journal" | "branch"> & { probes: boolean },
  request: UnboundRequest,
): Promise<PushReport> {
  const confirmed = (await journal.catalog.isKept(branch)) ? trackConfirmed(branch, request) : undefined;

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
    ...(confirmed && { confirmed }),
    ...(probes && { clockAheadMs }),
  };
  // The journal names the file as it can be pushed again from any folder.
  const file = request.file && (request.file === "-" ? "-" : resolve(system.cwd, request.file));
  const report = await sendBatches({ ...request, branch, file }, tools).finally(bar.clear);
  if (request.items.length === 0) report.lastPushAt = await journal.pushes.lastAnswered(branch);
  await keepReport(output, journal, report);

  const { gone: found, stale = false } = confirmed?.contradictions ?? {};
  const gone = [...(found ?? [])];
  // If every row was sent, no row was skipped because of what the journal knew.
  if (request.unchanged > 0 && (gone.length > 0 || stale))
    await output.warning(knownWrongText(gone, request.unchanged, t));
  return report;
}

/** Says that the service lacks products that this journal knows; `gone` are codes that were confirmed. */
function knownWrongText(gone: readonly string[], unchanged: number, t: T): string {
  const codes = gone.slice(0, 3).join(", ");
  const wrong =
    gone.length === 0
      ? t("Warning: the service has newer data than this journal for some confirmed products.")
      : gone.length > 3
        ? t("Warning: confirmed products are no longer in the service: {codes} and {more} more.", {
            codes,
            more: gone.length - 3,
          })
        : t("Warning: confirmed products are no longer in the service: {codes}.", { codes });
  const mayDiffer = t(
    "{count, plural, one {The # row skipped as unchanged could differ too.} other {The # rows skipped as unchanged could differ too.}} Push the file once without --changed-only.",
    { count: unchanged },
  );
  return `${wrong} ${mayDiffer}`;
}

/** Adds facts to a failure. A 403 can be caused by the store id or the key, unless products were accepted with that key. */
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

/** Reports what was sent, and then throws what stopped it. */
async function reportPush(
  runtime: Runtime,
  session: Session,
  prepared: PreparedPush,
  { journal, reports, stopped }: Awaited<ReturnType<typeof sendRequests>> & { journal: Journal },
): Promise<void> {
  const { output } = session;
  const [first] = reports;
  if (first === undefined) return;
  const unwritten = await writeRejected(runtime, { journal, output }, prepared, first);
  // It was kept before that file was written: a crash in between must not lose the report.
  if (first.rejected_file !== null) await keepReport(output, journal, first);

  runtime.outcome = first.outcome;
  const ended = stopped ?? unwritten;
  // Set before writing: a closed pipe must not hide an unknown outcome.
  runtime.exitCode = pushExitCode(reports, ended);

  await writeReports(session, prepared, reports);
  if (stopped && unwritten) await output.warning(await describeError(unwritten, output.texts));
  if (ended) throw ended;
}
