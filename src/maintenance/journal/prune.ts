import { byteSize, count, dateTime } from "../../cli/display/format.ts";
import { mayAsk, type Output } from "../../cli/display/output.ts";
import { startProgress } from "../../cli/display/progress.ts";
import { note, paragraph } from "../../cli/display/text.ts";
import { questionWords } from "../../cli/line/questions.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError } from "../../errors.ts";
import { JournalError } from "../../journal/engine/engine.ts";
import type { Pruned, Upkeep } from "../../journal/upkeep/upkeep.ts";
import { type OpenedJournal, withJournal } from "../open-journal.ts";
import type { PruneFlags } from "./command.ts";
import type { PruneReport } from "./report.ts";

export async function prune(runtime: Runtime, { olderThan, dryRun, yes }: PruneFlags): Promise<void> {
  await withJournal(runtime, ["table", "json", "ndjson"], async (opened) => {
    const { output, journal, engine } = opened;
    const { format, quiet, ui } = output;
    const { t } = ui.texts;
    const before = runtime.system.clock.now() - (olderThan ?? defaultAge);
    const day = dateTime(before, ui);
    const upkeep = await journal?.upkeep();
    const found = (await upkeep?.prunable(before)) ?? nothing;

    let space: string | undefined;
    let gone = found;
    if (dryRun !== true && journal !== undefined && upkeep !== undefined) {
      const question = t(
        "Remove the personal data of {found}, finished before {day}? This cannot be undone.",
        { found: sayFound(found, output), day },
      );
      if (!isNothing(found) && yes !== true) await confirm(runtime, question);
      if (engine === "sqlite") await upkeep.overwriteDeleted();
      gone = isNothing(found) ? nothing : await remove(runtime, opened, upkeep, before);
      space = await reclaimSpace(opened, upkeep, !isNothing(found));
    }

    if (format !== "table") {
      const report: PruneReport = { before: isoWithOffset(before), ...gone, dry_run: dryRun === true };
      await output.document(report);
      return;
    }

    const lines = [
      ...paragraph(sayRemoved(gone, { day, isDry: dryRun === true }, output), ui),
      ...(isNothing(gone)
        ? []
        : note(
            t("Counts, keys and pseudonyms are kept, so that nobody is messaged twice or after opting out."),
            ui,
          )),
      ...(space === undefined ? [] : note(space, ui)),
    ];
    if (!quiet) await output.data(`${lines.join("\n")}\n`);
  });
}

const defaultAge = 90 * 86_400_000;
/** The pause between two calls, in which another process gets SQLite's file: it asks every 25 to 100 ms. */
const pauseMs = 50;
const nothing: Pruned = { sends: 0, calls: 0, recipients: 0, replies: 0, opt_outs: 0 };
const isNothing = ({ sends, replies, opt_outs }: Pruned): boolean => sends + replies + opt_outs === 0;

/** Says how many sends, recipients, replies and opt-outs are found. */
function sayFound({ sends, recipients, replies, opt_outs }: Pruned, { ui }: Output): string {
  const { t } = ui.texts;
  const facts = { sends: count(sends, ui), recipients: count(recipients, ui), replies: count(replies, ui) };

  return opt_outs === 0
    ? t(
        "{sends, plural, one {# send} other {# sends}} ({recipients, plural, one {# recipient} other {# recipients}}) and {replies, plural, one {# reply} other {# replies}}",
        facts,
      )
    : t(
        "{sends, plural, one {# send} other {# sends}} ({recipients, plural, one {# recipient} other {# recipients}}), {replies, plural, one {# reply} other {# replies}} and {optOuts, plural, one {# opt-out} other {# opt-outs}}",
        { ...facts, optOuts: count(opt_outs, ui) },
      );
}

async function confirm(runtime: Runtime, question: string): Promise<void> {
  const { system, signal, texts } = runtime;
  if (!mayAsk(runtime)) throw new BposError("not_a_terminal", { flag: "--yes" });
  const isAgreed = await system.prompts.confirm(question, signal, questionWords(texts.t));
  if (!isAgreed) throw new BposError("declined", { of: "prune" });
}

async function remove(
  runtime: Runtime,
  { engine, output }: OpenedJournal,
  upkeep: Upkeep,
  before: number,
): Promise<Pruned> {
  const { recipients: total } = await upkeep.prunable(before);
  const bar = startProgress(runtime.system, output, output.texts.t("Removing"));
  const onProgress = async (people: number): Promise<void> => {
    bar.update(people, total);
    await runtime.system.clock.sleep(pauseMs, runtime.signal);
    if (runtime.signal.aborted) throw new BposError("interrupted", { during: "upkeep" });
  };
  return upkeep.prune(before, engine, onProgress).finally(bar.clear);
}

/** Frees the space on the disk if possible, and returns the sentence about it. */
async function reclaimSpace(
  { engine, output }: OpenedJournal,
  upkeep: Upkeep,
  isChanged: boolean,
): Promise<string | undefined> {
  const { t } = output.ui.texts;
  if (engine === "postgres")
    return isChanged ? t("PostgreSQL reuses the space after its next autovacuum.") : undefined;
  if (!isChanged && !(await upkeep.isLoose())) return undefined;

  try {
    await upkeep.shrink();
    const bytes = await upkeep.bytes(engine);
    return t("The journal takes {size} now.", { size: byteSize(bytes, output.ui) });
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return t("The file keeps its size ({detail}). The data is removed.", { detail: error.message });
  }
}

function sayRemoved(gone: Pruned, { day, isDry }: { day: string; isDry: boolean }, output: Output): string {
  const { t } = output.ui.texts;
  if (isNothing(gone))
    return t("Nothing to remove: no send or reply finished before {day} contains personal data.", { day });
  const found = sayFound(gone, output);

  return isDry
    ? t("Would remove the personal data of {found}, finished before {day}.", { found, day })
    : t("Removed the personal data of {found}, finished before {day}.", { found, day });
}
