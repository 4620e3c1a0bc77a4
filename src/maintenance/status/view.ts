import { fieldColumns } from "../../cli/display/fields.ts";
import { ABSENT, age, count, isoTime, number, visible } from "../../cli/display/format.ts";
import { type Column, column, type Listing, listing, listText, MANY } from "../../cli/display/table.ts";
import { note, paragraph, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { sayKind, type Words } from "../../texts/kinds.ts";
import type { Count } from "../../texts/message.ts";
import type { T } from "../../texts/texts.ts";
import { engineNames, type ShownJournal } from "../open-journal.ts";
import { type BranchStatus, countUndelivered, type Problem, statusFields } from "./branch-status.ts";
import type { BranchReport } from "./report.ts";

/** The number of branches with problems that a terminal shows when there are more than people read. */
const maxProblems = 100;

const ofWatch: readonly Problem["kind"][] = ["stopped", "outage", "died", "unwatched", "silent", "frozen"];

/** Says that there is no journal, and which commands create one. */
export const noJournalWords = (place: string, t: T): string =>
  t(
    "No journal yet: {place} is created when needed. `bpos orders watch` delivers orders; `bpos init` sets up a branch.",
    { place },
  );

/** True for a branch that nobody ever watched. */
const isUnknown = ({ watch, outputs }: BranchReport): boolean =>
  watch.state === "none" && outputs.length === 0;

/** Returns the tone of a branch's watch. */
function chooseTone({ report, problems }: BranchStatus): "good" | "warn" | "bad" | "dim" {
  if (isUnknown(report)) return "dim";
  if (problems.some(({ kind }) => ofWatch.includes(kind))) return "bad";
  return ["none", "standby"].includes(report.watch.state) ? "warn" : "good";
}

function formatPush({ report: { last_push: push }, pushAgeMs = 0 }: BranchStatus, ui: Ui): string {
  if (push === null) return ABSENT;
  const since = age(pushAgeMs);
  if (!push.rejected) return since;
  return ui.texts.t("{since}, {rows} rejected", { since, rows: number(push.rejected, ui) });
}

function formatOutputs({ outputs }: BranchReport, ui: Ui): string {
  const owed = outputs.filter(({ undelivered }) => undelivered > 0);
  const parts = owed.map(({ output, undelivered }) => `${output} ${number(undelivered, ui)}`);
  return parts.join(", ") || (outputs.length === 0 ? ABSENT : "0");
}

const formatProcess = ({ machine, pid }: Pick<BranchReport["watch"], "machine" | "pid">): string =>
  pid === null ? ABSENT : `${machine ?? ""}:${pid}`;

const formatStandby = ({ watch: { standby } }: BranchReport): string => standby.map(formatProcess).join(", ");

const stateWords = (state: BranchReport["watch"]["state"], t: T): string =>
  ({
    ok: t("ok"),
    outage: t("outage"),
    stopped: t("stopped"),
    standby: t("standing by"),
    none: t("nobody"),
  })[state];

/** Returns the columns of the table; a terminal leaves out those that are empty. */
function branchColumns(ui: Ui, rows: readonly BranchStatus[] | undefined): Column<BranchStatus>[] {
  const { t } = ui.texts;
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
    own(t("Branch"), 1, ({ branch }) => branch, { shrinkTo: 20 }),
    own(t("Watch"), 1, (row) => (isUnknown(row) ? ABSENT : stateWords(row.watch.state, t)), { style }),
    own(t("Last poll"), 1, ({ watch: { age_s: s } }) => (s === null ? ABSENT : age(s * 1000)), right),
    own(t("Undelivered"), 2, (row) => formatOutputs(row, ui), { shrinkTo: 12, style: ofOutputs }),
    isUsed((row) => row.last_push) &&
      column<BranchStatus>(t("Last push"), 3, (row) => formatPush(row, ui), { style: ofPush }),
    isUsed((row) => row.unfinished_sends.length) &&
      own(t("Unfinished sends"), 4, (row) => number(row.unfinished_sends.length, ui), right),
    isUsed((row) => row.waiting_replies) &&
      own(t("Replies"), 5, (row) => number(row.waiting_replies, ui), right),
    isUsed(({ watch }) => watch.pid !== null) &&
      own(t("Process"), 6, ({ watch }) => formatProcess(watch), { shrinkTo: 12 }),
    isUsed(({ watch }) => watch.since !== null) &&
      own(t("Since"), 8, ({ watch }) => isoTime(watch.since, ui)),
    isUsed(({ watch }) => watch.standby.length) &&
      own(t("Standing by"), 7, (row) => formatStandby(row) || ABSENT, { shrinkTo: 12 }),
  ];
  return all.filter((each) => each !== false);
}

