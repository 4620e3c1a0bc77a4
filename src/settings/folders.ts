import { join } from "node:path";

/** The narrow part of the System that this folder asks for. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homedir: string;
  readonly platform: NodeJS.Platform;
}

/** Where configuration and state live. */
export interface Folders {
  config: string;
  state: string;
}

/** BPOS_HOME for both where it is set, otherwise the platform's standard folders. */
export function folders({ env, homedir, platform }: Machine): Folders {
  const set = (name: string): string | undefined => env[name] || undefined;
  const home = set("BPOS_HOME");
  if (home !== undefined) return { config: home, state: join(home, "state") };
  if (platform === "win32") {
    return {
      config: join(set("APPDATA") ?? join(homedir, "AppData", "Roaming"), "bpos"),
      state: join(set("LOCALAPPDATA") ?? join(homedir, "AppData", "Local"), "bpos"),
    };
  }
  if (platform === "darwin") {
    const support = join(homedir, "Library", "Application Support", "bpos");
    return { config: support, state: join(support, "state") };
  }
  return {
    config: join(set("XDG_CONFIG_HOME") ?? join(homedir, ".config"), "bpos"),
    state: join(set("XDG_STATE_HOME") ?? join(homedir, ".local", "state"), "bpos"),
  };
}

/** The file of profiles. */
export const configFile = (machine: Machine): string => join(folders(machine).config, "config.json");
