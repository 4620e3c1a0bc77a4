import { writeList } from "../../cli/display/fields.ts";
import type { Format } from "../../cli/display/formats.ts";
import { mayAsk, type Output } from "../../cli/display/output.ts";
import { readGivenRows } from "../../cli/files/given-rows.ts";
import { checkOutputFile, writeNamedFile } from "../../cli/files/named-files.ts";
import { noticeWords } from "../../cli/files/notices.ts";
import { onlyGiven } from "../../cli/line/flags.ts";
import { questionWords } from "../../cli/line/questions.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withBranch } from "../../cli/session/shared.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError, exitCodes } from "../../errors.ts";
import { readExclusions, type UnusedRow } from "../../input/recipients.ts";
import type { Doubt, NewOptOut, OptOut, OptOuts } from "../../journal/records/opt-outs.ts";
import type { Settings } from "../../settings/settings.ts";
import { readPerson } from "../person.ts";
import {
  type AddFlags,
  type ExportFlags,
  type ImportFlags,
  optOutNames,
  type RemoveFlags,
} from "./command.ts";
import type { ExportedJson } from "./schema.ts";
import {
  addedJson,
  addedReport,
  doubtText,
  exportReport,
  optOutFields,
  optOutTable,
  reviewedText,
  toObject,
} from "./view.ts";

const formats = ["table", "json", "ndjson"] as const;

/** The list and its output. It belongs to the journal, so no key and no service is needed. */
interface Desk {
  output: Output;
  settings: Settings;
  optOuts: OptOuts;
  /** Changes the list; a journal that is restored does not lose it on this machine. */
  change: <T>(work: (optOuts: OptOuts) => Promise<T>) => Promise<T>;
}

async function withList(
  runtime: Runtime,
  formats: readonly Format[],
  work: (desk: Desk) => Promise<void>,
): Promise<void> {
  await withBranch(runtime, formats, async ({ branch: { settings }, output, shared }) => {
    const journal = await shared.journal(settings.journal);
    const { optOuts } = journal;
    // The list itself is in the journal; the copy beside it is repaired before the next send, or stops it.
    const keep = (): Promise<void> => journal.keepOptOuts().catch(() => undefined);
    const change: Desk["change"] = async (how) => {
      const result = await how(optOuts);
      await keep();
      return result;
    };
    await keep();
    await work({ output, settings, optOuts, change });
  });
}

async function put(
  runtime: Runtime,
  { output, change }: Desk,
  people: readonly NewOptOut[],
  invalid: readonly UnusedRow[],
): Promise<void> {
  const added = await change((optOuts) => optOuts.add(people));
  if (invalid.length > 0) runtime.exitCode = exitCodes.partial;
  const report = { read: people.length + invalid.length, added, already: people.length - added, invalid };
  if (output.format !== "table") await output.document(addedJson(report));
  else if (!output.quiet || invalid.length > 0) await output.data(addedReport(report, output.ui));
}

export async function add(runtime: Runtime, phones: readonly string[], { country }: AddFlags): Promise<void> {
  await withList(runtime, formats, async (desk) => {
    const command = "bpos campaign optout add";
    const persons = phones.map((phone) => readPerson(phone, command, { country, settings: desk.settings }));
    const at = runtime.system.clock.now();
    const people = [...new Set(persons)].map(
      (phone) => ({ phone, at, source: "added", text: null }) as const,
    );
    await put(runtime, desk, people, []);
  });
}

/** Adds everyone in a file to the list; a row with an unreadable phone does not stop the others. */
export async function importList(runtime: Runtime, path: string, flags: ImportFlags): Promise<void> {
  await withList(runtime, formats, async (desk) => {
    const { output, settings } = desk;
    const { system, signal, texts } = runtime;
    const { country = settings.country, phoneColumn, sheet } = flags;
    const given = onlyGiven({ country, phoneColumn, area: settings.areaCode });
    const options = { ...given, sheet, locale: settings.locale };
    const { file, people, unreadable, notices } = await readGivenRows(
      runtime,
      { path },
      output,
      async (opened) => ({ file: opened, ...(await readExclusions(opened, options, signal)) }),
    );
    for (const notice of notices) await output.notice(`${file.name}: ${noticeWords(notice, texts.t)}`);

    const at = system.clock.now();
    const all = Array.from(people.keys(), (phone) => ({ phone, at, source: "import", text: null }) as const);
    await put(runtime, desk, all, unreadable);
  });
}

async function askReason(runtime: Runtime, phone: string): Promise<string> {
  if (!mayAsk(runtime)) throw new BposError("not_a_terminal", { flag: "--reason" });
  const { system, signal, texts } = runtime;
  const check = (answer: string): string | undefined =>
    answer.trim() === "" ? texts.t("An answer is required. Press Ctrl-C to stop.") : undefined;
  const question = texts.t("Why can {phone} be messaged again?", { phone });
  return (await system.prompts.text(question, { check }, signal)).trim();
}

