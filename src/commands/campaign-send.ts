import type { Command } from "commander";
import * as z from "zod";
import { BposError, exitCodes, exitNameOf } from "../errors.ts";
import type { Confirmed, SendReport, SendResult } from "../flows/send-campaign.ts";
import type { SendPlan, SendRequest } from "../flows/send-plan.ts";
import type { InputFile } from "../input/file.ts";
import type { Journal } from "../journal/open.ts";
import { noticeWords } from "../text/en/rows.ts";
import { en } from "../text/en.ts";
import { fileFormat, given, names, parseFlags, whole } from "./flag-values.ts";
import { checkStandardInput, openGiven } from "./given-file.ts";
import { globalShape } from "./global-flags.ts";
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
  allowRepeat: z.boolean().optional(),
});
type SendFlags = z.infer<typeof sendFlags>;

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
  const options = given({ format, phoneColumn, params, fixPhones, country: flags.country ?? country });
  return input.readRecipients(file, options);
}

/** What of a report is not in the report itself. */
interface ReportContext {
  sentAt?: number | undefined;
  /** Whether the rows that cannot be used were shown before the question. */
  invalidShown?: boolean;
}

async function write(output: Output, report: SendReport, context: ReportContext = {}): Promise<void> {
  const { sendReport, sendReportJson } = await import("../view/send-report.ts");
  if (output.format !== "table") await output.document(sendReportJson(report));
  const allWell =
    report.outcome === "sent" && report.invalid.length === 0 && report.recipients.errors.length === 0;
  if (output.format === "table" && !(output.quiet && allWell)) {
    const { isoWithOffset } = await import("../flows/instants.ts");
    const { sentAt, invalidShown } = context;
    await output.data(
      sendReport(report, output.ui, {
        sentAt: sentAt === undefined ? undefined : isoWithOffset(sentAt),
        // A person who sees both streams has just read them.
        invalidShown: invalidShown === true && output.ui.width !== undefined,
      }),
    );
  }
}

/** Asks before anything goes out; throws `declined`, `not_a_terminal` and `expected_other_count`. */
async function confirm(runtime: Runtime, flags: SendFlags, planned: number): Promise<void> {
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
function exitCodeOf({ report, failure }: Pick<SendResult, "report" | "failure">): number {
  if (failure) return exitCodes[exitNameOf[failure.reason]];
  return report.invalid.length > 0 || report.recipients.errors.length > 0 ? exitCodes.partial : exitCodes.ok;
}

async function requestOf(
  { system }: Runtime,
  path: string,
  flags: SendFlags,
  { settings, output }: Session,
): Promise<Omit<SendRequest, "branch">> {
  const { defaultRef } = await import("../flows/send-plan.ts");
  const file = await openGiven(system, path, output);
  const reading = await readRecipients(file, flags, settings.country);
  for (const notice of reading.notices) await output.notice(noticeWords(notice));
  return {
    reading,
    ref: flags.ref ?? defaultRef(file.name, file.bytes),
    template: templateOf(flags),
    campaignName: flags.name,
    headerUrl: flags.headerUrl,
    headerField: flags.headerField ?? settings.headerField,
    allowRepeat: flags.allowRepeat === true,
  };
}

/** Shows what would leave: to the person who is asked, on a terminal, or as the result of a dry run. True when it was seen. */
async function preview(
  { system }: Runtime,
  session: Session,
  request: SendRequest,
  { plan, draft }: { plan: SendPlan; draft: SendReport },
): Promise<boolean> {
  const { output } = session;
  const { firstRecipients } = await import("../flows/send-plan.ts");
  const { sendPreview } = await import("../view/send-report.ts");
  const shown = {
    branch: session.branchName,
    template: draft.template,
    language: request.template.language ?? null,
    external_ref: request.ref,
    header_url: request.headerUrl ?? null,
    recipients: draft.recipients,
    calls: plan.open.length + plan.calls.length,
    first: firstRecipients(plan, 3),
    invalid: draft.invalid,
  };
  if (draft.dry_run) {
    if (output.format === "table") await output.data(sendPreview(shown, output.ui, { dryRun: true }));
    else await write(output, draft);
    return true;
  }
  if (plan.planned === 0 || !system.stderr.isTerminal) return false;
  await output.block(sendPreview(shown, output.errorUi));
  return !output.quiet;
}

/** Sends what was confirmed, while no other bpos sends for this branch. */
async function carryOut(
  runtime: Runtime,
  session: Session,
  request: SendRequest,
  { journal, ...confirmed }: Confirmed & { journal: Journal },
): Promise<SendResult> {
  const { sendCampaign } = await import("../flows/send-campaign.ts");
  const { client, output } = session;
  const { clock, uuid } = runtime.system;
  const bar = startProgress(runtime.system, output, en.notices.sending);
  const { signal } = runtime;
  const tools = { client, journal, clock, uuid, signal, onProgress: bar.update };
  return sendCampaign(request, confirmed, tools).finally(bar.clear);
}

async function send(runtime: Runtime, path: string, raw: unknown): Promise<void> {
  const flags = parseFlags(sendFlags, raw);
  templateOf(flags);
  checkStandardInput(path, flags);
  const needs = { address: "campaigns_base_url", formats: ["table", "json", "ndjson"] } as const;
  await withSession(runtime, flags, needs, async (session) => {
    const { output } = session;
    const { newSendReport } = await import("../flows/send-campaign.ts");
    const { planSend } = await import("../flows/send-plan.ts");
    const { journal, branch, lock } = await session.openJournal();
    const request = { ...(await requestOf(runtime, path, flags, session)), branch };
    const plan = planSend(request, journal, runtime.system.clock.now());
    const dryRun = flags.dryRun === true;
    const draft = newSendReport(request, plan, { sendId: runtime.system.uuid(), dryRun });
    // Known before anything is written: a closed pipe must not hide it.
    if (dryRun) runtime.exitCode = exitCodeOf({ report: draft });
    const invalidShown = await preview(runtime, session, request, { plan, draft });
    if (dryRun) return;
    await confirm(runtime, flags, plan.planned);
    await lock("send");
    const result = await carryOut(runtime, session, request, {
      journal,
      planned: plan.planned,
      expect: flags.expect,
    });
    runtime.exitCode = exitCodeOf(result);
    await write(output, result.report, { sentAt: result.sentAt, invalidShown });
    await output.mismatches(result.mismatches);
    if (result.failure) throw result.failure;
  });
}

/** Declares `bpos campaign send`. */
export function declareSend(campaign: Command, runtime: Runtime): void {
  const words = en.help.campaign.send;
  addExamples(campaign.command("send").description(words.description), words.examples)
    .argument("<file>", words.file)
    .option("--template <name>", words.template)
    .option("--template-id <id>", words.templateId)
    .option("--language <code>", words.language)
    .option("--ref <ref>", words.ref)
    .option("--name <name>", words.name)
    .option("--header-url <url>", words.headerUrl)
    .option("--header-field <name>", words.headerField)
    .option("--phone-column <column>", words.phoneColumn)
    .option("--params <columns>", words.params)
    .option("--country <code>", words.country)
    .option("--fix-phones", words.fixPhones)
    .option("--format <format>", words.format)
    .option("--dry-run", words.dryRun)
    .option("-y, --yes", words.yes)
    .option("--expect <n>", words.expect)
    .option("--allow-repeat", words.allowRepeat)
    .action((file: string, _options, command: Command) => send(runtime, file, command.optsWithGlobals()));
}
