import type { Output } from "../../cli/output.ts";
import { type ProgressBar, startProgress } from "../../cli/progress.ts";
import type { ReportSource } from "../../cli/text.ts";
import { isReason } from "../../errors.ts";
import type { System } from "../../system.ts";
import { type SendReport, type SendResult, sendReportJson } from "./report.ts";
import type { SendProgress } from "./send-calls.ts";
import { type ErrorsFile, sendReport } from "./view.ts";

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

/** Writes the report of a send; with --quiet none where all is well. */
export async function writeSendReport(
  output: Output,
  { report, sentAt, failure }: Pick<SendResult, "report" | "failure"> & Partial<SendResult>,
  context: ReportSource & { leftOutShown?: boolean; errorsFile?: ErrorsFile | null },
): Promise<void> {
  if (output.format !== "table") return output.document(sendReportJson(report));
  const { outcome, invalid, recipients } = report;
  if (output.quiet && outcome === "sent" && invalid.length === 0 && recipients.errors.length === 0) return;
  const text = sendReport(report, output.ui, {
    ...context,
    sentAt,
    // A person who sees both streams has just read them.
    leftOutShown: context.leftOutShown === true && output.ui.width !== undefined,
    // What was too late, or held, is not settled by the same command again: its error says by what.
    isResumed: !isReason(failure, "too_late_unknown") && !isReason(failure, "repeat_held_unknown"),
  });
  await output.data(text);
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
