import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
// Only as a stream: Node 20 decodes a whole text of this encoding as ISO 8859-1.
const everyCharacter = new TextDecoder("windows-1252").decode(everyByte, { stream: true });
const windows1252 = new Map(Array.from(everyCharacter, (character, byte) => [character, byte]));

/** UTF-8 of an accented letter that was read as windows-1252. */
const doubled = /Ã[\u0080-\u00bf\u0152-\u0192\u02c6-\u02dc\u2013-\u2122]/;

/** Returns a text that was encoded twice, such as `CafÃ©`, as it was before the second time; null if it was not, or only in part. */
export function encodedOnce(text: string): string | null {
  if (!doubled.test(text)) return null;
  const bytes = Array.from(text, (character) => windows1252.get(character) ?? null);
  const once = Buffer.from(bytes.filter((byte) => byte !== null));
  return once.length === bytes.length && isUtf8(once) ? once.toString() : null;
}
