/** Letters and lines of PC858, from byte 0x80 on. */
const upper =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0";

export type Language = "escpos" | "star";

/** One line on paper. */
interface PrintedLine {
  text: string;
  /** How often the usual width and height of its largest letter. */
  width: number;
  height: number;
  bold: boolean;
  inverted: boolean;
}

export interface PrintedReceipt {
  lines: PrintedLine[];
  /** Acts beside letters, in their sequence: `cut`, `drawer`, `beep`, `picture`. */
  acts: string[];
  /** Commands that a receipt has no use for, in hex: an order's text must never be one. */
  unknown: string[];
}

type Style = { width: number; height: number; bold: boolean; inverted: boolean; page: number };
/** A command's effect: it changes the style, or is an act. */
type Effect = (parameters: Uint8Array) => Partial<Style> | string | undefined;
type Command = readonly [
  prefix: readonly number[],
  parameters: number | ((rest: Uint8Array) => number),
  effect: Effect,
];
const word = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);

const nothing: Effect = () => undefined;
const usual: Style = { width: 1, height: 1, bold: false, inverted: false, page: 0 };

const ESC = 0x1b;
const GS = 0x1d;
const commands: Readonly<Record<Language, { page: number; known: readonly Command[] }>> = {
  escpos: {
    page: 19,
    known: [
      [[ESC, 0x40], 0, () => usual],
      [[0x1c, 0x2e], 0, nothing],
      [[ESC, 0x4d], 1, nothing],
      [[ESC, 0x74], 1, ([page = 0]) => ({ page })],
      [[ESC, 0x45], 1, ([on]) => ({ bold: on === 1 })],
      [[GS, 0x42], 1, ([on]) => ({ inverted: on === 1 })],
      [[GS, 0x21], 1, ([size = 0]) => ({ width: (size >> 4) + 1, height: (size & 15) + 1 })],
      [[ESC, 0x33], 1, nothing],
      [[ESC, 0x32], 0, nothing],
      [[GS, 0x56], 1, () => "cut"],
      [[ESC, 0x70], 3, () => "drawer"],
      [[ESC, 0x42], 2, () => "beep"],
      [[0x10, 0x04], 1, nothing],
      [[ESC, 0x61], 1, nothing],
      [[GS, 0x76, 0x30], (rest) => 5 + word(rest, 1) * word(rest, 3), () => "picture"],
    ],
  },
  star: {
    page: 4,
    known: [
      [[ESC, 0x40], 0, () => usual],
      [[0x18], 0, nothing],
      [[ESC, GS, 0x74], 1, ([page = 0]) => ({ page })],
      [[ESC, 0x45], 0, () => ({ bold: true })],
      [[ESC, 0x46], 0, () => ({ bold: false })],
      [[ESC, 0x34], 0, () => ({ inverted: true })],
      [[ESC, 0x35], 0, () => ({ inverted: false })],
      [[ESC, 0x69], 2, ([height = 0, width = 0]) => ({ height: height + 1, width: width + 1 })],
      [[ESC, 0x30], 0, nothing],
      [[ESC, 0x7a], 1, nothing],
      [[ESC, 0x64], 1, () => "cut"],
      // Its pulse is set and then given.
      [[ESC, 0x07], 2, nothing],
      [[0x07], 0, () => "drawer"],
      [[ESC, GS, 0x19, 0x11], 3, nothing],
      [[ESC, GS, 0x19, 0x12], 3, () => "beep"],
      [[ESC, GS, 0x50], 1, nothing],
      [[ESC, 0x06, 0x01], 0, nothing],
      [[ESC, GS, 0x61], 1, nothing],
      [[ESC, 0x58], (rest) => 2 + 3 * word(rest, 0), () => "picture"],
      [[0x0d], 0, nothing],
    ],
  },
};

/** Prints the bytes as a printer does: a receipt for each cut, and one for what comes after the last. `columns` break a line as paper does. */
export function printed(bytes: Uint8Array, language: Language, columns = 48): PrintedReceipt[] {
  const { page, known } = commands[language];
  const receipts: PrintedReceipt[] = [];
  let receipt: PrintedReceipt = { lines: [], acts: [], unknown: [] };
  let style = usual;
  let line: PrintedLine | undefined;
  let used = 0;
  const feed = (): void => {
    receipt.lines.push(line ?? { text: "", width: 1, height: 1, bold: false, inverted: false });
    [line, used] = [undefined, 0];
  };
  const letter = (text: string): void => {
    if (used + style.width > columns) feed();
    line ??= { text: "", width: 1, height: 1, bold: false, inverted: false };
    line.text += text;
    used += style.width;
    if (text === " ") return;
    line.width = Math.max(line.width, style.width);
    line.height = Math.max(line.height, style.height);
    line.bold ||= style.bold;
    line.inverted ||= style.inverted;
  };
  const act = (effect: ReturnType<Effect>): void => {
    if (typeof effect !== "string") style = { ...style, ...effect };
    else receipt.acts.push(effect);
    if (effect !== "cut") return;
    receipts.push(receipt);
    receipt = { lines: [], acts: [], unknown: [] };
  };
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const command = known.find(([prefix]) => prefix.every((each, n) => bytes[at + n] === each));
    if (command !== undefined) {
      const [{ length }, size, effect] = command;
      const parameters = typeof size === "number" ? size : size(bytes.subarray(at + length));
      act(effect(bytes.subarray(at + length, at + length + parameters)));
      at += length + parameters;
      continue;
    }
    if (byte === 0x0a) feed();
    else if (byte < 0x20 || byte === 0x7f)
      receipt.unknown.push(Buffer.from(bytes.subarray(at, at + 4)).toString("hex"));
    else if (byte < 0x80) letter(String.fromCharCode(byte));
    else letter(style.page === page ? (upper[byte - 0x80] ?? "") : "�");
    at += 1;
  }
  if (line !== undefined) feed();
  if (receipt.lines.length + receipt.acts.length + receipt.unknown.length > 0) receipts.push(receipt);
  return receipts;
}

/** The lines as they would be read aloud: without sizes, spaces at their ends and empty lines. */
export const readable = ({ lines }: PrintedReceipt): string =>
  lines.flatMap(({ text }) => (text.trim() === "" ? [] : `${text.trimEnd()}\n`)).join("");

/** The paper: letters of double width take two columns; behind it the size, `b` for bold and `i` for white on black. */
export function drawn({ lines, acts }: PrintedReceipt, columns = 48): string {
  const paper = lines.map(({ text, width, height, bold, inverted }) => {
    // The spaces that centre a line stand before its size is set.
    const [, before = "", rest = ""] = /^( *)(.*)$/.exec(text) ?? [];
    const wide = before + (width === 1 ? rest : Array.from(rest, (each) => each.padEnd(width)).join(""));
    const size = width * height === 1 ? "" : `${width}x${height}`;
    const marks = `${size}${bold ? "b" : ""}${inverted ? "i" : ""}`;
    return `│${wide.padEnd(columns)}│ ${marks}`.trimEnd();
  });
  const cut = acts.includes("cut") ? `└${"╌".repeat(columns)}┘` : "(not cut)";
  const others = acts.filter((each) => each !== "cut");
  return [...others.map((each) => `(${each})`), ...paper, cut, ""].join("\n");
}
