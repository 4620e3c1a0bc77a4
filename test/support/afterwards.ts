import { spawn } from "node:child_process";
import { once } from "node:events";

/** Runs a shell line, in which $0 is a folder, once this process is gone, however that ends. Returns what does it now. */
export function afterwards(line: string, folder: string): () => Promise<void> {
  // A session of its own: Ctrl-C is not for it. It waits for the end of its input, which only this process has.
  const keeper = spawn("/bin/sh", ["-c", `cat; ${line}`, folder], {
    ...{ cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] },
  });
  keeper.unref();
  return async () => {
    keeper.ref();
    keeper.stdin.end();
    await once(keeper, "exit");
  };
}
