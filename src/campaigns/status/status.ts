import { age, count, isoTimeToSecond } from "../../cli/display/format.ts";
import { describeError, type Output } from "../../cli/display/output.ts";
import { openFrame, startProgress } from "../../cli/display/progress.ts";
import { textStream } from "../../cli/display/terminal.ts";
import { canRedraw } from "../../cli/display/theme.ts";
import { exclusive } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session/session.ts";
import { isTraced } from "../../cli/session/trace.ts";
import { backoffMs, isoWithOffset } from "../../contract/limits.ts";
import { BposError, exitCodes, isReason } from "../../errors.ts";
import { isJournalAway, journalFailure } from "../../journal/engine.ts";
import type { StatusFlags } from "./command.ts";
import {
  type CampaignsStatus,
  changesSince,
  isFinal,
  type KnownRecipients,
  knownRecipients,
  onlyStatuses,
  readCampaigns,
  type StatusesFound,
} from "./read.ts";
import {
  campaignStatus,
  campaignsStatusJson,
  changeLine,
  chosenRecipients,
  countsLine,
  notFound,
  recipientsCsv,
  type WatchFrame,
  watchFrame,
} from "./view.ts";

interface StatusPoll {
  status: Awaited<ReturnType<typeof readCampaigns>>;
  shown: CampaignsStatus;
  found?: StatusesFound;
  known: KnownRecipients;
  pending: number;
  all: number;
}

/** The campaigns that are asked for, looked up anew for each poll: a send may go on. An id alone needs no usable journal. */
async function lookUp(session: Session, named: readonly string[], ref: string | undefined) {
  const ids = [...new Set(named)];
  const { output } = session;
  const open = await session.openJournal().catch(async (error: unknown) => {
    if (ref !== undefined || !(error instanceof BposError)) throw error;
    await output.warning(output.texts.notices.knownNotShown(await describeError(error, output.texts)));
  });
  const find = async (): Promise<{ ids: string[]; pending: number; all: number; known: KnownRecipients }> => {
    if (!open) return { ids, pending: 0, all: ids.length, known: () => undefined };
    const { branch, journal } = open;
    const calls = ref === undefined ? [] : await journal.sends.callsUnder({ branch, ref });
    const made = calls.flatMap(({ campaign_id }) => campaign_id ?? []);
    if (ref !== undefined && calls.length === 0) throw new BposError("send_not_found", { ref });
    if (ref !== undefined && made.length === 0) throw new BposError("send_open", { ref });
    const all = [...new Set([...ids, ...made])];
    const known = await knownRecipients(journal.sends, branch, all);
    return { ids: all, pending: calls.length - made.length, all: calls.length, known };
  };
  /** What ends the command, where the service knows no such campaign: people type the reference of a send as its id. */
  const because = async (error: unknown): Promise<unknown> => {
    const isUnknown = isReason(error, "input_refused") || isReason(error, "usage_flag");
    if (!isUnknown || !open) return error;
    for (const id of ids)
      if ((await open.journal.sends.callsUnder({ branch: open.branch, ref: id })).length > 0)
        return new BposError("usage_flag", { problem: { kind: "campaign_id_is_ref", ref: id } });
    return error;
  };
  return { find, because };
}

interface Show {
  step: (step: {
    came: StatusPoll | BposError;
    at: number;
    nextAt: number | undefined;
    remarks: readonly string[];
  }) => Promise<void>;
  tick?: () => Promise<void>;
}

