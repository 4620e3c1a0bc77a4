import { statSync } from "node:fs";
import type { OpenPath } from "../errors/profile-problem.ts";
import { BposError } from "../errors.ts";

/** The rights of everybody but the owner. */
const others = 0o077;

/** A file or folder that others may use as well, and what its mode should be; undefined where they may not. */
function openPath(path: string, platform: NodeJS.Platform): OpenPath | undefined {
  // Windows has other rights than these, and Node shows none of them.
  if (platform === "win32") return undefined;
  const stat = statSync(path, { throwIfNoEntry: false });
  // A key may come through a pipe of the shell, which is nobody else's.
  if (stat === undefined || (stat.mode & others) === 0 || !(stat.isFile() || stat.isDirectory()))
    return undefined;
  const mode = (stat.mode & 0o777).toString(8).padStart(3, "0");
  return { path, mode, fix: stat.isDirectory() ? "700" : "600" };
}

/** Whether others than the owner may use a file. */
export const isOpen = (path: string, platform: NodeJS.Platform): boolean =>
  openPath(path, platform) !== undefined;

/** Throws `config_open` where others than the owner may use one of these; what is missing is nobody's. */
export function refuseOpen(paths: readonly string[], platform: NodeJS.Platform): void {
  const open = paths.map((path) => openPath(path, platform)).filter((found) => found !== undefined);
  const [first] = open;
  if (first !== undefined) throw new BposError("config_open", { file: first.path, open });
}
