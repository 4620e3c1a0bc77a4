import { age, count, dateTime, isoTimeToSecond } from "../../cli/display/format.ts";
import { describeError, type Output } from "../../cli/display/output.ts";
import { openFrame } from "../../cli/display/progress.ts";
import { textStream } from "../../cli/display/terminal.ts";
import { canRedraw, type Ui } from "../../cli/display/ui.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { isTraced } from "../../cli/session/trace.ts";
import { backoffMs, isoWithOffset } from "../../contract/limits.ts";
import { BposError, isReason } from "../../errors.ts";
import { isJournalAway, journalFailure } from "../../journal/engine/engine.ts";
import { shellWord } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import { type CampaignsStatus, isFinal, type readCampaigns } from "../read-campaigns.ts";
import { changesSince } from "./changes.ts";
import type { StatusFlags } from "./command.ts";
import type { KnownRecipients } from "./known-recipients.ts";
import type { StatusesFound } from "./only-statuses.ts";
import {
  campaignsStatusJson,
  changeLine,
  countsLine,
  noAnswerText,
  notFound,
  type WatchFrame,
  watchFrame,
} from "./view.ts";

const maxRetryAfterMs = 60 * 60_000;

export interface StatusPoll {
  status: Awaited<ReturnType<typeof readCampaigns>>;
  shown: CampaignsStatus;
  found?: StatusesFound;
  known: KnownRecipients;
  pending: number;
  all: number;
  /** When the calls without an answer can go on, if they wait; epoch milliseconds. */
  waitsUntil?: number | undefined;
}

export function describePending(
  { pending, all, waitsUntil }: Pick<StatusPoll, "pending" | "all" | "waitsUntil">,
  t: T,
  ui: Ui,
  ref: string,
): string {
  const facts = { count: count(pending, ui), all: count(all, ui), ref: shellWord(ref) };
  return waitsUntil === undefined
    ? t(
        "{count} of {all, plural, one {# call} other {# calls}} {count, plural, one {has} other {have}} no answer yet: bpos campaign resume {ref}",
        facts,
      )
    : t(
        "{count} of {all, plural, one {# call} other {# calls}} {count, plural, one {waits} other {wait}} until {at}. If the bpos that sends them was stopped: bpos campaign resume {ref}",
        { ...facts, at: dateTime(waitsUntil, ui) },
      );
}

interface Step {
  came: StatusPoll | BposError;
  at: number;
  /** Undefined after the last poll. */
  nextAt: number | undefined;
  remarks: readonly string[];
}

interface Show {
  step: (step: Step) => Promise<void>;
  tick?: () => Promise<void>;
}

/** Shows the polls as one picture that is drawn again in place. */
function showFrame({ system }: Runtime, output: Output): Show {
  const { stdout, clock } = system;
  const frame = openFrame(textStream(stdout, system));
  let now: WatchFrame = { nextAt: 0, remarks: [] };
  const draw = (): Promise<void> => {
    // A window is resized at any time. In the last column and the last row, a terminal wraps or scrolls on its own.
    const width = Math.max(1, (stdout.columns() ?? 80) - 1);
    const rows = Math.max(1, (stdout.rows() ?? 24) - 1);
    return frame.draw(watchFrame(now, { ...output.ui, width, now: clock.now() }, rows));
  };
  return {
    tick: draw,
    async step({ came, at, nextAt, remarks }) {
      if (came instanceof BposError) now = { ...now, trouble: await describeError(came, output.ui.texts) };
      else {
        const { shown: status, found, known } = came;
        now = { ...now, status, found, known, polledAt: at, trouble: undefined };
      }
      now = { ...now, nextAt, remarks };
      await draw();
    },
  };
}

/** Calls `write` with each poll; remarks once each. */
function showLines(output: Output, write: (poll: StatusPoll, at: number) => Promise<void> | void): Show {
  const told = new Set<string>();
  return {
    async step({ came, at, remarks }) {
      if (!(came instanceof BposError)) await write(came, at);
      else
        await output.notice(noAnswerText(await describeError(came, output.texts), output.texts.t), {
          event: "poll.failed",
          reason: came.reason,
        });
      for (const remark of remarks.filter((each) => !told.has(each))) await output.notice(remark);
      for (const remark of remarks) told.add(remark);
    },
  };
}