function picture({ system }: Runtime, output: Output): Show {
  const { stdout, clock } = system;
  const frame = openFrame(textStream(stdout, system));
  let now: WatchFrame = { nextAt: 0, remarks: [] };
  const draw = (): Promise<void> => {
    // A window is resized at any time. In the last column, and in the last row, a terminal goes on by itself.
    const width = Math.max(1, (stdout.columns() ?? 80) - 1);
    const rows = Math.max(1, (stdout.rows() ?? 24) - 1);
    return frame.draw(watchFrame(now, { ...output.ui, width, now: clock.now() }, rows));
  };
  return {
    tick: draw,
    async step({ came, at, nextAt, remarks }) {
      if (came instanceof BposError) now = { ...now, trouble: await describeError(came, output.texts) };
      else {
        const { shown: status, found, known } = came;
        now = { ...now, status, found, known, polledAt: at, trouble: undefined };
      }
      now = { ...now, nextAt, remarks };
      await draw();
    },
  };
}

function lines(output: Output, write: (poll: StatusPoll, at: number) => Promise<void> | void): Show {
  const told = new Set<string>();
  return {
    async step({ came, at, remarks }) {
      if (!(came instanceof BposError)) await write(came, at);
      else await output.notice(output.texts.follow.noAnswer(await describeError(came, output.texts)));
      for (const remark of remarks.filter((each) => !told.has(each))) await output.notice(remark);
      for (const remark of remarks) told.add(remark);
    },
  };
}

function changes(output: Output): Show {
  const { ui } = output;
  let before: CampaignsStatus | undefined;
  let counted = "";
  return lines(output, async ({ shown, found }, at) => {
    if (before === undefined) for (const text of notFound(found, ui)) await output.notice(text);
    const line = countsLine(shown, ui);
    const news = changesSince(before, shown).map((change) => changeLine(change, ui));
    if (line !== counted) news.unshift(line);
    counted = line;
    before = shown;
    if (news.length > 0)
      await output.data(news.map((each) => `${isoTimeToSecond(isoWithOffset(at), ui)}  ${each}\n`).join(""));
  });
}

