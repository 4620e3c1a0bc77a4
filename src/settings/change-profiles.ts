import { constants } from "node:fs";
import { access, type FileHandle, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { parse, stringify } from "lossless-json";
import { BposError } from "../errors.ts";
import { linkedFrom, refuseOpen } from "./access.ts";
import { configFile, type Machine } from "./folders.ts";
import { parseProfiles, profileText } from "./profile-file.ts";

/** The file as it is kept: what bpos does not know of is in it too, and numbers as they were written. */
export interface StoredFile {
  default?: string;
  profiles: Record<string, Record<string, unknown>>;
}

/** What a change needs beside the file. */
export interface ChangeMeans {
  /** Names the temporary file. */
  unique: string;
  /** Holds a lock file against other processes; waits for one that has it. */
  hold: (file: string) => { release(): void };
}

const unwritable = (file: string, error: unknown): BposError =>
  new BposError(
    "output_unwritable",
    { file, detail: (error as Error).message, isOwn: true },
    { cause: error },
  );

/**
 * Makes the folder of the profile file where it is missing. Throws `config_open` where others may use folder or file, and
 * `output_unwritable`.
 */
export async function prepareFolder(machine: Machine): Promise<void> {
  const file = configFile(machine);
  const folder = dirname(file);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw unwritable(file, error);
  }
  refuseOpen(file, machine.platform);
}

/** The file behind a link, which is written in its place; it need not be there. */
async function targetOf(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return linkedFrom(file).at(-1) ?? file;
  }
}

function changed<T>(target: string, change: (content: StoredFile) => T): { text: string; result: T } {
  const text = profileText(target) ?? "{}";
  parseProfiles(target, text);
  const stored = parse(text, undefined, {
    // Read alone, the last one counts; written again, the other would be lost without a word.
    onDuplicateKey: ({ key: listKey }) => {
      const detail = { kind: "json_list_twice", listKey } as const;
      throw new BposError("config_unreadable", { file: target, detail });
    },
  }) as Partial<StoredFile>;
  const content: StoredFile = Object.assign(stored, { profiles: stored.profiles ?? {} });
  const result = change(content);
  return { text: `${stringify(content, null, 2) ?? ""}\n`, result };
}

async function fill<T>(handle: FileHandle, make: () => { text: string; result: T }): Promise<T> {
  try {
    const { text, result } = make();
    await handle.writeFile(text);
    await handle.sync();
    return result;
  } finally {
    await handle.close();
  }
}

/**
 * Changes the profile file; what is not changed stays as it is. Whoever reads it meanwhile sees the old file or the new one,
 * and who changes it meanwhile waits. Throws `config_open`, `config_unreadable`, `output_unwritable` and what `change` throws;
 * then the file is as it was.
 *
 * @example
 * await changeProfiles(system, (content) => { content.default = "norte"; }, { unique: system.uuid(), hold });
 */
export async function changeProfiles<T>(
  machine: Machine,
  change: (content: StoredFile) => T,
  { unique, hold }: ChangeMeans,
): Promise<T> {
  const file = configFile(machine);
  await prepareFolder(machine);
  let temporary: string | undefined;
  let lock: { release(): void } | undefined;
  try {
    const target = await targetOf(file);
    // Opened before the lock is: a folder that cannot be written is said in the words of the system.
    const handle = await open(`${target}.${unique}`, "wx", 0o600);
    temporary = `${target}.${unique}`;
    const result = await fill(handle, () => {
      lock = hold(`${target}.lock`);
      return changed(target, change);
    });
    await rename(temporary, target);
    temporary = undefined;
    return result;
  } catch (error) {
    if (error instanceof BposError) throw error;
    throw unwritable(file, error);
  } finally {
    if (temporary !== undefined) await rm(temporary, { force: true }).catch(() => undefined);
    lock?.release();
  }
}
