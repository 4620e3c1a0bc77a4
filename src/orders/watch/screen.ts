import type { Output } from "../../cli/output.ts";
import { eraseLine } from "../../cli/progress.ts";
import { canRedraw } from "../../cli/terminal.ts";
import type { System } from "../../system.ts";
import { type BranchStatus, watchStatus } from "./view.ts";

const redrawMs = 1_000;

/** Where a watch writes: what is delivered scrolls by, and on a terminal a status line stays below it. */
export interface WatchScreen {
  /** Notes how a branch fares; seen at the next drawing. */
  update: (branch: string, patch: Partial<Omit<BranchStatus, "name">>) => void;
  /** Writes to standard output; rejects when that cannot be written. Nothing else waits for it. */
  print: (text: string) => Promise<void>;
  /** Resolves, with the error that a write would meet, once nobody reads standard output any more. */
  gone: () => Promise<Error>;
  /** One line on standard error, made safe; nothing with --quiet. Never rejects. */
  say: (text: string) => Promise<void>;
  /** The same with --quiet too. */
  warn: (text: string) => Promise<void>;
  /** Takes the status line away and draws none any more; what is printed or said later is written plainly. */
  close: () => Promise<void>;
}

/** The last line of a terminal; `erase` takes it away, and what is written then stands above the next `draw`. */
interface StatusLine {
  update: WatchScreen["update"];
  erase: () => Promise<void>;
  draw: () => Promise<void>;
  /** Draws nothing until `work` is done. */
  whileHidden: (work: () => Promise<void>) => Promise<void>;
}

function openStatusLine(
  { stderr, clock }: System,
  output: Output,
  { branchNames, closed }: { branchNames: readonly string[]; closed: AbortSignal },
): StatusLine {
  const branches = new Map(branchNames.map((name): [string, BranchStatus] => [name, { name, waiting: 0 }]));
  let drawn = false;
  let hidden = 0;
  // A status line that nobody can see must not stop the work. What a stream is given it writes in the sequence of the calls.
  const toTerminal = (text: string): Promise<void> => stderr.write(text).catch(() => undefined);
  return {
    update(branch, patch) {
      branches.set(branch, { waiting: 0, ...branches.get(branch), ...patch, name: branch });
    },
    async erase() {
      if (!drawn) return;
      drawn = false;
      await toTerminal(eraseLine);
    },
    async draw() {
      if (closed.aborted || hidden > 0 || stderr.isBehind()) return;
      drawn = true;
      // A window is resized at any time.
      const ui = { ...output.errorUi, width: stderr.columns() ?? 80, now: clock.now() };
      await toTerminal(eraseLine + watchStatus([...branches.values()], ui));
    },
    async whileHidden(work) {
      hidden += 1;
      await work().finally(() => {
        hidden -= 1;
      });
    },
  };
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
  const { stdout, stderr, clock } = system;
  const closed = new AbortController();
  const line = openStatusLine(system, output, { branchNames, closed: closed.signal });
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
