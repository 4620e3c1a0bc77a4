import { age, count, dateTime } from "../../cli/display/format.ts";
import type { Output } from "../../cli/display/output.ts";
import { startProgress } from "../../cli/display/progress.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { OpenJournal, Session } from "../../cli/session/session.ts";
import { BposError, isReason } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import { statusName } from "../status/view.ts";
import { findDoubts, type SendResult, sendReportJson, waitingJson } from "./report.ts";
import type { CallTools, SendEvent, Wait } from "./send-calls.ts";
import { type SendReportContext, sendReport, statusHint } from "./view.ts";

/** A machine that was asleep, or whose clock was set, waits this much too long at most. */
const maxSleepMs = 60_000;
/** However long another send takes: this one has waited longer. */
const maxLockWaitMs = 24 * 3_600_000;

/** What others read of a process that waits: it is at work for this send. */
async function markWaiting({ lock }: OpenJournal, { sendId }: Wait): Promise<() => Promise<void>> {
  try {
    return (await lock("send", { consumer: sendId, waitMs: 0 })).release;
  } catch (error) {
    if (!isReason(error, "locked")) throw error;
    // Another process waits for it too.
    return () => Promise.resolve();
  }
}

/** Waits without the lock, which other sends of the branch need meanwhile. */
const pauseWith =
  ({ system: { clock }, signal }: Runtime, open: OpenJournal) =>
  async (journal: Journal, wait: Wait): Promise<Journal> => {
    await journal.release();
    const unmark = await markWaiting(open, wait);
    try {
      while (clock.now() < wait.at && !signal.aborted)
        await clock.sleep(Math.min(wait.at - clock.now(), maxSleepMs), signal);
      if (signal.aborted) throw new BposError("interrupted", { during: "work" });
      return await open.lock("send", { waitMs: maxLockWaitMs });
    } finally {
      await unmark().catch(() => undefined);
    }
  };

/** Tells what the rest waits for, once for each wait; a pace shows in the progress. */
function tellWith(
  { system: { clock } }: Runtime,
  { output }: Session,
  clear: () => Promise<void>,
): CallTools["tell"] {
  let said = "";
  const { errorUi, texts } = output;
  return async (event: SendEvent) => {
    await clear();
    if (event.event === "canary_passed") {
      const { ref, failed, people } = event;
      return output.notice(texts.send.canaryPassed(count(failed, errorUi), count(people, errorUi)), {
        event: "send.canary_passed",
        ref,
      });
    }
    const { wait } = event;
    const { reason, until, sendId, ref, people } = wait;
    if (reason === "pace" || said === `${reason} ${until}`) return;
    said = `${reason} ${until}`;
    const about = { event: "send.waiting", send_id: sendId, external_ref: ref } as const;
    if (output.format === "ndjson") await output.document({ ...about, ...waitingJson(wait) });
    const when = { at: dateTime(until, errorUi), left: age(until - clock.now()) };
    await output.notice(texts.send.waits(reason, count(people, errorUi), when, ref), about);
  };
}

interface SendHow<T> extends Pick<CallTools, "inFlight"> {
  lockWait: number | undefined;
  work: (tools: CallTools) => Promise<T>;
}

/** Runs `work` with what calls are sent with, behind a progress bar. */
export async function withProgress<T>(
  runtime: Runtime,
  session: Session,
  open: OpenJournal,
  { lockWait: waitMs, inFlight, work }: SendHow<T>,
): Promise<T> {
  const { system, signal } = runtime;
  const { client, output, clockAheadMs, worldTime } = session;
  const journal = await open.lock("send", { waitMs });
  const bar = startProgress(system, output, "");
  const onProgress: CallTools["onProgress"] = ({ calls, allCalls, people, allPeople }) =>
    bar.update(people, allPeople, output.texts.notices.sending(calls, allCalls));
  const { clock } = system;
  const tools: CallTools = {
    client,
    journal,
    clock,
    signal,
    clockAheadMs,
    worldTime,
    inFlight,
    onProgress,
    pause: (wait) => pauseWith(runtime, open)(tools.journal, wait),
    tell: tellWith(runtime, session, bar.clear),
  };
  return work(tools).finally(bar.clear);
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
  if (first === undefined) return;
  const status = first.status === null ? null : statusName(first.status, output);
  await output.warning(notices.statusNotSent(first.campaign_id ?? "", status, more.length, next));
}
