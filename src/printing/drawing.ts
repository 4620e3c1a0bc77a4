import { isInk, letterHeight, letterWidth } from "./letters.ts";
import { columnsByPaper, type Paper, type PrinterLanguage } from "./paper.ts";
import type { Bitmap } from "./png.ts";

/** A letter on paper: its byte in PC858, its position in dots and its scale. */
export interface Letter {
  byte: number;
  x: number;
  width: number;
  height: number;
  bold: boolean;
  inverted: boolean;
}

/** The letters, or the picture, of one line on paper. */
export interface PaperLine {
  letters: Letter[];
  picture?: Bitmap & { x: number };
  /** Its height in dots, up to the top of the next line. */
  height: number;
  isCut?: true;
}

interface State {
  align: number;
  bold: boolean;
  inverted: boolean;
  width: number;
  height: number;
  /** Dots from the top of a line to the next, where its letters are not higher. */
  spacing: number;
}

interface Command {
  prefix: readonly number[];
  /** Bytes behind the prefix. */
  length: number | ((parameters: Uint8Array) => number);
  run?: (printer: PaperPrinter, parameters: Uint8Array) => void;
}

/** The height of the cut mark, in dots; printers do not print it. */
const cutHeight = 16;

const ESC = 0x1b;
const GS = 0x1d;
const is = (bit: number | undefined): boolean => ((bit ?? 0) & 1) === 1;
const word = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 256;

const set = (
  prefix: readonly number[],
  length: number,
  change: (parameters: Uint8Array) => Partial<State>,
): Command => ({
  prefix,
  length,
  run: (printer, parameters) => Object.assign(printer.state, change(parameters)),
});
const ignore = (length: number, ...prefix: number[]): Command => ({ prefix, length });
const cut = (...prefix: number[]): Command => ({ prefix, length: 1, run: (printer) => printer.cut() });

/** True if a dot is black: a column of 24 dots has three bytes, from the top. */
const columnDot = (data: Uint8Array, x: number, y: number): boolean =>
  is((data[x * 3 + (y >> 3)] ?? 0) >> (7 - (y & 7)));

/** The commands that `Receipt` makes, in each language. */
const commands: Readonly<Record<PrinterLanguage, { spacing: number; known: readonly Command[] }>> = {
  escpos: {
    spacing: 30,
    known: [
      ignore(0, ESC, 0x40),
      ignore(0, 0x1c, 0x2e),
      ...[0x4d, 0x74].map((name) => ignore(1, ESC, name)),
      set([ESC, 0x61], 1, ([align = 0]) => ({ align })),
      set([ESC, 0x45], 1, ([on]) => ({ bold: is(on) })),
      set([GS, 0x42], 1, ([on]) => ({ inverted: is(on) })),
      set([GS, 0x21], 1, ([size = 0]) => ({ width: (size >> 4) + 1, height: (size & 15) + 1 })),
      set([ESC, 0x33], 1, ([spacing = 0]) => ({ spacing })),
      set([ESC, 0x32], 0, () => ({ spacing: 30 })),
      ignore(3, ESC, 0x70),
      ignore(2, ESC, 0x42),
      ignore(1, 0x10, 0x04),
      cut(GS, 0x56),
      {
        prefix: [GS, 0x76, 0x30],
        length: (parameters) => 5 + word(parameters, 1) * word(parameters, 3),
        run(printer, parameters) {
          const [rowBytes, height] = [word(parameters, 1), word(parameters, 3)];
          const at = (x: number, y: number): number => parameters[5 + y * rowBytes + (x >> 3)] ?? 0;
          printer.picture(rowBytes * 8, height, (x, y) => is(at(x, y) >> (7 - (x & 7))));
        },
      },
    ],
  },
  star: {
    spacing: 32,
    known: [
      ignore(0, ESC, 0x40),
      ignore(0, 0x18),
      ignore(0, 0x0d),
      ignore(1, ESC, GS, 0x74),
      set([ESC, GS, 0x61], 1, ([align = 0]) => ({ align })),
      set([ESC, 0x45], 0, () => ({ bold: true })),
      set([ESC, 0x46], 0, () => ({ bold: false })),
      set([ESC, 0x34], 0, () => ({ inverted: true })),
      set([ESC, 0x35], 0, () => ({ inverted: false })),
      set([ESC, 0x69], 2, ([height = 0, width = 0]) => ({ height: height + 1, width: width + 1 })),
      set([ESC, 0x30], 0, () => ({ spacing: 24 })),
      set([ESC, 0x7a], 1, () => ({ spacing: 32 })),
      ignore(2, ESC, 0x07),
      ignore(0, 0x07),
      ignore(3, ESC, GS, 0x19, 0x11),
      ignore(3, ESC, GS, 0x19, 0x12),
      cut(ESC, 0x64),
      {
        prefix: [ESC, 0x58],
        length: (parameters) => 2 + word(parameters, 0) * 3,
        run(printer, parameters) {
          const data = parameters.subarray(2);
          // Its own line feed ends it, as high as it is.
          printer.picture(word(parameters, 0), 24, (x, y) => columnDot(data, x, y), true);
        },
      },
    ],
  },
};

