import { resolve } from "node:path";
import type { Runtime } from "../../cli/runtime.ts";
import { isWatched } from "../../cli/session/scheduled-pushes.ts";
import type { Session } from "../../cli/session/session.ts";
import { exitCodes } from "../../errors.ts";
import type { RejectedRow } from "../../input/table.ts";
import type { ScheduledItems } from "../../journal/scheduled.ts";
import {
  type PushWork,
  previewReport,
  type UnboundRequest,
  warnOfZeros,
  writeRejected,
  writeReports,
} from "./carry-out.ts";
import type { PushFlags } from "./command.ts";
import type { PushItems, Scheduled } from "./plan.ts";
import { lacksPrices, type PushReport } from "./report.ts";
import { keptReportJson } from "./view.ts";

const rowsAtOnce = 1_000;

/** What a push is sent with at its time, beside its products. */
export interface SendingPlan {
  flags: Pick<
    PushFlags,
    "changedOnly" | "deactivateMissing" | "maxDeactivate" | "maxPriceChange" | "strict" | "force"
  >;
  request: Pick<UnboundRequest, "read" | "batchSize" | "inFlight" | "storeId">;
  /** The rows of its file that are not sent. */
  rejected: readonly RejectedRow[];
}

function toPlan({ request, flags }: PushWork): SendingPlan {
  const { changedOnly, deactivateMissing, maxDeactivate, maxPriceChange, strict, force } = flags;
  const { read, batchSize, inFlight, storeId } = request;
  return {
    flags: { changedOnly, deactivateMissing, maxDeactivate, maxPriceChange, strict, force },
    request: { read, batchSize, inFlight, storeId },
    rejected: Array.from(request.rejected, (row) => ({ ...row, cells: [] })),
  };
}

function* toRows(items: PushItems): Generator<ScheduledItems & { first_row: number }> {
  for (let first = 0; first < items.length; first += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, items.length - first);
    const lines = Array.from({ length: count }, (_, n) => items.line(first + n));
    const json = items.json(first, count).toString();
    yield { first_row: first, lines: JSON.stringify(lines), items: `[${json}]` };
  }
}

/** Checks a push as if it were sent now, and writes down what is to be sent at its time. Throws what a guard refuses. */
export async function schedulePush(
  runtime: Runtime,
  session: Session,
  work: PushWork,
  dueAt: number,
): Promise<void> {
  const { system, texts } = runtime;
  const { output } = session;
  const { journal, branch } = await session.openJournal();
  await journal.refuseOlder();
  // From here on the journal has to know what is pushed before it is sent.
  await journal.catalog.keep(branch);
  const planned = (await work.requestsFor?.(journal, branch)) ?? [work.request];
  const requests = await warnOfZeros(output, journal.catalog, branch, planned);

  const scheduled: Scheduled = { id: system.uuid(), dueAt, leftAlone: [] };
  const at = system.clock.now();
  const reports = requests.map((request): PushReport => {
    const report = previewReport({ ...request, scheduled }, system, at);
    return { ...report, push_id: scheduled.id, outcome: "waiting" };
  });
  const [report] = reports;
  if (report === undefined) return;
  const unwritten = await writeRejected(runtime, { journal, output }, work, report);

  const { file } = work.request;
  const { planned: _, compared: __, ...kept } = report;
  const push = {
    push_id: scheduled.id,
    branch,
    at,
    due_at: dueAt,
    file: file && (file === "-" ? file : resolve(system.cwd, file)),
    plan: JSON.stringify(toPlan(work)),
    report: JSON.stringify(keptReportJson(kept)),
  };
  await journal.scheduled.add(push, toRows(work.request.items));

  runtime.outcome = report.outcome;
  if (report.rejected.length > 0 || lacksPrices(report)) runtime.exitCode = exitCodes.partial;
  await writeReports(session, work, reports);
  if (!(await isWatched(journal, branch))) await output.warning(texts.push.scheduled.noWatch);
  if (unwritten) throw unwritten;
}