/** Returns how many problems are shown one by one. */
export const problemLimit = ({ length }: readonly BranchStatus[]): number =>
  length > MANY ? maxProblems : Number.POSITIVE_INFINITY;

type Told = Pick<Problem, "kind" | "name"> & { n: Count; age: string };

/** Sentences about a watch, and between them when it polled last, where that is known. */
const withPoll = (before: string, { age }: Told, after: string, t: T): string =>
  [before, ...(age === "" ? [] : [t("The last complete poll was {age} ago.", { age })]), after].join(" ");

const problemWords: Words<Told> = {
  stopped: ({ age }, t) => t("Its watch stopped {age} ago because the service refuses the branch.", { age }),
  outage: ({ age }, t) => t("Outage for {age}: the service does not answer.", { age }),
  died: (told, t) => withPoll(t("Its watch process died."), told, t("Start it again as it was:"), t),
  unwatched: (told, t) =>
    withPoll(t("No process watches it."), told, t("Start its watch again as it was:"), t),
  silent: (told, t) => {
    const { name } = told;
    const before = t("Process {name} watches it, but completes no poll.", { name });
    return withPoll(before, told, t("Stop it if it hangs, and start it again:"), t);
  },
  frozen: (told, t) => {
    const { name } = told;
    const before = t("Process {name} holds its lock, but completes no poll.", { name });
    const after = t("A standby takes over when that process ends. If it hangs, end it:");
    return withPoll(before, told, after, t);
  },
  waits: ({ n, name, age }, t) =>
    t(
      "{n, plural, one {# order waits} other {# orders wait}} for {name}, the oldest for {age}. A watch with --{name} delivers {n, plural, one {it} other {them}}:",
      { n, name, age },
    ),
  fails: ({ n, name, age }, t) =>
    t(
      "{n, plural, one {# order waits} other {# orders wait}} for {name}, the oldest for {age}. Its watch keeps retrying and reports the cause on standard error. `bpos orders forget` discards {n, plural, one {it} other {them}}.",
      { n, name, age },
    ),
  send: ({ n, name }, t) =>
    t('The send "{name}" is unfinished: {n, plural, one {# recipient is} other {# recipients are}} left.', {
      n,
      name,
    }),
  pushPending: (_, t) => t("The last push is unfinished: some batches have no response."),
  pushRejected: ({ n }, t) =>
    t(
      "The last push had {n, plural, one {# rejected row} other {# rejected rows}}. Correct the file, then:",
      { n },
    ),
  replies: ({ n, age }, t) =>
    t("{n, plural, one {# reply waits} other {# replies wait}} for an output, the oldest for {age}.", {
      n,
      age,
    }),
};

/** A problem in words, and the command that fixes it. */
const listTroubles = (branches: readonly BranchStatus[], ui: Ui) =>
  branches.flatMap(({ report, problems }) =>
    problems.map(({ kind, name, n, ageMs, command }) => {
      const told = { kind, name, n: count(n, ui), age: ageMs === null ? "" : age(ageMs) };
      const style = ofWatch.includes(kind) ? ui.theme.bad : ui.theme.warn;
      return { branch: report.branch, text: sayKind(problemWords, told, ui.texts.t), command, style };
    }),
  );

export const isWell = ({ problems }: BranchStatus): boolean => problems.length === 0;

/** Returns a sentence for each process that polls its branches of a service less often than it should, by a key of both. */
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
    const text = ui.texts.t(
      "{process} polls {branches, plural, one {# branch} other {# branches}} about every {every} instead of every {interval}, since {since}, because the service accepts no more requests. Its standard error shows details.",
      told,
    );
    return [key, text] as const;
  });
  return new Map(sentences);
}

/** True if there is nothing to warn of. */
export const isAllWell = (branches: readonly BranchStatus[]): boolean =>
  branches.every((row) => isWell(row) && row.report.watch.behind === null);