/** A line for each change, without what a terminal could redraw. */
function showChanges(output: Output): Show {
  const { ui, errorUi } = output;
  let before: CampaignsStatus | undefined;
  let counted = "";
  return showLines(output, async ({ shown, found }, at) => {
    if (before === undefined) for (const text of notFound(found, errorUi)) await output.notice(text);

    const line = countsLine(shown, ui);
    const news = changesSince(before, shown).map((change) => changeLine(change));
    if (line !== counted) news.unshift(line);
    counted = line;
    before = shown;

    const time = isoTimeToSecond(isoWithOffset(at), ui);
    const text = news.map((each) => `${time}  ${each}\n`).join("");
    if (text !== "") await output.data(text);
  });
}

function openShow(runtime: Runtime, output: Output, watch: boolean, several: boolean): Show {
  const { format } = output;
  if (!watch || format === "json" || format === "csv") return showLines(output, () => undefined);
  if (format === "ndjson")
    return showLines(output, ({ shown }) => output.document(campaignsStatusJson(shown, several)));
  const { stdout, log } = runtime.system;
  const isLive = !isTraced(runtime.flags) && log === undefined && canRedraw(stdout, runtime.system);
  return isLive ? showFrame(runtime, output) : showChanges(output);
}

async function pause(
  { system: { clock }, signal }: Runtime,
  until: number,
  tick: Show["tick"],
): Promise<void> {
  while (clock.now() < until && !signal.aborted) {
    await tick?.();
    const leftMs = until - clock.now();
    await clock.sleep(tick ? Math.min(1_000, leftMs) : leftMs, signal);
  }
  if (signal.aborted) throw new BposError("interrupted", { during: "follow" });
  await tick?.();
}

/** Failures that the next poll may not have. */
const isPassing = (came: unknown): came is BposError<"unavailable" | "unreadable_answer"> =>
  isReason(came, "unavailable") || isReason(came, "unreadable_answer");

/** Returns how long the service asked to wait, milliseconds; an invalid Retry-After must not end a watch. */
const retryAfterMs = (came: unknown): number =>
  isPassing(came) ? Math.min(came.facts.retryAfterMs ?? 0, maxRetryAfterMs) : 0;

/** Polls once; returns failures that the next poll may not have, and throws any other. */
async function tryPoll(
  { signal }: Runtime,
  read: () => Promise<StatusPoll>,
  last: StatusPoll | undefined,
): Promise<StatusPoll | BposError> {
  try {
    return await read();
  } catch (error) {
    if (signal.aborted) throw new BposError("interrupted", { during: "follow" });
    // A database that cannot be reached at the start may be the wrong one.
    if (isJournalAway(error) && last !== undefined) return journalFailure(error);
    if (!isPassing(error)) throw error;
    return error;
  }
}

const overText = (limit: string, t: T): string =>
  t("--wait ended after {limit}. Some statuses are not final yet.", { limit });

/** Polls until everything is final or `--wait` ends. */
export async function follow(
  runtime: Runtime,
  output: Output,
  read: () => Promise<StatusPoll>,
  { ref = "", watch = false, wait, several }: StatusFlags & { several: boolean },
): Promise<{ last: StatusPoll; final: boolean }> {
  const { system, texts } = runtime;
  const { clock } = system;
  const { t } = texts;
  const limit = age(wait ?? 0);
  const until = clock.now() + (wait ?? Number.POSITIVE_INFINITY);
  const show = openShow(runtime, output, watch, several);

  await show.tick?.();
  if (!watch && system.stderr.isTerminal)
    await output.notice(
      t("Waiting up to {limit} for every status to be final. Press Ctrl-C to stop.", { limit }),
    );

  let last: StatusPoll | undefined;
  for (let polls = 1; ; polls++) {
    const came = await tryPoll(runtime, read, last);
    const at = clock.now();
    if (!(came instanceof BposError)) last = came;
    else if (last === undefined && at >= until) throw came;

    const final = last === came && last.pending === 0 && last.status.campaigns.every(isFinal);
    const isOver = final || at >= until;
    const pauseMs = backoffMs(polls, { firstMs: 5_000, maxMs: 60_000 });
    // The last poll starts when the time is over, not a minute earlier.
    const nextAt = Math.min(at + Math.max(pauseMs, retryAfterMs(came)), until);

    const remarks: string[] = [];
    if (last !== undefined && last.pending > 0) remarks.push(describePending(last, t, output.ui, ref));
    if (isOver) remarks.push(final ? t("Every status is final.") : overText(limit, t));

    await show.step({ came, at, nextAt: isOver ? undefined : nextAt, remarks });
    if (isOver && last !== undefined) return { last, final };
    await pause(runtime, nextAt, show.tick);
  }
}
