import { spawn } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { childEnv, userShell, windowsProgram } from "./child-env.ts";

/** An opener that runs on for this long has begun: some stay until the browser ends. */
const startedMs = 2_000;

function findOpener(platform: NodeJS.Platform): [command: string, ...args: string[]] {
  if (platform === "darwin") return ["open"];
  // The first quoted word of `start` would be the window's title.
  return platform === "win32" ? [windowsProgram(process.env, "cmd.exe"), "/c", "start", ""] : ["xdg-open"];
}

/** Opens an address of our own in the default browser. Resolves to false where that fails at once; never rejects. */
export function openInBrowser(url: string): Promise<boolean> {
  const [command, ...args] = findOpener(process.platform);
  return new Promise((resolve) => {
    setTimeout(resolve, startedMs, true).unref();
    // Its own group: Ctrl-C here must not end the browser. On Windows it would be a separate window.
    const detached = process.platform !== "win32";
    const env = childEnv(process.env);
    spawn(command, [...args, url], { detached, env, stdio: "ignore", windowsHide: true })
      .on("error", () => resolve(false))
      .on("exit", (code) => resolve(code === 0))
      .unref();
  });
}

/** Exit codes of a shell for a command that is missing or may not run; 9009 is Windows'. */
const notStarted = [126, 127, 9009];

/**
 * Shows a text through a shell line of the user's own, which has the terminal until it ends; whoever leaves it early has
 * seen enough. Resolves to false where it could not be started; never rejects.
 */
export async function page(command: string, text: string): Promise<boolean> {
  const listeners = process.listeners("SIGINT");
  const ignore = (): void => undefined;
  // Ctrl-C is the pager's: in `less` it ends a search.
  process.removeAllListeners("SIGINT").on("SIGINT", ignore);
  try {
    return await new Promise((resolve) => {
      // Quits where all fits, keeps colours, leaves the text on the screen; as git has it.
      const env = { LESS: "FRX", LV: "-c", ...childEnv(process.env) };
      const shell = userShell(process.platform, process.env);
      const child = spawn(command, { shell, stdio: ["pipe", "inherit", "inherit"], env });
      child.once("error", () => resolve(false));
      child.once("exit", (code) => resolve(!notStarted.includes(code ?? 0)));
      child.stdin.on("error", ignore).end(text);
    });
  } finally {
    process.off("SIGINT", ignore);
    for (const listener of listeners) process.on("SIGINT", listener);
  }
}

const listening = "0A";

/** The inodes of the sockets that listen on a port of this machine. */
async function socketsOn(port: number): Promise<Set<string>> {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  const tables = await Promise.all(["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8")));
  const rows = tables.flatMap((table) => table.split("\n")).map((line) => line.trim().split(/\s+/));
  const ours = rows.filter(([, local, , state]) => local?.endsWith(`:${wanted}`) && state === listening);
  return new Set(ours.map((row) => `socket:[${row[9]}]`));
}

async function holdsAny(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => "")));
  return links.some((link) => sockets.has(link));
}

/** The process that listens on a port, where Linux tells this user; else undefined. */
export async function findListener(port: number): Promise<number | undefined> {
  try {
    const sockets = await socketsOn(port);
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    for (const pid of pids) if (await holdsAny(pid, sockets)) return Number(pid);
  } catch {
    // There is no /proc.
  }
  return undefined;
}
