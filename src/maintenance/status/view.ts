import { fieldColumns } from "../../cli/display/fields.ts";
import { ABSENT, age, count, isoTime, number, visible } from "../../cli/display/format.ts";
import { type Column, column, type Listing, listing, listText } from "../../cli/display/table.ts";
import { note, paragraph, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import {
  type BranchReport,
  type BranchStatus,
  countUndelivered,
  type Problem,
  statusFields,
} from "./report.ts";
import type { Status } from "./status.ts";

/** Where the journal is, as people know it. */
export interface ShownPlace {
  engine: "sqlite" | "postgres";
  place: string;
}

const engines = { sqlite: "SQLite", postgres: "PostgreSQL" };
const ofWatch: readonly Problem["kind"][] = ["stopped", "outage", "died", "unwatched", "silent"];

/** True for one that nobody ever watched. */
const isUnknown = ({ watch, outputs }: BranchReport): boolean =>
  watch.state === "none" && outputs.length === 0;

/** How a branch's watch is to look. */
export function chooseTone({ report, problems }: BranchStatus): "good" | "warn" | "bad" | "dim" {
  if (isUnknown(report)) return "dim";
  if (problems.some(({ kind }) => ofWatch.includes(kind))) return "bad";
  return report.watch.state === "none" ? "warn" : "good";
}

function formatPush({ last_push: push }: BranchReport, ui: Ui): string {
  if (push === null) return ABSENT;
  const since = age(ui.now - Date.parse(push.at));
  return push.rejected ? ui.texts.status.rejected(since, number(push.rejected, ui)) : since;
}

function formatOutputs({ outputs }: BranchReport, ui: Ui): string {
  const owed = outputs.filter(({ undelivered }) => undelivered > 0);
  const parts = owed.map(({ output, undelivered }) => `${output} ${number(undelivered, ui)}`);
  return parts.join(", ") || (outputs.length === 0 ? ABSENT : "0");
}

/** The columns of the table and of the page; what concerns nobody is left to a pipe. */
export function branchColumns(ui: Ui, rows: readonly BranchStatus[] | undefined): Column<BranchStatus>[] {
  const { columns: words, states } = ui.texts.status;
  const right = { align: "right" } as const;
  type Cell = (report: BranchReport) => string;
  const own = (name: string, priority: number, cell: Cell, more: Partial<Column<BranchStatus>> = {}) =>
    column<BranchStatus>(name, priority, ({ report }) => cell(report), more);
  const warns = (isWrong: (report: BranchReport) => boolean) => ({
    style: (text: string, { report }: BranchStatus) => (isWrong(report) ? ui.theme.warn(text) : text),
  });
  const style = (text: string, row: BranchStatus): string => ui.theme[chooseTone(row)](text);
  const isUsed = (is: (report: BranchReport) => unknown): boolean =>
    rows?.some(({ report }) => is(report)) ?? true;

  const all = [
    own(words.branch, 1, ({ branch }) => branch, { shrinkTo: 8 }),
    own(words.state, 1, (row) => (isUnknown(row) ? ABSENT : states[row.watch.state]), { style }),
    own(words.poll, 1, ({ watch: { age_s: s } }) => (s === null ? ABSENT : age(s * 1000)), right),
    own(words.outputs, 2, (row) => formatOutputs(row, ui), {
      shrinkTo: 12,
      ...warns((row) => countUndelivered(row) > 0),
    }),
    isUsed((row) => row.last_push) &&
      own(
        words.push,
        3,
        (row) => formatPush(row, ui),
        warns((row) => Boolean(row.last_push?.rejected)),
      ),
    isUsed((row) => row.unfinished_sends.length) &&
      own(words.sends, 5, (row) => number(row.unfinished_sends.length, ui), right),
    isUsed((row) => row.waiting_replies) &&
      own(words.replies, 6, (row) => number(row.waiting_replies, ui), right),
    own(
      words.process,
      4,
      ({ watch: { machine, pid } }) => (pid === null ? ABSENT : `${machine ?? ""}:${pid}`),
      {
        shrinkTo: 12,
      },
    ),
    own(words.since, 7, ({ watch }) => isoTime(watch.since, ui)),
  ];
  return all.filter((each) => each !== false);
}

/** What is wrong, as a sentence; its command stands beside it. */
export function describeProblem({ kind, name, n, ageMs }: Problem, ui: Ui): string {
  const told = { n: count(n, ui), name, age: ageMs === null ? null : age(ageMs) };
  return ui.texts.status.problems[kind](told);
}

const isUnwell = ({ problems }: BranchStatus): boolean => problems.length > 0;

export const isAllWell = ({ branches }: Status): boolean => !branches.some(isUnwell);

/** What is not well, each with the command that mends it; or that all is well. */
function formatFoot({ branches }: Status, ui: Ui): string[] {
  const { status: words } = ui.texts;
  const { theme } = ui;
  const well = branches.filter((each) => !isUnwell(each)).length;
  if (branches.length === 0) return note(words.noBranches, ui);
  if (well === branches.length) return [theme.good(words.allWell(count(well, ui)))];
  const lines = branches.flatMap(({ report, problems }) =>
    problems.flatMap((problem) => [
      ...paragraph(`${report.branch}: ${describeProblem(problem, ui)}`, ui).map(theme.warn),
      // In one line, to be copied.
      `  ${theme.accent(visible(problem.command))}`,
    ]),
  );
  return [...lines, ...(well === 0 ? [] : note(words.well(count(well, ui)), ui))];
}

export const formatPlace = ({ engine, place }: ShownPlace): string => `${engines[engine]} · ${place}`;

/** What is not well comes first on a terminal. */
export function statusList(status: Status, where: ShownPlace, ui: Ui, chosen?: readonly string[]): Listing {
  const isPipe = ui.width === undefined;
  const byTrouble = (a: BranchStatus, b: BranchStatus): number => Number(isUnwell(b)) - Number(isUnwell(a));
  const rows = isPipe ? status.branches : status.branches.toSorted(byTrouble);
  const columns = chosen
    ? fieldColumns(statusFields, chosen, rows)
    : branchColumns(ui, isPipe ? undefined : rows);
  const head = title(`${ui.texts.status.title} · ${formatPlace(where)}`, ui);
  return listing(columns, rows, { head, foot: formatFoot(status, ui) }, ui);
}

/** The whole as it stands on a terminal now, never higher than `rows`: branches that are well are left out first. */
export function statusFrame(status: Status, where: ShownPlace, ui: Ui, rows: number): string[] {
  const foot = formatFoot(status, ui);
  const linesOf = (branches: BranchStatus[]): string[] =>
    listText({ ...statusList({ ...status, branches }, where, ui), foot }, ui)
      .trimEnd()
      .split("\n");
  const all = linesOf(status.branches);
  return (all.length > rows ? linesOf(status.branches.filter(isUnwell)) : all).slice(0, rows);
}

/** A branch in one line. */
export function changeLine({ report, problems }: BranchStatus, ui: Ui): string {
  const words = ui.texts.status;
  const troubles = problems.map((problem) => `${describeProblem(problem, ui)} ${problem.command}`);
  const state = [words.states[report.watch.state], ...(troubles.length === 0 ? [words.isWell] : troubles)];
  return visible(`${report.branch}: ${state.join(" · ")}`);
}
