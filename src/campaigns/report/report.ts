import { maskPhone } from "../../cli/display/format.ts";
import { startProgress } from "../../cli/display/progress.ts";
import { paragraph } from "../../cli/display/text.ts";
import { checkOutputFile, writeNamedFile } from "../../cli/files/named-files.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session/session.ts";
import { BposError, isReason } from "../../errors.ts";
import { en } from "../../i18n/en.ts";
import { readRates } from "../send/cost.ts";
import { readCampaigns, withoutPhones } from "../status/read.ts";
import { type CampaignReport, collectReport } from "./collect.ts";
import type { ReportFlags } from "./command.ts";
import { recipientsCsv, recipientsWorkbook, reportText } from "./view.ts";

const kinds = ["html", "csv", "xlsx"] as const;
type Files = { kind: (typeof kinds)[number]; file: string }[];

/** Throws `usage_flag` for a file that could not be written once all is read. */
async function checkFiles({ system }: Runtime, flags: ReportFlags): Promise<Files> {
  const files: Files = kinds.flatMap((kind) => {
    const file = flags[kind];
    return file === undefined ? [] : [{ kind, file }];
  });
  for (const { kind, file } of files)
    await checkOutputFile(system, { flag: `--${kind}`, file, input: undefined, isNew: flags.force !== true });
  return files;
}

/** What the journal and the service know of a send, or of a campaign by its id. Throws `send_not_found`, `send_open`. */
async function readReport(runtime: Runtime, session: Session, name: string): Promise<CampaignReport> {
  const { system, signal, texts } = runtime;
  const { client, output, settings, openJournal } = session;
  const { journal, branch } = await openJournal();
  const calls = await journal.sends.reportedCalls(branch, name);
  const made = [...new Set(calls.flatMap(({ campaign_id: id }) => id ?? []))];
  if (calls.length > 0 && made.length === 0) throw new BposError("send_open", { ref: name });

  const ids = calls.length === 0 ? [name] : made;
  const bar = startProgress(system, output, texts.follow.reading);
  const reading = readCampaigns(client, ids, { signal, onProgress: bar.update }).finally(bar.clear);
  const { mismatches, ...status } = await reading.catch((error: unknown) => {
    // It is neither in the journal nor a campaign of the service.
    const isUnknown = isReason(error, "input_refused") || isReason(error, "usage_flag");
    throw calls.length === 0 && isUnknown ? new BposError("send_not_found", { ref: name }) : error;
  });
  await output.mismatches(mismatches);

  const rates = readRates(runtime, settings);
  return collectReport(calls, status, { journal, rates, home: settings, now: system.clock.now() });
}

/** As it may be shown to others: each phone masked. */
const withMaskedPhones = (report: CampaignReport): CampaignReport => ({
  ...report,
  rows: report.rows.map((row) => ({
    ...row,
    phone: maskPhone(row.phone),
    error: row.error && withoutPhones(row.error),
  })),
  replies: report.replies.map((reply) => ({ ...reply, phone: reply.phone && maskPhone(reply.phone) })),
});

/** Without the recipients, whom `--csv` and `--xlsx` list. */
const toDocument = ({ rows: _, errors, ...report }: CampaignReport, files: readonly string[]) => ({
  ...report,
  errors: errors.map(({ kind, ...error }) => ({ ...error, ...en.report.failures[kind] })),
  files,
});

export async function report(runtime: Runtime, name: string, flags: ReportFlags): Promise<void> {
  const files = await checkFiles(runtime, flags);
  const needs = { address: "campaigns_base_url", formats: ["table", "json"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { output, branchName: branch } = session;
    const whole = await readReport(runtime, session, name.trim());
    const shown = flags.phones === true ? whole : withMaskedPhones(whole);

    const ui = { ...output.ui, width: undefined };
    const write = {
      html: async () => (await import("./page.tsx")).renderReport(shown, branch, ui),
      csv: () => recipientsCsv(shown, ui.texts),
      xlsx: () => recipientsWorkbook(shown, ui.texts),
    };
    const isNew = flags.force !== true;
    for (const { kind, file } of files)
      await writeNamedFile(runtime.system, file, await write[kind](), { isNew, mode: 0o600 });

    const names = files.map(({ file }) => file);
    if (output.format !== "table") return output.document(toDocument(shown, names));
    const words = output.ui.texts.report;
    if (files.length === 0) await output.data(reportText(shown, branch, output.ui));
    else if (!output.quiet)
      await output.data(`${paragraph(words.written(names.join(", ")), output.ui).join("\n")}\n`);
  });
}
