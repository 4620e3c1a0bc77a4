import { folders } from "./settings/folders.ts";
import { cacheCode } from "./system/code-cache.ts";
import { realSystem } from "./system.ts";

/** Runs a command line with the real system and returns its exit code: what `bin/bpos.js` calls. */
export async function start(argv: readonly string[]): Promise<number> {
  const system = realSystem();
  if (system.env["NODE_DISABLE_COMPILE_CACHE"] !== "1") cacheCode(folders(system).cache);
  const { main } = await import("./main.ts");
  return main(argv, system);
}
