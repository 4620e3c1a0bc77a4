import { createHash } from "node:crypto";

/** The beginning of a pseudonym; no phone has it. */
export const pseudonymMark = "#";

/** Returns the pseudonym of a person in a pruned send. It can be recognized from the phone, or found by trying all phones. */
export const toPseudonym = (person: string): string =>
  pseudonymMark + createHash("sha256").update(`bpos ${person}`).digest("hex").slice(0, 32);

/** The rows with those of `asked` under their own names. */
export function restoreNames<Row extends { person: string }>(
  rows: readonly Row[],
  asked: Iterable<string>,
): readonly Row[] {
  if (!rows.some(({ person }) => person.startsWith(pseudonymMark))) return rows;
  const names = new Map(Array.from(asked, (person) => [toPseudonym(person), person]));
  return rows.map((row) => ({ ...row, person: names.get(row.person) ?? row.person }));
}
