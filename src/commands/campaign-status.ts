import type { Command } from "commander";
import * as z from "zod";
import { BposError } from "../errors.ts";
import { en } from "../text/en.ts";
import { parseFlags } from "./flag-values.ts";
import { type GlobalFlags, globalShape } from "./global-flags.ts";
import { addExamples } from "./help-text.ts";
import type { Runtime } from "./runtime.ts";
import { type Session, withSession } from "./session.ts";

const statusFlags = z.strictObject({ ...globalShape, ref: z.string().optional() });

async function idsOf(
  session: Session,
  ids: readonly string[],
  ref: string | undefined,
): Promise<readonly string[]> {
  if (ref === undefined) return ids;
  const { campaignsOfRef } = await import("../flows/follow-campaign.ts");
  const { journal, branch } = await session.openJournal();
  const found = campaignsOfRef(journal, { branch, ref });
  if (found.open > 0) await session.output.notice(en.notices.callsOpen(found.open));
  return [...new Set([...ids, ...found.ids])];
}

async function status(
  runtime: Runtime,
  named: readonly string[],
  raw: GlobalFlags & { ref?: string },
): Promise<void> {
  const flags = parseFlags(statusFlags, raw);
  if (named.length === 0 && flags.ref === undefined) {
    throw new BposError("usage_flag", {
      detail: "name a campaign id, or the reference of a send with --ref REF",
    });
  }
  const needs = { address: "campaigns_base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, flags, needs, async (session) => {
    const { output } = session;
    const { readCampaigns } = await import("../flows/follow-campaign.ts");
    const view = await import("../view/campaign-status.ts");
    const { toJson } = await import("../view/json.ts");
    const ids = await idsOf(session, named, flags.ref);
    const { mismatches, ...found } = await readCampaigns(session.client, ids, runtime.signal);
    const asked = named.length > 1 || flags.ref !== undefined;
    if (output.format === "json") {
      await output.document(asked ? found : view.campaignsStatusJson(found));
    }
    if (output.format === "ndjson")
      await output.data(found.campaigns.map((each) => `${toJson(each)}\n`).join(""));
    if (output.format === "csv") await output.data(view.recipientsCsv(found, output.ui));
    if (output.format === "table") await output.data(view.campaignStatus(found, output.ui));
    await output.mismatches(mismatches);
  });
}

/** Declares `bpos campaign status`. */
export function declareStatus(campaign: Command, runtime: Runtime): void {
  const words = en.help.campaign.status;
  addExamples(campaign.command("status").description(words.description), words.examples)
    .argument("[ids...]", words.ids)
    .option("--ref <ref>", words.ref)
    .action((ids: string[], _options, command: Command) => status(runtime, ids, command.optsWithGlobals()));
}
