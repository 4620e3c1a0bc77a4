type Env = Readonly<Record<string, string | undefined>>;

/** Variables with secrets of bpos. The address of a journal may hold its password. */
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

/** Returns the shell that runs a line of the user; on Windows by its path. */
export const userShell = (platform: NodeJS.Platform, env: Env): string | true =>
  platform === "win32" ? windowsProgram(env, "cmd.exe") : true;