function openShow(runtime: Runtime, output: Output, watch: boolean, several: boolean): Show {
  const { format } = output;
  if (!watch || format === "json" || format === "csv") return lines(output, () => undefined);
  if (format === "ndjson")
    return lines(output, ({ shown }) => output.document(campaignsStatusJson(shown, several)));
  const isLive = !isTraced(runtime.flags) && canRedraw(runtime.system.stdout, runtime.system);
  return isLive ? picture(runtime, output) : changes(output);
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

/** The failures that the next poll may not meet; a wrong Retry-After must not end a watch. */
function retryAfterMs(error: unknown): number | undefined {
  if (!isReason(error, "unavailable") && !isReason(error, "unreadable_answer")) return undefined;
  return Math.min(error.facts.retryAfterMs ?? 0, 60 * 60_000);
}

async function follow(
  runtime: Runtime,
  output: Output,
  read: () => Promise<StatusPoll>,
  { ref = "", watch = false, wait, several }: StatusFlags & { several: boolean },
): Promise<{ last: StatusPoll; final: boolean }> {
  const { system, signal, texts } = runtime;
  const { clock } = system;
  const words = texts.follow;
  const limit = age(wait ?? 0);
  const until = clock.now() + (wait ?? Number.POSITIVE_INFINITY);
  const show = openShow(runtime, output, watch, several);
  await show.tick?.();
  if (!watch && system.stderr.isTerminal) await output.notice(words.waiting(limit));
  let last: StatusPoll | undefined;
  for (let polls = 1; ; polls++) {
    const came = await read().catch((error: unknown): BposError => {
      if (signal.aborted) throw new BposError("interrupted", { during: "follow" });
      // A database that cannot be reached at the start may be the wrong one.
      if (isJournalAway(error) && last !== undefined) return journalFailure(error);
      if (!(error instanceof BposError) || retryAfterMs(error) === undefined) throw error;
      return error;
    });
    const at = clock.now();
    if (!(came instanceof BposError)) last = came;
    else if (last === undefined && at >= until) throw came;
    const final = last === came && last.pending === 0 && last.status.campaigns.every(isFinal);
    const isOver = final || at >= until;
    const pauseMs = backoffMs(polls, { firstMs: 5_000, maxMs: 60_000 });
    // The last poll begins when the time is over, not a minute before.
    const nextAt = Math.min(at + Math.max(pauseMs, retryAfterMs(came) ?? 0), until);
    const remarks: string[] = [];
    if (last !== undefined && last.pending > 0)
      remarks.push(words.pending(count(last.pending, output.ui), count(last.all, output.ui), ref));
    if (isOver) remarks.push(final ? words.final : words.over(limit));
    await show.step({ came, at, nextAt: isOver ? undefined : nextAt, remarks });
    if (isOver && last !== undefined) return { last, final };
    await pause(runtime, nextAt, show.tick);
  }
}

async function write(
  output: Output,
  { shown, found, known }: StatusPoll,
  several: boolean,
  fields: readonly string[] | undefined,
): Promise<void> {
  const { format, ui } = output;
  const campaigns = fields ? chosenRecipients(shown, fields, format, known) : shown.campaigns;
  if (format === "table") return output.data(campaignStatus(shown, ui, { known, found, chosen: fields }));
  if (format === "csv") await output.data(recipientsCsv(shown, ui, known, fields));
  else if (format === "json") await output.document(campaignsStatusJson({ ...shown, campaigns }, several));
  else for (const campaign of campaigns) await output.document(campaign);
  for (const text of notFound(found, ui)) await output.notice(text);
}

export async function status(runtime: Runtime, typed: readonly string[], flags: StatusFlags): Promise<void> {
  const named = typed.map((each) => each.trim()).filter((each) => each !== "");
  const { fields } = runtime.flags;
  const { only, ref, watch = false } = flags;
  if (named.some((each) => /^(?:whatsapp:|tel:)?\+/i.test(each))) {
    const phone = named.join(" ");
    const given = Object.keys(flags).find((name) => flags[name as keyof StatusFlags] !== undefined);
    if (given !== undefined) throw exclusive(`--${given}`, phone);
    const { find } = await import("../find/find.ts");
    return find(runtime, named, {});
  }
  if (named.length === 0 && ref === undefined)
    throw new BposError("usage_flag", { problem: { kind: "campaign_unnamed" } });
  if (fields !== undefined && watch) throw exclusive("--fields", "--watch");
  const follows = watch || flags.wait !== undefined;
  const formats = ["table", "json", "ndjson", "csv"] as const;
  const needs = { address: "campaigns_base_url", formats, quietRetries: follows } as const;
  await withSession(runtime, needs, async (session) => {
    const { output, client } = session;
    const { signal, texts } = runtime;
    const several = new Set(named).size > 1 || ref !== undefined;
    const { find, because } = await lookUp(session, named, ref);
    const poll = async (onProgress?: (done: number, total: number) => void): Promise<StatusPoll> => {
      const { ids, ...asked } = await find();
      const status = await readCampaigns(client, ids, { signal, ...(onProgress && { onProgress }) }).catch(
        async (error: unknown) => {
          throw await because(error);
        },
      );
      if (only === undefined) return { ...asked, status, shown: status };
      const { status: shown, found } = onlyStatuses(status, only);
      return { ...asked, status, shown, found };
    };
    let last: StatusPoll;
    if (follows) {
      const end = await follow(runtime, output, () => poll(), { ...flags, several });
      if (!end.final) runtime.exitCode = exitCodes.pending;
      last = end.last;
    } else {
      const bar = startProgress(runtime.system, output, texts.follow.reading);
      last = await poll(bar.update).finally(bar.clear);
      const { errorUi: ui } = output;
      if (last.pending > 0)
        await output.notice(texts.follow.pending(count(last.pending, ui), count(last.all, ui), ref ?? ""));
    }
    if (!watch || (output.format !== "table" && output.format !== "ndjson"))
      await write(output, last, several, fields);
    await output.mismatches(last.status.mismatches);
  });
}
