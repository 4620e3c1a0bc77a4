import { age, count, number, visible } from "../../cli/format.ts";
import type { Output, Ui } from "../../cli/output.ts";
import { eraseLine } from "../../cli/progress.ts";
import { canRedraw } from "../../cli/terminal.ts";
import { textWidth, truncate } from "../../cli/text.ts";
import type { System } from "../../system.ts";

const states = ["answering", "refused", "silent", "awaited"] as const;

/** Instants are epoch milliseconds. */
export interface BranchStatus {
  name: string;
  /** `refused` and `silent`: how the last poll failed; `awaited`: none has come to its end. */
  state: (typeof states)[number];
  waiting: number;
  lastAnswerAt?: number | undefined;
  /** When the next poll is due; undefined, or when it is past, the service is being asked. */
  nextPollAt?: number | undefined;
}

const separator = " · ";
const maxNamed = 3;
const maxName = 24;

/** Whether each service answers, when it last did, when it is asked again, how many orders wait; the least important gives way. */
export function watchStatus(branches: readonly BranchStatus[], ui: Ui): string {
  const words = ui.texts.orders.status;
  const { good, bad, dim, strong, warn } = ui.theme;
  const inState = (state: BranchStatus["state"]) => branches.filter((each) => each.state === state);
  const troubled = [...inState("refused"), ...inState("silent")];
  const calm = inState("answering").length > 0 ? good : dim;
  const due = branches.map(({ nextPollAt }) => nextPollAt ?? 0).filter((at) => at > ui.now);
  const ages = branches.flatMap(({ lastAnswerAt: at }) => (at === undefined ? [] : ui.now - at));
  const hasAnswered = ages.length > 0;
  const waiting = branches.reduce((sum, each) => sum + each.waiting, 0);
  const nameOf = ({ name }: BranchStatus): string => truncate(visible(name), maxName);
  const named = troubled.slice(0, maxNamed).map(nameOf).join(", ") + (troubled.length > maxNamed ? "…" : "");
  const counts = states
    .filter((state) => state === "answering" || inState(state).length > 0)
    .map((state) => words.many[state](number(inState(state).length, ui)));
  const one = branches.length === 1 ? branches[0] : undefined;
  /** The rank: 1 stays longest. */
  let parts: [rank: number, text: string, style: (text: string) => string][] = [
    [4, ui.badge ?? "", (text) => warn(strong(text))],
    [5, one === undefined ? words.branches(count(branches.length, ui)) : nameOf(one), strong],
    [2, one === undefined ? counts.join(", ") : words.one[one.state], troubled.length > 0 ? bad : calm],
    [6, one === undefined ? named : "", bad],
    // Of one branch this is what must always be seen; of many it is the newest of all, and says little.
    [one === undefined ? 9 : 1, hasAnswered ? words.lastAnswer(age(Math.min(...ages))) : "", dim],
    [7, due.length === 0 ? words.askingNow : words.nextPoll(age(Math.min(...due) - ui.now)), dim],
    [3, hasAnswered ? words.waiting(number(waiting, ui)) : "", strong],
  ];
  parts = parts.filter(([, text]) => text !== "");
  // In the last column many terminals wrap already; then a carriage return no longer reaches the line's beginning.
  const room = (ui.width ?? 81) - 1;
  while (parts.length > 1 && textWidth(parts.map(([, text]) => text).join(separator)) > room) {
    const least = Math.max(...parts.map(([rank]) => rank));
    parts = parts.filter(([rank]) => rank < least);
  }
  return parts.map(([, text, style]) => style(truncate(text, room))).join(dim(separator));
}

const redrawMs = 1_000;

/** The last line of a terminal, in which nobody else writes but with `above`. */
function openStatusLine({ stderr, clock }: System, output: Output, isLive: boolean) {
  const branches = new Map<string, BranchStatus>();
  const closed = new AbortController();
  const { signal } = closed;
  let isDrawn = false;
  let hidden = 0;
  // A status line that nobody can see must not stop the work. What a stream is given it writes in the sequence of the calls.
  const toTerminal = (text: string): Promise<void> => stderr.write(text).catch(() => undefined);
  const erase = async (): Promise<void> => {
    if (!isDrawn) return;
    isDrawn = false;
    await toTerminal(eraseLine);
  };
  const draw = async (): Promise<void> => {
    if (!isLive || signal.aborted || branches.size === 0 || hidden > 0 || stderr.isBehind()) return;
    isDrawn = true;
    // A window is resized at any time.
    const ui = { ...output.errorUi, width: stderr.columns() ?? 80, now: clock.now() };
    await toTerminal(eraseLine + watchStatus([...branches.values()], ui));
  };
  const keepDrawn = async (): Promise<void> => {
    while (isLive && !signal.aborted) {
      await draw();
      await clock.sleep(redrawMs, signal);
    }
  };
  void keepDrawn();
  return {
    update: (name: string, patch: Partial<BranchStatus>): void => {
      branches.set(name, { state: "awaited", waiting: 0, ...branches.get(name), ...patch, name });
    },
    /** With `isHidden` the line must not get into the middle of what is written. */
    async above(write: () => Promise<void>, isHidden = false): Promise<void> {
      void erase();
      hidden += Number(isHidden);
      await write().finally(() => {
        hidden -= Number(isHidden);
        return draw();
      });
    },
    async close(): Promise<void> {
      closed.abort();
      await erase();
    },
  };
}

export type WatchScreen = ReturnType<typeof openWatchScreen>;

/** The status line needs a terminal on standard error and is absent with --quiet; `close` must be called, or the process goes on. */
export function openWatchScreen(system: System, output: Output, live: boolean) {
  const { stdout, stderr } = system;
  const line = openStatusLine(system, output, live && canRedraw(stderr, system) && !output.quiet);
  let gone: Promise<Error> | undefined;
  let unwatch = (): void => undefined;
  const warn = (text: string): Promise<void> => line.above(() => output.warning(text));
  return {
    update: line.update,
    /** To standard output; rejects when that cannot be written. */
    print: (text: string): Promise<void> => line.above(() => output.delivery(text), stdout.isTerminal),
    /** Resolves, with the error that a write would meet, once nobody reads standard output any more. */
    gone(): Promise<Error> {
      gone ??= new Promise((closed) => {
        unwatch = stdout.watch({ stalled: () => void warn(output.texts.notices.stdoutStalled), closed });
      });
      return gone;
    },
    /** One line on standard error, made safe; nothing with --quiet. Never rejects. */
    say: (text: string): Promise<void> => line.above(() => output.notice(text)),
    /** With --quiet too. */
    warn,
    /** Takes the status line away; what is printed or said later is written plainly. */
    async close(): Promise<void> {
      unwatch();
      await line.close();
    },
  };
}
