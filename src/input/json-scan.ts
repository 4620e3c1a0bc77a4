import type { OwnDetail } from "../errors/detail.ts";

/** A part of the bytes, `end` not included. */
export interface Slice {
  start: number;
  end: number;
}

/** Where a document stops making sense, and what was expected there. */
export interface Break extends Slice {
  broken: OwnDetail;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

function skipSpace(utf8: Buffer, from: number): number {
  let at = from;
  while (isSpace(utf8[at])) at += 1;
  return at;
}

function skipString(utf8: Buffer, from: number): number {
  for (let at = from + 1; at < utf8.length; at += 1) {
    if (utf8[at] === backslash) at += 1;
    else if (utf8[at] === quote) return at + 1;
  }
  return utf8.length;
}

/** The offset behind the value that begins at `from`; brackets are matched by depth, their kinds by the parser later. */
function skipValue(utf8: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < utf8.length; ) {
    const byte = utf8[at];
    if (byte === quote) {
      at = skipString(utf8, at);
      if (depth === 0) return at;
      continue;
    }
    if (byte === openBracket || byte === openBrace) depth += 1;
    else if (byte === closeBracket || byte === closeBrace) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === comma || isSpace(byte))) return at;
    at += 1;
  }
  return utf8.length;
}

/** True unless another value follows the first one, as in NDJSON. */
export function isOnlyValue(utf8: Buffer): boolean {
  const first = skipSpace(utf8, 0);
  return utf8[first] !== openBrace || skipSpace(utf8, skipValue(utf8, first)) >= utf8.length;
}

/** The offset of the array under `key` in the object at `start`, or null. */
function listUnder(utf8: Buffer, start: number, key: string): number | null {
  const wanted = Buffer.from(JSON.stringify(key));
  let at = skipSpace(utf8, start + 1);
  while (utf8[at] === quote) {
    const end = skipString(utf8, at);
    const afterKey = skipSpace(utf8, end);
    if (utf8[afterKey] !== colon) return null;
    const value = skipSpace(utf8, afterKey + 1);
    if (utf8[value] === openBracket && utf8.subarray(at, end).equals(wanted)) return value;
    at = skipSpace(utf8, skipValue(utf8, value));
    if (utf8[at] === comma) at = skipSpace(utf8, at + 1);
  }
  return null;
}

type Unexpected = Extract<OwnDetail, { kind: "json_unexpected" }>;

function broken(utf8: Buffer, at: number, expected: Unexpected["expected"]): Break {
  const found = at < utf8.length ? String.fromCodePoint(utf8[at] ?? 0) : null;
  return { start: at, end: at, broken: { kind: "json_unexpected", expected, found } };
}

/** What must stand behind the list: nothing, or the rest of the object that holds it. */
function breakAfterList(utf8: Buffer, listEnd: number, listKey: string | null): Break | null {
  let at = skipSpace(utf8, listEnd);
  if (listKey !== null) {
    const again = Buffer.from(`"${listKey}"`);
    while (at < utf8.length && utf8[at] !== closeBrace) {
      const end = Math.max(at + 1, skipValue(utf8, at));
      if (utf8.subarray(at, end).equals(again) && utf8[skipSpace(utf8, end)] === colon)
        return { start: at, end: at, broken: { kind: "json_list_twice", listKey } };
      at = skipSpace(utf8, end);
    }
    if (at >= utf8.length) return broken(utf8, at, ["}"]);
    at = skipSpace(utf8, at + 1);
  }
  return at < utf8.length ? broken(utf8, at, "end") : null;
}

/**
 * The elements of a document's list, found by their brackets so that only one is parsed at a time: a top-level array,
 * or the array under `listKey`. An object without that list is itself the only element. Ends with a Break when the
 * document does.
 */
export function* elementsOf(utf8: Buffer, listKey: string): Generator<Slice | Break> {
  const first = skipSpace(utf8, 0);
  const inObject = utf8[first] === openBrace;
  const list = inObject ? listUnder(utf8, first, listKey) : first;
  if (list === null || utf8[list] !== openBracket) {
    yield { start: first, end: utf8.length };
    return;
  }
  let at = skipSpace(utf8, list + 1);
  if (utf8[at] !== closeBracket) {
    for (;;) {
      const end = skipValue(utf8, at);
      if (end === at) yield broken(utf8, at, "value");
      yield { start: at, end };
      at = skipSpace(utf8, end);
      if (utf8[at] === closeBracket) break;
      if (utf8[at] !== comma) {
        yield broken(utf8, at, [",", "]"]);
        return;
      }
      at = skipSpace(utf8, at + 1);
    }
  }
  const rest = breakAfterList(utf8, at + 1, inObject ? listKey : null);
  if (rest !== null) yield rest;
}
