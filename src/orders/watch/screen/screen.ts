import { age, count, visible } from "../../../cli/display/format.ts";
import { type Output, stalledText } from "../../../cli/display/output.ts";
import { eraseLine } from "../../../cli/display/progress.ts";
import { textWidth, truncate } from "../../../cli/display/text.ts";
import type { Ui } from "../../../cli/display/ui.ts";
import { canRedraw } from "../../../cli/display/ui.ts";
import type { Runtime } from "../../../cli/runtime.ts";
import type { System } from "../../../system.ts";
import type { Count } from "../../../texts/message.ts";
import type { T } from "../../../texts/texts.ts";
import { type Report, watchEvents } from "../events.ts";
import { Notifications, openBell } from "./alerts.ts";
import { Board } from "./board.ts";
import { type BranchBoard, compactScreen } from "./compact.ts";

const states = ["answering", "refused", "silent", "halted", "awaited", "standby"] as const;

/** Instants are epoch milliseconds. */
export interface BranchStatus {
  name: string;
  /** `refused` and `silent`: how the last poll failed; `halted`: for want of the journal; `awaited`: none has come to its end; `standby`: another process polls. */
  state: (typeof states)[number];
  waiting: number;
  board?: BranchBoard | undefined;
  lastAnswerAt?: number | undefined;
  /** When the next poll is due; undefined, or when it is past, the service is being asked. */
  nextPollAt?: number | undefined;
  /** When a failed printer is retried. */
  printerDueAt?: number | undefined;
}

const separator = " · ";
const maxNamed = 3;
const maxName = 24;

/** What the status line says; empty where it says nothing. */
interface Part {
  /** Parts with a higher rank are dropped first when there is little room. */
  rank: number;
  text: string;
  style: (text: string) => string;
  /** Its short form, used before it is dropped. */
  short?: string;
}

/** Parts with a lower rank are shortened before they are dropped. */
const maxShortened = 4;

/** How many wait for too long, and the oldest of them. */
function toLatePart(branches: readonly BranchStatus[], lateMs: number, ui: Ui): Part {
  const { bad, strong } = ui.theme;
  const part = { rank: 3, style: (text: string) => bad(strong(text)) };
  const late = branches.flatMap(({ board }) => board?.board.late(lateMs) ?? []);
  if (late.length === 0) return { ...part, text: "" };

  const { t } = ui.texts;
  const orders = count(late.length, ui);
  const oldest = Math.min(...late.map(({ since }) => since));
  return {
    ...part,
    text: t("{count} late, the oldest {time}", { count: orders, time: age(ui.now - oldest) }),
    short: t("{count} late", { count: orders }),
  };
}

/** When a failed printer is retried. */
function toPrinterPart(branches: readonly BranchStatus[], ui: Ui): Part {
  const part = { rank: 4.5, style: ui.theme.bad };
  const due = branches.flatMap(({ printerDueAt }) => printerDueAt ?? []);
  if (due.length === 0) return { ...part, text: "" };
  const inMs = Math.min(...due) - ui.now;
  const { t } = ui.texts;
  const text = inMs > 0 ? t("printer: retry in {time}", { time: age(inMs) }) : t("printer: retrying");
  return { ...part, text };
}

/** The state of the only branch. */
const stateWords = (t: T): Record<BranchStatus["state"], string> => ({
  answering: t("answering"),
  refused: t("refused // the state of a branch"),
  silent: t("no answer"),
  awaited: t("waiting for the first answer"),
  standby: t("standing by"),
  halted: t("journal unreachable"),
});

/** How many of the branches are in a state. */
const stateCounts: Record<BranchStatus["state"], (count: Count, t: T) => string> = {
  answering: (count, t) => t("{count} answering", { count }),
  refused: (count, t) => t("{count} refused", { count }),
  silent: (count, t) => t("{count} without an answer", { count }),
  awaited: (count, t) => t("{count} not heard from yet", { count }),
  standby: (count, t) => t("{count} standing by", { count }),
  halted: (count, t) => t("{count} without the journal", { count }),
};

/** Which branches they are, in which state, and the names of those in trouble. */
function toBranchParts(branches: readonly BranchStatus[], ui: Ui): Part[] {
  const { t } = ui.texts;
  const { good, bad, dim, strong } = ui.theme;
  const inState = (state: BranchStatus["state"]) => branches.filter((each) => each.state === state);
  const troubled = [...inState("refused"), ...inState("silent"), ...inState("halted")];
  const calm = inState("answering").length > 0 ? good : dim;
  const stateStyle = troubled.length > 0 ? bad : calm;
  const formatName = ({ name }: BranchStatus): string => truncate(visible(name), maxName);
  const [one] = branches;
  if (one !== undefined && branches.length === 1)
    return [
      { rank: 6, text: formatName(one), style: strong },
      { rank: 4, text: stateWords(t)[one.state], style: stateStyle },
    ];

  const counts = states
    .filter((state) => state === "answering" || inState(state).length > 0)
    .map((state) => stateCounts[state](count(inState(state).length, ui), t));
  const all = t("{count, plural, one {# branch} other {# branches}}", { count: count(branches.length, ui) });
  const named = troubled.slice(0, maxNamed).map(formatName).join(", ");
  return [
    { rank: 6, text: all, style: strong },
    { rank: 4, text: counts.join(", "), style: stateStyle },
    { rank: 7, text: named + (troubled.length > maxNamed ? "…" : ""), style: bad },
  ];
}

