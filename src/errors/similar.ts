/** How many letters must be changed, added, taken away or swapped with the next to come from one name to the other. */
function distance(one: string, other: string): number {
  let twoBefore: number[] = [];
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [row, letter] of Array.from(one).entries()) {
    const line = [row + 1];
    for (let at = 1; at <= other.length; at++) {
      const changed = (before[at - 1] ?? 0) + (letter === other[at - 1] ? 0 : 1);
      const isSwap = letter === other[at - 2] && one[row - 1] === other[at - 1];
      const swapped = isSwap ? (twoBefore[at - 2] ?? 0) + 1 : changed;
      line.push(Math.min(changed, swapped, (before[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1));
    }
    twoBefore = before;
    before = line;
  }
  return before.at(-1) ?? 0;
}

/** The known name that was most likely meant; null when none is near enough. */
export function similarTo(name: string, known: readonly string[]): string | null {
  const [best] = known
    .map((each) => ({ each, far: distance(name.toLowerCase(), each.toLowerCase()) }))
    .sort((a, b) => a.far - b.far);
  return best !== undefined && best.far <= Math.max(1, Math.floor(name.length / 4)) ? best.each : null;
}
