import type { OutStream } from "../system.ts";
import { textWidth } from "./width.ts";

/** A block of lines on a terminal that is drawn over itself. */
export interface Frame {
  /** Draws a text that ends with a newline in place of the last one. */
  draw: (text: string) => Promise<void>;
}

/** Begins a frame where the cursor is; nothing else may write to the terminal between two drawings. */
export function openFrame(stdout: Pick<OutStream, "isTerminal" | "columns" | "rows" | "write">): Frame {
  let drawn: number[] = [];
  return {
    async draw(text) {
      const columns = stdout.columns() ?? 80;
      // In a window that has become narrower the lines of before take more rows.
      const rows = drawn.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
      const up = Math.min(rows, (stdout.rows() ?? 24) - 1);
      const lines = text.replace(/\n$/, "").split("\n");
      drawn = lines.map(textWidth);
      const back = up > 0 ? `\r\u001b[${up}A` : "";
      // Line by line, and the rest at the end: a picture that is emptied first flickers.
      await stdout.write(`${back}${lines.map((line) => `\u001b[2K${line}\n`).join("")}\u001b[J`);
    },
  };
}
