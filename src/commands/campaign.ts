import type { Command } from "commander";
import * as z from "zod";
import { BposError, exitCodes } from "../errors.ts";
import type { SendPlan, SendReport, SendRequest, SendResult } from "../flows/send-campaign.ts";
import type { InputFile } from "../input/file.ts";
import { noticeWords } from "../text/en/rows.ts";
import { en } from "../text/en.ts";
import type { SendPreview } from "../view/send-report.ts";
import { fileFormat, names, parseFlags, whole } from "./flag-values.ts";
import { type GlobalFlags, globalShape } from "./global-flags.ts";
import { addExamples } from "./help-text.ts";
import { mayAsk, type Output } from "./output.ts";
import { startProgress } from "./progress.ts";
import type { Runtime } from "./runtime.ts";
import { type Session, withSession } from "./session.ts";

const sendFlags = z.strictObject({
  ...globalShape,
  template: z.string().optional(),
  templateId: z.string().optional(),
  language: z.string().optional(),
  ref: z.string().min(1, { error: "a reference cannot be empty" }).optional(),
  name: z.string().optional(),
  headerUrl: z.string().optional(),
  headerField: z.string().optional(),
  phoneColumn: z.string().optional(),
  params: names.optional(),
  country: z.string().optional(),
  fixPhones: z.boolean().optional(),
  format: fileFormat.optional(),
  dryRun: z.boolean().optional(),
  yes: z.boolean().optional(),
  expect: whole(0).optional(),
});
type SendFlags = z.infer<typeof sendFlags>;

const statusFlags = z.strictObject({ ...globalShape, ref: z.string().optional() });

function templateOf(flags: SendFlags): SendRequest["template"] {
  if ((flags.template === undefined) === (flags.templateId === undefined)) {
    throw new BposError("usage_flag", {
      detail: "name the template with --template NAME or with --template-id ID, one of them",
    });
  }
  return {
    ...(flags.template !== undefined && { name: flags.template }),
    ...(flags.templateId !== undefined && { id: flags.templateId }),
    ...(flags.language !== undefined && { language: flags.language }),
  };
}

async function readRecipients(
  file: InputFile,
  flags: SendFlags,
  country: string | undefined,
): Promise<SendRequest["reading"]> {
  const input = await import("../input/recipients.ts");
  const { format, phoneColumn, params, fixPhones } = flags;
  const given = { format, phoneColumn, params, fixPhones, country: flags.country ?? country };
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return input.readRecipients(file, options);
}

async function write(output: Output, report: SendReport, sentAt: number | undefined): Promise<void> {
  const { sendReport, sendReportJson } = await import("../view/send-report.ts");
  const { toJson } = await import("../view/json.ts");
  const json = sendReportJson(report);
  if (output.format === "json") await output.data(`${toJson(json, { pretty: true })}\n`);
  if (output.format === "ndjson") await output.data(`${toJson(json)}\n`);
  const allWell =
    report.outcome === "sent" && report.invalid.length === 0 && report.recipients.errors.length === 0;
  if (output.format === "table" && !(output.quiet && allWell)) {
    const { isoWithOffset } = await import("../flows/instants.ts");
    await output.data(
      sendReport(report, output.ui, { sentAt: sentAt === undefined ? undefined : isoWithOffset(sentAt) }),
    );
  }
}

/** Asks before anything goes out; throws `declined`, `not_a_terminal` and `expected_other_count`. */
async function confirmed(runtime: Runtime, flags: SendFlags, planned: number): Promise<void> {
  if (flags.expect !== undefined && flags.expect !== planned) {
    throw new BposError("expected_other_count", { expected: flags.expect, actual: planned });
  }
  // With nobody left to message there is nothing to agree to.
  if (flags.yes === true || planned === 0) return;
  if (!mayAsk(runtime.system, flags)) throw new BposError("not_a_terminal", { flag: "--yes" });
  if (!(await runtime.system.prompts.confirm(en.notices.askSend(planned), runtime.signal)))
    throw new BposError("declined", {});
}

/** A send whose parts were refused, by us or by the service, is done in part. */
function exitCodeOf({ report }: SendResult): number {
  return report.invalid.length > 0 || report.recipients.errors.length > 0 ? exitCodes.partial : exitCodes.ok;
}

async function requestOf(
  { system }: Runtime,
  path: string,
  flags: SendFlags,
  { settings }: Session,
): Promise<Omit<SendRequest, "branch">> {
  const { openInput } = await import("../input/file.ts");
  const { defaultRef } = await import("../flows/send-campaign.ts");
  const file = await openInput(path, system.stdin, system.cwd);
  return {
    reading: await readRecipients(file, flags, settings.country),
    ref: flags.ref ?? defaultRef(file.name, file.bytes),
    template: templateOf(flags),
    campaignName: flags.name,
    headerUrl: flags.headerUrl,
    headerField: flags.headerField ?? settings.headerField,
  };
}

