import type { Cell } from "../../cli/csv.ts";
import { type FieldsOf, fieldColumns, fieldsCsv } from "../../cli/fields.ts";
import { age, count, isoTime, number, shown } from "../../cli/format.ts";
import type { Ui } from "../../cli/output.ts";
import { type Column, table } from "../../cli/table.ts";
import { note, paragraph, title } from "../../cli/text.ts";
import type { PastPush } from "./run.ts";

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What people call one of our own names; a name that is not among `words` as it came. */
const named = (words: Readonly<Record<string, string>>, name: unknown): string =>
  new Map(Object.entries(words)).get(String(name)) ?? shown(name);

/** What to do about pushes that did not come to their end: only the newest one of a branch is taken up again. */
function nextSteps(
  pushes: readonly PastPush[],
  unfinished: ReadonlySet<string>,
  { texts }: Pick<Ui, "texts">,
): string[] {
  const words = texts.push.history;
  // Standard input has no name that says what was pushed.
  const fileOf = ({ file }: PastPush): string | null => (file === "-" ? null : file);
  const [newest, ...older] = pushes;
  if (newest === undefined) return [];
  const isDelete = newest["action"] === "delete";
  const goOn = isDelete ? words.goOn.delete() : words.goOn.upsert(fileOf(newest));
  const overtaken = older.find(({ push_id }) => unfinished.has(push_id));
  return [
    ...(unfinished.has(newest.push_id) ? [goOn] : []),
    ...(overtaken === undefined ? [] : [words.overtaken(fileOf(overtaken))]),
  ];
}

/** Nobody knows of the batches without an answer whether they arrived, or left at all. */
function sentOf(push: PastPush, ui: Ui): string {
  const sent = number(push["sent"], ui);
  return push["outcome"] === "unknown" ? ui.texts.push.history.atMost(sent) : sent;
}

function usualColumns(ui: Ui): Column<PastPush>[] {
  const words = ui.texts.push.history;
  const { columns } = words;
  const { good, warn, bad } = ui.theme;
  const tone = (outcome: unknown): ((text: string) => string) =>
    outcome === "complete" ? good : outcome === "unknown" || outcome === "refused" ? bad : warn;
  return [
    { title: columns.at, cell: (push) => isoTime(push.at, ui), priority: 1 },
    { title: columns.age, cell: (push) => age(ui.now - Date.parse(push.at)), align: "right", priority: 6 },
    { title: columns.action, cell: (push) => named(words.actions, push["action"]), priority: 4 },
    { title: columns.file, cell: (push) => shown(push.file), priority: 2, shrinkTo: 12, cutAt: "start" },
    { title: columns.sent, cell: (push) => sentOf(push, ui), align: "right", priority: 3 },
    { title: columns.accepted, cell: (push) => number(push["accepted"], ui), align: "right", priority: 2 },
    {
      title: columns.stale,
      cell: (push) => number(push["skipped_stale"], ui),
      align: "right",
      priority: 5,
    },
    {
      title: columns.rejected,
      cell: (push) => number(listOf(push["rejected"]).length + Number(push["rejected_left_out"] ?? 0), ui),
      align: "right",
      priority: 2,
    },
    {
      title: columns.outcome,
      cell: (push) => named(words.outcomes, push["outcome"]),
      priority: 1,
      style: (cell, push) => tone(push["outcome"])(cell),
    },
  ];
}

/**
 * The pushes that were made from this machine, newest first.
 *
 * @param more whether there are others.
 * @param unfinished the ids of those that did not come to their end.
 */
export function pushHistoryTable(
  pushes: readonly PastPush[],
  { more, unfinished }: { more: boolean; unfinished: ReadonlySet<string> },
  ui: Ui,
  chosen?: readonly string[],
): string {
  const words = ui.texts.push.history;
  if (pushes.length === 0) return `${[...title(words.title, ui), ...note(words.none, ui)].join("\n")}\n`;
  const text = table(chosen ? fieldColumns(pushFields, chosen, pushes) : usualColumns(ui), pushes, ui);
  const shownOf = (more ? words.newest : words.all)(count(pushes.length, ui));
  const steps = nextSteps(pushes, unfinished, ui).flatMap((step) => paragraph(step, ui).map(ui.theme.warn));
  return `${[...title(words.title, ui), text.trimEnd(), "", ...steps, ...note(shownOf, ui)].join("\n")}\n`;
}

const csvColumns = [
  ...["push_id", "at", "action", "file", "read", "sent", "batches", "accepted", "skipped_stale"],
  ...["duplicate_batches", "unchanged", "rejected", "rejected_file", "outcome"],
];
const cellOf = (value: unknown): Cell => (Array.isArray(value) ? value.length : (value as Cell));

/** What there is to choose of a push. */
export const pushFields: FieldsOf<PastPush> = {
  object: (push) => push,
  example: Object.fromEntries([...csvColumns, "occurred_at", "dry_run"].map((name) => [name, null])),
  columns: csvColumns.map((name) => [name, (push) => cellOf(push[name])]),
};

/** The pushes as a CSV under the names of the JSON; of what was rejected, how many. */
export function pushHistoryCsv(pushes: readonly PastPush[], ui: Ui, chosen?: readonly string[]): string {
  return fieldsCsv(pushFields, chosen, pushes, ui);
}
