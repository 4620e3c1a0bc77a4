import { type Output, stalledText } from "../../../cli/display/output.ts";
import { eraseLine } from "../../../cli/display/progress.ts";
import { textWidth } from "../../../cli/display/text.ts";
import { canRedraw, type Ui } from "../../../cli/display/ui.ts";
import type { Runtime } from "../../../cli/runtime.ts";
import type { System } from "../../../system.ts";
import { type Report, watchEvents } from "../events.ts";
import { Notifications, openBell } from "./alerts.ts";
import { Board } from "./board.ts";
import { compactScreen } from "./compact.ts";
import { type ShownBranch, watchStatus } from "./status-line.ts";

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
      const up = home(stderr.columns() ?? 80);
      drawn = [];
      await toTerminal(up + (up === "" ? eraseLine : eraseBelow));
    },
    async draw(lines: string[], columns: number): Promise<void> {
      const isSame = columns === width && lines.length === drawn.length;
      if (isSame && lines.every((line, n) => line === drawn[n])) return;

      const parts = lines.map((line, n) => (isSame && line === drawn[n] ? "" : eraseLine + line));
      const up = home(columns);
      const isOneEach = lines.length + drawn.length <= 2 && up === "";
      const text = up + (isSame || isOneEach ? "" : eraseBelow) + parts.join("\n");
      drawn = lines;
      width = columns;
      await toTerminal(text);
    },
  };
}

/** The last lines of a terminal: the status line, and above it the compact screen. Others write only through `above`. */
function openFooter({ stderr, clock }: System, output: Output, flags: ScreenFlags & { isCompact: boolean }) {
  const { live, isCompact, late: lateMs = Number.POSITIVE_INFINITY } = flags;
  const branches = new Map<string, ShownBranch>();
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
    update: (name: string, patch: Partial<ShownBranch>): void => {
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
    /** Resolves, with the error that a write would meet, once nobody reads standard output. */
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
