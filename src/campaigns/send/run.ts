import type { Output } from "../../cli/output.ts";
import { type ProgressBar, startProgress } from "../../cli/progress.ts";
import type { ReportSource } from "../../cli/report-title.ts";
import { BposError, exitCodes, exitNameOf, isReason } from "../../errors.ts";
import type { System } from "../../system.ts";
import type { SendReport, SendResult } from "./report.ts";
import type { SendProgress } from "./send-calls.ts";
import type { ErrorsFile } from "./view.ts";

/** Begins the progress line of a send: calls, and people. */
export function startSending(
  system: System,
  output: Output,
): { update: (progress: SendProgress) => void; clear: ProgressBar["clear"] } {
  const bar = startProgress(system, output, "");
  return {
    update: ({ calls, allCalls, people, allPeople }) =>
      bar.update(people, allPeople, output.texts.notices.sending(calls, allCalls)),
    clear: bar.clear,
  };
}

/** What of a report is not in the report itself. */
interface ReportContext extends ReportSource {
  sentAt?: number | undefined;
  /** Whether the rows that were left out were shown before the question. */
  leftOutShown?: boolean;
  /** Where those rows were written. */
  errorsFile?: ErrorsFile | null;
  failure?: BposError | undefined;
}

const isAllWell = ({ outcome, invalid, recipients }: SendReport): boolean =>
  outcome === "sent" && invalid.length === 0 && recipients.errors.length === 0;

/** Writes the report of a send. */
export async function writeSendReport(
  output: Output,
  report: SendReport,
  context: ReportContext,
): Promise<void> {
  const { sendReport, sendReportJson } = await import("./view.ts");
  if (output.format !== "table") await output.document(sendReportJson(report));
  if (output.format === "table" && !(output.quiet && isAllWell(report))) {
    const { isoWithOffset } = await import("../../contract/instants.ts");
    const { sentAt, leftOutShown, errorsFile = null, failure, file, branch } = context;
    await output.data(
      sendReport(report, output.ui, {
        ...{ file, branch },
        sentAt: sentAt === undefined ? undefined : isoWithOffset(sentAt),
        // A person who sees both streams has just read them.
        leftOutShown: leftOutShown === true && output.ui.width !== undefined,
        errorsFile,
        // What was too late, or held, is not settled by the same command again: its error says by what.
        isResumed: !isReason(failure, "too_late_unknown") && !isReason(failure, "repeat_held_unknown"),
      }),
    );
  }
}

/** Says what the answers to a send leave open, and how to find out. */
export async function warnOfDoubts(output: Output, report: SendReport): Promise<void> {
  const { send, notices } = output.texts;
  const { unaccounted, people, unsent } = report.doubts ?? { unaccounted: 0, people: 0, unsent: [] };
  const ids = report.campaigns.flatMap(({ campaign_id: id }) => (id === null ? [] : [id]));
  const [id = ""] = ids;
  const next = ids.length > 1 ? send.statusHintRef(report.external_ref) : send.statusHint(id);
  if (unaccounted > 0) await output.warning(notices.unaccounted(unaccounted, people, next));
  const [first, ...more] = unsent;
  if (first !== undefined)
    await output.warning(notices.statusNotSent(first.campaign_id, first.status, more.length, next));
}

/** A send whose parts were refused, by us or by the service, or are not accounted for, is done in part. */
export function sendExitCode({ report, failure }: Pick<SendResult, "report" | "failure">): number {
  if (failure) return exitCodes[exitNameOf[failure.reason]];
  const { outcome, invalid, recipients } = report;
  const isPartial = outcome === "partial" || invalid.length > 0 || recipients.errors.length > 0;
  return isPartial ? exitCodes.partial : exitCodes.ok;
}

/** What stopped a send, with the reference under which it is resumed. */
export function sendFailure({
  report,
  failure,
}: Pick<SendResult, "report" | "failure">): BposError | undefined {
  const ref = report.external_ref;
  if (isReason(failure, "outcome_unknown"))
    return new BposError("outcome_unknown", { ...failure.facts, ref }, { cause: failure });
  if (isReason(failure, "journal_write_failed"))
    return new BposError("journal_write_failed", { ...failure.facts, ref }, { cause: failure });
  if (isReason(failure, "interrupted"))
    return new BposError("interrupted", { ...failure.facts, ref }, { cause: failure });
  return failure;
}
