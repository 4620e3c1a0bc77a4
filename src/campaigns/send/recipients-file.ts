import { checkOutputFile, checkStandardInput, openGiven, writeRejectedFile } from "../../cli/files.ts";
import { given } from "../../cli/flags.ts";
import type { Output } from "../../cli/output.ts";
import { startProgress } from "../../cli/progress.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { BposError } from "../../errors.ts";
import type { Exclusion, Exclusions } from "../../input/exclusions.ts";
import type { InputFile } from "../../input/file.ts";
import type { RecipientsReading } from "../../input/recipients.ts";
import type { Journal } from "../../journal/open.ts";
import type { Settings } from "../../settings/settings.ts";
import type { SendFlags } from "./command.ts";

/** The flags that say how recipients are read, who is left out, and where those rows go. */
type RecipientsFlags = Pick<
  SendFlags,
  | ("phoneColumn" | "params" | "country" | "fixPhones" | "exclude" | "errors")
  | ("format" | "delimiter" | "encoding")
>;

/** Where recipients are read for. */
interface ReadingContext {
  output: Output;
  settings: Pick<Settings, "country">;
}

/** Throws `usage_flag` before anything is read when the files that were named cannot all be what they are named for. */
export async function checkRecipientsFiles(
  runtime: Runtime,
  path: string,
  { exclude = [], errors }: RecipientsFlags,
): Promise<void> {
  const inputs = [path, ...exclude];
  for (const input of inputs) checkStandardInput(runtime, input);
  if (inputs.filter((input) => input === "-").length > 1)
    throw new BposError("usage_flag", { problem: { kind: "stdin_twice", of: "files" } });
  if (errors === "-")
    throw new BposError("usage_flag", {
      problem: { kind: "file_no_stdout", flag: "--errors", ending: ".csv" },
    });
  if (errors === undefined) return;
  for (const input of inputs)
    await checkOutputFile(runtime.system, { flag: "--errors", file: errors, input, isRejected: true });
}

/** Reads who must not be messaged. Throws `input_unusable` for a line that stands for nobody who is known. */
async function readGivenExclusions(
  runtime: Runtime,
  paths: readonly string[],
  phones: { country?: string; phoneColumn?: string },
  output: Output,
): Promise<Exclusions> {
  const { readExclusions } = await import("../../input/exclusions.ts");
  const { unusable } = await import("../../input/file.ts");
  const all = new Map<string, Exclusion>();
  for (const path of paths) {
    const file = await openGiven(runtime.system, path, output);
    const { people, unreadable } = await readExclusions(file, phones, runtime.signal);
    const [first, ...more] = unreadable;
    if (first !== undefined) {
      const problem = { kind: "exclusion_unreadable", row: first.problem, more: more.length } as const;
      throw unusable(file, problem, first.line);
    }
    if (people.size === 0) await output.notice(runtime.texts.notices.excludesNobody(file.name));
    for (const [person, place] of people) all.set(person, place);
  }
  return all;
}

/**
 * Reads the recipients that a command was given, by its flags. Throws `input_unreadable`, `input_unusable` and
 * `interrupted`.
 */
export async function readGivenRecipients(
  runtime: Runtime,
  path: string,
  flags: RecipientsFlags,
  { output, settings }: ReadingContext,
): Promise<{ file: InputFile; reading: RecipientsReading; excludedPeople: ReadonlySet<string> }> {
  const { readRecipients } = await import("../../input/recipients.ts");
  const { format, delimiter, encoding, phoneColumn, params, fixPhones, exclude = [] } = flags;
  const phones = given({ phoneColumn, country: flags.country ?? settings.country });
  const exclusions = await readGivenExclusions(runtime, exclude, phones, output);
  const file = await openGiven(runtime.system, path, output, flags);
  const bar = startProgress(runtime.system, output, runtime.texts.notices.reading(file.name));
  const reading = await readRecipients(
    file,
    { ...given({ format, delimiter, encoding, params, fixPhones }), ...phones, exclusions },
    { signal: runtime.signal, onProgress: (rows) => bar.update(rows, undefined) },
  ).finally(bar.clear);
  for (const notice of reading.notices) await output.notice(runtime.texts.rows.notice(notice));
  return { file, reading, excludedPeople: new Set(exclusions.keys()) };
}

/** Writes all rows that are left out, in the order of their lines; the file's name, null where there are none. Throws `output_unwritable`. */
export async function writeLeftOut(
  runtime: Pick<Runtime, "system" | "texts">,
  desk: { journal: Journal; output: Output },
  errors: string,
  { form, columns, invalid, duplicates, excluded }: RecipientsReading,
): Promise<string | null> {
  const rows = [...invalid, ...duplicates, ...excluded].sort((a, b) => a.line - b.line);
  if (rows.length === 0) return null;
  const { copyForm, sheetOf } = await import("../../input/rejected-sheet.ts");
  const { rejectedCsv } = await import("../../catalog/push/view.ts");
  const sheet = { ...sheetOf(columns), ...copyForm(form) };
  const rejected = rows.map((row) => ({ ...row, source: "file" as const, codigo: null }));
  const csv = rejectedCsv({ rejected }, sheet, runtime);
  return writeRejectedFile(runtime, desk, errors, { csv, marked: sheet.marked });
}
