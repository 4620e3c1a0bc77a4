const newline = 0x0a;
const carriageReturn = 0x0d;

/** The byte that ends a line: a carriage return only in a file without any newline (old Macintosh). */
export function lineEnd(utf8: Buffer): number {
  return utf8.includes(newline) || !utf8.includes(carriageReturn) ? newline : carriageReturn;
}

/** The offset just behind the physical line that holds `from`. */
export function nextLine(utf8: Buffer, from: number, end: number): number {
  const at = utf8.indexOf(end, from);
  return at < 0 ? utf8.length : at + 1;
}

/** A function from a byte offset to its physical line, counted from 1; offsets must not go back. */
export function lineCounter(utf8: Buffer, end = lineEnd(utf8)): (offset: number) => number {
  let line = 1;
  let next = utf8.indexOf(end);
  return (offset) => {
    while (next >= 0 && next < offset) {
      line += 1;
      next = utf8.indexOf(end, next + 1);
    }
    return line;
  };
}
