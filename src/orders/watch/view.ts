import { age, count, number, visible } from "../../cli/format.ts";
import type { Ui } from "../../cli/output.ts";
import { textWidth, truncate } from "../../cli/text.ts";

/** How the watch of one branch fares; instants are epoch milliseconds. */
export interface BranchStatus {
  /** The branch as people name it. */
  name: string;
  /** When the service last answered; undefined before its first answer. */
  lastAnswerAt?: number | undefined;
  /** Since when polls fail; undefined while the service answers. */
  failingSince?: number | undefined;
  /** The last failed poll was answered with a refusal; says nothing without `failingSince`. */
  refused?: boolean | undefined;
  /** How many orders are pendiente, as of the last answer. */
  waiting: number;
  /** When the next poll is due; undefined, or when it is past, the service is being asked. */
  nextPollAt?: number | undefined;
}

type State = "answering" | "refused" | "silent" | "awaited";

/** A piece of the line. */
interface Part {
  text: string;
  /** 1 stays longest; where the line is too long, the highest number gives way first. */
  rank: number;
  style: (text: string) => string;
  /** What gives way is replaced by this, or else left out. */
  shorter?: Part;
}

const BETWEEN = " · ";
/** So many branches without an answer are named. */
const NAMED = 3;
/** A branch's name takes no more columns than this. */
const NAME = 24;

function stateOf({ failingSince, refused, lastAnswerAt }: BranchStatus): State {
  if (failingSince !== undefined) return refused === true ? "refused" : "silent";
  return lastAnswerAt === undefined ? "awaited" : "answering";
}

const branchName = (name: string): string => truncate(visible(name), NAME);

function stateOfOne(branch: BranchStatus, ui: Ui): Part {
  const words = ui.texts.orders.status;
  const { good, bad, dim } = ui.theme;
  switch (stateOf(branch)) {
    case "answering":
      return { text: words.answering, rank: 2, style: good };
    case "refused":
      return { text: words.refused, rank: 2, style: bad };
    case "awaited":
      return { text: words.firstAwaited, rank: 2, style: dim };
    case "silent": {
      const shorter = { text: words.noAnswer, rank: 2, style: bad };
      // The last answer's age says nearly the same, and stands beside it.
      const text = words.noAnswerFor(age(ui.now - (branch.failingSince ?? ui.now)));
      return { text, rank: 8, style: bad, shorter };
    }
  }
}

function stateOfMany(branches: readonly BranchStatus[], ui: Ui): Part {
  const words = ui.texts.orders.status.many;
  const groups = new Map<State, string[]>();
  for (const each of branches) {
    const state = stateOf(each);
    const names = groups.get(state) ?? [];
    names.push(each.name);
    groups.set(state, names);
  }
  const said = (state: State, named: boolean): string[] => {
    const names = groups.get(state) ?? [];
    if (names.length === 0 && state !== "answering") return [];
    const text = words[state](number(names.length, ui));
    if (!named || names.length === 0) return [text];
    const more = names.length > NAMED ? "…" : "";
    return [`${text}: ${names.slice(0, NAMED).map(branchName).join(", ")}${more}`];
  };
  const line = (named: boolean): string =>
    [said("answering", false), said("refused", named), said("silent", named), said("awaited", false)]
      .flat()
      .join(", ");
  const troubled = groups.has("refused") || groups.has("silent");
  const style = troubled ? ui.theme.bad : groups.has("answering") ? ui.theme.good : ui.theme.dim;
  return { text: line(true), rank: 6, style, shorter: { text: line(false), rank: 2, style } };
}

function nextPoll(branches: readonly BranchStatus[], ui: Ui): string {
  const words = ui.texts.orders.status;
  const due = branches.map(({ nextPollAt }) => nextPollAt ?? 0).filter((at) => at > ui.now);
  if (due.length === 0) return words.askingNow;
  const first = due.reduce((earliest, at) => Math.min(earliest, at));
  return words.nextPoll(age(first - ui.now));
}

function partsOf(branches: readonly BranchStatus[], ui: Ui): Part[] {
  const words = ui.texts.orders.status;
  const { theme } = ui;
  const [one, ...others] = branches;
  const single = one !== undefined && others.length === 0;
  const parts: Part[] = [];
  if (ui.badge !== null)
    parts.push({ text: ui.badge, rank: 4, style: (text) => theme.warn(theme.strong(text)) });
  const name = single ? branchName(one.name) : words.branches(count(branches.length, ui));
  parts.push({ text: name, rank: 5, style: theme.strong });
  parts.push(single ? stateOfOne(one, ui) : stateOfMany(branches, ui));
  const answers = branches.flatMap(({ lastAnswerAt }) => lastAnswerAt ?? []);
  if (answers.length > 0) {
    const last = answers.reduce((latest, at) => Math.max(latest, at));
    // Of one branch this is what must always be seen (`flows.md`); of many it is the newest of all, and says little.
    parts.push({ text: words.lastAnswer(age(ui.now - last)), rank: single ? 1 : 9, style: theme.dim });
  }
  parts.push({ text: nextPoll(branches, ui), rank: 7, style: theme.dim });
  if (answers.length > 0) {
    const waiting = branches.reduce((sum, each) => sum + each.waiting, 0);
    parts.push({ text: words.waiting(number(waiting, ui)), rank: 3, style: theme.strong });
  }
  return parts;
}

/** Shortens and leaves out parts, the least important first, until they fit beside each other. */
function fitting(parts: readonly Part[], room: number): readonly Part[] {
  let kept = parts;
  while (textWidth(kept.map(({ text }) => text).join(BETWEEN)) > room) {
    const last = Math.max(...kept.map(({ rank }) => rank));
    const fewer = kept.flatMap((part) => (part.rank < last ? [part] : (part.shorter ?? [])));
    if (fewer.length === 0) break;
    kept = fewer;
  }
  return kept;
}

/**
 * The last line of a terminal while orders are watched, without a newline, at most as wide as the terminal less one
 * column: whether each branch's service answers, when it last did, when it is asked again, how many orders wait. Where
 * there is little room the least important parts are left out.
 */
export function watchStatus(branches: readonly BranchStatus[], ui: Ui): string {
  // In the last column many terminals wrap already; then a carriage return no longer reaches the line's beginning.
  const room = (ui.width ?? 81) - 1;
  return fitting(partsOf(branches, ui), room)
    .map(({ text, style }) => style(truncate(text, room)))
    .join(ui.theme.dim(BETWEEN));
}
