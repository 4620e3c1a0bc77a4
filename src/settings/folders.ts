import { existsSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { OpenPath } from "../errors/problems.ts";
import { BposError } from "../errors.ts";

export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homedir: string;
  readonly platform: NodeJS.Platform;
}

export interface Folders {
  config: string;
  state: string;
  /** For compiled code. */
  cache: string;
}

function defaultFolders({ env, homedir, platform }: Machine): Folders {
  const library = join(homedir, "Library");
  const mac = platform === "darwin" && join(library, "Application Support", "bpos");
  const home = env["BPOS_HOME"] || mac;
  const below = (name: string, ...usual: string[]): string =>
    join(env[name] || join(homedir, ...usual), "bpos");
  if (home) {
    const cache = home === mac ? join(library, "Caches", "bpos") : join(home, "cache");
    return { config: home, state: join(home, "state"), cache };
  }
  if (platform === "win32") {
    const state = below("LOCALAPPDATA", "AppData", "Local");
    return { config: below("APPDATA", "AppData", "Roaming"), state, cache: join(state, "cache") };
  }
  return {
    config: below("XDG_CONFIG_HOME", ".config"),
    state: below("XDG_STATE_HOME", ".local", "state"),
    cache: below("XDG_CACHE_HOME", ".cache"),
  };
}

export function folders(machine: Machine): Folders {
  const found = defaultFolders(machine);
  return { ...found, cache: machine.env["NODE_COMPILE_CACHE"] || found.cache };
}

export const configFile = (machine: Machine): string => join(folders(machine).config, "config.json");

/** The schemas are not loaded, since completion must be quick. Throws what reading throws. */
function readQuickly(machine: Machine): { profiles?: object; journal?: unknown } {
  const text = readFileSync(configFile(machine), "utf8").replace(/^\ufeff/, "");
  return JSON.parse(text) as object;
}

export const profileNames = (machine: Machine): string[] => Object.keys(readQuickly(machine).profiles ?? {});

/** What stands for a journal that is not this machine's own file, whether it can be one or not. Throws what reading throws. */
export function sharedJournal(machine: Machine): string | undefined {
  const given = machine.env["BPOS_JOURNAL"]?.trim();
  if (given) return given;
  const { journal } = existsSync(configFile(machine)) ? readQuickly(machine) : {};
  return typeof journal === "string" ? journal.trim() || undefined : undefined;
}

const others = 0o077;
const othersWrite = 0o022;
/** In such a folder everybody may write, and replace only what is their own. */
const sticky = 0o1000;

function openPath(path: string, platform: NodeJS.Platform, rights = others): OpenPath | undefined {
  // Windows has other rights than these, and Node shows none of them.
  if (platform === "win32") return undefined;
  const stat = statSync(path, { throwIfNoEntry: false });
  // A key may come through a pipe of the shell, which is nobody else's.
  if (stat === undefined || (stat.mode & rights) === 0 || !(stat.isFile() || stat.isDirectory()))
    return undefined;
  if (rights === othersWrite && (stat.mode & sticky) !== 0) return undefined;
  const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(3, "0");
  const own = stat.isDirectory() ? 0o700 : 0o600;
  return { path, mode: octal(stat.mode), fix: octal(rights === others ? own : stat.mode & ~othersWrite) };
}

export const isOpen = (path: string, platform: NodeJS.Platform): boolean =>
  openPath(path, platform) !== undefined;

/** One link after the other; the last need not be there. */
export function linkedFrom(file: string): string[] {
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

/** Throws `config_open` where others may use a file or its folder, or may replace what it is a link to. */
export function refuseOpen(file: string, platform: NodeJS.Platform): void {
  const folder = dirname(file);
  const beyond = new Set(linkedFrom(file).map((target) => dirname(target)));
  beyond.delete(folder);
  const open = [
    ...[folder, file].map((path) => openPath(path, platform)),
    ...[...beyond].map((path) => openPath(path, platform, othersWrite)),
  ].filter((found) => found !== undefined);
  const [first] = open;
  if (first !== undefined) throw new BposError("config_open", { file: first.path, open });
}
