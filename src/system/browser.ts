import { spawn } from "node:child_process";

/** An opener that runs on for this long has begun: some stay until the browser ends. */
const startedMs = 2_000;

function openerOf(platform: NodeJS.Platform): [command: string, ...args: string[]] {
  if (platform === "darwin") return ["open"];
  // The first quoted word of `start` would be the window's title.
  return platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
}

/** Opens an address of our own in the default browser. Resolves to false where that fails at once; never rejects. */
export function openInBrowser(url: string): Promise<boolean> {
  const [command, ...args] = openerOf(process.platform);
  return new Promise((resolve) => {
    setTimeout(resolve, startedMs, true).unref();
    // A group of its own: Ctrl-C here must not end the browser. On Windows it would be a window of its own.
    const detached = process.platform !== "win32";
    spawn(command, [...args, url], { detached, stdio: "ignore", windowsHide: true })
      .on("error", () => resolve(false))
      .on("exit", (code) => resolve(code === 0))
      .unref();
  });
}
