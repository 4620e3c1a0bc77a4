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
const columns = { 58: 32, 80: 48 };
/** It has the letters of Spanish and Portuguese and the lines of boxes, and printers of either language know it. An automatic choice takes seconds for long texts. */
const codePage = "cp858";

const substitutes: Readonly<Record<string, string>> = {
  ...{ "‘": "'", "’": "'", "‚": ",", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "‐": "-", "‑": "-" },
  ...{
    "…": "...",
    "•": "*",
    "→": "->",
    "←": "<-",
    "−": "-",
    "\u00a0": " ",
    "\u202f": " ",
    "\t": " ",
    "\n": " ",
  },
};
const known = new Set(
  Array.from(
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»ÁÂÀ©¢¥ãÃ¤ðÐÊËÈ€ÍÎÏ¦ÌÓßÔÒõÕµþÞÚÛÙýÝ¯´±¾¶§÷¸°¨·¹³²",
  ),
);
const isPlain = (letter: string): boolean => (letter >= " " && letter <= "~") || known.has(letter);

/** A text as the code page has it: other letters without their accents, and ? for what it has not. Nothing in it can command the printer. */
export function printable(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  return Array.from(text.normalize("NFC"), (letter) => {
    if (isPlain(letter)) return letter;
    const other = substitutes[letter] ?? letter.normalize("NFKD").replace(/\p{M}/gu, "");
    if (other !== letter && Array.from(other).every(isPlain)) return other;
    // Marks and joiners of a sign that became a ? already.
    return /[\p{M}\p{Cc}\p{Cf}\p{EMod}]/u.test(letter) ? "" : "?";
  }).join("");
}

/** A receipt as it is written, from top to bottom. All texts may be anything. */
export class Receipt {
  readonly #encoder: ReceiptPrinterEncoder;
  readonly #columns: number;

  constructor(paper: Paper) {
    this.#columns = columns[paper.paper];
    this.#encoder = new ReceiptPrinterEncoder({
      columns: this.#columns,
      ...(paper.language === "star"
        ? { language: "star-prnt", codepageMapping: "star" }
        : { language: "esc-pos", codepageMapping: "epson" }),
      feedBeforeCut: 4,
    });
    this.#encoder.initialize().codepage(codePage);
    // First of all: the kitchen looks up, or the drawer is open, while it prints.
    if (paper.beep) this.#encoder.raw(beeps[paper.language]);
    if (paper.drawer) this.#encoder.pulse();
  }

  /** In the middle, twice as high and wide. */
  title(text: string): this {
    const lines = this.#encoder.align("center").bold(true).size(2, 2);
    lines.line(printable(text)).size(1, 1).bold(false).align("left");
    return this;
  }

  /** In the middle, white on black. */
  banner(text: string): this {
    const lines = this.#encoder.align("center").bold(true).invert(true).size(1, 2);
    lines
      .line(` ${printable(text)} `)
      .size(1, 1)
      .invert(false)
      .bold(false)
      .align("left");
    return this;
  }

  /** In the middle. */
  heading(text: string): this {
    this.#encoder.align("center").bold(true).line(printable(text)).bold(false).align("left");
    return this;
  }

  line(text: string): this {
    this.#encoder.line(printable(text));
    return this;
  }

  strong(text: string): this {
    this.#encoder.bold(true).line(printable(text)).bold(false);
    return this;
  }

  /** Twice as high, to be read from where it hangs; `mark` stands before it, and later lines are set in by as much. */
  large(mark: string, text: string): this {
    const width = mark.length;
    this.#encoder.table(
      [{ width }, { width: this.#columns - width }],
      [
        [
          (cell) => cell.bold(true).height(2).text(printable(mark)).height(1).bold(false),
          (cell) => cell.bold(true).height(2).text(printable(text)).height(1).bold(false),
        ],
      ],
    );
    return this;
  }

  /** Set in by as much as `mark` is long. */
  inset(mark: string, text: string): this {
    const width = mark.length;
    this.#encoder.table([{ width }, { width: this.#columns - width }], [[printable(mark), printable(text)]]);
    return this;
  }

  /** A text and an amount at the right, which is never cut. */
  amount(text: string, amount: string, isStrong = false): this {
    const right = printable(amount);
    const left = printable(text);
    if (left.length + right.length + 1 > this.#columns) return this.line(left).#right(right, isStrong);
    const filled = left.padEnd(this.#columns - right.length) + right;
    this.#encoder.bold(isStrong).line(filled).bold(false);
    return this;
  }

  #right(text: string, isStrong: boolean): this {
    this.#encoder.align("right").bold(isStrong).line(text).bold(false).align("left");
    return this;
  }

  box(text: string): this {
    const how = { style: "single", paddingLeft: 1, paddingRight: 1, width: this.#columns } as const;
    this.#encoder.box(how, (inside) => inside.bold(true).text(printable(text)).bold(false));
    return this;
  }

  rule(): this {
    this.#encoder.rule();
    return this;
  }

  /** What the printer gets. */
  bytes(): Uint8Array {
    return this.#encoder.newline().cut("partial").encode();
  }
}

/** Three beeps. ESC B of most printers for kitchens; of Star, the buzzer of its drawer's plug. */
const beeps: Readonly<Record<PrinterLanguage, number[]>> = {
  escpos: [0x1b, 0x42, 3, 2],
  star: [0x1b, 0x1d, 0x19, 0x12, 1, 3, 0],
};