export async function remove(
  runtime: Runtime,
  typed: string,
  { country, reason: given }: RemoveFlags,
): Promise<void> {
  await withList(runtime, formats, async ({ output, settings, optOuts, change }) => {
    const command = "bpos campaign optout remove";
    const phone = readPerson(typed, command, { country, settings });
    if (!(await optOuts.all()).has(phone)) throw new BposError("opt_out_not_found", { phone });
    const reason = given ?? (await askReason(runtime, phone));
    const at = runtime.system.clock.now();
    await change((list) => list.remove(phone, { at, reason }));

    if (output.format !== "table") await output.document({ phone, removed_at: isoWithOffset(at), reason });
    else if (!output.quiet) {
      const removed = output.ui.texts.t(
        "{phone} was removed from the list. Sends can message this person again.",
        { phone },
      );
      await output.data(`${removed}\n`);
    }
  });
}

export async function list(runtime: Runtime): Promise<void> {
  await withList(runtime, ["table", "json", "ndjson", "csv"], async ({ output, optOuts }) => {
    const rows = await optOuts.list();
    const doubts = (await optOuts.doubts()).length;
    const { fields } = runtime.flags;
    await writeList(output, optOutFields, rows, {
      fields,
      document: (objects) => ({ opt_outs: objects }),
      view: (ui) => optOutTable(rows, doubts, ui, fields),
    });
  });
}

async function toBytes(file: string, rows: readonly OptOut[]): Promise<Uint8Array> {
  const cells = rows.map((row) => optOutNames.map((name) => toObject(row)[name]));
  if (!/\.xlsx$/i.test(file)) {
    const { toCsv } = await import("../../cli/display/csv.ts");
    return Buffer.from(toCsv(optOutNames, cells));
  }
  const { workbookChunks } = await import("../../cli/files/workbook.ts");
  const heading = optOutNames.map((text) => ({ text, as: "heading" }) as const);
  const sheet = cells.map((row) => row.map((text) => ({ text: text ?? "" })));
  return Buffer.concat([...workbookChunks([heading, ...sheet], [18, 30, 10, 60])]);
}

/** Writes the list to a file for `import` and `--exclude`; pruned people have no phone to write. */
export async function exportList(runtime: Runtime, file: string, { force }: ExportFlags): Promise<void> {
  const isNew = force !== true;
  if (!/\.(?:csv|xlsx)$/i.test(file))
    throw new BposError("usage_flag", { problem: { kind: "file_not_table", flag: "<file>" } });
  await checkOutputFile(runtime.system, { flag: "<file>", file, input: undefined, isNew });

  await withList(runtime, formats, async ({ output, optOuts }) => {
    const all = await optOuts.list();
    const rows = all.filter(({ phone }) => phone !== null);
    await writeNamedFile(runtime.system, file, await toBytes(file, rows), { isNew, mode: 0o600 });
    const report: ExportedJson = { file, opt_outs: rows.length, without_phone: all.length - rows.length };
    if (report.without_phone > 0) runtime.exitCode = exitCodes.partial;
    if (output.format !== "table") await output.document(report);
    else if (!output.quiet || report.without_phone > 0) await output.data(exportReport(report, output.ui));
  });
}

const answers = ["optedOut", "not", "later"] as const;

/** Each answer is recorded before the next question. */
async function ask(runtime: Runtime, { output, change }: Desk, doubts: readonly Doubt[]) {
  const { system, signal, texts } = runtime;
  const { t } = texts;
  const words = { optedOut: t("Opted out"), not: t("No: keep messaging"), later: t("Later") };
  const counts = { optedOut: 0, not: 0, later: 0 };
  for (const [n, doubt] of doubts.entries()) {
    await output.block(doubtText(doubt, { n: n + 1, all: doubts.length }, output.errorUi));
    const choices = answers.map((answer) => words[answer]);
    const question = t("Did this person opt out?");
    const chosen = await system.prompts.choose(question, choices, { signal, words: questionWords(texts.t) });
    const answer = answers[chosen] ?? "later";
    const at = system.clock.now();
    const { phone, text } = doubt;
    // A doubtful message keeps its phone until somebody has decided.
    if (answer === "optedOut" && phone !== null)
      await change((list) => list.add([{ phone, at, source: "reply", text }]));
    if (answer === "not") await change((list) => list.dismiss(doubt, at));
    counts[answer] += 1;
  }
  return counts;
}

/** Shows the messages that contain a word of refusal one by one; without a terminal only `--json` lists them. */
export async function review(runtime: Runtime): Promise<void> {
  await withList(runtime, formats, async (desk) => {
    const { output, optOuts } = desk;
    const doubts = await optOuts.doubts();
    if (output.format !== "table") {
      const objects = doubts.map(({ phone, at, text }) => ({ phone, at: isoWithOffset(at), text }));
      if (output.format === "json") await output.document({ doubtful: objects });
      else for (const each of objects) await output.document(each);
      return;
    }
    if (doubts.length > 0 && !mayAsk(runtime)) throw new BposError("not_a_terminal", { flag: "--json" });
    const counts = await ask(runtime, desk, doubts);
    if (!output.quiet) await output.data(reviewedText(counts, output.ui));
  });
}
