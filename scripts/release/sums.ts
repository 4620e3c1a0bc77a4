import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { release } from "./about.ts";
import { filesBelow } from "./archive.ts";
import { put } from "./contents.ts";

const sumsFile = "SHA256SUMS";

export const sha256Of = (name: string): string =>
  createHash("sha256")
    .update(readFileSync(join(release, name)))
    .digest("hex");

/** Writes the checksums of all other files, as `sha256sum --check` reads them. */
export function writeSums(): void {
  const names = filesBelow(release).filter((name) => name !== sumsFile);
  put(join(release, sumsFile), names.map((name) => `${sha256Of(name)}  ${name}\n`).join(""));
}
