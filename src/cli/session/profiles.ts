import { BposError, isReason } from "../../errors.ts";
import { configFile } from "../../settings/folders.ts";
import {
  changeProfiles,
  findProfile,
  missingProfile,
  readProfiles,
  type StoredFile,
} from "../../settings/profile-file.ts";
import type { System } from "../../system.ts";

/** How long bpos waits for another process that changes the profiles, in milliseconds. */
const maxWaitMs = 10_000;

export async function editProfiles<T>(system: System, change: (content: StoredFile) => T): Promise<T> {
  const { holdFile } = await import("../../journal/locks/lock-files.ts");
  const hold = (lock: string): { release(): void } => {
    try {
      return holdFile(lock, maxWaitMs);
    } catch (cause) {
      if (!isReason(cause, "journal_unreadable")) throw cause;
      const { detail } = cause.facts;
      throw new BposError("output_unwritable", { file: configFile(system), detail, isOwn: true }, { cause });
    }
  };
  return changeProfiles(system, change, { unique: system.uuid(), hold });
}

export function checkKnown(system: System, profiles: Readonly<Record<string, object>>, name: string): void {
  if (findProfile(profiles, name) !== undefined) return;
  throw new BposError("profile_missing", { ...missingProfile(system, name, profiles), isArgument: true });
}

export async function editKnown<T>(
  system: System,
  name: string,
  change: (content: StoredFile) => T,
): Promise<T> {
  checkKnown(system, readProfiles(system).profiles, name);
  return editProfiles(system, (content) => {
    // Another process may have removed it meanwhile.
    checkKnown(system, content.profiles, name);
    return change(content);
  });
}
