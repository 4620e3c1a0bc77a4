import { describeError, type Output } from "../../cli/display/output.ts";
import { startProgress } from "../../cli/display/progress.ts";
import { exclusive } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type OpenJournal, type Session, withSession } from "../../cli/session/session.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError, exitCodes, isReason } from "../../errors.ts";
import { readCampaigns } from "../read-campaigns.ts";
import type { StatusFlags } from "./command.ts";
import { describePending, follow, type StatusPoll } from "./follow.ts";
import { knownRecipients } from "./known-recipients.ts";
import { onlyStatuses } from "./only-statuses.ts";
import {
  campaignStatus,
  campaignsStatusJson,
  chosenRecipients,
  hiddenText,
  notFound,
  recipientsCsv,
} from "./view.ts";

type Asked = { ids: readonly string[]; ref: string | undefined; only: readonly string[] | undefined };

type Campaigns = Pick<StatusPoll, "pending" | "all" | "known" | "waitsUntil"> & { ids: readonly string[] };

/** Shows campaigns. People paste a phone in place of an id: `findPerson` shows the sends to that person. */
export async function status(
  runtime: Runtime,
  typed: readonly string[],
  flags: StatusFlags,
  findPerson: (phone: readonly string[]) => Promise<void>,
): Promise<void> {
  const named = typed.map((each) => each.trim()).filter((each) => each !== "");
  const { fields } = runtime.flags;
  const { only, ref, watch = false } = flags;
  if (named.some((each) => /^(?:whatsapp:|tel:)?\+/i.test(each))) {
    refuseFlags(named, flags);
    return findPerson(named);
  }
  if (named.length === 0 && ref === undefined)
    throw new BposError("usage_flag", { problem: { kind: "campaign_unnamed" } });
  if (fields !== undefined && watch) throw exclusive("--fields", "--watch");

  const ids = [...new Set(named)];
  const several = ids.length > 1 || ref !== undefined;
  const follows = watch || flags.wait !== undefined;
  const formats = ["table", "json", "ndjson", "csv"] as const;
  const needs = { address: "campaigns_base_url", formats, quietRetries: follows } as const;
  await withSession(runtime, needs, async (session) => {
    const { output } = session;
    const poll = await openPoll(runtime, session, { ids, ref, only });
    let last: StatusPoll;
    if (follows) {
      const end = await follow(runtime, output, () => poll(), { ...flags, several });
      if (!end.final) runtime.exitCode = exitCodes.pending;
      last = end.last;
    } else last = await readOnce(runtime, session, poll, ref);

    const isShown = watch && (output.format === "table" || output.format === "ndjson");
    if (!isShown) await write(output, last, several, fields);
    await output.mismatches(last.status.mismatches);
  });
}

/** The journal; undefined, with a warning, where it cannot be opened and is not needed: ids alone need none. */
async function openKnown({ openJournal, output }: Session, ref: string | undefined) {
  try {
    return await openJournal();
  } catch (error) {
    if (ref !== undefined || !(error instanceof BposError)) throw error;
    const reason = await describeError(error, output.texts);
    const notShown = output.texts.t("Warning: cannot show this journal's record of the campaign. {reason}", {
      reason,
    });
    await output.warning(notShown);
    return undefined;
  }
}

/** Returns when the rest of a send can go on, epoch milliseconds; undefined where it does not wait. */
async function findWait(
  { branch, journal }: OpenJournal,
  ref: string,
  now: number,
): Promise<number | undefined> {
  const waits = (await journal.sends.named(branch, ref)).map(({ waits_until }) => waits_until ?? 0);
  const until = Math.max(...waits);
  return until > now ? until : undefined;
}

/** The requested campaigns, and what the journal knows about them. Throws `send_not_found`, `send_open`, `send_waits`. */
async function lookUp(open: OpenJournal | undefined, { ids, ref }: Asked, now: number): Promise<Campaigns> {
  if (open === undefined) return { ids, pending: 0, all: ids.length, known: new Map() };

  const { branch, journal } = open;
  const calls = ref === undefined ? [] : await journal.sends.callsUnder({ branch, ref });
  const made = calls.flatMap(({ campaign_id }) => campaign_id ?? []);
  if (ref !== undefined && calls.length === 0) throw new BposError("send_not_found", { ref });
  const pending = calls.length - made.length;
  const waitsUntil = ref === undefined || pending === 0 ? undefined : await findWait(open, ref, now);
  if (ref !== undefined && made.length === 0) {
    if (waitsUntil === undefined || calls.some(({ state }) => state !== "planned"))
      throw new BposError("send_open", { ref });
    throw new BposError("send_waits", { ref, until: isoWithOffset(waitsUntil) });
  }

  const all = [...new Set([...ids, ...made])];
  const known = await knownRecipients(journal.sends, branch, all);
  return { ids: all, pending, all: calls.length, known, waitsUntil };
}

/** Returns the error for a campaign that the service does not know: people type the reference of a send as its id. */
async function explainUnknown(
  error: unknown,
  open: OpenJournal | undefined,
  ids: readonly string[],
): Promise<unknown> {
  const isUnknown =
    isReason(error, "campaign_not_found") ||
    isReason(error, "input_refused") ||
    isReason(error, "usage_flag");
  if (!isUnknown || open === undefined) return error;

  for (const id of ids) {
    const calls = await open.journal.sends.callsUnder({ branch: open.branch, ref: id });
    if (calls.length > 0)
      return new BposError("usage_flag", { problem: { kind: "campaign_id_is_ref", ref: id } });
  }
  return error;
}

/** Returns a reader of the campaigns, which looks them up each time because a send can be running. */
async function openPoll({ system, signal }: Runtime, session: Session, asked: Asked) {
  const open = await openKnown(session, asked.ref);
  return async (onProgress?: (done: number, total: number) => void): Promise<StatusPoll> => {
    const { ids, ...known } = await lookUp(open, asked, system.clock.now());
    const how = { signal, ...(onProgress && { onProgress }) };
    const reading = readCampaigns(session.client, ids, how);
    const status = await reading.catch(async (error: unknown) => {
      throw await explainUnknown(error, open, asked.ids);
    });
    if (asked.only === undefined) return { ...known, status, shown: status };

    const { status: shown, found } = onlyStatuses(status, asked.only);
    return { ...known, status, shown, found };
  };
}

async function readOnce(
  { system, texts }: Runtime,
  { output }: Session,
  poll: Awaited<ReturnType<typeof openPoll>>,
  ref = "",
): Promise<StatusPoll> {
  const bar = startProgress(system, output, texts.t("Reading campaigns"));
  const read = await poll(bar.update).finally(bar.clear);
  if (read.pending > 0) await output.notice(describePending(read, texts.t, output.errorUi, ref));
  return read;
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
  if (format === "csv") {
    const { text, missing } = recipientsCsv(shown, ui, { known, found, chosen: fields });
    for (const part of text) await output.data(part);
    if (missing > 0) await output.notice(hiddenText(missing, output.errorUi));
  } else if (format === "json") await output.document(campaignsStatusJson({ ...shown, campaigns }, several));
  else for (const campaign of campaigns) await output.document(campaign);
  for (const text of notFound(found, output.errorUi)) await output.notice(text);
}

/** Refuses flags combined with a phone: they do not apply to the sends to a person. */
function refuseFlags(named: readonly string[], flags: StatusFlags): void {
  const given = Object.keys(flags).find((name) => flags[name as keyof StatusFlags] !== undefined);
  if (given !== undefined) throw exclusive(`--${given}`, named.join(" "));
}
