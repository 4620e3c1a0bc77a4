import type { OutStream, System } from "../../system.ts";
import { age, number, percent, visible } from "./format.ts";
import type { Output } from "./output.ts";
import { textWidth, truncate } from "./text.ts";
import { canRedraw, type Ui } from "./ui.ts";

export function bar(share: number, width: number): string {
  const safe = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
  // Some progress is never drawn as none, and never as all of it before the end.
  const filled =
    safe > 0 && safe < 1 ? Math.min(width - 1, Math.max(1, Math.round(safe * width))) : safe * width;
  return "█".repeat(filled) + "░".repeat(width - filled);
}

export function progressLine(
  progress: { label: string; done: number; total: number | undefined; startedAt: number },
  ui: Ui,
): string {
  const { label, done, total, startedAt } = progress;
  const { t } = ui.texts;
  const seconds = (ui.now - startedAt) / 1000;
  const rate = seconds >= 1 ? done / seconds : 0;
  const share = total ? done / total : 1;
  const parts = [
    visible(label),
    ...(total === undefined
      ? [number(done, ui)]
      : [bar(share, 20), percent(done, total), `${number(done, ui)}/${number(total, ui)}`]),
    ...(rate > 0 ? [`${number(Math.round(rate), ui)}/s`] : []),
    ...(total !== undefined && rate > 0 && done < total
      ? [t("{time} left", { time: age(((total - done) / rate) * 1000) })]
      : []),
  ].filter((part) => part !== "");
  // Many terminals wrap at the last column, and then a carriage return no longer reaches the beginning of the line.
  const room = (ui.width ?? 81) - 1;
  while (parts.length > 1 && textWidth(parts.join("  ")) > room) parts.pop();
  return truncate(parts.join("  "), room);
}

/** Opens a frame at the cursor; nothing else may write to the terminal between two drawings. */
export function openFrame(stdout: Pick<OutStream, "isTerminal" | "columns" | "rows" | "write">) {
  let drawn: number[] = [];
  return {
    async draw(text: string): Promise<void> {
      const columns = stdout.columns() ?? 80;
      // In a window that became narrower, the earlier lines take more rows.
      const rows = drawn.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
      const up = Math.min(rows, (stdout.rows() ?? 24) - 1);
      const lines = text.replace(/\n$/, "").split("\n");
      drawn = lines.map(textWidth);
      const back = up > 0 ? `\r\u001b[${up}A` : "";
      // Line by line, then the rest: a picture that is cleared first flickers.
      await stdout.write(`${back}${lines.map((line) => `\u001b[2K${line}\n`).join("")}\u001b[J`);
    },
  };
}

const quickMs = 1_000;
export const eraseLine = "\r\u001b[K";

export function startProgress(system: System, output: Output, first: string) {
  const { stderr, clock } = system;
  const startedAt = clock.now();
  const silent = !canRedraw(stderr, system) || output.quiet;
  let drawn = false;
  return {
    update: (done: number, total: number | undefined, label = first): void => {
      const now = clock.now();
      if (silent || now - startedAt < quickMs) return;
      drawn = true;
      const line = progressLine({ label, done, total, startedAt }, { ...output.errorUi, now });
      // A failed write of the progress line must not stop the work.
      stderr.write(eraseLine + line.trimEnd()).catch(() => undefined);
    },
    clear: async (): Promise<void> => {
      if (drawn) await stderr.write(eraseLine).catch(() => undefined);
    },
  };
}
