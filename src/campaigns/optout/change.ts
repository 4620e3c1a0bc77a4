import { mayAsk } from "../../cli/display/output.ts";
import { openGiven } from "../../cli/files/named-files.ts";
import { onlyGiven } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError, exitCodes } from "../../errors.ts";
import { readExclusions, type UnusedRow } from "../../input/recipients.ts";
import type { NewOptOut } from "../../journal/opt-outs.ts";
import { readPerson } from "../find/person.ts";
import type { AddFlags, ImportFlags, RemoveFlags } from "./command.ts";
import { type Desk, withList } from "./open.ts";
import { addedJson, addedReport } from "./view.ts";

const formats = ["table", "json", "ndjson"] as const;

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

/** Puts everybody of a file on the list; a row whose phone cannot be read keeps no other off it. */
export async function importList(runtime: Runtime, path: string, flags: ImportFlags): Promise<void> {
  await withList(runtime, formats, async (desk) => {
    const { output, settings } = desk;
    const { system, signal, texts } = runtime;
    const { country = settings.country, phoneColumn, sheet } = flags;
    const given = onlyGiven({ country, phoneColumn, area: settings.areaCode });
    const file = await openGiven(system, path, output);
    const options = { ...given, sheet, locale: settings.locale };
    const { people, unreadable, notices } = await readExclusions(file, options, signal);
    for (const notice of notices) await output.notice(`${file.name}: ${texts.rows.notice(notice)}`);

    const at = system.clock.now();
    const all = Array.from(people.keys(), (phone) => ({ phone, at, source: "import", text: null }) as const);
    await put(runtime, desk, all, unreadable);
  });
}

async function askReason(runtime: Runtime, phone: string): Promise<string> {
  if (!mayAsk(runtime)) throw new BposError("not_a_terminal", { flag: "--reason" });
  const { system, signal, texts } = runtime;
  const check = (answer: string): string | undefined =>
    answer.trim() === "" ? texts.notices.askEmpty : undefined;
  return (await system.prompts.text(texts.optout.askReason(phone), { check }, signal)).trim();
}

export async function remove(
  runtime: Runtime,
  typed: string,
  { country, reason: given }: RemoveFlags,
): Promise<void> {
  await withList(runtime, formats, async ({ output, settings, optOuts, change }) => {
    const command = "bpos campaign optout remove";
    const phone = readPerson(typed, command, { country, settings });
    if (!(await optOuts.all()).has(phone)) {
      const about = { kind: "argument_value", argument: "phone", command, text: typed } as const;
      throw new BposError("usage_flag", { problem: { ...about, problem: { kind: "not_opted_out" } } });
    }
    const reason = given ?? (await askReason(runtime, phone));
    const at = runtime.system.clock.now();
    await change((list) => list.remove(phone, { at, reason }));

    if (output.format !== "table") await output.document({ phone, removed_at: isoWithOffset(at), reason });
    else if (!output.quiet) await output.data(`${output.ui.texts.optout.removed(phone)}\n`);
  });
}