/** Returns the sentence about the branches that are well. */
function describeWell(branches: readonly BranchStatus[], ui: Ui): { tone: "good" | "dim"; text: string } {
  const { t } = ui.texts;
  if (branches.length === 0)
    return {
      tone: "dim",
      text: t("The journal has no branches yet. `bpos orders watch` delivers orders."),
    };
  const well = count(branches.filter(isWell).length, ui);
  if (isAllWell(branches)) {
    const text = t("All is well: {well, plural, one {# branch} other {# branches}}.", { well });
    return { tone: "good", text };
  }
  const text = t("{well, plural, one {# other branch is} other {# other branches are}} well.", { well });
  return { tone: "dim", text: [0, branches.length].includes(well.n) ? "" : text };
}

/** Says how many problems are not shown. */
export const moreWords = (n: Count, t: T): string =>
  t(
    "{n, plural, one {# more problem} other {# more problems}}: `bpos status -p <profile>` shows those of one branch.",
    { n },
  );

/** Returns as many lines as there is room for; a sentence is never without its command. */
function formatFoot(branches: readonly BranchStatus[], ui: Ui, rows = Number.POSITIVE_INFINITY): string[] {
  const { theme, texts } = ui;
  const { tone, text } = describeWell(branches, ui);
  const troubles = listTroubles(branches, ui).map((trouble) => [
    ...paragraph(`${trouble.branch}: ${trouble.text}`, ui).map(trouble.style),
    // On one line, so that it can be copied.
    `  ${theme.accent(visible(trouble.command))}`,
  ]);
  const slow = [...listBehind(branches, ui).values()].flatMap((each) => paragraph(each, ui).map(theme.warn));
  const end = [...slow, ...(text === "" ? [] : paragraph(text, ui).map(theme[tone]))];
  const isMany = troubles.length > problemLimit(branches);
  const all = [...troubles.flat(), ...end];
  if (!isMany && all.length <= rows) return all;

  const more = (fitting: number): string[] => [
    ...troubles.slice(0, fitting).flat(),
    ...note(moreWords(count(troubles.length - fitting, ui), texts.t), ui),
    ...slow,
  ];
  let fitting = isMany ? maxProblems : troubles.length - 1;
  while (fitting > 0 && more(fitting).length > rows) fitting -= 1;
  return more(fitting).slice(0, rows);
}

const formatPlace = ({ engine, shown }: ShownJournal): string => `${engineNames[engine]} · ${shown}`;

/** Lists the branches; on a terminal those with problems come first. */
export function statusList(
  branches: readonly BranchStatus[],
  place: ShownJournal,
  ui: Ui,
  chosen?: readonly string[],
): Listing {
  const isPipe = ui.width === undefined;
  const byTrouble = (a: BranchStatus, b: BranchStatus): number => Number(isWell(a)) - Number(isWell(b));
  const isCut = !isPipe && branches.length > MANY;
  const sorted = isPipe ? branches : branches.toSorted(byTrouble);
  const rows = isCut ? sorted.filter((row) => !isWell(row)).slice(0, maxProblems) : sorted;
  const left = branches.length - rows.length;
  const { t } = ui.texts;
  const leftOut = t(
    "{left, plural, one {# branch is} other {# branches are}} not in the table: `bpos status -o csv` lists all.",
    { left: count(left, ui) },
  );
  const rest = left === 0 ? [] : note(leftOut, ui);
  const columns = chosen
    ? fieldColumns(statusFields, chosen, rows)
    : branchColumns(ui, isPipe ? undefined : rows);
  const head = title(`${t("Status")} · ${formatPlace(place)}`, ui);
  return listing(columns, rows, { head, foot: [...formatFoot(branches, ui), ...rest] }, ui);
}

/** Returns the status in at most `rows` lines: without the branches that are well, or without the table, if there is no room. */
export function statusFrame(
  branches: readonly BranchStatus[],
  place: ShownJournal,
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

/** Returns a branch in one line. */
export function changeLine(row: BranchStatus, ui: Ui): string {
  const { t } = ui.texts;
  const troubles = listTroubles([row], ui).map(({ text, command }) => `${text} ${command}`);
  const { branch, watch } = row.report;
  const waits =
    watch.standby.length === 0
      ? []
      : [t("{processes} standing by", { processes: formatStandby(row.report) })];
  const state = watch.state === "standby" ? waits : [stateWords(watch.state, t), ...waits];
  const all = [...state, ...(troubles.length === 0 ? [t("well")] : troubles)];
  return visible(`${branch}: ${all.join(" · ")}`);
}
