import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { OpenPath } from "../errors/problems.ts";
import { BposError } from "../errors.ts";
import type { Machine } from "./folders.ts";

const others = 0o077;
const groupWrite = 0o020;
const othersWrite = groupWrite | 0o002;
/** In such a folder everybody may write, and replace only what is their own. */
const sticky = 0o1000;

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(3, "0");

/** A group of the owner's number is the owner's own: many systems give each user one, and let it write (umask 002). */
function isLent({ mode, uid, gid }: Stats): boolean {
  const writers = gid === uid ? othersWrite & ~groupWrite : othersWrite;
  return (mode & writers) !== 0 && (mode & sticky) === 0;
}

const isStrange = (stat: Stats, uid: number): boolean => stat.uid !== 0 && stat.uid !== uid;

/** True if others may use it. Windows has other rights than these, and Node shows none of them. */
export function isOpen(path: string, platform: NodeJS.Platform): boolean {
  const stat = platform === "win32" ? undefined : statSync(path, { throwIfNoEntry: false });
  // A key may come through a pipe of the shell, which is nobody else's.
  return stat !== undefined && (stat.mode & others) !== 0 && (stat.isFile() || stat.isDirectory());
}

/** The file, where others on this machine can read it too. */
export const openFile = (file: string | undefined, { platform }: Pick<Machine, "platform">) =>
  file !== undefined && isOpen(file, platform) ? file : undefined;

/** Lists a path, every folder above it, each link on the way and its target; a missing one has `null`. */
function onTheWay(path: string, found = new Map<string, Stats | null>()): Map<string, Stats | null> {
  if (found.has(path)) return found;
  let stat: Stats | undefined;
  try {
    stat = lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // In a folder that may not be read: using it fails by itself.
  }
  found.set(path, stat ?? null);
  const folder = dirname(path);
  onTheWay(folder, found);
  if (stat?.isSymbolicLink() === true) onTheWay(resolve(realpathSync(folder), readlinkSync(path)), found);
  return found;
}

/** True if a user other than root could replace `path`, by its own rights or those of a folder on the way. */
export function isExposed(path: string, { uid }: Pick<Machine, "uid">): boolean {
  if (uid === undefined) return false;
  return [...onTheWay(path).values()].some(
    (stat) => stat !== null && (isStrange(stat, uid) || (!stat.isSymbolicLink() && isLent(stat))),
  );
}

/** One link after the other; the last need not be there. */
export function followLinks(file: string): string[] {
  const targets: string[] = [];
  try {
    for (let next = file; ; targets.push(next)) {
      next = resolve(dirname(next), readlinkSync(next));
      if (targets.includes(next)) return targets;
    }
  } catch {
    return targets;
  }
}

/** Throws `config_open` where others may use a file or its folder, own one of them, or could put another file in its place. */
export function refuseOpen(file: string, { platform, uid }: Machine): void {
  if (platform === "win32") return;
  const open: OpenPath[] = [];
  for (const path of [dirname(file), file]) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || !isOpen(path, platform)) continue;
    open.push({ path, mode: octal(stat.mode), fix: octal(stat.isDirectory() ? 0o700 : 0o600) });
  }
  for (const [path, stat] of onTheWay(file)) {
    if (stat === null) continue;
    const mode = octal(stat.mode);
    if (uid !== undefined && isStrange(stat, uid)) open.push({ path, mode, owner: stat.uid });
    else if (stat.isDirectory() && isLent(stat) && !open.some((each) => each.path === path))
      open.push({ path, mode, fix: octal(stat.mode & ~othersWrite) });
  }
  const [first] = open;
  if (first !== undefined) throw new BposError("config_open", { file: first.path, open });
}
