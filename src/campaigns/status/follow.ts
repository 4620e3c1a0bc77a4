import { numberOf, textOf } from "../../api/json.ts";
import { age, count } from "../../cli/format.ts";
import { type Output, said } from "../../cli/output.ts";
import { openFrame } from "../../cli/progress.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { canRedraw, forPeople } from "../../cli/terminal.ts";
import type { CampaignStatus } from "../../contract/campaign.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError, isReason } from "../../errors.ts";
import {
  type CampaignsStatus,
  type KnownRecipients,
  recipientsOf,
  type StatusesFound,
  type StatusReading,
} from "./read.ts";
import {
  campaignsStatusJson,
  changeLine,
  countsLine,
  notFound,
  type RecipientChange,
  type WatchFrame,
  watchFrame,
} from "./view.ts";

const firstPauseMs = 5_000;
const maxPauseMs = 60_000;
const pauseGrowth = 1.5;
/** A service that asks for more is asked again all the same: a wrong header must not end a watch. */
const maxRetryAfterMs = 60 * 60_000;
const tickMs = 1_000;

/** Statuses from which a message is expected to move on. */
const underWay: ReadonlySet<string | null> = new Set(["pending", "sent"]);

/**
 * True when nothing more is expected of a campaign: its count `pending` is 0, and no recipient that it lists is `pending`
 * or `sent`. Without that count it takes a status, and none of those two, for everybody.
 */
export function isFinal(campaign: CampaignStatus): boolean {
  const statuses = recipientsOf(campaign).map((recipient) => textOf(recipient["status"]));
  if (statuses.some((status) => underWay.has(status))) return false;
  const pending = numberOf(campaign.counts?.pending);
  if (pending !== undefined) return pending === 0;
  const total = numberOf(campaign.counts?.total_recipients) ?? statuses.length;
  return statuses.length > 0 && statuses.length >= total && !statuses.includes(null);
}

export interface StatusPoll {
  status: StatusReading;
  /** What is to be shown of it, and what came of --only. */
  kept: { status: CampaignsStatus; found?: StatusesFound };
  /** Calls of the reference that have no campaign yet, and all of its calls. */
  pending: number;
  all: number;
  known: KnownRecipients;
}

/** A poll of a watch, or why it brought nothing; `nextAt` is when the next one begins, undefined when there is none. */
interface Step {
  came: StatusPoll | BposError;
  final: boolean;
  at: number;
  nextAt: number | undefined;
}

export interface Following {
  ref: string;
  several: boolean;
  /** Shows each poll, not only the last one. */
  watch: boolean;
  /** After so many milliseconds it ends with a last poll; without it, only when everything is final. */
  waitMs: number | undefined;
  /** False where other lines would get into the picture. */
  live: boolean;
}

const isPassing = (error: unknown): error is BposError =>
  isReason(error, "unavailable") || isReason(error, "unreadable_answer");

function retryAfterMs({ facts }: BposError): number {
  return Math.min("retryAfterMs" in facts ? (facts.retryAfterMs ?? 0) : 0, maxRetryAfterMs);
}

/** Sleeps until then, with a tick every second and at the end. */
async function pause(
  { system: { clock }, signal }: Runtime,
  until: number,
  onTick: (() => Promise<void>) | undefined,
): Promise<void> {
  while (clock.now() < until && !signal.aborted) {
    await onTick?.();
    const left = until - clock.now();
    await clock.sleep(onTick ? Math.min(tickMs, left) : left, signal);
  }
  if (signal.aborted) throw new BposError("interrupted", { during: "follow" });
  await onTick?.();
}

/**
 * Polls after 5 s and then less and less often, until everything is final or the time is over. A poll that fails for want
 * of an answer is a step, and is retried; everything else that `read` throws ends the watch.
 */
async function* pollCampaigns(
  runtime: Runtime,
  read: () => Promise<StatusPoll>,
  waitMs: number | undefined,
  onTick: (() => Promise<void>) | undefined,
): AsyncGenerator<Step, void, undefined> {
  const { system, signal } = runtime;
  const until = system.clock.now() + (waitMs ?? Number.POSITIVE_INFINITY);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * pauseGrowth)) {
    const came = await read().catch((error: unknown): BposError => {
      if (signal.aborted) throw new BposError("interrupted", { during: "follow" });
      if (!isPassing(error)) throw error;
      return error;
    });
    const at = system.clock.now();
    const failed = came instanceof BposError;
    const final = !failed && came.pending === 0 && came.status.campaigns.every(isFinal);
    const due = at + Math.max(pauseMs, failed ? retryAfterMs(came) : 0);
    // The last poll begins when the time is over, not a minute before.
    const nextAt = final || at >= until ? undefined : Math.min(due, until);
    yield { came, final, at, nextAt };
    if (nextAt === undefined) return;
    await pause(runtime, nextAt, onTick);
  }
}

