import { age, count, number, visible } from "../../cli/format.ts";
import type { Output, Ui } from "../../cli/output.ts";
import { eraseLine } from "../../cli/progress.ts";
import { canRedraw } from "../../cli/terminal.ts";
import { textWidth, truncate } from "../../cli/text.ts";
import type { System } from "../../system.ts";

/** How the watch of one branch fares; instants are epoch milliseconds. */
export interface BranchStatus {
  name: string;
  lastAnswerAt?: number | undefined;
  failingSince?: number | undefined;
  /** The last failed poll was answered with a refusal; says nothing without `failingSince`. */
  refused?: boolean | undefined;
  waiting: number;
  /** When the next poll is due; undefined, or when it is past, the service is being asked. */
  nextPollAt?: number | undefined;
}

type State = "answering" | "refused" | "silent" | "awaited";

interface Part {
  text: string;
  /** 1 stays longest; where the line is too long, the highest number gives way first. */
  rank: number;
  style: (text: string) => string;
  /** What gives way is replaced by this, or else left out. */
  shorter?: Part;
}

const BETWEEN = " · ";
const NAMED = 3;
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
    // Of one branch this is what must always be seen; of many it is the newest of all, and says little.
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

/** Whether each service answers, when it last did, when it is asked again, how many orders wait; the least important gives way. */
export function watchStatus(branches: readonly BranchStatus[], ui: Ui): string {
  // In the last column many terminals wrap already; then a carriage return no longer reaches the line's beginning.
  const room = (ui.width ?? 81) - 1;
  return fitting(partsOf(branches, ui), room)
    .map(({ text, style }) => style(truncate(text, room)))
    .join(ui.theme.dim(BETWEEN));
}

const redrawMs = 1_000;

export interface WatchScreen {
  update: (branch: string, patch: Partial<Omit<BranchStatus, "name">>) => void;
  /** Writes to standard output; rejects when that cannot be written. Nothing else waits for it. */
  print: (text: string) => Promise<void>;
  /** Resolves, with the error that a write would meet, once nobody reads standard output any more. */
  gone: () => Promise<Error>;
  /** One line on standard error, made safe; nothing with --quiet. Never rejects. */
  say: (text: string) => Promise<void>;
  warn: (text: string) => Promise<void>;
  /** Takes the status line away and draws none any more; what is printed or said later is written plainly. */
  close: () => Promise<void>;
}

/** `erase` takes the line away, and what is written then stands above the next `draw`. */
function openStatusLine(
  { stderr, clock }: System,
  output: Output,
  branchNames: readonly string[],
  closed: AbortSignal,
) {
  const branches = new Map(branchNames.map((name): [string, BranchStatus] => [name, { name, waiting: 0 }]));
  let drawn = false;
  let hidden = 0;
  // A status line that nobody can see must not stop the work. What a stream is given it writes in the sequence of the calls.
  const toTerminal = (text: string): Promise<void> => stderr.write(text).catch(() => undefined);
  const update: WatchScreen["update"] = (branch, patch) => {
    branches.set(branch, { waiting: 0, ...branches.get(branch), ...patch, name: branch });
  };
  return {
    update,
    async erase(): Promise<void> {
      if (!drawn) return;
      drawn = false;
      await toTerminal(eraseLine);
    },
    draw: async (): Promise<void> => {
      if (closed.aborted || hidden > 0 || stderr.isBehind()) return;
      drawn = true;
      // A window is resized at any time.
      const ui = { ...output.errorUi, width: stderr.columns() ?? 80, now: clock.now() };
      await toTerminal(eraseLine + watchStatus([...branches.values()], ui));
    },
    async whileHidden(work: () => Promise<void>): Promise<void> {
      hidden += 1;
      await work().finally(() => {
        hidden -= 1;
      });
    },
  };
}

/** The status line needs a terminal on standard error and is absent with --quiet; `close` must be called, or the process goes on. */
export function openWatchScreen(
  system: System,
  output: Output,
  branchNames: readonly string[],
  { live = true }: { live?: boolean } = {},
): WatchScreen {
  const { stdout, stderr, clock } = system;
  const closed = new AbortController();
  const line = openStatusLine(system, output, branchNames, closed.signal);
  const draw = live && canRedraw(stderr, system) && !output.quiet ? line.draw : undefined;
  const above = async (write: () => Promise<void>): Promise<void> => {
    void line.erase();
    await write().finally(draw);
  };
  const keepDrawn = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      await draw?.();
      await clock.sleep(redrawMs, closed.signal);
    }
  };
  if (draw !== undefined) void keepDrawn();
  let gone: Promise<Error> | undefined;
  let unwatch: (() => void) | undefined;
  return {
    update: line.update,
    print(text) {
      const write = (): Promise<void> => output.delivery(text);
      // On one terminal with the tickets the line must not get into the middle of one.
      return above(stdout.isTerminal ? () => line.whileHidden(write) : write);
    },
    gone() {
      gone ??= new Promise((resolve) => {
        unwatch = stdout.watch({
          stalled: () => void above(() => output.warning(output.texts.notices.stdoutStalled)),
          closed: resolve,
        });
      });
      return gone;
    },
    say: (text) => above(() => output.notice(text)),
    warn: (text) => above(() => output.warning(text)),
    async close() {
      closed.abort();
      unwatch?.();
      await line.erase();
    },
  };
}
