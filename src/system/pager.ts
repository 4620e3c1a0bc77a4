import { spawn } from "node:child_process";

/** What a shell ends with when there is no such command, or none that it may run; 9009 is of Windows. */
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
      const env = { LESS: "FRX", LV: "-c", ...process.env };
      const child = spawn(command, { shell: true, stdio: ["pipe", "inherit", "inherit"], env });
      child.once("error", () => resolve(false));
      child.once("exit", (code) => resolve(!notStarted.includes(code ?? 0)));
      child.stdin.on("error", ignore).end(text);
    });
  } finally {
    process.off("SIGINT", ignore);
    for (const listener of listeners) process.on("SIGINT", listener);
  }
}
