import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homedir: string;
  readonly platform: NodeJS.Platform;
  readonly uid: number | undefined;
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

/** Returns the text that names a journal other than this machine's own file, whether it is usable or not. Throws what reading throws. */
export function sharedJournal(machine: Machine): string | undefined {
  const given = machine.env["BPOS_JOURNAL"]?.trim();
  if (given) return given;
  const { journal } = existsSync(configFile(machine)) ? readQuickly(machine) : {};
  return typeof journal === "string" ? journal.trim() || undefined : undefined;
}
