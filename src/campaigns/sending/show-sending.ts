import { age, count, dateTime } from "../../cli/display/format.ts";
import type { Output } from "../../cli/display/output.ts";
import { startProgress } from "../../cli/display/progress.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { OpenJournal, Session } from "../../cli/session/session.ts";
import { BposError, isReason } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import { shellWord } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import { findDoubts, type SendResult, sendReportJson, waitingJson } from "../send-report.ts";
import { statusName } from "../words.ts";
import type { CallTools, SendEvent, Wait } from "./call-tools.ts";
import { type SendReportContext, sendReport, statusHint } from "./report-view.ts";

/** A machine that was asleep, or whose clock was set, waits this much too long at most. */
const maxSleepMs = 60_000;
/** However long another send takes, this one has waited longer. */
const maxLockWaitMs = 24 * 3_600_000;

/** Takes a lock that shows other processes that this one is working on the send. Returns a function that releases it. */
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

/** Says what the other recipients wait for, and how to continue. */
function waitsText({ reason, until, ref, people }: Wait, leftMs: number, ui: Ui): string {
  const { t } = ui.texts;
  const facts = { count: count(people, ui), at: dateTime(until, ui), left: age(leftMs) };
  const words: Record<Wait["reason"], () => string> = {
    at: () =>
      t(
        "{count, plural, one {# recipient waits} other {# recipients wait}} until {at} ({left} left).",
        facts,
      ),
    hours: () =>
      t(
        "{count, plural, one {# recipient is} other {# recipients are}} outside their hours. Waiting until {at} ({left} left).",
        facts,
      ),
    pace: () => t("The next call goes out at {at}.", { at: facts.at }),
    canary: () =>
      t(
        "Waiting for the canary's status, until {at} at the latest ({left} left). Then {count, plural, one {# more recipient follows} other {# more recipients follow}}.",
        facts,
      ),
  };
  const resume = t("Press Ctrl-C to stop; bpos campaign resume {ref} continues.", { ref: shellWord(ref) });
  return `${words[reason]()} ${resume}`;
}

/** Says what the rest waits for, once per wait; a pace shows in the progress bar. */
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
      const passed = texts.t(
        "Canary: {failed} of {all, plural, one {# recipient} other {# recipients}} failed. Sending to the rest.",
        { failed: count(failed, errorUi), all: count(people, errorUi) },
      );
      return output.notice(passed, { event: "send.canary_passed", ref });
    }
    const { wait } = event;
    const { reason, until, sendId, ref } = wait;
    if (reason === "pace" || said === `${reason} ${until}`) return;
    said = `${reason} ${until}`;
    const about = { event: "send.waiting", send_id: sendId, external_ref: ref } as const;
    if (output.format === "ndjson") await output.document({ ...about, ...waitingJson(wait) });
    await output.notice(waitsText(wait, until - clock.now(), errorUi), about);
  };
}

interface SendHow<T> extends Pick<CallTools, "inFlight"> {
  lockWait: number | undefined;
  work: (tools: CallTools) => Promise<T>;
}

/** Locks the branch and calls `work` with the tools for sending calls, with a progress bar. */
export async function withCallTools<T>(
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
    bar.update(
      people,
      allPeople,
      output.texts.t("Sending, {calls} of {all, plural, one {# call} other {# calls}}", {
        calls,
        all: allCalls,
      }),
    );
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

/** `status`: null where an answer has none; `more`: how many others are not "sent" either. */
function notSentText(id: string, status: string | null, more: number, t: T): string {
  if (status === null)
    return more === 0
      ? t("Warning: the response for campaign {id} has no status.", { id })
      : t(
          'Warning: the response for campaign {id} has no status, and {more, plural, one {# more campaign is} other {# more campaigns are}} not "sent" either.',
          { id, more },
        );
  return more === 0
    ? t('Warning: campaign {id} has the status "{status}", not "sent".', { id, status })
    : t(
        'Warning: campaign {id} has the status "{status}", not "sent", and {more, plural, one {# more campaign is} other {# more campaigns are}} not "sent" either.',
        { id, status, more },
      );
}

export async function warnOfAnswers(output: Output, { report, mismatches }: SendResult): Promise<void> {
  const { t } = output.texts;
  await output.mismatches(mismatches);
  const doubts = findDoubts(report.campaigns);
  if (doubts === undefined) return;

  const { unaccounted, people, unconfirmed } = doubts;
  const next = statusHint(report, t);
  const unsaid = t(
    "Warning: the service does not account for {count} of {all, plural, one {# recipient} other {# recipients}}, as added, duplicates or errors.",
    { count: unaccounted, all: people },
  );
  if (unaccounted > 0) await output.warning(`${unsaid} ${next}`);
  const [first, ...more] = unconfirmed;
  if (first === undefined) return;
  const status = first.status === null ? null : statusName(first.status, output);
  const said = notSentText(first.campaign_id ?? "", status, more.length, t);
  await output.warning(`${said} ${next}`);
}
