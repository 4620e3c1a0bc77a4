import {
  chosenObjects,
  type FieldsOf,
  fieldColumns,
  fieldsCsv,
  nothingOf,
} from "../../cli/display/fields.ts";
import { age, byteSize, dateTime, number, shown } from "../../cli/display/format.ts";
import { column, table } from "../../cli/display/table.ts";
import { heading, note, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { Journal } from "../../journal/journal.ts";
import { type HeldLock, type Lock, lockNamed } from "../../journal/locks/locks.ts";
import type { OwedOutput, Subject } from "../../journal/upkeep/upkeep.ts";
import { readProfiles } from "../../settings/profile-file.ts";
import type { T } from "../../texts/texts.ts";
import { findBranchNames } from "../branch-names.ts";
import { engineNames, type ShownJournal, withJournal } from "../open-journal.ts";
import { subjectNames } from "./command.ts";
import type { LockReport, OwedReport, SubjectReport } from "./report.ts";

export async function status(runtime: Runtime): Promise<void> {
  await withJournal(runtime, ["table", "json", "ndjson", "csv"], async (opened) => {
    const { output, engine, shown: where, journal } = opened;
    const { format, ui } = output;
    const { fields } = runtime.flags;
    const found = journal && (await readContents(journal, engine));
    const subjects = found?.subjects ?? [];

    const names = await findBranchNames(opened, readProfiles(runtime.system).profiles);
    const locks = (found?.held ?? []).map(({ name, ...held }): HeldWork => {
      const lock = lockNamed(name);
      return { ...lock, ...held, branchName: names.get(lock.branch) ?? null };
    });
    const owed = (found?.owed ?? []).map(
      (each): Waiting => ({ ...each, branchName: names.get(each.branch) ?? null }),
    );
    const rows = chosenObjects(subjectFields, subjects, { fields, format });

    if (format === "json") {
      await output.document({
        engine,
        journal: where,
        exists: found !== undefined,
        bytes: found?.bytes ?? null,
        subjects: rows,
        owed: owed.map(toOwedJson),
        locks: locks.map(toLockJson),
      });
    } else if (format === "csv") {
      await output.data(fieldsCsv(subjectFields, fields, subjects, ui));
    } else if (format === "ndjson") {
      for (const row of rows) await output.document(row);
    } else if (found === undefined) {
      const none = ui.texts.t("No journal yet: {place} is created when needed.", { place: where });
      await output.data(`${note(none, ui).join("\n")}\n`);
    } else {
      const about = { engine, shown: where, bytes: found.bytes };
      await output.data(formatStatus(about, { subjects, owed, locks }, ui, fields));
    }
  });
}

const commands = {
  push: "catalog push",
  send: "campaign send",
  watch: "orders watch",
  listen: "campaign listen",
};

/** The orders and changes pending for an output, with the profile's name if it is known. */
type Waiting = OwedOutput & { branchName: string | null };

type HeldWork = Lock & Omit<HeldLock, "name"> & { branchName: string | null };

const subjectWords: Readonly<Record<Subject["subject"], (t: T) => string>> = {
  orders: (t) => t("orders"),
  pushes: (t) => t("catalog pushes"),
  products: (t) => t("products"),
  sends: (t) => t("sends"),
  calls: (t) => t("send calls"),
  recipients: (t) => t("recipients"),
  replies: (t) => t("replies"),
  opt_outs: (t) => t("opt-outs"),
};

const toIsoTime = (at: number | null): string | null => (at === null ? null : isoWithOffset(at));

const subjectFields: FieldsOf<Subject> = {
  object: (row): SubjectReport => ({ ...row, oldest: toIsoTime(row.oldest) }),
  example: nothingOf(subjectNames),
  columns: [
    ["subject", ({ subject }) => subject],
    ["entries", ({ entries }) => entries],
    ["pending", ({ pending }) => pending],
    ["oldest", ({ oldest }) => toIsoTime(oldest)],
  ],
};

const toOwedJson = ({ branch, branchName, ...owed }: Waiting): OwedReport => ({
  branch: branchName,
  branch_id: branch,
  ...owed,
});

const toLockJson = ({ work, branch, consumer, branchName, ...held }: HeldWork): LockReport => ({
  work,
  branch: branchName,
  branch_id: branch === "all" ? null : branch,
  consumer: consumer ?? null,
  host: held.host,
  pid: held.pid,
  since: toIsoTime(held.since),
  expires_at: toIsoTime(held.expiresAt),
});

async function readContents(journal: Journal, engine: ShownJournal["engine"]) {
  const upkeep = await journal.upkeep();
  const [subjects, owed] = [await upkeep.subjects(), await upkeep.owed()];
  return { subjects, owed, bytes: await upkeep.bytes(engine), held: await journal.held() };
}

function formatOwed(owed: readonly Waiting[], ui: Ui): string[] {
  if (owed.length === 0) return [];
  const { t } = ui.texts;
  const right = { align: "right" } as const;
  const readBranch = (row: Waiting): string => row.branchName ?? row.branch.slice(0, 8);

  const rows = table(
    [
      column<Waiting>(t("Branch"), 2, readBranch, { shrinkTo: 8 }),
      column<Waiting>(t("Consumer"), 3, ({ consumer }) => shown(consumer), { shrinkTo: 8 }),
      column<Waiting>(t("Output"), 1, ({ output }) => output),
      column<Waiting>(t("Orders"), 1, ({ orders }) => number(orders, ui), right),
      column<Waiting>(t("Changes"), 4, ({ changes }) => number(changes, ui), right),
    ],
    owed,
    ui,
  );
  const next = t(
    "The next `bpos orders watch` with that output delivers them. `bpos orders forget` discards them.",
  );

  return [...heading(t("Orders pending for an output"), ui), rows.trimEnd(), ...note(next, ui), ""];
}

function formatLocks(locks: readonly HeldWork[], ui: Ui): string[] {
  const { t } = ui.texts;
  if (locks.length === 0) return note(t("No process holds a lock."), ui);
  const readBranch = (lock: HeldWork): string =>
    lock.branch === "all" ? t("all // branches") : (lock.branchName ?? lock.branch.slice(0, 8));

  const rows = table(
    [
      column<HeldWork>(t("Command"), 1, (lock) => commands[lock.work]),
      column<HeldWork>(t("Branch"), 2, readBranch, { shrinkTo: 8 }),
      locks.some((lock) => lock.consumer !== undefined) &&
        column<HeldWork>(t("Consumer"), 4, (lock) => shown(lock.consumer), { shrinkTo: 8 }),
      column<HeldWork>(t("Process"), 1, ({ host, pid }) => `${host}:${pid}`),
      column<HeldWork>(t("Since"), 3, (lock) => dateTime(lock.since, ui)),
      locks.some(({ expiresAt }) => expiresAt !== null) &&
        column<HeldWork>(t("Expires in"), 5, ({ expiresAt }) => age((expiresAt ?? ui.now) - ui.now), {
          align: "right",
        }),
    ],
    locks,
    ui,
  );
  return [...heading(t("Locks"), ui), rows.trimEnd()];
}

function formatStatus(
  { engine, shown: where, bytes }: ShownJournal & { bytes: number },
  found: { subjects: readonly Subject[]; owed: readonly Waiting[]; locks: readonly HeldWork[] },
  ui: Ui,
  chosen?: readonly string[],
): string {
  const { subjects, owed, locks } = found;
  const { t } = ui.texts;
  const right = { align: "right" } as const;
  const pending = (text: string, row: Subject): string => (row.pending > 0 ? ui.theme.warn(text) : text);

  const own = [
    column<Subject>(t("Subject"), 1, ({ subject }) => subjectWords[subject](t)),
    column<Subject>(t("Kept"), 1, ({ entries }) => number(entries, ui), right),
    column<Subject>(t("Pending // what a journal holds"), 2, (row) => number(row.pending, ui), {
      ...right,
      style: pending,
    }),
    column<Subject>(t("Oldest"), 3, ({ oldest }) => (oldest === null ? shown(null) : dateTime(oldest, ui))),
  ];
  const name = [t("Journal"), engineNames[engine], where, byteSize(bytes, ui)].join(" · ");
  const shownColumns = chosen ? fieldColumns(subjectFields, chosen, subjects) : own;
  const lines = [
    ...title(name, ui),
    table(shownColumns, subjects, ui).trimEnd(),
    "",
    ...formatOwed(owed, ui),
    ...formatLocks(locks, ui),
  ];
  return `${lines.join("\n")}\n`;
}
