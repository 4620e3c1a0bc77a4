import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folders } from "../settings/folders.ts";
import type { System } from "../system.ts";

/** Where a mock runs, as it noted it in the state folder itself. */
export interface MockNote {
  url: string;
  pid: number;
}

/** A note as it is kept, `at` in epoch milliseconds. */
interface Kept extends MockNote {
  at: number;
  id: string;
}

const folderOf = (system: System): string => join(folders(system).state, "mocks");
const noteFile = (folder: string, id: string): string => join(folder, `${id}.json`);
const lockFile = (folder: string, id: string): string => join(folder, `${id}.lock`);

/** The note of a mock that runs. */
export interface OwnNote {
  /** Shows that the process lives; it takes a while, so a mock first says that it listens. */
  hold: () => Promise<void>;
  forget: () => void;
}

/** Notes where this mock runs, for `bpos mock order` and its like; a folder that cannot be written is no hindrance. */
export function announceMock(system: System, url: string): OwnNote {
  const folder = folderOf(system);
  const id = system.uuid();
  let release = (): void => undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const note = { url, pid: system.pid, at: system.clock.now() };
    writeFileSync(noteFile(folder, id), JSON.stringify(note), { mode: 0o600 });
  } catch {
    return { hold: () => Promise.resolve(), forget: release };
  }
  return {
    async hold() {
      const { holdFile } = await import("../journal/lock-file.ts");
      try {
        const held = holdFile(lockFile(folder, id));
        release = () => held.release();
      } catch {
        // Then only its address tells whether it lives.
      }
    },
    forget() {
      release();
      clear(folder, id);
    },
  };
}

/** Removes a note and its lock as far as that is allowed. */
function clear(folder: string, id: string): void {
  for (const file of [noteFile(folder, id), lockFile(folder, id)]) {
    try {
      rmSync(file, { force: true });
    } catch {
      // Whoever may not write there can still talk to the mocks that live.
    }
  }
}

function read(folder: string, id: string): Kept | undefined {
  try {
    const { url, pid, at } = JSON.parse(readFileSync(noteFile(folder, id), "utf8")) as Record<
      string,
      unknown
    >;
    return typeof url === "string" && URL.canParse(url) && typeof pid === "number" && typeof at === "number"
      ? { url, pid, at, id }
      : undefined;
  } catch {
    return undefined;
  }
}

function noted(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []);
  } catch {
    return [];
  }
}

/** The mocks of this state folder whose process lives, the one that was started last first; clears away the notes of the others. */
export async function livingMocks(system: System): Promise<MockNote[]> {
  const folder = folderOf(system);
  const ids = noted(folder);
  if (ids.length === 0) return [];
  const { isHeld } = await import("../journal/lock-file.ts");
  const isAlive = (id: string): boolean => {
    try {
      const lock = lockFile(folder, id);
      // It comes a moment after the note.
      return !existsSync(lock) || isHeld(lock);
    } catch {
      return false;
    }
  };
  const living: Kept[] = [];
  for (const id of ids) {
    if (!isAlive(id)) clear(folder, id);
    else {
      const note = read(folder, id);
      if (note !== undefined) living.push(note);
    }
  }
  return living.sort((a, b) => b.at - a.at);
}
