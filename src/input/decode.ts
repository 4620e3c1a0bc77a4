import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import { type InputFile, unusable } from "./file.ts";
import { lineCounter } from "./lines.ts";
import type { Notice } from "./problems.ts";

/** A file's text as UTF-8 bytes without a byte order mark, and what a person should know about it. */
export interface DecodedText {
  utf8: Buffer;
  notices: Notice[];
}

const chunkBytes = 1 << 16;

const byteOrderMarks = [
  { encoding: "utf-8", bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: "utf-16le", bytes: Buffer.from([0xff, 0xfe]) },
  { encoding: "utf-16be", bytes: Buffer.from([0xfe, 0xff]) },
];

/** A zip archive (.xlsx, .ods) and an old binary workbook (.xls). */
const spreadsheetMarks = [Buffer.from("PK\u0003\u0004"), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])];

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function startsWith(bytes: Buffer, mark: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark);
}

function decoderFor(file: InputFile, encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw unusable(file, { kind: "encoding_unknown", encoding });
  }
}

/** Converts in chunks, so that the whole text never exists as one string. */
function toUtf8(file: InputFile, bytes: Buffer, encoding: string): Buffer {
  const decoder = decoderFor(file, encoding);
  if (decoder.encoding === "utf-8") {
    if (!isUtf8(bytes)) throw unusable(file, { kind: "encoding_wrong", encoding });
    return bytes;
  }
  const parts: Buffer[] = [];
  try {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      parts.push(Buffer.from(decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: true })));
    }
    parts.push(Buffer.from(decoder.decode()));
  } catch {
    throw unusable(file, { kind: "encoding_wrong", encoding });
  }
  return Buffer.concat(parts);
}

/** Text has none of the control characters that fill the first kilobytes of a binary file. */
function isBinary(utf8: Buffer): boolean {
  if (utf8.includes(0)) return true;
  return utf8.subarray(0, 4096).some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x1a));
}

/** `Ã` followed by a character of the upper half: UTF-8 that was read as windows-1252 and encoded again. */
const doubleEncodedLead = Buffer.from([0xc3, 0x83, 0xc2]);

function doubleEncoded(utf8: Buffer): Notice | null {
  const at = utf8.indexOf(doubleEncodedLead);
  if (at < 0) return null;
  const before = utf8.subarray(Math.max(0, at - 40), at).toString();
  const after = utf8.subarray(at, at + 40).toString();
  const text = (/[\p{L}\p{N}]*$/u.exec(before)?.[0] ?? "") + (/^[^\s;,|"]+/.exec(after)?.[0] ?? "");
  const proposal = Buffer.from(text, "latin1").toString();
  return { kind: "double_encoded", line: lineCounter(utf8)(at), text, proposal };
}

/**
 * Turns a file's bytes into UTF-8: by `encoding`, else by its byte order mark, else UTF-8 when valid, else
 * windows-1252 with a notice.
 *
 * @throws BposError input_unusable
 */
export function decode(file: InputFile, encoding?: string): DecodedText {
  const bytes = view(file.bytes);
  if (spreadsheetMarks.some((mark) => startsWith(bytes, mark))) throw unusable(file, { kind: "spreadsheet" });
  const mark = byteOrderMarks.find((each) => startsWith(bytes, each.bytes));
  const body = mark === undefined ? bytes : bytes.subarray(mark.bytes.length);
  const found = encoding ?? mark?.encoding ?? (isUtf8(body) ? "utf-8" : "windows-1252");
  const utf8 = toUtf8(file, body, found);
  if (isBinary(utf8)) throw unusable(file, { kind: "binary" });
  const notices: Notice[] = [];
  if (encoding === undefined && found === "windows-1252") notices.push({ kind: "read_as_windows_1252" });
  const doubled = doubleEncoded(utf8);
  if (doubled !== null) notices.push(doubled);
  return { utf8, notices };
}
