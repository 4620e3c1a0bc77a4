/** Returns the lines that a terminal shows after a text without colours: it knows carriage returns, lines up, and erasing. */
export function screenAfter(text: string): string[] {
  const lines = [""];
  let [row, column] = [0, 0];
  const put = (sign: string): void => {
    const line = (lines[row] ?? "").padEnd(column);
    lines[row] = line.slice(0, column) + sign + line.slice(column + sign.length);
    column += sign.length;
  };
  for (const [piece, up, erase] of text.matchAll(
    /\u001b\[(\d+)A|\u001b\[([JK])|[\r\n\u0007]|[^\u001b\r\n\u0007]+|\u001b/gu,
  )) {
    if (up !== undefined) row -= Number(up);
    else if (erase !== undefined) {
      lines[row] = (lines[row] ?? "").slice(0, column);
      if (erase === "J") lines.length = row + 1;
    } else if (piece === "\r") column = 0;
    else if (piece === "\n") {
      [row, column] = [row + 1, 0];
      lines[row] ??= "";
    } else if (piece !== "\u0007") put(piece);
    if (row < 0) throw new Error("above the first line of the terminal");
  }
  return lines.map((line) => line.trimEnd());
}
