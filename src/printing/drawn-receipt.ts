import type { Ui } from "../cli/display/ui.ts";
import { letterOf } from "./code-page.ts";
import { drawPaper, type Letter, type PaperLine, readPaper } from "./drawing.ts";
import { letterHeight, letterWidth } from "./letters.ts";
import { columnsByPaper, type Paper } from "./paper.ts";
import { type Bitmap, writePng } from "./png.ts";

/** Rows and columns of dots that a Braille character has. */
const brailleBits = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;

/** Paper dots per Braille dot, so that a character is as wide as a letter. */
const dotsPerDot = letterWidth / 2;

/** True if half of the dots there are black. */
function isDark({ width, height, dots }: Bitmap, left: number, top: number): boolean {
  let black = 0;
  for (let y = top; y < Math.min(height, top + dotsPerDot); y++)
    for (let x = left; x < Math.min(width, left + dotsPerDot); x++) black += dots[y * width + x] ?? 0;
  return black * 2 >= dotsPerDot ** 2;
}

function pictureText(picture: Bitmap & { x: number }): string[] {
  const rows = Math.ceil(picture.height / letterHeight);
  const columns = Math.ceil(picture.width / letterWidth);
  return Array.from({ length: rows }, (_, row) => {
    const characters = Array.from({ length: columns }, (__, column) => {
      let code = 0x2800;
      for (const [v, bits] of brailleBits.entries())
        for (const [u, bit] of bits.entries())
          if (isDark(picture, column * letterWidth + u * dotsPerDot, row * letterHeight + v * dotsPerDot))
            code |= bit;
      return String.fromCharCode(code);
    });
    return " ".repeat(Math.round(picture.x / letterWidth)) + characters.join("");
  });
}

/** Returns letters in the style of the terminal; wide ones stand apart. */
function lettersText(letters: readonly Letter[], { theme }: Pick<Ui, "theme">): string {
  let text = "";
  for (let at = 0; at < letters.length; ) {
    const { bold = false, inverted = false } = letters[at] ?? {};
    let run = "";
    for (; letters[at]?.bold === bold && letters[at]?.inverted === inverted; at++) {
      const { byte = 0x20, width = 1 } = letters[at] ?? {};
      run += letterOf(byte).padEnd(width);
    }
    const strong = bold ? theme.strong(run) : run;
    text += inverted ? theme.inverse(strong) : strong;
  }
  return text;
}

const widthOf = (letters: readonly Letter[]): number => letters.reduce((sum, { width }) => sum + width, 0);

/** Returns a receipt as text: in the frame of its paper on a terminal, plain lines in a pipe. */
function paperText(lines: readonly PaperLine[], paper: Paper["paper"], ui: Ui): string {
  const columns = columnsByPaper[paper];
  const isFramed = (ui.width ?? 0) >= columns + 4;
  const edge = ui.theme.dim("│");
  const framed = (text: string, width: number): string =>
    isFramed ? `${edge} ${text}${" ".repeat(Math.max(0, columns - width))} ${edge}` : text;
  const line = (left: string, right: string, of: string): string =>
    ui.theme.dim(left + of.repeat(columns + 2) + right);

  const body = lines.flatMap(({ letters, picture, isCut }, n) => {
    if (isCut) return n === lines.length - 1 ? [] : [isFramed ? line("├", "┤", "╌") : "-".repeat(columns)];
    if (picture !== undefined) return pictureText(picture).map((text) => framed(text, text.length));
    const text = lettersText(letters, ui);
    return [isFramed ? framed(text, widthOf(letters)) : text.trimEnd()];
  });
  const whole = isFramed ? [line("╭", "╮", "─"), ...body, line("╰", "╯", "╌")] : body;
  return `${whole.join("\n").trimEnd()}\n`;
}

/** A receipt on paper, with its size in dots. */
export interface DrawnReceipt {
  bytes: number;
  width: number;
  height: number;
  png: () => Uint8Array;
  text: (ui: Ui) => string;
}

/** Draws what a printer makes of these bytes. */
export function drawBytes(bytes: Uint8Array, paper: Pick<Paper, "paper" | "language">): DrawnReceipt {
  const lines = readPaper(bytes, paper);
  const picture = drawPaper(lines, paper.paper);
  const { width, height } = picture;
  return {
    bytes: bytes.length,
    width,
    height,
    png: () => writePng(picture),
    text: (ui) => paperText(lines, paper.paper, ui),
  };
}
