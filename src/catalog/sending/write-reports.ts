import type { Output } from "../../cli/display/output.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { writeRejectedFile } from "../../cli/files/rejected-file.ts";
import { rejectedCsv } from "../../cli/files/rejected-rows.ts";
import { removeReport } from "../../cli/files/report-files.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session/session.ts";
import { BposError } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import type { T } from "../../texts/texts.ts";
import { changesInShort } from "../changes-view.ts";
import { isAllWell } from "./exit-code.ts";
import type { PushReport } from "./report.ts";
import { pushReportJson } from "./report-json.ts";
import type { PreparedPush } from "./request.ts";
import { hasNoPrices } from "./verdict.ts";
import { notRetried, pushReport, staleWhy } from "./view.ts";

/**
 * Writes the rejected rows of `--rejected`, or removes an earlier file of them, whose prices are stale. Returns a failure
 * instead of throwing it, since the push must still be reported.
 */
export async function writeRejected(
  runtime: Runtime,
  desk: { journal: Journal; output: Output },
  { request, flags: { rejected: file }, sheet }: PreparedPush,
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

/** Writes the reports in the format that was asked, and warns of what a format does not show. */
export async function writeReports(
  { output, branchName: branch }: Session,
  { request: { file }, sheet }: PreparedPush,
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
      "Warning: in {count, plural, one {# batch} other {# batches}}, the accepted, rejected and stale counts do not add up to the number sent.",
      { count: sumsDiffer },
    );
    if (sumsDiffer > 0) await output.warning(differ);
  }
}