/** When a service last answered, when one is asked again, and how many orders wait. */
function toPollParts(branches: readonly BranchStatus[], ui: Ui): Part[] {
  const { t } = ui.texts;
  const { dim, strong } = ui.theme;
  const due = branches.map(({ nextPollAt }) => nextPollAt ?? 0).filter((at) => at > ui.now);
  const isAsking = branches.some(({ state }) => state !== "halted" && state !== "standby");
  const whenIdle = isAsking ? t("asking now") : "";
  const next = due.length > 0 ? t("next poll in {time}", { time: age(Math.min(...due) - ui.now) }) : whenIdle;
  const nextPart = { rank: 8, text: next, style: dim };

  const ages = branches.flatMap(({ lastAnswerAt: at }) => (at === undefined ? [] : ui.now - at));
  if (ages.length === 0) return [nextPart];
  const since = age(Math.min(...ages));
  const waiting = branches.reduce((sum, each) => sum + each.waiting, 0);
  return [
    {
      // For one branch this must always be visible; for many it is the newest of all, and says little.
      rank: branches.length === 1 ? 1 : 9,
      text: t("last answer {time} ago", { time: since }),
      style: dim,
      short: t("{time} ago", { time: since }),
    },
    nextPart,
    { rank: 5, text: t("{count} waiting", { count: count(waiting, ui) }), style: strong },
  ];
}

/** Returns the parts that fit: the most important are shortened before any is dropped. */
function fitParts(given: readonly Part[], room: number): readonly Part[] {
  let parts = given;
  const isTooLong = (): boolean => textWidth(parts.map(({ text }) => text).join(separator)) > room;
  while (parts.length > 1 && isTooLong()) {
    const least = Math.max(...parts.map(({ rank }) => rank));
    const isShort = parts.every(({ text, short = text }) => text === short);
    if (least > maxShortened || isShort) parts = parts.filter(({ rank }) => rank < least);
    else parts = parts.map((part) => ({ ...part, text: part.short ?? part.text }));
  }
  return parts;
}

/** Whether each service answers, when it last did, when it is asked again, how many orders wait, how many for too long; the least important gives way. */
export function watchStatus(
  branches: readonly BranchStatus[],
  ui: Ui,
  lateMs = Number.POSITIVE_INFINITY,
): string {
  const { dim, strong, warn } = ui.theme;
  const all: Part[] = [
    { rank: 2, text: ui.badge ?? "", style: (text) => warn(strong(text)) },
    ...toBranchParts(branches, ui),
    ...toPollParts(branches, ui),
    toPrinterPart(branches, ui),
    toLatePart(branches, lateMs, ui),
  ];
  const parts = all.filter(({ text }) => text !== "");
  // In the last column many terminals wrap already; then a carriage return no longer reaches the line's beginning.
  const room = (ui.width ?? 81) - 1;
  return fitParts(parts, room)
    .map(({ text, style }) => style(truncate(text, room)))
    .join(dim(separator));
}

const redrawMs = 1_000;
/** Lines that stay free above the screen, so that warnings there are visible. */
const freeLines = 4;

interface ScreenFlags {
  /** Whether there may be a status line. */
  live: boolean;
  bell?: boolean | undefined;
  compact?: boolean | undefined;
  late?: number | undefined;
  notify?: boolean | undefined;
}

/** From the beginning of this line to the end of the screen. */
const eraseBelow = "\r\u001b[J";

/** Lines redrawn in place: none is cleared first, and an unchanged one is left alone. */
function openLines(stderr: Pick<System["stderr"], "columns" | "write">) {
  let drawn: string[] = [];
  let width = 0;
  // A failed write to the screen must not stop the work. A stream writes in the sequence of the calls.
  const toTerminal = (text: string): Promise<void> => stderr.write(text).catch(() => undefined);
  /** To the beginning of the first line. In a window that has become narrower the lines take more rows. */
  const home = (columns: number): string => {
    const rows = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / columns)), 0);
    return rows > 1 ? `\r\u001b[${rows - 1}A` : "";
  };
  return {
    async erase(): Promise<void> {
      if (drawn.length === 0) return;
      const erasing = drawn.length > 1 ? eraseBelow : eraseLine;
      const text = home(stderr.columns() ?? 80) + erasing;
      drawn = [];
      await toTerminal(text);
    },
    async draw(lines: string[], columns: number): Promise<void> {
      const isSame = columns === width && lines.length === drawn.length;
      if (isSame && lines.every((line, n) => line === drawn[n])) return;

      const parts = lines.map((line, n) => (isSame && line === drawn[n] ? "" : eraseLine + line));
      const isOneEach = lines.length + drawn.length <= 2;
      const text = home(columns) + (isSame || isOneEach ? "" : eraseBelow) + parts.join("\n");
      drawn = lines;
      width = columns;
      await toTerminal(text);
    },
  };
}

