import ReceiptPrinterEncoder from "@point-of-sale/receipt-printer-encoder";
import type { PrinterLanguage } from "./printer.ts";

/** What a receipt depends on beside its text. */
export interface Paper {
  /** Width in millimetres. */
  paper: 58 | 80;
  language: PrinterLanguage;
  /** Opens the drawer that is connected to the printer. */
  drawer: boolean;
  beep: boolean;
}

/** Characters on a line, in the font that printers begin with. */
export const columnsByPaper = { 58: 32, 80: 48 } as const;

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

/** A text of any length would be metres of paper. */
const maxText = 1_000;

// biome-ignore format: pairs
const substitutes: Readonly<Record<string, string>> = {
  "‘": "'", "’": "'", "‚": ",", "‹": "<", "›": ">", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-",
  "…": "...", "•": "*", "→": "->", "←": "<-", "⏎": " ", "\u00a0": " ", "\u202f": " ", "\t": " ", "\n": " ", "\r": " ",
};
/** Without § and ¶, which the encoder takes from the control characters. */
const known = new Set(
  Array.from(
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»ÁÂÀ©¢¥ãÃ¤ðÐÊËÈ€ÍÎÏ¦ÌÓßÔÒõÕµþÞÚÛÙýÝ¯´±¾÷¸°¨·¹³²",
  ),
);
const isPlain = (letter: string): boolean => (letter >= " " && letter <= "~") || known.has(letter);

/** A text as the code page has it: other letters without their accents, and ? for what it has not. Nothing in it can command the printer. */
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

/** A receipt as it is written, from top to bottom. All texts may be anything. */
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
    // First of all: the kitchen looks up, or the drawer is open, while it prints.
    if (beep) this.#encoder.raw(beeps[language]);
    if (drawer) this.#encoder.pulse();
  }

  #centre(lines: readonly string[], [width, height]: [number, number] = [1, 1]): this {
    this.#encoder.align("center").bold(true).size(width, height);
    for (const line of lines) this.#encoder.line(line);
    this.#encoder.size(1, 1).bold(false).align("left");
    return this;
  }

  /** Twice as high and wide; the parts on a line each where one is too short for them. */
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
  large(mark: string, text: string, amount = ""): this {
    return this.inset(mark, text, { amount, isLarge: true });
  }

  /** Set in by as much as `mark` is long. */
  inset(mark: string, text: string, { amount = "", isLarge = false } = {}): this {
    const [before, name, right] = [mark, text, amount].map(printable) as [string, string, string];
    // A mark or an amount that leaves too little of the line has its own.
    if (before.length > this.#columns / 3)
      return this.inset("", before, { isLarge }).inset("  ", text, { amount, isLarge });
    const room = right === "" ? 0 : right.length + 1;
    if (room > this.#columns * 0.4) return this.inset(mark, text, { isLarge }).amount("", amount);
    const width = this.#columns - before.length - room;
    const [first = "", ...more] = wrapText(name, width);
    const lines = [
      before + first.padEnd(width) + right.padStart(room),
      ...more.map((line) => " ".repeat(before.length) + line),
    ];
    this.#encoder.bold(isLarge).size(1, isLarge ? 2 : 1);
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

  rule(): this {
    // The encoder's own changes to another code page, which Star numbers differently.
    this.#encoder.line("─".repeat(this.#columns));
    return this;
  }

  gap(): this {
    this.#encoder.newline();
    return this;
  }

  /** What the printer gets. */
  bytes(): Uint8Array {
    // What it feeds after the cut would be a margin of the next receipt.
    return this.#encoder.newline().cut("partial").encode().subarray(0, -1);
  }
}
