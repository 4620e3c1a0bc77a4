import { looksLikeKey, maskedKey } from "../errors/mask-key.ts";
import { similarTo } from "../errors/similar.ts";
import { BposError, isReason } from "../errors.ts";
import { changeProfiles, type StoredFile } from "../settings/change-profiles.ts";
import { configFile } from "../settings/folders.ts";
import { profileOf, readProfiles } from "../settings/profile-file.ts";
import type { System } from "../system.ts";
import { refused } from "./profile-values.ts";

/** How long another process that changes the profiles is waited for, in milliseconds. */
const longestWait = 10_000;

/**
 * Changes the profile file, one process at a time. Throws `config_open`, `config_unreadable`, `output_unwritable` and what
 * `change` throws.
 */
async function editProfiles<T>(system: System, change: (content: StoredFile) => T): Promise<T> {
  const { holdFile } = await import("../journal/lock-file.ts");
  const hold = (lock: string): { release(): void } => {
    try {
      return holdFile(lock, longestWait);
    } catch (error) {
      if (!isReason(error, "journal_unreadable")) throw error;
      const { detail } = error.facts;
      throw new BposError(
        "output_unwritable",
        { file: configFile(system), detail, isOwn: true },
        { cause: error },
      );
    }
  };
  return changeProfiles(system, change, { unique: system.uuid(), hold });
}

/** Throws `profile_missing` for a name that is not among these profiles. */
export function checkKnown(system: System, profiles: Readonly<Record<string, object>>, name: string): void {
  if (profileOf(profiles, name) !== undefined) return;
  const known = Object.keys(profiles);
  throw new BposError("profile_missing", {
    ...{ name: looksLikeKey(name) ? maskedKey(name) : name, similar: similarTo(name, known), known },
    ...{ file: configFile(system), isArgument: true },
  });
}

/**
 * Changes the file where it holds a profile of that name. Nothing is written, and no folder made, where it does not. Throws
 * `profile_missing` and what `editProfiles` throws.
 */
export async function editKnown<T>(
  system: System,
  name: string,
  change: (content: StoredFile) => T,
): Promise<T> {
  checkKnown(system, readProfiles(system).profiles, name);
  return editProfiles(system, (content) => {
    // Another process may have taken it away meanwhile.
    checkKnown(system, content.profiles, name);
    return change(content);
  });
}

/** What a person gives of a profile, under the names of the file; undefined takes away what was there. */
export interface ProfileDraft {
  api_key?: string | undefined;
  key_command?: string | undefined;
  base_url?: string | undefined;
  campaigns_base_url?: string | undefined;
  store_id?: string | undefined;
  country?: string | undefined;
  currency?: string | undefined;
  header_field?: string | undefined;
  sandbox?: boolean | undefined;
}

/** A profile with what a person gave of it; the rest stays. One key comes in the place of another. */
export function withDraft<P extends object>(before: P, draft: ProfileDraft): P & ProfileDraft {
  const merged: P & ProfileDraft = { ...before, ...draft };
  if (draft.api_key !== undefined) delete merged.key_command;
  if (draft.key_command !== undefined) delete merged.api_key;
  return merged;
}

/** What came of keeping a profile. */
export interface Kept {
  profile: string;
  default: string | null;
  config_file: string;
}

/** Keeps a profile; the first one is the default. Throws what `editProfiles` throws, and `usage_flag` for a name that is taken. */
export async function keepProfile(
  system: System,
  {
    name,
    draft,
    isDefault,
    update,
  }: { name: string; draft: ProfileDraft; isDefault: boolean; update: boolean },
): Promise<Kept> {
  return editProfiles(system, (content) => {
    const before = Object.hasOwn(content.profiles, name) ? content.profiles[name] : undefined;
    // Another process may have taken the name meanwhile.
    if (before !== undefined && !update) throw refused({ kind: "name_taken", name });
    content.profiles[name] = withDraft(before ?? {}, draft);
    if (isDefault || Object.keys(content.profiles).length === 1) content.default = name;
    return { profile: name, default: content.default ?? null, config_file: configFile(system) };
  });
}
