import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session/session.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { BposError } from "../../errors.ts";
import { openExistingJournal } from "../existing-journal.ts";
import { sliceItems } from "../item-list.ts";
import { warnOfZeros } from "./prices-to-zero.ts";
import { newReport, type PushReport } from "./report.ts";
import type { PreparedPush, UnboundRequest } from "./request.ts";
import { previewBodies } from "./send-batches.ts";
import { writeRejected, writeReports } from "./write-reports.ts";

const maxShown = 5;

async function previewRequests(session: Session, prepared: PreparedPush): Promise<readonly UnboundRequest[]> {
  const { request, plan } = prepared;
  const hasFree = (request.prices?.free.length ?? 0) > 0;
  if (plan === undefined && !hasFree) return [request];

  const { journal, branch } = await openExistingJournal(session);
  const requests = (await plan?.(journal, branch)) ?? [request];
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
export async function previewPush(runtime: Runtime, session: Session, prepared: PreparedPush): Promise<void> {
  const { system } = runtime;
  const { output, wouldCall } = session;
  const requests = await previewRequests(session, prepared);
  const now = session.now();
  const reports = requests.map((each) => previewReport(each, system, now));
  const [report] = reports;

  let unwritten: BposError | undefined;
  if (prepared.flags.rejected !== undefined && report !== undefined && report.rejected.length > 0) {
    const { journal } = await session.openJournal();
    unwritten = await writeRejected(runtime, { output, journal }, prepared, report);
  }

  runtime.outcome = report?.outcome;
  await writeReports(session, prepared, reports);
  if (wouldCall !== undefined && prepared.request.dryRun)
    for (const each of requests)
      for (const body of previewBodies({ ...each, branch: "" }, now)) wouldCall("pushCatalog", body);
  if (unwritten) throw unwritten;
}
