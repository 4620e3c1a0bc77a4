import { setImmediate } from "node:timers/promises";
import { BposError } from "../errors.ts";

/** Who follows the reading of a large file. */
export interface ReadingWatch {
  signal?: AbortSignal | undefined;
  /** Hears now and then how many rows were read. */
  onProgress?: (rows: number) => void;
}

/** Gives others their turn in the middle of a file. Throws BposError interrupted. */
export async function restAt(rows: number, { signal, onProgress }: ReadingWatch): Promise<void> {
  onProgress?.(rows);
  await setImmediate();
  if (signal?.aborted) throw new BposError("interrupted", { during: "reading" });
}
