import { fieldColumns } from "../../cli/display/fields.ts";
import { ABSENT, age, count, dateTime, number, visible } from "../../cli/display/format.ts";
import { type Column, column, type Listing, listing, listText } from "../../cli/display/table.ts";
import { note, paragraph, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { type BranchStatus, countUndelivered, type Problem, statusFields } from "./report.ts";
import type { Status } from "./status.ts";

/** Where the journal is, as people know it. */
export interface ShownPlace {
  engine: "sqlite" | "postgres";
  place: string;
}

const engines = { sqlite: "SQLite", postgres: "PostgreSQL" };
const urgent: readonly Problem["kind"][] = ["stopped", "outage", "died", "unwatched", "silent"];

export type Tone = "good" | "warn" | "bad" | "dim";

/** How a branch's watch is to look. */
export function chooseTone({ watches, problems }: BranchStatus): Tone {
  if (watches.length === 0) return "dim";
  if (problems.some(({ kind }) => urgent.includes(kind))) return "bad";
  return watches[0]?.state === "none" ? "warn" : "good";
}

const ageOf = (at: number | null | undefined, ui: Ui): string => (at == null ? ABSENT : age(ui.now - at));

function formatPush({ lastPush }: BranchStatus, ui: Ui): string {
  const since = ageOf(lastPush?.at, ui);
  const rejected = lastPush?.rejected ?? 0;
  return rejected === 0 ? since : ui.texts.status.rejected(since, number(rejected, ui));
}

function formatOutputs({ outputs }: BranchStatus, ui: Ui): string {
  const owed = outputs.filter(({ undelivered }) => undelivered > 0);
  if (owed.length > 0)
    return owed.map(({ output, undelivered }) => `${output} ${number(undelivered, ui)}`).join(", ");
  return outputs.length === 0 ? ABSENT : "0";
}

function formatProcess({ watches: [watch] }: BranchStatus): string {
  return watch?.process == null ? ABSENT : `${watch.process.host}:${watch.process.pid}`;
}

/** The columns of the table and of the page; what concerns nobody is left to a pipe. */
export function branchColumns(ui: Ui, rows: readonly BranchStatus[] | undefined): Column<BranchStatus>[] {
  const { columns, states } = ui.texts.status;
  const right = { align: "right" } as const;
  const style = (text: string, row: BranchStatus): string => ui.theme[chooseTone(row)](text);
  const warns = (isWrong: (row: BranchStatus) => boolean) => (text: string, row: BranchStatus) =>
    isWrong(row) ? ui.theme.warn(text) : text;
  const isUsed = (is: (row: BranchStatus) => boolean): boolean => rows?.some(is) ?? true;
  const all: (Column<BranchStatus> | false)[] = [
    column(columns.branch, 1, ({ branch }) => branch, { shrinkTo: 8 }),
    column(columns.state, 1, ({ watches: [watch] }) => (watch ? states[watch.state] : ABSENT), { style }),
    column(columns.poll, 1, ({ watches: [watch] }) => ageOf(watch?.polledAt, ui), right),
    column(columns.outputs, 2, (row) => formatOutputs(row, ui), {
      shrinkTo: 12,
      style: warns((row) => countUndelivered(row) > 0),
    }),
    isUsed(({ lastPush }) => lastPush !== null) &&
      column(columns.push, 3, (row) => formatPush(row, ui), {
        style: warns(({ lastPush }) => (lastPush?.rejected ?? 0) > 0),
      }),
    isUsed(({ unfinishedSends }) => unfinishedSends.length > 0) &&
      column(columns.sends, 5, ({ unfinishedSends }) => number(unfinishedSends.length, ui), right),
    isUsed(({ replies }) => replies.waiting > 0) &&
      column(columns.replies, 6, ({ replies }) => number(replies.waiting, ui), right),
    column(columns.process, 4, formatProcess, { shrinkTo: 12 }),
    column(columns.since, 7, ({ watches: [watch] }) =>
      watch?.process == null ? ABSENT : dateTime(watch.process.since, ui),
    ),
  ];
  return all.filter((each) => each !== false);
}

/** What is wrong, as a sentence; its command stands beside it. */
export function describeProblem(problem: Problem, ui: Ui): string {
  const words = ui.texts.status.problems;
  switch (problem.kind) {
    case "stopped":
    case "outage":
      return words[problem.kind](ageOf(problem.watch.stateSince, ui));
    case "died":
    case "unwatched":
    case "silent": {
      const { polledAt, process } = problem.watch;
      const polled = polledAt === null ? null : ageOf(polledAt, ui);
      if (problem.kind === "died") return words.died(polled);
      if (process === null) return words.unwatched(polled);
      return words.silent(`${process.host}:${process.pid}`, polled);
    }
    case "undelivered": {
      const { output, undelivered, oldestAt, isWatched } = problem;
      const waits = words.undelivered(count(undelivered, ui), output, ageOf(oldestAt, ui));
      return `${waits} ${isWatched ? words.fails : words.delivers(output)}`;
    }
    case "send":
      return words.send(problem.external_ref, count(problem.remaining, ui));
    case "push_pending":
      return words.pushPending;
    case "push_rejected":
      return words.pushRejected(count(problem.rejected, ui));
    case "replies":
      return words.replies(count(problem.replies, ui), ageOf(problem.oldestAt, ui));
  }
}

const isUnwell = ({ problems }: BranchStatus): boolean => problems.length > 0;

export const isAllWell = ({ branches }: Status): boolean => !branches.some(isUnwell);

/** What is not well, each with the command that mends it; or that all is well. */
function formatFoot({ branches }: Status, ui: Ui): string[] {
  const { status: words } = ui.texts;
  const { theme } = ui;
  const unwell = branches.filter(isUnwell);
  if (branches.length === 0) return note(words.noBranches, ui);
  if (unwell.length === 0) return [theme.good(words.allWell(count(branches.length, ui)))];
  const lines = unwell.flatMap(({ branch, problems }) =>
    problems.flatMap((problem) => [
      ...paragraph(`${branch}: ${describeProblem(problem, ui)}`, ui).map(theme.warn),
      // In one line, to be copied.
      `  ${theme.accent(visible(problem.command))}`,
    ]),
  );
  const rest = branches.length - unwell.length;
  return [...lines, ...(rest === 0 ? [] : note(words.well(count(rest, ui)), ui))];
}

export const formatPlace = ({ engine, place }: ShownPlace): string => `${engines[engine]} · ${place}`;

export const placeTitle = (where: ShownPlace, { texts }: Ui): string =>
  `${texts.status.title} · ${formatPlace(where)}`;

/** What is not well comes first on a terminal. */
export function statusList(status: Status, where: ShownPlace, ui: Ui, chosen?: readonly string[]): Listing {
  const { branches } = status;
  const sorted =
    ui.width === undefined
      ? branches
      : branches.toSorted((a, b) => Number(isUnwell(b)) - Number(isUnwell(a)));
  const columns = chosen
    ? fieldColumns(statusFields(ui.now), chosen, sorted)
    : branchColumns(ui, ui.width === undefined ? undefined : sorted);
  return listing(
    columns,
    sorted,
    { head: title(placeTitle(where, ui), ui), foot: formatFoot(status, ui) },
    ui,
  );
}

/** The whole as it stands on a terminal now, never higher than `rows`: branches that are well are left out first. */
export function statusFrame(status: Status, where: ShownPlace, ui: Ui, rows: number): string {
  const trouble = status.branches.filter(isUnwell);
  const lines = (branches: BranchStatus[]): string[] => {
    const { rows: table, ...list } = statusList({ ...status, branches }, where, ui);
    const foot = formatFoot(status, ui);
    return listText({ ...list, foot, rows: table }, ui)
      .trimEnd()
      .split("\n");
  };
  const all = lines(status.branches);
  const shown = all.length > rows ? lines(trouble) : all;
  return `${shown.slice(0, rows).join("\n")}\n`;
}

/** A branch in one line, without what changes by itself. */
export function changeLine(row: BranchStatus, ui: Ui): string {
  const words = ui.texts.status;
  const state = words.states[row.watches[0]?.state ?? "none"];
  const troubles = row.problems.map((problem) => `${describeProblem(problem, ui)} ${problem.command}`);
  return words.change(
    visible(row.branch),
    [state, ...(troubles.length === 0 ? [words.isWell] : troubles)].join(" · "),
  );
}
