import type { System } from "../system.ts";
import type { Output } from "./output.ts";
import { progressLine } from "./progress-bar.ts";
import { canRedraw } from "./terminal.ts";

const quickMs = 1_000;
/** Goes back to the beginning of a terminal's line and empties it. */
export const eraseLine = "\r\u001b[K";

/** A progress line on standard error, for work over one second on a terminal; nothing anywhere else. */
export interface ProgressBar {
  /** `label` replaces the one that it began with. */
  update: (done: number, total: number | undefined, label?: string) => void;
  /** Takes the line away, so that the report stands where it was. */
  clear: () => Promise<void>;
}

/** Begins a progress line. */
export function startProgress(system: System, output: Output, first: string): ProgressBar {
  const { stderr, clock } = system;
  const startedAt = clock.now();
  const silent = !canRedraw(stderr, system) || output.quiet;
  let drawn = false;
  return {
    update(done, total, label = first) {
      const now = clock.now();
      if (silent || now - startedAt < quickMs) return;
      drawn = true;
      const line = progressLine({ label, done, total, startedAt }, { ...output.errorUi, now });
      // A progress line that nobody reads must not stop the work.
      stderr.write(eraseLine + line.trimEnd()).catch(() => undefined);
    },
    async clear() {
      // Nor must it hide what came of it.
      if (drawn) await stderr.write(eraseLine).catch(() => undefined);
    },
  };
}
