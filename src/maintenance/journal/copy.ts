import { existsSync } from "node:fs";
import { count } from "../../cli/display/format.ts";
import { openOutput } from "../../cli/display/output.ts";
import { startProgress } from "../../cli/display/progress.ts";
import { note, paragraph } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { exclusive } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { readWantedMock } from "../../cli/session/branches.ts";
import { openShared } from "../../cli/session/shared.ts";
import {
  databaseFault,
  databaseName,
  databasePasswords,
  isDatabase,
  shownDatabase,
} from "../../contract/addresses.ts";
import { BposError, isReason } from "../../errors.ts";
import { openTarget } from "../../journal/engine/postgres.ts";
import { copyJournal } from "../../journal/upkeep/copy.ts";
import { ownJournal } from "../../settings/journal-place.ts";
import { traceSettings } from "../../settings/settings.ts";
import { shellWord } from "../../texts/phrases.ts";
import type { CopyReport } from "./report.ts";

export async function copy(runtime: Runtime, { to: given }: { to?: string | undefined }): Promise<void> {
  const { system, signal } = runtime;
  if (readWantedMock(runtime) === "embedded") throw exclusive("--mock", "--to");
  const output = openOutput(runtime, ["table", "json", "ndjson"]);
  const { file, to } = await readPlaces(runtime, given);
  await completeSource(runtime, file);
  const { env, pid, host } = system;
  const shown = databaseName(to, env);
  const shared = openShared(runtime);
  const target = await openTarget(to, await shared.reaching());

  const bar = startProgress(system, output, output.ui.texts.t("Copying"));
  const copying = {
    source: `${host}:${file}`,
    to: shown,
    address: shownDatabase(to),
    signal,
    onProgress: bar.update,
    holder: { id: system.uuid(), pid, host },
  };
  const { rows, resumed } = await copyJournal(file, target, copying)
    .finally(bar.clear)
    .finally(() => target.close());

  const total = Object.values(rows).reduce((sum, n) => sum + n, 0);
  if (output.format !== "table") {
    const report: CopyReport = { from: file, to: shown, rows: total, resumed, tables: rows };
    await output.document(report);
    return;
  }

  const copied = { total, resumed, file, shown, address: shownDatabase(to) };
  if (!output.quiet) await output.data(`${copiedLines(copied, output.ui).join("\n")}\n`);
}

/** Returns the file of this machine, and the database that flag or settings name. */
async function readPlaces({ system, flags }: Runtime, given: string | undefined) {
  const { settings } = await traceSettings(system, flags);
  const file = isDatabase(settings.journal) ? ownJournal(system).place : settings.journal;
  const to = given?.trim() ?? (isDatabase(settings.journal) ? settings.journal : undefined);
  if (to === undefined) throw new BposError("usage_flag", { problem: { kind: "copy_target_missing" } });

  for (const password of databasePasswords(to)) system.hide(password, "…");
  const problem = isDatabase(to) ? databaseFault(to, system.env) : ({ kind: "not_database" } as const);
  if (problem !== undefined)
    throw new BposError("journal_unreadable", { file: "--to", detail: { kind: "database", problem } });
  if (!existsSync(file))
    throw new BposError("copy_refused", { to: file, problem: { kind: "source_missing" } });
  return { file, to };
}

/** Writes to the file what only this machine recorded about it: the copy has another id, so this would be lost. Throws `journal_older`. */
async function completeSource(runtime: Runtime, file: string): Promise<void> {
  const shared = openShared(runtime);
  try {
    const journal = await shared.journal(file);
    await journal.refuseOlder();
    await journal.keepOptOuts();
  } catch (error) {
    // An earlier copy was killed or is done: the file was complete when it began.
    const { detail } = isReason(error, "journal_unreadable") ? error.facts : {};
    if (typeof detail !== "object" || detail.kind !== "journal_copied") throw error;
  } finally {
    await shared.close();
  }
}

/** Says what was copied, and what to do with both journals. */
function copiedLines(
  {
    total,
    resumed,
    file,
    shown,
    address,
  }: Record<"total" | "resumed", number> & Record<"file" | "shown" | "address", string>,
  ui: Ui,
): string[] {
  const { t } = ui.texts;
  const done = t("Copied {rows, plural, one {# row} other {# rows}} from {file} to {to}.", {
    rows: count(total, ui),
    file,
    to: shown,
  });
  const before = t(
    "{rows, plural, one {# row was} other {# rows were}} already there from an interrupted copy.",
    { rows: count(resumed, ui) },
  );
  const next = t(
    "Set BPOS_JOURNAL={address} wherever bpos runs on this machine, then start watches and cron jobs again.",
    { address: shellWord(address) },
  );
  const old = t(
    "bpos no longer uses {file}: without BPOS_JOURNAL a command exits with 9. Keep the file as a backup until you trust the new journal, then delete it.",
    { file },
  );

  return [
    ...paragraph(done, ui).map(ui.theme.good),
    ...(resumed > 0 ? note(before, ui) : []),
    ...paragraph(next, ui),
    ...note(old, ui),
  ];
}