/** The last lines of a terminal: the status line, and above it the compact screen. Others write only through `above`. */
function openFooter({ stderr, clock }: System, output: Output, flags: ScreenFlags & { isCompact: boolean }) {
  const { live, isCompact, late: lateMs = Number.POSITIVE_INFINITY } = flags;
  const branches = new Map<string, BranchStatus>();
  const closed = new AbortController();
  const { signal } = closed;
  const lines = openLines(stderr);
  let hidden = 0;

  const toLines = (ui: Ui): string[] => {
    const all = [...branches.values()];
    const status = watchStatus(all, ui, lateMs);
    if (!isCompact) return [status];

    const boards = all.flatMap(({ board }) => board ?? []);
    const height = (stderr.rows() ?? 24) - freeLines - 1;
    return [...compactScreen(boards, lateMs, height, ui), status];
  };
  const draw = async (): Promise<void> => {
    if (!live || signal.aborted || branches.size === 0 || hidden > 0 || stderr.isBehind()) return;
    // A window is resized at any time.
    const width = stderr.columns() ?? 80;
    await lines.draw(toLines({ ...output.errorUi, width, now: clock.now() }), width);
  };
  const keepDrawn = async (): Promise<void> => {
    while (live && !signal.aborted) {
      await draw();
      await clock.sleep(redrawMs, signal);
    }
  };
  void keepDrawn();

  return {
    update: (name: string, patch: Partial<BranchStatus>): void => {
      branches.set(name, { state: "awaited", waiting: 0, ...branches.get(name), ...patch, name });
    },
    edited: (name: string, key: string) => branches.get(name)?.board?.board.edited(key),
    late: (name: string) => branches.get(name)?.board?.board.newlyLate(lateMs) ?? [],
    /** With `isHidden` the footer must not get into the middle of what is written. */
    async above(write: () => Promise<void>, isHidden = false): Promise<void> {
      void lines.erase();
      hidden += Number(isHidden);
      await write().finally(() => {
        hidden -= Number(isHidden);
        return draw();
      });
    },
    async close(): Promise<void> {
      closed.abort();
      await lines.erase();
    },
  };
}

export type WatchScreen = ReturnType<typeof openWatchScreen>;

/** The status line needs a terminal on standard error and is absent with --quiet; `close` must be called, or the process goes on. */
export function openWatchScreen(
  { system, signal }: Pick<Runtime, "system" | "signal">,
  output: Output,
  flags: ScreenFlags,
) {
  const { stdout, stderr, clock } = system;
  const live = flags.live && canRedraw(stderr, system) && !output.quiet;
  const isCompact = live && flags.compact === true && output.format === "table" && stdout.isTerminal;
  const footer = openFooter(system, output, { ...flags, live, isCompact });
  let gone: Promise<Error> | undefined;
  let unwatch = (): void => undefined;
  const report: Report = (event, text, facts) => {
    const named = { event, ...facts };
    const isWarning = watchEvents[event].level === "warning";
    return footer.above(() => (isWarning ? output.warning(text, named) : output.notice(text, named)));
  };
  const notifications =
    flags.notify === true ? new Notifications(system, signal, { texts: output.texts, report }) : undefined;
  const warnOfStall = (): void => void report("stdout.stalled", stalledText(output.texts.t));

  return {
    isCompact,
    update: footer.update,
    /** The board of a branch; undefined if nothing shows the waiting orders. */
    open(name: string, ui: Ui): Board | undefined {
      if (!isCompact && flags.late === undefined) return undefined;
      const board = new Board(() => clock.now(), isCompact);
      footer.update(name, { board: { name, board, ui } });
      return board;
    },
    /** The orders of a branch that have become late. */
    late: footer.late,
    edited: footer.edited,
    ring: openBell(system, flags.bell !== false && !output.quiet),
    notifications,
    /** To standard output; rejects when that cannot be written. */
    print: (text: string): Promise<void> => footer.above(() => output.delivery(text), stdout.isTerminal),
    /** Resolves, with the error that a write would meet, once nobody reads standard output any more. */
    gone(): Promise<Error> {
      gone ??= new Promise((closed) => {
        unwatch = stdout.watch({ stalled: warnOfStall, closed });
      });
      return gone;
    },
    /** One line on standard error, made safe, at the level of the event. */
    report,
    /** One line on standard error that is no event; nothing with --quiet. Never rejects. */
    say: (text: string): Promise<void> => footer.above(() => output.notice(text)),
    /** With --quiet too. */
    warn: (text: string): Promise<void> => footer.above(() => output.warning(text)),
    /** Removes the footer; later output is written plainly. */
    async close(): Promise<void> {
      unwatch();
      await notifications?.close();
      await footer.close();
    },
  };
}
