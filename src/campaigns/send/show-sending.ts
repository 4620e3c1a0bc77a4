import type { Output } from "../../cli/display/output.ts";
import { startProgress } from "../../cli/display/progress.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session/session.ts";
import type { Journal } from "../../journal/journal.ts";
import { findDoubts, type SendResult, sendReportJson } from "./report.ts";
import type { CallTools } from "./send-calls.ts";
import { type SendReportContext, sendReport, statusHint } from "./view.ts";

/** Runs `work` with what calls are sent with, behind a progress bar. */
export async function withProgress<T>(
  { system, signal }: Runtime,
  { client, output, clockAheadMs }: Session,
  journal: Journal,
  work: (tools: CallTools) => Promise<T>,
): Promise<T> {
  const bar = startProgress(system, output, "");
  const onProgress: CallTools["onProgress"] = ({ calls, allCalls, people, allPeople }) =>
    bar.update(people, allPeople, output.texts.notices.sending(calls, allCalls));
  const { clock } = system;
  return work({ client, journal, clock, signal, clockAheadMs, onProgress }).finally(bar.clear);
}

export async function writeSendReport(
  output: Output,
  { report, sentAt }: SendResult,
  context: SendReportContext,
): Promise<void> {
  if (output.format !== "table") return output.document(sendReportJson(report));
  const { outcome, invalid, recipients } = report;
  const isAllWell = outcome === "sent" && invalid.length === 0 && recipients.errors.length === 0;
  if (output.quiet && isAllWell) return;
  await output.data(sendReport(report, output.ui, { ...context, sentAt }));
}

export async function warnOfAnswers(output: Output, { report, mismatches }: SendResult): Promise<void> {
  const { notices } = output.texts;
  await output.mismatches(mismatches);
  const doubts = findDoubts(report.campaigns);
  if (doubts === undefined) return;

  const { unaccounted, people, unconfirmed } = doubts;
  const next = statusHint(report, output.texts);
  if (unaccounted > 0) await output.warning(notices.unaccounted(unaccounted, people, next));
  const [first, ...more] = unconfirmed;
  if (first !== undefined)
    await output.warning(notices.statusNotSent(first.campaign_id ?? "", first.status, more.length, next));
}
