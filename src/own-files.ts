import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { getAsset, getRawAsset, isSea } from "node:sea";

/** Returns how bpos is installed: as a package of npm, as an executable, or by a Debian package. */
export type Form = "npm" | "binary" | "deb";

export const installedForm = (): Form => (isSea() ? (getAsset("form", "utf8") as Form) : "npm");

/** The folder of the package, found by its name: the build puts this module into another folder. */
const packageFolder = (): string => dirname(createRequire(import.meta.url).resolve("bpos/package.json"));

/** Reads a file of the executable; nobody may write into it. Throws if there is no such file. */
export const readAsset = (path: string): Buffer => Buffer.from(getRawAsset(path) as ArrayBuffer);

/** Reads a file that bpos brings along, by its path in the package, as `dist/jq.wasm`. An executable holds them all, and unpacks none. */
export const readOwnFile = (path: string): Buffer =>
  isSea() ? readAsset(path) : readFileSync(join(packageFolder(), path));
