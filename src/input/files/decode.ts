import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import { encodedOnce } from "./double-encoded.ts";
import { type InputFile, unusable } from "./file.ts";
import { lineEnd, lineEnds, type Notice } from "./table.ts";

const chunkBytes = 1 << 16;

const byteOrderMarks = [
  { encoding: "utf-8", bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: "utf-16le", bytes: Buffer.from([0xff, 0xfe]) },
  { encoding: "utf-16be", bytes: Buffer.from([0xfe, 0xff]) },
];

/** A zip archive, as .xlsx is one. */
const zipMark = Buffer.from("PK\u0003\u0004");
/** The first bytes of an .xls, and of an .xlsx with a password, which has a part with this name in UTF-16. */
const oldMark = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
const lockedPart = Buffer.from("EncryptedPackage", "utf16le");

const startsWith = (bytes: Buffer, mark: Buffer): boolean => bytes.subarray(0, mark.length).equals(mark);

const readAll = ({ bytes }: InputFile): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const isWorkbook = (file: InputFile): boolean => startsWith(readAll(file), zipMark);

function decoderFor(file: InputFile, encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw unusable(file, { kind: "encoding_unknown", encoding });
  }
}

function toUtf8(file: InputFile, bytes: Buffer, decoder: TextDecoder): Buffer {
  const { encoding } = decoder;
  if (encoding === "utf-8" && isUtf8(bytes)) return bytes;
  const parts: Buffer[] = [];
  try {
    for (let at = 0; at < bytes.length; at += chunkBytes)
      parts.push(Buffer.from(decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: true })));
    parts.push(Buffer.from(decoder.decode()));
  } catch {
    throw unusable(file, { kind: "encoding_wrong", encoding });
  }
  return Buffer.concat(parts);
}

function isBinary(utf8: Buffer): boolean {
  if (utf8.includes(0)) return true;
  return utf8.subarray(0, 4096).some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x1a));
}

/** `Ã`, which begins most of what was UTF-8, was read as windows-1252 and encoded again. */
const doubleEncodedLead = Buffer.from("Ã");

function doubleEncoded(utf8: Buffer): Notice | null {
  for (let at = utf8.indexOf(doubleEncodedLead); at >= 0; at = utf8.indexOf(doubleEncodedLead, at + 2)) {
    // In a word that really has it, a letter follows.
    if ((utf8[at + 2] ?? 0) < 0x80) continue;
    const before = utf8.subarray(Math.max(0, at - 40), at).toString();
    const after = utf8.subarray(at, at + 40).toString();
    const text = (/[\p{L}\p{N}]*$/u.exec(before)?.[0] ?? "") + (/^[^\s;,|"]+/.exec(after)?.[0] ?? "");
    const proposal = encodedOnce(text);
    if (proposal !== null)
      return { kind: "double_encoded", line: 1 + lineEnds(utf8, 0, at, lineEnd(utf8)), text, proposal };
  }
  return null;
}

const markup = /^\s*<(?:!doctype\s+html|html|head|meta|style|body|table|div|\?xml|!--)/i;

/** Decodes a file into UTF-8: by `encoding`, else by the byte order mark, else as UTF-8 if valid, else as windows-1252 with a notice. Throws BposError input_unusable. */
export function decode(
  file: InputFile,
  encoding?: string,
): { utf8: Buffer; encoding: string; marked: boolean; notices: Notice[] } {
  const bytes = readAll(file);
  if (startsWith(bytes, oldMark))
    throw unusable(file, { kind: bytes.includes(lockedPart) ? "workbook_locked" : "workbook_old" });
  const mark = byteOrderMarks.find((each) => startsWith(bytes, each.bytes));
  const body = mark === undefined ? bytes : bytes.subarray(mark.bytes.length);
  const found = encoding ?? mark?.encoding ?? (isUtf8(body) ? "utf-8" : "windows-1252");
  const decoder = decoderFor(file, found);
  const decoded = toUtf8(file, body, decoder);
  // The end-of-file mark of DOS, which some points of sale still write.
  const utf8 = decoded.at(-1) === 0x1a ? decoded.subarray(0, -1) : decoded;
  if (isBinary(utf8)) throw unusable(file, { kind: "binary" });
  if (markup.test(utf8.toString("utf8", 0, 256))) throw unusable(file, { kind: "markup" });
  const notices: Notice[] = [];
  if (encoding === undefined && found === "windows-1252") notices.push({ kind: "read_as_windows_1252" });
  const doubled = doubleEncoded(utf8);
  if (doubled !== null) notices.push(doubled);
  return { utf8, encoding: decoder.encoding, marked: mark !== undefined, notices };
}
