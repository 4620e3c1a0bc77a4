import ReceiptPrinterEncoder from "@point-of-sale/receipt-printer-encoder";
import { encodeQR } from "qr";
import { upper } from "./code-page.ts";
import { columnsByPaper, type Paper, type PrinterLanguage } from "./paper.ts";
import { fitPicture, type GreyPicture, maxPictureHeight } from "./png.ts";

/** PC858, under its number in each language: it has the letters of Spanish and Portuguese, the euro and the lines of boxes. */
const codePage = "cp858";
const dialects = {
  escpos: { language: "esc-pos", codepageMapping: { [codePage]: 19 } },
  star: { language: "star-prnt", codepageMapping: { [codePage]: 4 } },
} as const;

/** Three beeps: ESC B of most kitchen printers; of Star, the buzzer on its drawer's plug. */
const beeps: Readonly<Record<PrinterLanguage, number[]>> = {
  escpos: [0x1b, 0x42, 3, 2],
  star: [...[0x1b, 0x1d, 0x19, 0x11, 1, 10, 10], ...[0x1b, 0x1d, 0x19, 0x12, 1, 3, 0]],
};

const dotsOfColumn = 12;
/** The size of a QR code's modules, in dots: larger ones are no easier to read. */
const maxModuleDots = 6;
/** The modules of a larger code are too small for printers and phones. */
const maxQrBytes = 400;

/** Without a limit, a long text would take metres of paper. */
const maxText = 1_000;

// biome-ignore format: pairs
const substitutes: Readonly<Record<string, string>> = {
  "‘": "'", "’": "'", "‚": ",", "‹": "<", "›": ">", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-",
  "…": "...", "•": "*", "→": "->", "←": "<-", "⏎": " ", "\u00a0": " ", "\u202f": " ", "\t": " ", "\n": " ", "\r": " ",
};
/** Without lines, and without § and ¶, which the encoder takes from the control characters. */
const known = new Set(Array.from(upper).filter((letter) => !/[\u2500-\u25ff§¶‗\u00ad\u00a0]/.test(letter)));
const isPlain = (letter: string): boolean => (letter >= " " && letter <= "~") || known.has(letter);

/** A text in the code page: other letters without accents, ? for the rest. It cannot contain printer commands. */
export function printable(text: string): string {
  if (text.length > maxText) return `${printable(text.slice(0, maxText))}...`;
  if (/^[ -~]*$/.test(text)) return text;
  return Array.from(text.normalize("NFC"), (letter) => {
    if (isPlain(letter)) return letter;
    const other = substitutes[letter] ?? letter.normalize("NFKD").replace(/\p{M}/gu, "");
    if (other !== letter && Array.from(other).every(isPlain)) return other;
    // Marks and joiners of a sign that became a ? already.
    return /[\p{M}\p{Cc}\p{Cf}\p{EMod}]/u.test(letter) ? "" : "?";
  }).join("");
}

/** Lines of `width` at most, broken between words where that is possible. */
const wrapText = (text: string, width: number): string[] =>
  text.match(new RegExp(`(?! ).{1,${width}}(?= |$)|[^ ]{${width}}`, "g")) ?? [];

/** A receipt, written from top to bottom. Texts can contain anything. */
export class Receipt {
  readonly #encoder: ReceiptPrinterEncoder;
  readonly #columns: number;