/** Every listed recipient whose status changed; without an earlier poll, those that failed or carry a message. */
export function changesSince(before: CampaignsStatus | undefined, now: CampaignsStatus): RecipientChange[] {
  const each = ({ campaigns }: CampaignsStatus): RecipientChange[] =>
    campaigns.flatMap((campaign) =>
      recipientsOf(campaign).map((recipient) => ({
        campaign: textOf(campaign.campaign_id) ?? "",
        phone: textOf(recipient["phone"]),
        from: null,
        to: textOf(recipient["status"]),
        message: textOf(recipient["error_message"]) || null,
      })),
    );
  if (before === undefined) return each(now).filter(({ to, message }) => to === "failed" || message !== null);
  const nameOf = ({ campaign, phone }: RecipientChange): string => `${campaign}\n${phone ?? ""}`;
  const known = new Map(each(before).map((recipient) => [nameOf(recipient), recipient.to]));
  return each(now).flatMap((change) => {
    const from = known.get(nameOf(change));
    return from === change.to ? [] : [{ ...change, from: from ?? null }];
  });
}

interface Show {
  step: (step: Step, remarks: readonly string[]) => Promise<void>;
  tick?: () => Promise<void>;
}

/** On a terminal: one picture, drawn again every second. */
async function picture({ system }: Runtime, output: Output): Promise<Show> {
  const { stdout, clock } = system;
  const frame = openFrame(forPeople(stdout, system));
  let now: WatchFrame = {
    ...{ status: undefined, polledAt: undefined, nextAt: 0, trouble: undefined, remarks: [] },
  };
  const draw = (): Promise<void> => {
    // A window is resized at any time. In the last column, and in the last row, a terminal goes on by itself.
    const width = Math.max(1, (stdout.columns() ?? 80) - 1);
    const rows = Math.max(1, (stdout.rows() ?? 24) - 1);
    return frame.draw(watchFrame(now, { ...output.ui, width, now: clock.now() }, rows));
  };
  await draw();
  return {
    tick: draw,
    async step({ came, at, nextAt }, remarks) {
      const seen =
        came instanceof BposError
          ? { trouble: await said(came, output.texts) }
          : { ...came.kept, known: came.known, polledAt: at, trouble: undefined };
      now = { ...now, ...seen, nextAt, remarks };
      await draw();
    },
  };
}

/** Line by line: what `write` makes of a poll, and on standard error what is remarkable. */
function lines(output: Output, write: (poll: StatusPoll, at: number) => Promise<void> | void): Show {
  return {
    async step({ came, at }, remarks) {
      if (!(came instanceof BposError)) await write(came, at);
      else await output.notice(output.texts.follow.noAnswer(await said(came, output.texts)));
      for (const remark of remarks) await output.notice(remark);
    },
  };
}

function changes(output: Output): Show {
  const { ui } = output;
  let before: CampaignsStatus | undefined;
  let counted = "";
  return lines(output, async ({ status, kept }, at) => {
    if (before === undefined) for (const text of notFound(kept.found, ui)) await output.notice(text);
    const line = countsLine(status, ui);
    const found = changesSince(before, kept.status).map((change) => changeLine(change, ui));
    if (line !== counted) found.unshift(line);
    counted = line;
    before = kept.status;
    if (found.length > 0) await output.data(found.map((each) => `${isoWithOffset(at)}  ${each}\n`).join(""));
  });
}

async function openShow(runtime: Runtime, output: Output, following: Following): Promise<Show> {
  const { watch, several, live } = following;
  const { format } = output;
  // Of json and csv the last poll alone is the report.
  if (!watch || format === "json" || format === "csv") return lines(output, () => undefined);
  if (format === "ndjson")
    return lines(output, ({ kept }) => output.document(campaignsStatusJson(kept.status, several)));
  const { stdout } = runtime.system;
  return live && canRedraw(stdout, runtime.system) ? picture(runtime, output) : changes(output);
}

/**
 * Polls campaigns until all of them are final, or `waitMs` is over. Returns the last poll that had an answer, whether
 * everything is final, and whether it was shown already. Throws the last failure when no poll had an answer.
 */
export async function followCampaigns(
  runtime: Runtime,
  output: Output,
  read: () => Promise<StatusPoll>,
  following: Following,
): Promise<{ poll: StatusPoll; final: boolean; shown: boolean }> {
  const { ref, watch, waitMs } = following;
  const words = runtime.texts.follow;
  const show = await openShow(runtime, output, following);
  const limit = age(waitMs ?? 0);
  if (!watch && runtime.system.stderr.isTerminal) await output.notice(words.waiting(limit));
  let last: { poll: StatusPoll; final: boolean } | undefined;
  let pendingSaid = 0;
  for await (const step of pollCampaigns(runtime, read, waitMs, show.tick)) {
    const { came, final, nextAt } = step;
    if (!(came instanceof BposError)) last = { poll: came, final };
    else if (nextAt === undefined && last === undefined) throw came;
    const remarks: string[] = [];
    const { pending = 0, all = 0 } = last?.poll ?? {};
    // A picture shows it each time; of lines, one is enough.
    if (pending > 0 && (show.tick !== undefined || pending !== pendingSaid)) {
      pendingSaid = pending;
      remarks.push(words.pending(count(pending, output.ui), count(all, output.ui), ref));
    }
    if (nextAt === undefined) remarks.push(final ? words.final : words.over(limit));
    await show.step(step, remarks);
  }
  if (last === undefined) throw new BposError("bug", { detail: "a watch without a poll" });
  return { ...last, shown: watch && (output.format === "table" || output.format === "ndjson") };
}
