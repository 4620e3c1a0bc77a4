import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Remembered } from "../journal/peek.ts";
import { folders } from "../settings/folders.ts";
import type { System } from "../system.ts";
import type { Source } from "./flags.ts";

/** A word that may stand there, and what it is. */
export interface Candidate {
  value: string;
  note: string;
}

const mostRemembered = 100;

async function fromJournal(
  system: System,
  what: Remembered,
  { mock }: { mock: boolean },
): Promise<Candidate[]> {
  const file = join(folders(system).state, mock ? "mock-journal.db" : "journal.db");
  // To load SQLite for nothing would be felt at every Tab.
  if (!existsSync(file)) return [];
  const { remembered } = await import("../journal/peek.ts");
  return remembered(file, what, mostRemembered).flatMap(({ value, note }) =>
    value === null ? [] : [{ value, note: note ?? "" }],
  );
}

/** The words that a source holds on this machine. Throws what reading them throws. */
export async function candidatesOf(
  system: System,
  source: Source,
  { mock }: { mock: boolean },
): Promise<Candidate[]> {
  if (source.of === "words") return source.words.map((value) => ({ value, note: "" }));
  if (source.of === "journal") return fromJournal(system, source.what, { mock });
  if (source.of !== "profiles") return [];
  const { profileNames } = await import("../settings/profile-names.ts");
  return profileNames(system).map((value) => ({ value, note: "" }));
}