/** A printer that prints on a list of lines. */
class PaperPrinter {
  readonly lines: PaperLine[] = [];
  readonly state: State;
  readonly #width: number;
  #letters: Letter[] = [];
  #x = 0;
  /** A picture that waits for its line feed. */
  #isHeld = false;

  constructor(columns: number, spacing: number) {
    this.#width = columns * letterWidth;
    this.state = { align: 0, bold: false, inverted: false, width: 1, height: 1, spacing };
  }

  letter(byte: number): void {
    const { bold, inverted, width, height } = this.state;
    if (this.#x + width * letterWidth > this.#width) this.feed();
    this.#letters.push({ byte, x: this.#x, width, height, bold, inverted });
    this.#x += width * letterWidth;
  }

  feed(): void {
    if (!this.#isHeld) {
      const tallest = Math.max(0, ...this.#letters.map(({ height }) => height)) * letterHeight;
      this.lines.push({ letters: this.#letters, height: Math.max(tallest, this.state.spacing) });
    }
    [this.#letters, this.#x, this.#isHeld] = [[], 0, false];
  }

  picture(width: number, height: number, isBlack: (x: number, y: number) => boolean, isHeld = false): void {
    const dots = Uint8Array.from({ length: width * height }, (_, at) =>
      isBlack(at % width, Math.floor(at / width)) ? 1 : 0,
    );
    const x = Math.floor((Math.max(0, this.#width - width) * this.state.align) / 2);
    this.lines.push({ letters: [], picture: { x, width, height, dots }, height });
    this.#isHeld = isHeld;
  }

  cut(): void {
    this.lines.push({ letters: [], height: cutHeight, isCut: true });
  }
}

type Printed = Pick<Paper, "paper" | "language">;

/** Returns the lines on paper that a printer makes of these bytes. Throws Error for a command that no receipt has. */
export function readPaper(bytes: Uint8Array, { paper, language }: Printed): PaperLine[] {
  const { spacing, known } = commands[language];
  const printer = new PaperPrinter(columnsByPaper[paper], spacing);
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const command = known.find(({ prefix }) => prefix.every((each, n) => bytes[at + n] === each));
    if (command !== undefined) {
      const rest = bytes.subarray(at + command.prefix.length);
      const length = typeof command.length === "number" ? command.length : command.length(rest);
      command.run?.(printer, rest.subarray(0, length));
      at += command.prefix.length + length;
      continue;
    }
    if (byte === 0x0a) printer.feed();
    else if (byte >= 0x20) printer.letter(byte);
    else throw new Error(`not a receipt command: ${Buffer.from(bytes.subarray(at, at + 4)).toString("hex")}`);
    at += 1;
  }
  return printer.lines;
}

type Ink = (x: number, y: number, isBlack: boolean) => void;

/** Strokes of two dots, of bold letters three: a head of 8 dots a millimetre prints no thinner ones. */
function drawLetter({ byte, x, width, height, bold, inverted }: Letter, bottom: number, ink: Ink): void {
  const top = bottom - height * letterHeight;
  for (let v = 0; v < height * letterHeight; v++)
    for (let u = 0; u < width * letterWidth; u++) {
      const [column, row] = [Math.floor(u / width), Math.floor(v / height)];
      const from = Math.max(0, column - (bold ? 2 : 1));
      let isBlack = false;
      for (let each = from; each <= column; each++) isBlack ||= isInk(byte, each, row);
      ink(x + u, top + v, isBlack !== inverted);
    }
}

/** Returns the paper as an image, dot by dot; a cut between two copies is a dashed line. */
export function drawPaper(given: readonly PaperLine[], paper: Paper["paper"]): Bitmap {
  const lines = given.at(-1)?.isCut ? given.slice(0, -1) : given;
  const width = columnsByPaper[paper] * letterWidth;
  const height = lines.reduce((sum, line) => sum + line.height, 0);
  const dots = new Uint8Array(width * height);
  let top = 0;
  for (const line of lines) {
    const { letters, picture } = line;
    const bottom = top + Math.max(0, ...letters.map((letter) => letter.height)) * letterHeight;
    const ink: Ink = (x, y, isBlack) => {
      dots[y * width + x] = isBlack ? 1 : 0;
    };
    for (const letter of letters) drawLetter(letter, bottom, ink);
    for (const [at, dot] of (picture?.dots ?? []).entries()) {
      const x = (picture?.x ?? 0) + (at % (picture?.width ?? 1));
      if (x < width) ink(x, top + Math.floor(at / (picture?.width ?? 1)), dot === 1);
    }
    if (line.isCut) for (let x = 0; x < width; x++) ink(x, top + cutHeight / 2, x % 16 < 8);
    top += line.height;
  }
  return { width, height, dots };
}
