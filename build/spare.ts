import type { Plugin } from "rolldown";
import { upper } from "../src/printing/code-page.ts";

/** Code that replaces a part that a package loads. */
interface Spared {
  by: string;
  part: string;
  code: string;
}

/** Holds the pixels of a picture; the package comes without its licence, so the build would fail. */
const imageData = `export default class ImageData {
  constructor(width, height) {
    Object.assign(this, { width, height, data: new Uint8ClampedArray(width * height * 4) });
  }
}`;

/** Code pages: the one that receipts have. All of them are 68 kB. */
const codePages = `const page = Array.from({ length: 128 }, (_, n) => String.fromCharCode(n)).join("") + ${JSON.stringify(upper)};
const toByte = (letter) => (page.includes(letter) ? page.indexOf(letter) : 63);
export default class {
  static supports(name) { return name === "cp858"; }
  static encode(text) { return Uint8Array.from(text.split(""), toByte); }
}`;

/** The same as the library has, which makes a pattern anew for each phone: a plan of recipients takes 25 % longer. */
const matchesEntirely = `const known = new Map();
export default (text, pattern) => {
  if (!known.has(pattern)) known.set(pattern, new RegExp("^(?:" + pattern + ")$"));
  return known.get(pattern).test(text || "");
};`;

const spared: readonly Spared[] = [
  ...["./helpers/matchesEntirely.js", "./matchesEntirely.js"].map((part) => ({
    by: "libphonenumber-js",
    part,
    code: matchesEntirely,
  })),
  { by: "@point-of-sale/receipt-printer-encoder", part: "@canvas/image-data", code: imageData },
  { by: "@point-of-sale/receipt-printer-encoder", part: "@point-of-sale/codepage-encoder", code: codePages },
  // A picture has its size before it reaches the encoder.
  {
    by: "@point-of-sale/receipt-printer-encoder",
    part: "resize-image-data",
    code: "export default undefined;",
  },
  // For HTTP/2, which is not used: 7 % of `orders list --json`.
  { by: "undici", part: "node:http2", code: "module.exports = { constants: {} };" },
  // For bodies that are messages of Node's own server, and for the limit of headers, which is this one: with the next, 6 % of
  // `orders list --json`.
  {
    by: "undici",
    part: "node:http",
    code: "module.exports = { IncomingMessage: class {}, maxHeaderSize: 16384 };",
  },
  // undici checks itself with it.
  {
    by: "undici",
    part: "node:assert",
    code: "module.exports = (ok, why) => { if (!ok) throw why instanceof Error ? why : new Error(why ?? 'undici: assertion failed'); };",
  },
  // For subcommands that are separate programs, which bpos does not have: 4 % of `--help`.
  { by: "commander", part: "node:child_process", code: "module.exports = {};" },
  // Its pattern of all emoji is 4 % of a table of three orders, a third of a long one; cli/display/table.ts gives it
  // only characters of one column.
  { by: "cli-table3", part: "string-width", code: "module.exports = (text) => [...text].length;" },
];

const toId = ({ by, part }: Spared): string => `\0${by} ${part}`;

/** Leaves out the package code that nothing here uses, or for which there is a faster form. */
export const spare: Plugin = {
  name: "spare",
  resolveId(id, importer = "") {
    const from = importer.replaceAll("\\", "/");
    const found = spared.find(({ by, part }) => part === id && from.includes(`/node_modules/${by}/`));
    return found === undefined ? null : toId(found);
  },
  load: (id) => spared.find((each) => toId(each) === id)?.code ?? null,
};
