import { existsSync } from "node:fs";
import type { OpenJournal, Session } from "../cli/session/session.ts";
import { isDatabase } from "../contract/addresses.ts";
import { openMemoryJournal } from "../journal/journal.ts";

/** Opens the existing journal, or an empty one in memory, so that a dry run creates none. */
export async function openExistingJournal({
  settings,
  openJournal,
}: Session): Promise<Pick<OpenJournal, "journal" | "branch">> {
  if (isDatabase(settings.journal) || existsSync(settings.journal)) return openJournal();
  return { journal: openMemoryJournal(), branch: "" };
}
