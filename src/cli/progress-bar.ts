import { age, number, percent, visible } from "./format.ts";
import type { Ui } from "./ui.ts";
import { textWidth, truncate } from "./width.ts";

/** How far some work is. */
export interface Progress {
  /** What is being done, for example "Pushing products". */
  label: string;
  done: number;
  /** How much there is in all; undefined when nobody knows. */
  total: number | undefined;
  /** When it began, epoch milliseconds. */
  startedAt: number;
}

const BAR = 20;

/** A bar of `width` columns, filled by a share from 0 to 1. */
export function bar(share: number, width: number): string {
  const safe = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
  // Something is never drawn as nothing, nor as everything before it is.
  const filled =
    safe > 0 && safe < 1 ? Math.min(width - 1, Math.max(1, Math.round(safe * width))) : safe * width;
  return "█".repeat(filled) + "░".repeat(width - filled);
}

/**
 * One line for a terminal, without a newline, at most as wide as the terminal less one column: label, bar, numbers,
 * rate and time left. The caller writes a carriage return before it and clears the line.
 */
export function progressLine({ label, done, total, startedAt }: Progress, ui: Ui): string {
  const words = ui.texts.progress;
  const seconds = (ui.now - startedAt) / 1000;
  const rate = seconds >= 1 ? done / seconds : 0;
  const parts = [visible(label)];
  if (total === undefined) parts.push(number(done, ui));
  else {
    const share = total > 0 ? done / total : 1;
    parts.push(bar(share, BAR), percent(done, total), `${number(done, ui)}/${number(total, ui)}`);
  }
  if (rate > 0) parts.push(words.perSecond(number(Math.round(rate), ui)));
  if (total !== undefined && rate > 0 && done < total)
    parts.push(words.left(age(((total - done) / rate) * 1000)));
  // In the last column many terminals wrap already; then a carriage return no longer reaches the line's beginning.
  const room = (ui.width ?? 81) - 1;
  const kept = parts.filter((part) => part !== "");
  while (kept.length > 1 && textWidth(kept.join("  ")) > room) kept.pop();
  return truncate(kept.join("  "), room);
}
