import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { maskedKey } from "../errors/mask-key.ts";
import { BposError } from "../errors.ts";
import { isOpen } from "./access.ts";

/** What reading a key needs of the outside world. */
export interface KeyReader {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
}

/** A key from a file. */
export interface FileKey {
  key: string;
  /** Whether others than its owner may read the file. */
  isOpen: boolean;
}

/** A key of the service, which somebody gave in the place of a file. */
const keyItself = /^\s*bpk_[^/\\.]{8,}$/;

function unreadable(source: string, error: unknown): BposError {
  // What the system says repeats the name, and so does the cause.
  if (keyItself.test(source))
    return new BposError("key_unreadable", {
      source: maskedKey(source.trim()),
      detail: { kind: "key_as_file" },
    });
  return new BposError("key_unreadable", { source, detail: (error as Error).message }, { cause: error });
}

/** Reads the key from a file, or from standard input for `-`. Throws `key_unreadable`. */
export async function keyFromFile({ stdin, cwd, platform }: KeyReader, source: string): Promise<FileKey> {
  let text: string;
  try {
    const chunks: Uint8Array[] = [];
    if (source === "-") for await (const chunk of stdin) chunks.push(chunk);
    else chunks.push(readFileSync(resolve(cwd, source)));
    text = Buffer.concat(chunks).toString("utf8");
  } catch (error) {
    throw unreadable(source, error);
  }
  const key = text.replace(/^\ufeff/, "").trim();
  if (key === "") throw new BposError("key_unreadable", { source, detail: { kind: "empty" } });
  return { key, isOpen: source !== "-" && isOpen(resolve(cwd, source), platform) };
}
