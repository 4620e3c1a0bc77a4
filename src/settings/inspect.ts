import { BposError, isReason } from "../errors.ts";
import { refuseOpen } from "./access.ts";
import { configFile, type Machine } from "./folders.ts";
import { type ProfileFile, parseProfiles, profileText } from "./profile-file.ts";

/** The profile file as it stands; `content` is undefined where it cannot be read. */
export interface ProfileFileLook {
  file: string;
  exists: boolean;
  content: ProfileFile | undefined;
  /** `config_unreadable`, or `config_open`: commands refuse a file that others may read, though its content is known. */
  error: BposError | undefined;
}

/** Looks at the profile file. What commands refuse is told, not thrown. */
export function inspectProfiles(machine: Machine): ProfileFileLook {
  const file = configFile(machine);
  let content: ProfileFile | undefined;
  try {
    const text = profileText(file);
    if (text === undefined) return { file, exists: false, content: { profiles: {} }, error: undefined };
    content = parseProfiles(file, text);
    refuseOpen(file, machine.platform);
    return { file, exists: true, content, error: undefined };
  } catch (error) {
    if (!(error instanceof BposError)) throw error;
    return { file, exists: true, content: isReason(error, "config_open") ? content : undefined, error };
  }
}
