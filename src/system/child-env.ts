type Env = Readonly<Record<string, string | undefined>>;

/** What bpos itself is given in secret. An address of a journal may hold its password. */
const secrets = new Set(["BPOS_API_KEY", "BPOS_WEBHOOK_SECRET", "BPOS_JOURNAL", "PGPASSWORD"]);

/** The environment of a program that bpos starts: its own without secrets, unless the command may run bpos again or call the service (`SECURITY.md` has a table). */
export function childEnv(env: Env, more: Env = {}, { keepsSecrets = false } = {}): NodeJS.ProcessEnv {
  // On Windows a name is the same in capitals and small letters.
  const kept = Object.entries(env).filter(([name]) => keepsSecrets || !secrets.has(name.toUpperCase()));
  return { ...Object.fromEntries(kept), ...more };
}

/** A program of Windows by its absolute path: by its name alone one in the working folder would be started. */
export const windowsProgram = (env: Env, ...path: readonly string[]): string =>
  [env["SystemRoot"] ?? String.raw`C:\Windows`, "System32", ...path].join("\\");

/** What runs a line of the user's own; on Windows not by the name alone either. */
export const userShell = (platform: NodeJS.Platform, env: Env): string | true =>
  platform === "win32" ? windowsProgram(env, "cmd.exe") : true;
