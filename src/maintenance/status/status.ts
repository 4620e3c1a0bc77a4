import { isDeepStrictEqual } from "node:util";
import { writeList } from "../../cli/display/fields.ts";
import { count, isoTimeToSecond } from "../../cli/display/format.ts";
import type { Format } from "../../cli/display/formats.ts";
import type { Output } from "../../cli/display/output.ts";
import { openFrame } from "../../cli/display/progress.ts";
import { textStream } from "../../cli/display/terminal.ts";
import { note } from "../../cli/display/text.ts";
import { canRedraw, type Ui } from "../../cli/display/ui.ts";
import { exclusive } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { readWantedMock } from "../../cli/session/branches.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { detailWords } from "../../errors/words/details.ts";
import { BposError, exitCodes } from "../../errors.ts";
import { isJournalAway } from "../../journal/engine/engine.ts";
import { inspectProfiles, readProfiles } from "../../settings/profile-file.ts";
import { findBranchNames } from "../branch-names.ts";
import { type OpenedJournal, withJournal } from "../open-journal.ts";
import { type BranchStatus, statusFields } from "./branch-status.ts";
import type { StatusFlags } from "./command.ts";
import { readStatus, type Status } from "./read-status.ts";
import {
  changeLine,
  isAllWell,
  isWell,
  listBehind,
  moreWords,
  noJournalWords,
  problemLimit,
  statusFrame,
  statusList,
} from "./view.ts";

export async function showStatus(runtime: Runtime, flags: StatusFlags): Promise<void> {
  const { fields } = runtime.flags;
  if (fields !== undefined && flags.watch === true) throw exclusive("--fields", "--watch");

  const formats: readonly Format[] =
    flags.watch === true ? ["table", "ndjson"] : ["table", "json", "ndjson", "csv"];
  await withJournal(runtime, formats, async (opened) => {
    const { output, shown } = opened;
    const read = await openReader(runtime, flags, opened);
    if (flags.watch === true) return follow(runtime, output, opened, read);

    const status = await read();
    if (status?.isLate === true) runtime.exitCode = exitCodes.unavailable;
    if (status !== undefined || output.format !== "table")
      return write(output, opened, status ?? { branches: [], isLate: false }, fields);
    const none = noJournalWords(shown, output.ui.texts.t);
    if (!output.quiet) await output.data(`${note(none, output.ui).join("\n")}\n`);
  });
}

const everyMs = 2_000;

/** Reads the status now; undefined if there is no journal yet. */
type Read = () => Promise<Status | undefined>;

async function openReader(runtime: Runtime, { maxAge }: StatusFlags, opened: OpenedJournal): Promise<Read> {
  const { system, flags } = runtime;
  const isMock = readWantedMock(runtime) === "embedded";
  let { profiles } = readProfiles(system);
  const aheadMs = new Map<string, number>();
  let names = await findBranchNames(opened, profiles, aheadMs);
  const asked = {
    aheadMs,
    maxAgeMs: maxAge,
    kill: system.platform === "win32" ? "taskkill /F /PID" : "kill -9",
    isMock,
    current: opened.branch.name,
    only: flags.profile,
  };
  let { journal } = opened;
  let isFirst = true;
  return async () => {
    journal ??= await opened.openJournal();
    // Profiles can change while the status is shown; a file that is being edited is skipped.
    const { content, error } = isFirst ? {} : inspectProfiles(system);
    isFirst = false;
    if (content !== undefined && error === undefined && !isDeepStrictEqual(content.profiles, profiles)) {
      profiles = content.profiles;
      names = await findBranchNames(opened, profiles, aheadMs);
    }
    // In a rehearsal nobody watches them.
    const shown = opened.branch.isMock ? [] : Object.keys(profiles);
    const now = system.clock.now();
    return journal && readStatus(journal, { ...asked, profiles: shown, names, now });
  };
}

