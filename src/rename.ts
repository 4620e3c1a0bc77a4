import { renameSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const pauseMs = 100;
const maxPauses = 20;

/** On Windows no file that a program has open can be moved or replaced, unless that program allows it. */
const isInUse = (error: unknown): boolean =>
  ["EBUSY", "EPERM", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "");

/** Renames a file, over another one too. What is in use is tried again for 2 s: virus scanners and indexers open each new file for a moment. Throws the system's error. */
export async function rename(from: string, to: string): Promise<void> {
  for (let pauses = 0; ; pauses++) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      if (pauses === maxPauses || !isInUse(error)) throw error;
      await delay(pauseMs);
    }
  }
}
