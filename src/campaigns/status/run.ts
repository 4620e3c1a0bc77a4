import { exclusive } from "../../cli/flags.ts";
import { count } from "../../cli/format.ts";
import { type Output, said } from "../../cli/output.ts";
import { startProgress } from "../../cli/progress.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session.ts";
import { isTraced } from "../../cli/trace.ts";
import { BposError, exitCodes } from "../../errors.ts";
import type { StatusFlags } from "./command.ts";
import { followCampaigns, type StatusPoll } from "./follow.ts";
import {
  type CallsOfRef,
  campaignsOfRef,
  type KnownRecipients,
  knownRecipients,
  onlyStatuses,
  readCampaigns,
} from "./read.ts";
import {
  campaignStatus,
  campaignsStatusJson,
  notFound,
  recipientsCsv,
  refuseUnknownFields,
  withRecipientFields,
} from "./view.ts";

/** Which campaigns are asked for; with a reference they are looked up again for each poll, since its send may go on. */
interface Asked {
  calls: () => Promise<CallsOfRef>;
  /** More than one campaign, or a reference: the JSON is of many. */
  several: boolean;
  known: (ids: readonly string[]) => Promise<KnownRecipients>;
}

/** What was asked for, with what the journal knows of it; an id alone is followed without a usable journal too. */
async function asked(session: Session, named: readonly string[], ref: string | undefined): Promise<Asked> {
  const ids = [...new Set(named)];
  const own: CallsOfRef = { ids, pending: 0, all: ids.length };
  try {
    const { journal, branch } = await session.openJournal();
    return {
      async calls() {
        if (ref === undefined) return own;
        const found = await campaignsOfRef(journal.sends, { branch, ref });
        return { ...found, ids: [...new Set([...ids, ...found.ids])] };
      },
      several: ids.length > 1 || ref !== undefined,
      known: (all) => knownRecipients(journal.sends, branch, all),
    };
  } catch (error) {
    if (ref !== undefined || !(error instanceof BposError)) throw error;
    const { output } = session;
    await output.warning(output.texts.notices.knownNotShown(await said(error, output.texts)));
    return {
      calls: () => Promise.resolve(own),
      several: ids.length > 1,
      known: () => Promise.resolve(() => undefined),
    };
  }
}

/** Writes one poll as the report of the command, of the recipients only the fields that are chosen. */
async function write(
  output: Output,
  { kept, known }: StatusPoll,
  several: boolean,
  fields: readonly string[] | undefined,
): Promise<void> {
  const { status, found } = kept;
  const { format, ui } = output;
  if (fields !== undefined) refuseUnknownFields(status, fields, { format, known });
  if (format === "table") {
    await output.data(campaignStatus(status, ui, { known, found, chosen: fields }));
    return;
  }
  const campaigns =
    fields === undefined
      ? status.campaigns
      : status.campaigns.map((each) => withRecipientFields(each, fields));
  if (format === "csv") await output.data(recipientsCsv(status, ui, known, fields));
  else if (format === "json") await output.document(campaignsStatusJson({ ...status, campaigns }, several));
  else for (const campaign of campaigns) await output.document(campaign);
  for (const text of notFound(found, ui)) await output.notice(text);
}

/** Runs `bpos campaign status`. */
export async function status(runtime: Runtime, named: readonly string[], flags: StatusFlags): Promise<void> {
  if (named.length === 0 && flags.ref === undefined) {
    throw new BposError("usage_flag", { problem: { kind: "campaign_unnamed" } });
  }
  const { fields } = runtime.flags;
  const { only, ref = "", watch = false, wait: waitMs } = flags;
  // A watch shows what changes, whichever field that is in.
  if (fields !== undefined && watch) throw exclusive("--fields", "--watch");
  const follows = watch || waitMs !== undefined;
  const formats = ["table", "json", "ndjson", "csv"] as const;
  const needs = { address: "campaigns_base_url", formats, quietRetries: follows } as const;
  await withSession(runtime, needs, async (session) => {
    const { output, client } = session;
    const { signal, texts } = runtime;
    const { calls, several, known } = await asked(session, named, flags.ref);
    const poll = async (onProgress?: (done: number, total: number) => void): Promise<StatusPoll> => {
      const { ids, ...counted } = await calls();
      const status = await readCampaigns(client, ids, { signal, ...(onProgress && { onProgress }) });
      return {
        ...counted,
        status,
        kept: only ? onlyStatuses(status, only) : { status },
        known: await known(ids),
      };
    };
    let last: StatusPoll;
    let isShown = false;
    if (follows) {
      const how = { ref, several, watch, waitMs, live: !isTraced(runtime.flags) };
      const end = await followCampaigns(runtime, output, () => poll(), how);
      if (!end.final) runtime.exitCode = exitCodes.pending;
      ({ poll: last, shown: isShown } = end);
    } else {
      const bar = startProgress(runtime.system, output, texts.follow.reading);
      last = await poll(bar.update).finally(bar.clear);
      const { errorUi: ui } = output;
      if (last.pending > 0)
        await output.notice(texts.follow.pending(count(last.pending, ui), count(last.all, ui), ref));
    }
    if (!isShown) await write(output, last, several, fields);
    for (const { asked, answered } of last.status.swapped)
      await output.warning(texts.follow.swapped(asked, answered));
    await output.mismatches(last.status.mismatches);
  });
}
