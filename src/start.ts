import { setFlagsFromString } from "node:v8";
import { folders } from "./settings/folders.ts";
import { isExposed } from "./settings/rights.ts";
import { cacheCode } from "./system/code-cache.ts";
import { realSystem, type System } from "./system.ts";

function startQuickly(system: System): void {
  // The parser of HTTP is WebAssembly, all of which the V8 of Node 20 optimises: a quarter of a short command's time.
  // Before other code is compiled: what is kept of that is good for the same flags alone.
  if (system.nodeVersion.startsWith("20.")) setFlagsFromString("--liftoff-only");
  if (system.env["NODE_DISABLE_COMPILE_CACHE"] !== "1")
    cacheCode(folders(system).cache, (path) => isExposed(path, system));
}

type Load = () => unknown;
/** Loaders of the files that loaded files import; `lazy` in `rolldown.config.mjs` registers them. */
const built = globalThis as { bposFiles?: Iterable<Load> & { push: (load: Load) => void } };
const loadRestAfterMs = 3_000;

/** Loads what a long run may need later, such as the text of an error: an update of bpos removes these files while a watch runs. */
function loadTheRest(): void {
  const attempt = (load: Load): void => {
    try {
      load();
    } catch {
      // It was removed already: the first use reports it.
    }
  };
  const { bposFiles: files = [] } = built;
  for (const load of files) attempt(load);
  // Files that are loaded from now on register here, too.
  files.push = (load: Load) => void setImmediate(attempt, load);
}

/** Runs a command line with the real system and returns its exit code: what `bin/bpos.js` calls. */
export async function start(argv: readonly string[]): Promise<number> {
  const system = realSystem();
  // That needs next to nothing of our code.
  if (argv[0] !== "--version") startQuickly(system);
  setTimeout(loadTheRest, loadRestAfterMs).unref();
  const { main } = await import("./main.ts");
  return main(argv, system);
}
