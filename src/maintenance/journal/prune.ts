import { count, dateTime, decimalSign } from "../../cli/display/format.ts";
import { mayAsk } from "../../cli/display/output.ts";
import { startProgress } from "../../cli/display/progress.ts";
import { note, paragraph } from "../../cli/display/text.ts";
import { questionWords } from "../../cli/line/questions.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError } from "../../errors.ts";
import { JournalError } from "../../journal/engine.ts";
import type { Pruned, Upkeep } from "../../journal/upkeep.ts";
import type { PruneFlags } from "./command.ts";
import { type Place, withJournal } from "./place.ts";

const defaultAge = 90 * 86_400_000;
/** Between two calls, in which whoever waits for SQLite's file has its turn: it asks each 25 to 100 ms. */
const pauseMs = 50;
const nothing: Pruned = { sends: 0, calls: 0, recipients: 0, replies: 0, opt_outs: 0 };
const isNothing = ({ sends, replies, opt_outs }: Pruned): boolean => sends + replies + opt_outs === 0;

const countRemoved = ({ sends, calls, recipients, replies, opt_outs }: Pruned, { ui }: Place["output"]) => ({
  sends: count(sends, ui),
  calls: count(calls, ui),
  recipients: count(recipients, ui),
  replies: count(replies, ui),
  opt_outs: count(opt_outs, ui),
});

async function confirm(runtime: Runtime, question: string): Promise<void> {
  const { system, signal, texts } = runtime;
  if (!mayAsk(runtime)) throw new BposError("not_a_terminal", { flag: "--yes" });
  const isAgreed = await system.prompts.confirm(question, signal, questionWords(texts.t));
  if (!isAgreed) throw new BposError("declined", { of: "prune" });
}

async function remove(
  runtime: Runtime,
  { engine, output }: Place,
  upkeep: Upkeep,
  before: number,
): Promise<Pruned> {
  const { recipients: total } = await upkeep.prunable(before);
  const bar = startProgress(runtime.system, output, output.texts.journal.prune.working);
  const onProgress = async (people: number): Promise<void> => {
    bar.update(people, total);
    await runtime.system.clock.sleep(pauseMs, runtime.signal);
    if (runtime.signal.aborted) throw new BposError("interrupted", { during: "upkeep" });
  };
  return upkeep.prune(before, engine, onProgress).finally(bar.clear);
}

/** Gives the space on the disk back where it can, and returns the sentence about it. */
async function reclaimSpace(
  { engine, output }: Place,
  upkeep: Upkeep,
  isChanged: boolean,
): Promise<string | undefined> {
  const { prune: words, size } = output.ui.texts.journal;
  if (engine === "postgres") return isChanged ? words.autovacuum : undefined;
  if (!isChanged && !(await upkeep.isLoose())) return undefined;

  try {
    await upkeep.shrink();
    const bytes = await upkeep.bytes(engine);
    return words.shrunk(size(bytes, decimalSign(output.ui)));
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return words.notShrunk(error.message);
  }
}

export async function prune(runtime: Runtime, { olderThan, dryRun, yes }: PruneFlags): Promise<void> {
  await withJournal(runtime, ["table", "json", "ndjson"], async (place) => {
    const { output, journal, engine } = place;
    const { format, quiet, ui } = output;
    const words = ui.texts.journal.prune;
    const before = runtime.system.clock.now() - (olderThan ?? defaultAge);
    const day = dateTime(before, ui);
    const upkeep = await journal?.upkeep();
    const found = (await upkeep?.prunable(before)) ?? nothing;

    let space: string | undefined;
    let gone = found;
    if (dryRun !== true && journal !== undefined && upkeep !== undefined) {
      const question = words.ask(countRemoved(found, output), day);
      if (!isNothing(found) && yes !== true) await confirm(runtime, question);
      if (engine === "sqlite") await upkeep.overwriteDeleted();
      gone = isNothing(found) ? nothing : await remove(runtime, place, upkeep, before);
      space = await reclaimSpace(place, upkeep, !isNothing(found));
    }

    if (format !== "table") {
      await output.document({ before: isoWithOffset(before), ...gone, dry_run: dryRun === true });
      return;
    }

    const formatRemoval = dryRun === true ? words.would : words.done;
    const [said, ...rest] = isNothing(gone)
      ? [words.nothing(day), space]
      : [formatRemoval(countRemoved(gone, output), day), words.kept, space];
    const lines = [
      ...paragraph(said, ui),
      ...rest.flatMap((each) => (each === undefined ? [] : note(each, ui))),
    ];
    if (!quiet) await output.data(`${lines.join("\n")}\n`);
  });
}
