import { join } from "node:path";
import { databaseFault, databasePasswords, isDatabase, shownDatabase } from "../contract/addresses.ts";
import type { Origin } from "../errors/findings.ts";
import type { DatabaseProblem } from "../errors/problems.ts";
import { BposError } from "../errors.ts";
import { configFile, folders, type Machine } from "./folders.ts";
import type { KeyReader } from "./key-file.ts";
import { misplacedJournal, type ProfileFile } from "./profile-file.ts";

export interface JournalPlace {
  /** The file of SQLite, or the address of a PostgreSQL database, which holds its password. */
  place: string;
  /** The same without the password. */
  shown: string;
  source: Origin;
}

const variable = "BPOS_JOURNAL";

/** Returns the journal that is used when nothing is set. */
export function ownJournal(machine: Machine): JournalPlace {
  const place = join(folders(machine).state, "journal.db");
  return { place, shown: place, source: { kind: "default", name: "" } };
}

/** BPOS_JOURNAL before the profile file, for all profiles. Throws `journal_unreadable` for what can be no journal. */
export function journalPlace(machine: Machine & Pick<KeyReader, "hide">, content: ProfileFile): JournalPlace {
  const { env, hide } = machine;
  const given = env[variable]?.trim();
  const unusable = (problem: DatabaseProblem): BposError => {
    const file = given ? variable : configFile(machine);
    return new BposError("journal_unreadable", { file, detail: { kind: "database", problem } });
  };
  const misplaced = given ? undefined : misplacedJournal(content);
  if (misplaced !== undefined) throw unusable(misplaced);
  const place = given || content.journal?.trim();
  if (!place) return ownJournal(machine);
  for (const password of [...databasePasswords(place), env["PGPASSWORD"] ?? ""]) hide(password, "…");
  const fault = databaseFault(place, env);
  if (fault !== undefined) throw unusable(fault);
  const source: Origin = given
    ? { kind: "environment", name: variable }
    : { kind: "config", name: "journal" };
  return { place, shown: isDatabase(place) ? shownDatabase(place) : place, source };
}
