import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { describeError } from "../../cli/display/output.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session/session.ts";
import { isSameState } from "../../input/files/file.ts";
import type { Journal } from "../../journal/journal.ts";
import { fileName } from "../../texts/phrases.ts";
import { askAhead, timeAsker, warnOfClocks } from "./clocks.ts";
import { pushExitCode } from "./exit-code.ts";
import { warnOfZeros } from "./prices-to-zero.ts";
import { keepReport } from "./report-json.ts";
import type { PreparedPush, UnboundRequest } from "./request.ts";
import { sendRequests } from "./send-requests.ts";
import { warnOfCategories } from "./stations.ts";
import { writeRejected, writeReports } from "./write-reports.ts";

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
  // Before anything is written: a reader that is gone must not make an unknown outcome look well.
  runtime.exitCode = pushExitCode(reports, ended);

  await writeReports(session, prepared, reports);
  if (stopped && unwritten) await output.warning(await describeError(unwritten, output.texts));
  if (ended) throw ended;
}

/** Waits for the lock, plans by what is known then, checks the clocks, sends and reports. Throws what stopped it, once it is reported. */
export async function sendPush(runtime: Runtime, session: Session, given: PreparedPush): Promise<void> {
  const { output } = session;
  const { lockWait: waitMs, force = false } = given.flags;
  const isSentNow = given.plan === undefined && given.request.items.length > 0;
  const askTheTime = askAhead(runtime.system, timeAsker(runtime, session, force), isSentNow);
  const opened = await session.openJournal();
  const { branch, lock } = opened;
  const journal = await lock("push", { waitMs });

  // Whoever waited longer may have the lock later: by then its prices may be old.
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
