import type { System } from "../system.ts";
import { type BranchStatus, watchStatus } from "../view/watch-status.ts";
import type { Output } from "./output.ts";
import { eraseLine } from "./progress.ts";
import { canRedraw } from "./terminal.ts";

const redrawMs = 1_000;

/** Where a watch writes: what is handed on scrolls by, and on a terminal a status line stays below it. */
export interface WatchScreen {
  /** Notes how a branch fares; seen at the next drawing. */
  update: (branch: string, patch: Partial<Omit<BranchStatus, "name">>) => void;
  /** Writes to standard output; rejects when that cannot be written. */
  print: (text: string) => Promise<void>;
  /** One line on standard error, made safe; nothing with --quiet. Never rejects. */
  say: (text: string) => Promise<void>;
  /** The same with --quiet too. */
  warn: (text: string) => Promise<void>;
  /** Takes the status line away and draws none any more; what is printed or said later is written plainly. */
  close: () => Promise<void>;
}

/**
 * Opens the screen of a watch. Its status line needs a terminal on standard error and is absent with --quiet; it is
 * redrawn every second until `close`, which must be called, or the process goes on.
 *
 * @param options.live false draws no status line, for a watch that ends by itself.
 */
export function openWatchScreen(
  system: System,
  output: Output,
  branchNames: readonly string[],
  { live = true }: { live?: boolean } = {},
): WatchScreen {
  const { stderr, clock } = system;
  const draws = live && canRedraw(stderr, system) && !output.quiet;
  const branches = new Map(branchNames.map((name): [string, BranchStatus] => [name, { name, waiting: 0 }]));
  const closed = new AbortController();
  let drawn = false;
  let turn: Promise<unknown> = Promise.resolve();

  /** One at a time, in the order of the calls: a ticket must not land in the middle of a status line. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };
  // A status line that nobody can see must not stop the work.
  const toTerminal = (text: string): Promise<void> => stderr.write(text).catch(() => undefined);
  const erase = async (): Promise<void> => {
    if (!drawn) return;
    drawn = false;
    await toTerminal(eraseLine);
  };
  const draw = async (): Promise<void> => {
    if (!draws || closed.signal.aborted) return;
    drawn = true;
    // A window is resized at any time.
    const ui = { ...output.errorUi, width: stderr.columns() ?? 80, now: clock.now() };
    await toTerminal(eraseLine + watchStatus([...branches.values()], ui));
  };
  const above = (write: () => Promise<void>): Promise<void> =>
    inTurn(async () => {
      await erase();
      await write();
      await draw();
    });
  const keepDrawn = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      await inTurn(draw);
      await clock.sleep(redrawMs, closed.signal);
    }
  };
  if (draws) void keepDrawn();
  return {
    update(branch, patch) {
      branches.set(branch, { waiting: 0, ...branches.get(branch), ...patch, name: branch });
    },
    print: (text) => above(() => output.data(text)),
    say: (text) => above(() => output.notice(text)),
    warn: (text) => above(() => output.warning(text)),
    async close() {
      closed.abort();
      await inTurn(erase);
    },
  };
}
