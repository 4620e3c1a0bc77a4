import { openGiven } from "../../cli/files/named-files.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session/session.ts";
import { isReason } from "../../errors.ts";
import { type InputFile, unusable } from "../../input/file.ts";
import { type ExclusionOptions, type Exclusions, readExclusions } from "../../input/recipients.ts";

/** `--sheet` counts here too where the file has a sheet of that name. */
async function readExclusionFile(file: InputFile, options: ExclusionOptions, signal: AbortSignal) {
  try {
    return await readExclusions(file, options, signal);
  } catch (error) {
    const problem = isReason(error, "input_unusable") ? error.facts.problem : undefined;
    if (problem?.kind === "sheet_unknown" || problem?.kind === "no_workbook")
      return readExclusionFile(file, { ...options, sheet: undefined }, signal);

    if (problem?.kind !== "sheets_several") throw error;
    throw unusable(file, { kind: "exclusion_sheets", sheets: problem.sheets });
  }
}

/** Reads who is not to be messaged. Throws `input_unusable` at a row whose phone cannot be read: that person would get the message. */
export async function readExcluded(
  { system, signal, texts }: Runtime,
  { output }: Session,
  paths: readonly string[],
  options: ExclusionOptions,
): Promise<Exclusions> {
  const all = new Map<string, { file: string; line: number }>();
  for (const path of paths) {
    const file = await openGiven(system, path, output);
    const { people, unreadable, notices } = await readExclusionFile(file, options, signal);
    for (const notice of notices) await output.notice(`${file.name}: ${texts.rows.notice(notice)}`);

    const [first, ...more] = unreadable;
    if (first !== undefined) {
      const problem = { kind: "exclusion_unreadable", row: first.problem, more: more.length } as const;
      throw unusable(file, problem, first.line);
    }

    if (people.size === 0) await output.notice(texts.notices.excludesNobody(file.name));
    for (const [person, place] of people) all.set(person, place);
  }
  return all;
}