  constructor({ paper, language, drawer, beep }: Paper) {
    this.#columns = columnsByPaper[paper];
    // The cutter is some lines above the head.
    this.#encoder = new ReceiptPrinterEncoder({
      ...dialects[language],
      columns: this.#columns,
      newline: "\n",
      feedBeforeCut: 4,
    });
    this.#encoder.initialize().codepage(codePage);
    // Goes first: the kitchen looks up, or the drawer is open, while it prints.
    if (beep) this.#encoder.raw(beeps[language]);
    if (drawer) this.#encoder.pulse();
  }

  #centre(lines: readonly string[], [width, height]: [number, number] = [1, 1]): this {
    this.#encoder.align("center").bold(true).size(width, height);
    for (const line of lines) this.#encoder.line(line);
    this.#encoder.size(1, 1).bold(false).align("left");
    return this;
  }

  /** Twice as high and wide; each part on its own line if they do not fit on one. */
  title(...parts: string[]): this {
    const texts = parts.map(printable);
    const whole = texts.join(" ");
    return this.#centre(whole.length > this.#columns / 2 ? texts : [whole], [2, 2]);
  }

  /** White on black. */
  banner(text: string): this {
    this.#encoder.invert(true);
    this.#centre([` ${printable(text)} `], [1, 2]);
    this.#encoder.invert(false);
    return this;
  }

  heading(text: string): this {
    return this.#centre([printable(text)]);
  }

  line(text: string): this {
    this.#encoder.line(printable(text));
    return this;
  }

  strong(text: string): this {
    this.#encoder.bold(true).line(printable(text)).bold(false);
    return this;
  }

  /** Twice as high, to be read from where it hangs, with an amount at the right; later lines are set in by as much as `mark` is long. */
  large(mark: string, text: string, amount = "", isWide = false): this {
    return this.inset(mark, text, { amount, isLarge: true, isWide });
  }

  /** Indented by the length of `mark`. */
  inset(mark: string, text: string, { amount = "", isLarge = false, isWide = false } = {}): this {
    const [before, name, right] = [mark, text, amount].map(printable) as [string, string, string];
    const columns = isWide ? this.#columns / 2 : this.#columns;
    // A mark or an amount that leaves too little room gets its own line.
    if (before.length > columns / 3)
      return this.inset("", before, { isLarge, isWide }).inset("  ", text, { amount, isLarge, isWide });
    const room = right === "" ? 0 : right.length + 1;
    if (room > columns * 0.4) return this.inset(mark, text, { isLarge, isWide }).amount("", amount);
    const width = columns - before.length - room;
    const [first = "", ...more] = wrapText(name, width);
    const lines = [
      before + first.padEnd(width) + right.padStart(room),
      ...more.map((line) => " ".repeat(before.length) + line),
    ];
    this.#encoder.bold(isLarge).size(isWide ? 2 : 1, isLarge ? 2 : 1);
    for (const line of lines) this.#encoder.line(line.trimEnd());
    this.#encoder.size(1, 1).bold(false);
    return this;
  }

  /** A text and an amount at the right, which is never cut. */
  amount(text: string, amount: string, isStrong = false): this {
    const [left, right] = [printable(text), printable(amount)];
    const isOne = left.length + right.length < this.#columns;
    this.#encoder.bold(isStrong);
    if (!isOne) this.#encoder.line(left);
    this.#encoder.align("right").line(isOne ? left.padEnd(this.#columns - right.length) + right : right);
    this.#encoder.align("left").bold(false);
    return this;
  }

  box(text: string): this {
    const how = { outline: "single", paddingLeft: 1, paddingRight: 1, width: this.#columns } as const;
    this.#encoder.box(how, (inside) => inside.bold(true).text(printable(text)).bold(false));
    return this;
  }

  /** Centred, in black and white dots, scaled down if the paper is too narrow. */
  picture(given: GreyPicture): this {
    const { width, height, grey } = fitPicture(given, this.#columns * dotsOfColumn, maxPictureHeight);
    const data = new Uint8ClampedArray(grey.length * 4);
    for (const [at, each] of grey.entries()) data.set([each, each, each, 255], at * 4);
    const how = { width, height, algorithm: "atkinson", mode: "raster" } as const;
    this.#encoder.align("center").image({ data, width, height }, how).align("left");
    return this;
  }

  /** Prints a QR code as a picture, for printers that know none; nothing for a text that is too long for one. */
  qr(text: string, caption: string): this {
    if (Buffer.byteLength(text) > maxQrBytes) return this;
    const code = encodeQR(text, "raw", { ecc: "low", border: 4 });
    const scale = Math.min(maxModuleDots, Math.floor((this.#columns * dotsOfColumn) / code.length));
    const side = code.length * scale;
    const grey = Uint8Array.from({ length: side * side }, (_, at) => {
      const [x, y] = [at % side, Math.floor(at / side)].map((each) => Math.floor(each / scale));
      return code[y ?? 0]?.[x ?? 0] ? 0 : 255;
    });
    return this.heading(caption).picture({ width: side, height: side, grey });
  }

  rule(): this {
    // The encoder's own changes to another code page, which Star numbers differently.
    this.#encoder.line("─".repeat(this.#columns));
    return this;
  }

  gap(): this {
    this.#encoder.newline();
    return this;
  }

  /** Returns the bytes for the printer; without a cut the next receipt is on the same piece of paper. */
  bytes({ isCut = true } = {}): Uint8Array {
    if (!isCut)
      return this.gap()
        .line("- ".repeat(this.#columns / 2))
        .gap()
        .#encoder.encode();
    // A feed after the cut would be a margin of the next receipt.
    return this.#encoder.newline().cut("partial").encode().subarray(0, -1);
  }
}