async function write(
  output: Output,
  opened: OpenedJournal,
  { branches }: Status,
  fields?: readonly string[],
): Promise<void> {
  const { format, ui, errorUi, quiet } = output;
  const { engine, shown } = opened;
  const ok = isAllWell(branches);
  if (ok && quiet && format === "table") return;

  await writeList(output, statusFields, branches, {
    fields,
    document: (objects) => ({ ok, journal: { engine, place: shown }, branches: objects }),
    view: (at) => statusList(branches, opened, at, fields),
  });
  // A terminal shows them below the table; cron's mail would lack them.
  if (format !== "table" || [ui, errorUi].some(({ width }) => width !== undefined)) return;
  const unwell = branches.filter((each) => !isWell(each));
  const told = unwell.slice(0, problemLimit(branches));
  for (const row of told) await output.warning(changeLine(row, errorUi));
  const more = count(unwell.length - told.length, errorUi);
  if (more.n > 0) await output.warning(moreWords(more, errorUi.texts.t));
  for (const text of listBehind(branches, errorUi).values()) await output.warning(text);
}

/** Shows the status; `trouble` says why it is not known now. */
type Show = (status: Status | undefined, trouble?: string) => Promise<void>;

/** Shows one frame, redrawn in place. */
function showFrame({ system }: Runtime, output: Output, opened: OpenedJournal): Show {
  const { stdout, clock } = system;
  const frame = openFrame(textStream(stdout, system));
  return async (status, trouble) => {
    // In the last column, and in the last row, a terminal goes on by itself.
    const width = Math.max(1, (stdout.columns() ?? 80) - 1);
    const rows = Math.max(1, (stdout.rows() ?? 24) - 1);
    const ui: Ui = { ...output.ui, width, now: clock.now() };
    const { t } = ui.texts;
    const time = isoTimeToSecond(isoWithOffset(ui.now), ui);
    const end = note(trouble ?? t("As of {time}", { time }), ui);
    const lines = status
      ? statusFrame(status.branches, opened, ui, rows - end.length)
      : note(noJournalWords(opened.shown, t), ui);
    await frame.draw(`${[...lines, ...end].join("\n")}\n`);
  };
}

/** Returns a key that changes with everything but time and polls. */
function changeKey({ report, problems }: BranchStatus): string {
  const watch = { ...report.watch, last_poll_at: null, age_s: null, behind: null };
  return JSON.stringify([{ ...report, watch }, problems.map(({ kind }) => kind)]);
}

/** Shows a line for each branch that changed. */
function showChanges({ system }: Runtime, output: Output): Show {
  const before = new Map<string, string>();
  let said: string | undefined;
  let saidBehind = new Map<string, string>();
  return async (status, trouble) => {
    if (trouble !== undefined && trouble !== said) await output.warning(trouble);
    said = trouble;
    const ui = { ...output.ui, now: system.clock.now() };
    const behind = listBehind(status?.branches ?? [], output.errorUi);
    for (const [key, text] of behind) if (!saidBehind.has(key)) await output.warning(text);
    saidBehind = behind;
    for (const row of status?.branches ?? []) {
      const key = changeKey(row);
      if (before.get(row.report.branch) === key) continue;
      before.set(row.report.branch, key);
      const time = isoTimeToSecond(isoWithOffset(ui.now), ui);
      if (output.format === "ndjson") await output.document(row.report);
      else await output.data(`${time}  ${changeLine(row, ui)}\n`);
    }
  };
}

/** Shows the status until it is stopped. Throws if the first reading fails: it may be the wrong journal. */
async function follow(runtime: Runtime, output: Output, opened: OpenedJournal, read: Read): Promise<void> {
  const { system, signal } = runtime;
  const { texts } = output.ui;
  const isLive = output.format === "table" && system.log === undefined && canRedraw(system.stdout, system);
  const show = isLive ? showFrame(runtime, output, opened) : showChanges(runtime, output);
  let last = await read();
  await show(last);
  for (;;) {
    await system.clock.sleep(everyMs, signal);
    if (signal.aborted) throw new BposError("interrupted", { during: "follow" });
    try {
      last = await read();
      await show(last);
    } catch (error) {
      if (!isJournalAway(error)) throw error;
      const detail = detailWords(error.detail, texts.t);
      await show(last, texts.t("The journal cannot be read: {detail}", { detail }));
    }
  }
}
