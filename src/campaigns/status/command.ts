import * as z from "zod";
import { fieldsShape, isFlat, refuseUnknown } from "../../cli/fields.ts";
import { names, parseFlags, refusal, timeLimit } from "../../cli/flag-values.ts";
import { globalShape } from "../../cli/global-flags.ts";
import { type Output, said } from "../../cli/output.ts";
import { startProgress } from "../../cli/progress.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session.ts";
import { isTraced } from "../../cli/trace.ts";
import { BposError, exitCodes } from "../../errors.ts";
import { type CampaignLook, followCampaigns } from "./follow-command.ts";
import type { CallsOfRef, CampaignsStatus, KnownPeople, StatusesFound } from "./read.ts";

const statusFlags = z.strictObject({
  ...globalShape,
  ...fieldsShape,
  ref: z.string().min(1).optional(),
  only: names.refine((all) => all.length > 0, refusal({ kind: "status_missing" })).optional(),
  watch: z.boolean().optional(),
  wait: timeLimit.optional(),
});
type StatusFlags = z.infer<typeof statusFlags>;

/** Which campaigns are asked for; with a reference they are looked up again for each look, since its send may go on. */
interface Asked {
  calls: () => CallsOfRef;
  /** More than one campaign, or a reference: the JSON is of many. */
  several: boolean;
  people: (ids: readonly string[]) => KnownPeople;
}

/** What was asked for, with what the journal knows of it; an id alone is followed without a usable journal too. */
async function asked(session: Session, named: readonly string[], ref: string | undefined): Promise<Asked> {
  const ids = [...new Set(named)];
  const { campaignsOfRef } = await import("./read.ts");
  const { peopleIn } = await import("./read.ts");
  const own: CallsOfRef = { ids, open: 0, all: ids.length };
  try {
    const { journal, branch } = await session.openJournal();
    return {
      calls() {
        if (ref === undefined) return own;
        const found = campaignsOfRef(journal, { branch, ref });
        return { ...found, ids: [...new Set([...ids, ...found.ids])] };
      },
      several: ids.length > 1 || ref !== undefined,
      people: (all) => peopleIn(journal, branch, all),
    };
  } catch (error) {
    if (ref !== undefined || !(error instanceof BposError)) throw error;
    const { output } = session;
    await output.warning(output.texts.notices.knownNotShown(await said(error, output.texts)));
    return { calls: () => own, several: ids.length > 1, people: () => () => undefined };
  }
}

/** A way to read all that was asked for, and what is known beside it. */
async function reader(
  { signal }: Runtime,
  { client }: Session,
  { calls, people }: Asked,
  flags: StatusFlags,
): Promise<(onProgress?: (done: number, total: number) => void) => Promise<CampaignLook>> {
  const { onlyStatuses, readCampaigns } = await import("./read.ts");
  return async (onProgress) => {
    const { ids, ...counted } = calls();
    const status = await readCampaigns(client, ids, { signal, ...(onProgress && { onProgress }) });
    const kept = flags.only === undefined ? { status } : onlyStatuses(status, flags.only);
    return { ...counted, status, kept, people: people(ids) };
  };
}

const bare = ({ campaigns, counts, recipients_hidden }: CampaignsStatus): CampaignsStatus => ({
  ...{ campaigns, counts, recipients_hidden },
});

/** Writes one look as the report of the command, of the recipients only the fields that are chosen. */
async function write(
  output: Output,
  look: CampaignLook,
  { several, fields }: { several: boolean; fields: readonly string[] | undefined },
): Promise<void> {
  const { kept, people } = look;
  const flat = isFlat(output.format);
  const found: StatusesFound | undefined = "found" in kept ? kept.found : undefined;
  const { campaignStatus, campaignsStatusJson } = await import("./view.ts");
  const { notFound, recipientsCsv, unknownRecipientField, withRecipientFields } = await import(
    "./recipients-view.ts"
  );
  if (fields !== undefined) refuseUnknown(unknownRecipientField(kept.status, fields, { flat, people }));
  const campaigns = kept.status.campaigns.map((campaign) =>
    fields === undefined ? campaign : withRecipientFields(campaign, fields),
  );
  switch (output.format) {
    case "table":
      await output.data(campaignStatus(kept.status, output.ui, { people, found, chosen: fields }));
      break;
    case "csv":
      await output.data(recipientsCsv(kept.status, output.ui, people, fields));
      break;
    case "ndjson":
      for (const campaign of campaigns) await output.document(campaign);
      break;
    case "json":
      await output.document(campaignsStatusJson({ ...bare(kept.status), campaigns }, { several }));
      break;
  }
  if (output.format !== "table") for (const text of notFound(found, output.ui)) await output.notice(text);
}

/** Says where the answers are not what was asked for. */
async function warnOfAnswers(output: Output, { status }: CampaignLook): Promise<void> {
  for (const { asked, answered } of status.swapped)
    await output.warning(output.texts.follow.swapped(asked, answered));
  await output.mismatches(status.mismatches);
}

/** Runs `bpos campaign status`: raw flags in, output and `runtime.exitCode` out. */
export async function status(runtime: Runtime, named: readonly string[], raw: unknown): Promise<void> {
  const flags = parseFlags(statusFlags, raw);
  if (named.length === 0 && flags.ref === undefined) {
    throw new BposError("usage_flag", { problem: { kind: "campaign_unnamed" } });
  }
  const { fields } = flags;
  // A watch shows what changes, whichever field that is in.
  if (fields !== undefined && flags.watch === true)
    throw new BposError("usage_flag", { problem: { kind: "exclusive", flags: ["--fields", "--watch"] } });
  const follows = flags.watch === true || flags.wait !== undefined;
  const needs = {
    address: "campaigns_base_url",
    formats: ["table", "json", "ndjson", "csv"],
    quietRetries: follows,
  } as const;
  await withSession(runtime, flags, needs, async (session) => {
    const { output } = session;
    const what = await asked(session, named, flags.ref);
    const read = await reader(runtime, session, what, flags);
    const ref = flags.ref ?? "";
    if (follows) {
      const { watch = false, wait: waitMs } = flags;
      const live = !isTraced(flags);
      const end = await followCampaigns(runtime, output, read, { ...what, ref, watch, waitMs, live });
      if (!end.final) runtime.exitCode = exitCodes.pending;
      if (!end.shown) await write(output, end.look, { ...what, fields });
      await warnOfAnswers(output, end.look);
      return;
    }
    const bar = startProgress(runtime.system, output, runtime.texts.follow.reading);
    const look = await read(bar.update).finally(bar.clear);
    const { count } = await import("../../cli/format.ts");
    const { open, all } = look;
    if (open > 0)
      await output.notice(
        runtime.texts.follow.open(count(open, output.errorUi), count(all, output.errorUi), ref),
      );
    await write(output, look, { ...what, fields });
    await warnOfAnswers(output, look);
  });
}