function previewOf(session: Session, request: SendRequest, plan: SendPlan, draft: SendReport): SendPreview {
  const open = plan.known.filter((call) => call.state !== "sent").length;
  return {
    branch: session.branchName,
    template: draft.template,
    language: request.template.language ?? null,
    external_ref: request.ref,
    header_url: request.headerUrl ?? null,
    recipients: draft.recipients,
    calls: open + plan.calls.length,
    first: request.reading.recipients.slice(0, 3).map(({ phone, params }) => ({ phone, params })),
    invalid: draft.invalid,
  };
}

async function send(runtime: Runtime, path: string, raw: unknown): Promise<void> {
  const flags = parseFlags(sendFlags, raw);
  templateOf(flags);
  const needs = { address: "campaigns_base_url", formats: ["table", "json", "ndjson"] } as const;
  await withSession(runtime, flags, needs, async (session) => {
    const { client, output } = session;
    const { newSendReport, planSend, sendCampaign } = await import("../flows/send-campaign.ts");
    const { sendPreview } = await import("../view/send-report.ts");
    const { journal, branch } = await session.openJournal();
    const request = { ...(await requestOf(runtime, path, flags, session)), branch };
    for (const notice of request.reading.notices) await output.notice(noticeWords(notice));
    const plan = planSend(request, journal, runtime.system.uuid());
    const draft = newSendReport(request, plan, flags.dryRun === true);
    const preview = previewOf(session, request, plan, draft);
    if (flags.dryRun === true) {
      if (output.format === "table") await output.data(sendPreview(preview, output.ui, { dryRun: true }));
      else await write(output, draft, undefined);
      if (draft.invalid.length > 0) runtime.exitCode = exitCodes.partial;
      return;
    }
    if (plan.planned > 0 && runtime.system.stderr.isTerminal)
      await output.block(sendPreview(preview, output.errorUi));
    await confirmed(runtime, flags, plan.planned);
    const bar = startProgress(runtime.system, output, en.notices.sending);
    const { clock } = runtime.system;
    const tools = { client, journal, clock, signal: runtime.signal, onProgress: bar.update };
    const result = await sendCampaign(request, plan, tools).finally(bar.clear);
    await write(output, result.report, result.sentAt);
    if (result.failure) throw result.failure;
    runtime.exitCode = exitCodeOf(result);
  });
}

async function idsOf(
  session: Session,
  ids: readonly string[],
  ref: string | undefined,
): Promise<readonly string[]> {
  if (ref === undefined) return ids;
  const { campaignIdsOf } = await import("../journal/sends.ts");
  const { journal, branch } = await session.openJournal();
  const found = campaignIdsOf(journal, branch, ref);
  if (found.length === 0) throw new BposError("send_not_found", { ref });
  return [...new Set([...ids, ...found])];
}

async function status(
  runtime: Runtime,
  given: readonly string[],
  raw: GlobalFlags & { ref?: string },
): Promise<void> {
  const flags = parseFlags(statusFlags, raw);
  if (given.length === 0 && flags.ref === undefined) {
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
    const ids = await idsOf(session, given, flags.ref);
    const { mismatches, ...found } = await readCampaigns(session.client, ids, runtime.signal);
    const asked = given.length > 1 || flags.ref !== undefined;
    if (output.format === "json") {
      await output.data(`${toJson(asked ? found : view.campaignsStatusJson(found), { pretty: true })}\n`);
    }
    if (output.format === "ndjson")
      await output.data(found.campaigns.map((each) => `${toJson(each)}\n`).join(""));
    if (output.format === "csv") await output.data(view.recipientsCsv(found, output.ui));
    if (output.format === "table") await output.data(view.campaignStatus(found, output.ui));
    const [first] = mismatches;
    if (first !== undefined) await output.notice(en.notices.mismatches(first, mismatches.length - 1));
  });
}

/** Declares `bpos campaign …`. */
export function declareCampaign(program: Command, runtime: Runtime): void {
  const words = en.help.campaign;
  const campaign = addExamples(program.command("campaign").description(words.description), words.examples);
  addExamples(campaign.command("send").description(words.send.description), words.send.examples)
    .argument("<file>", words.send.file)
    .option("--template <name>", words.send.template)
    .option("--template-id <id>", words.send.templateId)
    .option("--language <code>", words.send.language)
    .option("--ref <ref>", words.send.ref)
    .option("--name <name>", words.send.name)
    .option("--header-url <url>", words.send.headerUrl)
    .option("--header-field <name>", words.send.headerField)
    .option("--phone-column <column>", words.send.phoneColumn)
    .option("--params <columns>", words.send.params)
    .option("--country <code>", words.send.country)
    .option("--fix-phones", words.send.fixPhones)
    .option("--format <format>", words.send.format)
    .option("--dry-run", words.send.dryRun)
    .option("-y, --yes", words.send.yes)
    .option("--expect <n>", words.send.expect)
    .action((file: string, _options, command: Command) => send(runtime, file, command.optsWithGlobals()));
  addExamples(campaign.command("status").description(words.status.description), words.status.examples)
    .argument("[ids...]", words.status.ids)
    .option("--ref <ref>", words.status.ref)
    .action((ids: string[], _options, command: Command) => status(runtime, ids, command.optsWithGlobals()));
}
