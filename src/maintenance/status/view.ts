import { fieldColumns } from "../../cli/display/fields.ts";
import { ABSENT, age, count, isoTime, number, visible } from "../../cli/display/format.ts";
import { type Column, column, type Listing, listing, listText, MANY } from "../../cli/display/table.ts";
import { note, paragraph, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { engineNames, type ShownPlace } from "../journal/place.ts";
import {
  type BranchReport,
  type BranchStatus,
  countUndelivered,
  type Problem,
  statusFields,
} from "./report.ts";

/** Of more branches than people read, a terminal shows so many of those that are not well. */
const maxProblems = 100;

const ofWatch: readonly Problem["kind"][] = ["stopped", "outage", "died", "unwatched", "silent", "frozen"];

/** True for one that nobody ever watched. */
const isUnknown = ({ watch, outputs }: BranchReport): boolean =>
  watch.state === "none" && outputs.length === 0;

/** How a branch's watch is to look. */
function chooseTone({ report, problems }: BranchStatus): "good" | "warn" | "bad" | "dim" {
  if (isUnknown(report)) return "dim";
  if (problems.some(({ kind }) => ofWatch.includes(kind))) return "bad";
  return ["none", "standby"].includes(report.watch.state) ? "warn" : "good";
}

function formatPush({ report: { last_push: push }, pushAgeMs = 0 }: BranchStatus, ui: Ui): string {
  if (push === null) return ABSENT;
  const since = age(pushAgeMs);
  return push.rejected ? ui.texts.status.rejected(since, number(push.rejected, ui)) : since;
}

function formatOutputs({ outputs }: BranchReport, ui: Ui): string {
  const owed = outputs.filter(({ undelivered }) => undelivered > 0);
  const parts = owed.map(({ output, undelivered }) => `${output} ${number(undelivered, ui)}`);
  return parts.join(", ") || (outputs.length === 0 ? ABSENT : "0");
}

const formatProcess = ({ machine, pid }: Pick<BranchReport["watch"], "machine" | "pid">): string =>
  pid === null ? ABSENT : `${machine ?? ""}:${pid}`;

const formatStandby = ({ watch: { standby } }: BranchReport): string => standby.map(formatProcess).join(", ");

/** The columns of the table; what concerns nobody is left to a pipe. */
function branchColumns(ui: Ui, rows: readonly BranchStatus[] | undefined): Column<BranchStatus>[] {
  const { columns: words, states } = ui.texts.status;
  const right = { align: "right" } as const;
  type Cell = (report: BranchReport) => string;
  const own = (name: string, priority: number, cell: Cell, more: Partial<Column<BranchStatus>> = {}) =>
    column<BranchStatus>(name, priority, ({ report }) => cell(report), more);
  const ofPush = (text: string, { report }: BranchStatus): string =>
    report.last_push?.rejected ? ui.theme.warn(text) : text;
  const ofOutputs = (text: string, { report }: BranchStatus): string =>
    countUndelivered(report) > 0 ? ui.theme.warn(text) : text;
  const style = (text: string, row: BranchStatus): string => ui.theme[chooseTone(row)](text);
  const isUsed = (is: (report: BranchReport) => unknown): boolean =>
    rows?.some(({ report }) => is(report)) ?? true;

  const all = [
    own(words.branch, 1, ({ branch }) => branch, { shrinkTo: 8 }),
    own(words.state, 1, (row) => (isUnknown(row) ? ABSENT : states[row.watch.state]), { style }),
    own(words.poll, 1, ({ watch: { age_s: s } }) => (s === null ? ABSENT : age(s * 1000)), right),
    own(words.outputs, 2, (row) => formatOutputs(row, ui), { shrinkTo: 12, style: ofOutputs }),
    isUsed((row) => row.last_push) &&
      column<BranchStatus>(words.push, 3, (row) => formatPush(row, ui), { style: ofPush }),
    isUsed((row) => row.unfinished_sends.length) &&
      own(words.sends, 5, (row) => number(row.unfinished_sends.length, ui), right),
    isUsed((row) => row.waiting_replies) &&
      own(words.replies, 6, (row) => number(row.waiting_replies, ui), right),
    own(words.process, 4, ({ watch }) => formatProcess(watch), { shrinkTo: 12 }),
    own(words.since, 8, ({ watch }) => isoTime(watch.since, ui)),
    isUsed(({ watch }) => watch.standby.length) &&
      own(words.standby, 7, (row) => formatStandby(row) || ABSENT, { shrinkTo: 12 }),
  ];
  return all.filter((each) => each !== false);
}

/** How many problems are told one by one. */
export const problemLimit = ({ length }: readonly BranchStatus[]): number =>
  length > MANY ? maxProblems : Number.POSITIVE_INFINITY;

/** What is not well, and the command that mends it. */
const listTroubles = (branches: readonly BranchStatus[], ui: Ui) =>
  branches.flatMap(({ report, problems }) =>
    problems.map(({ kind, name, n, ageMs, command }) => {
      const told = { n: count(n, ui), name, age: ageMs === null ? null : age(ageMs) };
      return { branch: report.branch, text: ui.texts.status.problems[kind](told), command };
    }),
  );

export const isWell = ({ problems }: BranchStatus): boolean => problems.length === 0;

/** What polls its branches less often than it should: a sentence for each process and service, by what tells it from the others. */
export function listBehind(branches: readonly BranchStatus[], ui: Ui): Map<string, string> {
  const found = new Map<
    string,
    { process: string; n: number; everyMs: number; intervalMs: number; since: string }
  >();
  for (const { report } of branches) {
    const { behind } = report.watch;
    if (behind === null) continue;
    const process = formatProcess(report.watch);
    const key = `${process} ${behind.since}`;
    const { n = 0, everyMs = 0 } = found.get(key) ?? {};
    found.set(key, {
      process,
      n: n + 1,
      everyMs: Math.max(everyMs, behind.every_s * 1_000),
      intervalMs: behind.interval_s * 1_000,
      since: behind.since,
    });
  }
  const sentences = [...found].map(([key, { process, n, everyMs, intervalMs, since }]) => {
    const [every, interval] = [age(everyMs), age(intervalMs)];
    const told = { process, branches: count(n, ui), every, interval, since: isoTime(since, ui) };
    return [key, ui.texts.status.behind(told)] as const;
  });
  return new Map(sentences);
}

/** Whether there is nothing to warn of. */
export const isAllWell = (branches: readonly BranchStatus[]): boolean =>
  branches.every((row) => isWell(row) && row.report.watch.behind === null);

/** What there is to say of those that are well. */
function describeWell(branches: readonly BranchStatus[], ui: Ui): { tone: "good" | "dim"; text: string } {
  const { status: words } = ui.texts;
  const well = branches.filter(isWell).length;
  if (branches.length === 0) return { tone: "dim", text: words.noBranches };
  if (isAllWell(branches)) return { tone: "good", text: words.allWell(count(well, ui)) };
  return { tone: "dim", text: [0, branches.length].includes(well) ? "" : words.well(count(well, ui)) };
}

/** As many lines as there is room for; a sentence is never without its command. */
function formatFoot(branches: readonly BranchStatus[], ui: Ui, rows = Number.POSITIVE_INFINITY): string[] {
  const { theme, texts } = ui;
  const { tone, text } = describeWell(branches, ui);
  const troubles = listTroubles(branches, ui).map((trouble) => [
    ...paragraph(`${trouble.branch}: ${trouble.text}`, ui).map(theme.warn),
    // In one line, to be copied.
    `  ${theme.accent(visible(trouble.command))}`,
  ]);
  const slow = [...listBehind(branches, ui).values()].flatMap((each) => paragraph(each, ui).map(theme.warn));
  const end = [...slow, ...(text === "" ? [] : paragraph(text, ui).map(theme[tone]))];
  const isMany = troubles.length > problemLimit(branches);
  const all = [...troubles.flat(), ...end];
  if (!isMany && all.length <= rows) return all;

  const more = (fitting: number): string[] => [
    ...troubles.slice(0, fitting).flat(),
    ...note(texts.status.more(count(troubles.length - fitting, ui)), ui),
    ...slow,
  ];
  let fitting = isMany ? maxProblems : troubles.length - 1;
  while (fitting > 0 && more(fitting).length > rows) fitting -= 1;
  return more(fitting).slice(0, rows);
}

const formatPlace = ({ engine, shown }: ShownPlace): string => `${engineNames[engine]} · ${shown}`;

/** What is not well comes first on a terminal. */
export function statusList(
  branches: readonly BranchStatus[],
  place: ShownPlace,
  ui: Ui,
  chosen?: readonly string[],
): Listing {
  const isPipe = ui.width === undefined;
  const byTrouble = (a: BranchStatus, b: BranchStatus): number => Number(isWell(a)) - Number(isWell(b));
  const isCut = !isPipe && branches.length > MANY;
  const sorted = isPipe ? branches : branches.toSorted(byTrouble);
  const rows = isCut ? sorted.filter((row) => !isWell(row)).slice(0, maxProblems) : sorted;
  const left = branches.length - rows.length;
  const rest = left === 0 ? [] : note(ui.texts.status.leftOut(count(left, ui)), ui);
  const columns = chosen
    ? fieldColumns(statusFields, chosen, rows)
    : branchColumns(ui, isPipe ? undefined : rows);
  const head = title(`${ui.texts.status.title} · ${formatPlace(place)}`, ui);
  return listing(columns, rows, { head, foot: [...formatFoot(branches, ui), ...rest] }, ui);
}

/** The whole as it stands on a terminal now, never higher than `rows`: left out are first the branches that are well, then the table. */
export function statusFrame(
  branches: readonly BranchStatus[],
  place: ShownPlace,
  ui: Ui,
  rows: number,
): string[] {
  const foot = formatFoot(branches, ui);
  const linesOf = (shown: readonly BranchStatus[]): string[] =>
    listText({ ...statusList(shown, place, ui), foot }, ui)
      .trimEnd()
      .split("\n");
  const choices = [branches, branches.filter((each) => !isWell(each))].filter(({ length }) => length <= rows);
  return choices.map(linesOf).find((lines) => lines.length <= rows) ?? formatFoot(branches, ui, rows);
}

/** A branch in one line. */
export function changeLine(row: BranchStatus, ui: Ui): string {
  const { states, isWell: well, standsBy } = ui.texts.status;
  const troubles = listTroubles([row], ui).map(({ text, command }) => `${text} ${command}`);
  const { branch, watch } = row.report;
  const waits = watch.standby.length === 0 ? [] : [standsBy(formatStandby(row.report))];
  const state = watch.state === "standby" ? waits : [states[watch.state], ...waits];
  const all = [...state, ...(troubles.length === 0 ? [well] : troubles)];
  return visible(`${branch}: ${all.join(" · ")}`);
}
